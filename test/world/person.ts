import type { CoreJson } from "../../src/core/api/chat-api.js";
import type { ChatRef } from "../../src/core/types.js";
import { Inbox, type SeenMessage } from "./inbox.js";
import { at, listAt, numberAt, textAt } from "./json.js";
import type { RecordedApi } from "./recorded-api.js";
import { until } from "./until.js";

/** What a profile says besides the name; `peerType` `bot` or `agent` for a program. */
export interface UserProfile {
  peerType?: string;
  fullName?: string;
  shortDescr?: string;
}

export interface AddressOptions {
  autoAccept?: boolean;
  /** Sent to whoever connects, and shown before. */
  reply?: string;
  business?: boolean;
}

interface MessageOptions {
  replyTo?: number;
  /** Member ids by the name as it stands in the text. */
  mentions?: Record<string, number>;
  live?: boolean;
}

/** A user of SimpleX, driven by the commands of the core. */
export class Person {
  readonly events: CoreJson[] = [];
  readonly #inbox = new Inbox();
  readonly #requests = new Set<number>();

  /** `api` of a user whose chat is started; `userId` is its own. */
  constructor(
    readonly name: string,
    readonly api: RecordedApi,
    readonly userId: number,
    readonly profile: UserProfile = {},
    /** What came before. */
    events: readonly CoreJson[] = [],
  ) {
    for (const event of events) this.#note(event);
    api.onAny((event) => this.#note(event));
  }

  #note(event: CoreJson): void {
    this.events.push(event);
    this.#inbox.onEvent(event);
  }

  /** The messages that came, each in its newest version. */
  get inbox(): readonly SeenMessage[] {
    return this.#inbox.messages;
  }

  run(command: string): Promise<CoreJson> {
    return this.api.sendChatCmd(command);
  }

  /** The first event, among all so far and to come, that fits. */
  async waitFor(what: string, fits: (event: CoreJson) => boolean): Promise<CoreJson> {
    return await until(`${what}, to ${this.name}`, () => this.events.find(fits));
  }

  /** The first message that came or comes with this text, in any version. */
  async got(text: string | RegExp): Promise<SeenMessage> {
    const fits = (version: string) => (typeof text === "string" ? version === text : text.test(version));
    return await until(`the message ${text}, to ${this.name}`, () =>
      this.inbox.find(({ versions }) => versions.some(fits)),
    );
  }

  // Being found and finding

  /** The short link of a new address. */
  async makeAddress({ autoAccept = true, reply, business = false }: AddressOptions = {}): Promise<string> {
    const created = await this.run(`/_address ${this.userId}`);
    const settings = {
      businessAddress: business,
      ...(autoAccept ? { autoAccept: { acceptIncognito: false } } : {}),
      ...(reply === undefined ? {} : { autoReply: { type: "text", text: reply } }),
    };
    await this.run(`/_address_settings ${this.userId} ${JSON.stringify(settings)}`);
    return textAt(created, "connLinkContact", "connShortLink");
  }

  /** A link for one contact. */
  async makeInvitation(): Promise<string> {
    return textAt(await this.run(`/_connect ${this.userId}`), "connLinkInvitation", "connShortLink");
  }

  /** A new group with history, with the link that members join by. */
  async makeGroup(name: string, preferences: object = {}): Promise<{ chat: ChatRef; link: string }> {
    const groupPreferences = { history: { enable: "on" }, directMessages: { enable: "on" }, ...preferences };
    const profile = { displayName: name, fullName: "", groupPreferences };
    const created = await this.run(`/_group ${this.userId} ${JSON.stringify(profile)}`);
    const chat: ChatRef = `#${numberAt(created, "groupInfo", "groupId")}`;
    const link = await this.run(`/_create link ${chat} member`);
    return { chat, link: textAt(link, "groupLink", "connLinkContact", "connShortLink") };
  }

  /** Connects by a link as the apps do, and waits until messages can be sent. */
  async join(link: string): Promise<ChatRef> {
    const chat = await this.startJoining(link);
    await this.connected(chat);
    return chat;
  }

  /** Connects by a link of somebody who may not be there. */
  async startJoining(link: string, message?: string): Promise<ChatRef> {
    const chat = await this.prepare(link);
    const json = message === undefined ? "" : ` json ${JSON.stringify({ type: "text", text: message })}`;
    await this.run(`/_connect ${chat.startsWith("#") ? "group" : "contact"} ${chat} incognito=off${json}`);
    return chat;
  }

  /** Opens the chat of a link without connecting yet. */
  async prepare(link: string): Promise<ChatRef> {
    const plan = await this.run(`/_connect plan ${this.userId} ${link}`);
    const words = `${this.userId} ${textAt(plan, "connLink", "connFullLink")} ${link}`;
    const group = at(plan, "connectionPlan", "groupLinkPlan", "groupSLinkData_");
    const contact =
      at(plan, "connectionPlan", "contactAddressPlan", "contactSLinkData_") ??
      at(plan, "connectionPlan", "invitationLinkPlan", "contactSLinkData_");
    const prepared = group
      ? await this.run(`/_prepare group ${words} direct=on ${JSON.stringify(group)}`)
      : await this.run(`/_prepare contact ${words} ${JSON.stringify(contact)}`);
    // A business is a group.
    return at(prepared, "chat", "chatInfo", "type") === "group"
      ? `#${numberAt(prepared, "chat", "chatInfo", "groupInfo", "groupId")}`
      : `@${numberAt(prepared, "chat", "chatInfo", "contact", "contactId")}`;
  }

  /** Waits until the chat is connected. */
  async connected(chat: ChatRef): Promise<void> {
    const id = Number(chat.slice(1));
    await this.waitFor(`the connection of ${chat}`, (event) =>
      chat.startsWith("@")
        ? event.type === "contactConnected" && at(event, "contact", "contactId") === id
        : event.type === "userJoinedGroup" && at(event, "groupInfo", "groupId") === id,
    );
  }

  /** Accepts the next request to the own address. */
  async acceptRequest(): Promise<void> {
    await this.run(`/_accept ${await this.requested()}`);
  }

  /** The id of the next request to the own address. */
  async requested(): Promise<number> {
    const id = await until(`a contact request to ${this.name}`, () =>
      this.events
        .filter(({ type }) => type === "receivedContactRequest")
        .map((event) => numberAt(event, "contactRequest", "contactRequestId"))
        .find((request) => !this.#requests.has(request)),
    );
    this.#requests.add(id);
    return id;
  }

  /** The contact of this display name, once it is connected. */
  async contact(name: string): Promise<ChatRef> {
    const event = await this.waitFor(
      `the contact ${name}`,
      (one) => one.type === "contactConnected" && at(one, "contact", "profile", "displayName") === name,
    );
    return `@${numberAt(event, "contact", "contactId")}`;
  }

  // Messages

  /** Sends a text; resolves with its item. */
  async send(chat: ChatRef, text: string, { replyTo, mentions, live }: MessageOptions = {}): Promise<number> {
    const message = {
      msgContent: { type: "text", text },
      ...(replyTo === undefined ? {} : { quotedItemId: replyTo }),
      ...(mentions ? { mentions } : {}),
    };
    const sent = await this.run(`/_send ${chat}${live ? " live=on" : ""} json ${JSON.stringify([message])}`);
    const [item] = listAt(sent, "chatItems");
    const id = at(item, "chatItem", "meta", "itemId");
    if (typeof id !== "number") throw new Error(`${this.name} sent no message`);
    return id;
  }

  /** Begins a message that is seen while it is typed. */
  sendLive(chat: ChatRef, text: string): Promise<number> {
    return this.send(chat, text, { live: true });
  }

  /** Goes on typing a live message; `final` ends it. */
  async type(chat: ChatRef, item: number, text: string, { final = false } = {}): Promise<void> {
    await this.#update(chat, item, text, ` live=${final ? "off" : "on"}`);
  }

  async edit(chat: ChatRef, item: number, text: string): Promise<void> {
    await this.#update(chat, item, text, "");
  }

  /** Deletes an own message for everybody. */
  async deleteMessage(chat: ChatRef, item: number): Promise<void> {
    await this.run(`/_delete item ${chat} ${item} broadcast`);
  }

  async react(chat: ChatRef, item: number, emoji: string): Promise<void> {
    await this.run(`/_reaction ${chat} ${item} on ${JSON.stringify({ type: "emoji", emoji })}`);
  }

  /** Marks as read what of these items is unread. */
  async markRead(chat: ChatRef, items: readonly number[]): Promise<void> {
    await this.run(`/_read chat items ${chat} ${items.join(",")}`);
  }

  // Groups and contacts

  /** The id of the current member of this display name. */
  async member(chat: ChatRef, name: string): Promise<number> {
    const members = listAt(await this.run(`/_members ${chat}`), "group", "members");
    const found = members.findLast((one) => at(one, "memberProfile", "displayName") === name);
    const id = at(found, "groupMemberId");
    if (typeof id !== "number") throw new Error(`${this.name} sees no member ${name} in ${chat}`);
    return id;
  }

  async setRole(chat: ChatRef, member: string, role: string): Promise<void> {
    await this.run(`/_member role ${chat} ${await this.member(chat, member)} ${role}`);
  }

  async remove(chat: ChatRef, member: string): Promise<void> {
    await this.run(`/_remove ${chat} ${await this.member(chat, member)}`);
  }

  async leave(chat: ChatRef): Promise<void> {
    await this.run(`/_leave ${chat}`);
  }

  /** Deletes a contact, telling it, or an own group for everybody. */
  async deleteChat(chat: ChatRef): Promise<void> {
    await this.run(`/_delete ${chat} full notify=on`);
  }

  async renameGroup(chat: ChatRef, name: string): Promise<void> {
    await this.run(`/_group_profile ${chat} ${JSON.stringify({ displayName: name, fullName: "" })}`);
  }

  /** Contacts hear of it at once, members of groups with the next message. */
  async rename(name: string): Promise<void> {
    const profile = { displayName: name, fullName: "", ...this.profile };
    await this.run(`/_profile ${this.userId} ${JSON.stringify(profile)}`);
  }

  // The phone is off

  async goOffline(): Promise<void> {
    await this.run("/_stop");
  }

  async goOnline(): Promise<void> {
    await this.run("/_start main=on");
  }

  async #update(chat: ChatRef, item: number, text: string, live: string): Promise<void> {
    const update = { msgContent: { type: "text", text }, mentions: {} };
    await this.run(`/_update item ${chat} ${item}${live} json ${JSON.stringify(update)}`);
  }
}
