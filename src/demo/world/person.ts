import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatApiLike } from "../../core/api/chat-api.js";
import type { NewProfile } from "../../core/commands.js";
import { Core } from "../../core/core.js";
import {
  type AChatItem,
  type ChatEvent,
  type ChatInfo,
  type ChatRef,
  ConnLink,
  chatRefOf,
  type GroupProfile,
  readEvent,
  type User,
} from "../../core/types.js";
import type { Clock } from "../../time/clock.js";

/** A message that came in. */
export interface Incoming {
  readonly chat: ChatRef;
  readonly item: number;
  readonly text: string;
  /** The member who wrote it; undefined in a chat of two. */
  readonly member: { readonly id: number; readonly name: string } | undefined;
}

/** A user of the network who does what people do in the app; each act is a command to a core of their own. */
export class Person {
  readonly #api: ChatApiLike;
  readonly #listeners = new Set<(event: ChatEvent) => void>();
  /** Messages that came with a request to connect, by contact: they cannot be answered yet. */
  readonly #early = new Map<ChatRef, Incoming[]>();

  private constructor(
    api: ChatApiLike,
    readonly core: Core,
    readonly user: User,
  ) {
    this.#api = api;
  }

  /** Makes the profile in a new database and comes online. */
  static async start(api: ChatApiLike, profile: NewProfile, clock: Clock): Promise<Person> {
    const core = new Core(api, clock);
    const person = new Person(api, core, await core.createActiveUser(profile));
    core.onEvent((raw) => {
      const event = readEvent(raw);
      if (event) for (const listener of [...person.#listeners]) listener(event);
    });
    await core.start();
    return person;
  }

  get name(): string {
    return this.user.profile.displayName;
  }

  /** Returns how to stop listening. */
  onEvent(listener: (event: ChatEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hands over each message as soon as it can be answered. */
  onMessage(listener: (message: Incoming) => void): void {
    this.onEvent((event) => {
      if (event.type === "newChatItems") {
        for (const item of event.chatItems) {
          const message = incoming(item);
          if (!message) continue;
          if (canBeWrittenTo(item.chatInfo)) listener(message);
          else this.#early.set(message.chat, [...(this.#early.get(message.chat) ?? []), message]);
        }
      } else if (event.type === "contactSndReady" || event.type === "contactConnected") {
        const chat: ChatRef = `@${event.contact.contactId}`;
        for (const message of this.#early.get(chat) ?? []) listener(message);
        this.#early.delete(chat);
      }
    });
  }

  async say(chat: ChatRef, text: string, quoting?: number): Promise<AChatItem> {
    const quote = quoting === undefined ? {} : { quotedItemId: quoting };
    const [sent] = await this.core.sendMessages(chat, [{ msgContent: { type: "text", text }, ...quote }]);
    if (!sent) throw new Error("the message was not stored");
    return sent;
  }

  /** Posts a file; resolves when it is uploaded. */
  async sendFile(chat: ChatRef, name: string, content: string, text: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-demo-"));
    try {
      const filePath = join(folder, name);
      await writeFile(filePath, content);
      const uploaded = this.#until(
        (event) => event.type === "sndFileCompleteXFTP" && event.fileTransferMeta.filePath === filePath,
      );
      await this.core.sendMessages(chat, [{ fileSource: { filePath }, msgContent: { type: "file", text } }]);
      await uploaded;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Makes an address where every request is accepted; whoever connects gets `welcome`. Resolves with its link. */
  async openAddress({ business, welcome }: { business: boolean; welcome: string }): Promise<string> {
    const { userId } = this.user;
    const { connLinkContact } = await this.#api.sendChatCmd(`/_address ${userId}`);
    const settings = {
      businessAddress: business,
      autoAccept: { acceptIncognito: false },
      autoReply: { type: "text", text: welcome },
    };
    await this.#api.sendChatCmd(`/_address_settings ${userId} ${JSON.stringify(settings)}`);
    return linkText(ConnLink.parse(connLinkContact));
  }

  /** Makes a group that whoever has its link can join. */
  async openGroup(profile: GroupProfile): Promise<{ chat: ChatRef; link: string }> {
    const { groupId } = await this.core.newGroup(this.user.userId, profile);
    const { connLinkContact } = await this.core.createGroupLink(groupId, "member");
    return { chat: `#${groupId}`, link: linkText(connLinkContact) };
  }

  /** Joins the group of a link; resolves when this person is a member. */
  async join(link: string): Promise<ChatRef> {
    const { userId } = this.user;
    const { connLink, plan } = await this.core.connectPlan(userId, link);
    const ok = plan.type === "groupLink" && plan.groupLinkPlan.type === "ok" ? plan.groupLinkPlan : undefined;
    const data = ok?.groupSLinkData_;
    if (!data) throw new Error("this link leads to no group that can be joined");
    const prepared = await this.core.prepareGroup(userId, connLink, { direct: true, linkData: data.json });
    const chat = chatRefOf(prepared.chatInfo);
    if (!chat) throw new Error("the prepared chat is no group");
    const groupId = Number(chat.slice(1));
    const joined = this.#until((e) => e.type === "userJoinedGroup" && e.groupInfo.groupId === groupId);
    await this.core.connectPreparedGroup(groupId, false);
    await joined;
    return chat;
  }

  /** Asks the owner of an address to connect, with a message. */
  async ask(link: string, message: string): Promise<void> {
    const { userId } = this.user;
    const { connLink, plan } = await this.core.connectPlan(userId, link);
    const ok =
      plan.type === "contactAddress" && plan.contactAddressPlan.type === "ok"
        ? plan.contactAddressPlan
        : undefined;
    const data = ok?.contactSLinkData_;
    if (!data) throw new Error("this link leads to nobody who can be asked");
    const prepared = await this.core.prepareContact(userId, connLink, data.json);
    const chat = chatRefOf(prepared.chatInfo);
    await this.core.connectPreparedContact(Number(chat?.slice(1)), false, message);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.core.close();
  }

  #until(test: (event: ChatEvent) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.onEvent((event) => {
        if (!test(event)) return;
        stop();
        resolve();
      });
    });
  }
}

function incoming({ chatInfo, chatItem }: AChatItem): Incoming | undefined {
  const { chatDir, content, meta } = chatItem;
  const chat = chatRefOf(chatInfo);
  if (!chat || content.type !== "rcvMsgContent") return undefined;
  const member =
    chatDir.type === "groupRcv"
      ? { id: chatDir.groupMember.groupMemberId, name: chatDir.groupMember.memberProfile.displayName }
      : undefined;
  return { chat, item: meta.itemId, text: content.msgContent.text, member };
}

function canBeWrittenTo(info: ChatInfo): boolean {
  if (info.type !== "direct") return true;
  const status = info.contact.activeConn?.connStatus.type;
  return status === "ready" || status === "sndReady";
}

function linkText({ connShortLink, connFullLink }: ConnLink): string {
  return connShortLink ?? connFullLink;
}
