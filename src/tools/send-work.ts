import type { Decision, SendFields } from "../actions/action.js";
import type { NewAction, Work } from "../actions/actions.js";
import { isItemNotFound } from "../core/errors.js";
import {
  bytesTooLong,
  isConnectedGroup,
  isCurrent,
  type Quote,
  quoteOf,
  roleAtLeast,
} from "../core/limits.js";
import type { ChatInfo, ChatItem, ChatRef, GroupMember } from "../core/types.js";
import type { Collected } from "../messages/collected.js";
import { isDeleted, isMessage } from "../messages/items.js";
import { viewItem } from "../messages/view.js";
import type { AgentDeps } from "./agent.js";
import { type KnownChat, readChat } from "./known-chat.js";
import { mentionText, withMentions } from "./text.js";
import { ToolError } from "./tool.js";

export interface SendRequest {
  chat: ChatRef;
  text: string;
  replyTo: number | undefined;
  mention: readonly number[];
}

/** What a message is made of, as the chat stands now. */
interface Message {
  known: KnownChat;
  fields: SendFields;
  /** The name as it stands in the text, to the member. */
  mentions: Record<string, number>;
}

/** The message of a request, checked; rejects with what the agent can do about it. */
export async function prepareSend(deps: AgentDeps, request: SendRequest): Promise<SendWork> {
  return new SendWork(deps, request, await compose(deps, request));
}

async function compose(deps: AgentDeps, { chat, text, replyTo, mention }: SendRequest): Promise<Message> {
  const known = await readChat(deps, chat);
  checkSendable(known);
  const quoted = replyTo === undefined ? undefined : await quotedItem(deps, chat, replyTo);
  const members = mention.length === 0 ? [] : await mentionedMembers(deps, known, mention);
  const names = mentionNames(members);
  const whole = withMentions(
    text,
    names.map(({ token }) => token),
  );
  const quote = quoted ? quoteOf(quoted) : undefined;
  checkSize(
    known.info,
    whole,
    names.map(({ key }) => key),
    quote,
  );
  const view = quoted ? viewItem(quoted, known.info, deps.viewer) : undefined;
  return {
    known,
    fields: {
      tool: "send",
      chat,
      kind: known.kind,
      name: known.name,
      text: whole,
      ...(view ? { replyTo: { item: view.item, name: view.from.name, text: view.text } } : {}),
      mentions: members.map((member) => ({
        member: member.groupMemberId,
        name: member.memberProfile.displayName,
      })),
    },
    mentions: Object.fromEntries(names.map(({ key, member }) => [key, member])),
  };
}

function checkSendable({ info, chat, connected, role }: KnownChat): void {
  if (info.type === "group" && isConnectedGroup(info.groupInfo) && role !== undefined) {
    if (!roleAtLeast(role, "author")) {
      throw new ToolError(
        `The agent is ${role} in ${chat} and may not write there. Ask an admin for another role.`,
      );
    }
    return;
  }
  if (connected) return;
  throw new ToolError(`The agent is not connected to ${chat}. list tells when it is.`);
}

async function quotedItem(deps: AgentDeps, chat: ChatRef, id: number): Promise<ChatItem> {
  const notThere = new ToolError(
    `There is no message ${id} in ${chat} to reply to. history shows its messages.`,
  );
  try {
    const { chat: page } = await deps.core.getChat(chat, { around: id, count: 0 });
    const found = page.chatItems.find((item) => item.meta.itemId === id);
    if (!found || !isMessage(found) || isDeleted(found)) throw notThere;
    return found;
  } catch (error) {
    if (isItemNotFound(error)) throw notThere;
    throw error;
  }
}

async function mentionedMembers(
  deps: AgentDeps,
  { info, chat }: KnownChat,
  ids: readonly number[],
): Promise<GroupMember[]> {
  if (info.type !== "group")
    throw new ToolError(`${chat} is a contact: only members of a group can be mentioned.`);
  const { members } = await deps.core.listMembers(info.groupInfo.groupId);
  return [...new Set(ids)].map((id) => {
    const member = members.find((one) => one.groupMemberId === id && isCurrent(one));
    if (!member) throw new ToolError(`There is no member ${id} in ${chat}. members shows who is there.`);
    return member;
  });
}

/** How each is named in the text. Two of one name are told apart by the name that is unique here. */
function mentionNames(members: readonly GroupMember[]): { key: string; token: string; member: number }[] {
  const taken = new Set<string>();
  return members.map((member) => {
    const { displayName } = member.memberProfile;
    const key = taken.has(displayName) ? member.localDisplayName : displayName;
    taken.add(key);
    const token = mentionText(key);
    if (token === undefined) {
      throw new ToolError(
        `Member ${member.groupMemberId} has a name that SimpleX cannot mention. Send without mention, or reply to a message of theirs.`,
      );
    }
    return { key, token, member: member.groupMemberId };
  });
}

function checkSize(info: ChatInfo, text: string, mentions: string[], quote: Quote | undefined): void {
  const timed = info.type === "group" ? info.groupInfo.fullGroupPreferences.timedMessages : undefined;
  const excess = bytesTooLong({
    chat: info.type === "group" ? "group" : "direct",
    content: { type: "text", text },
    mentions,
    ...(quote ? { quote } : {}),
    ...(timed?.enable === "on" && timed.ttl !== undefined ? { ttl: timed.ttl } : {}),
  });
  if (excess > 0) {
    throw new ToolError(
      `The text is ${excess} bytes too long, with its quote and mentions counted. Shorten it or send several messages.`,
    );
  }
}

/** Sends one message, the one on its card. */
export class SendWork implements Work {
  readonly fields: SendFields;
  /** The item of the message, and the messages that came after it. */
  item: number | undefined;
  collected: Collected | undefined;
  /** Milliseconds since 1970. */
  sentAt = 0;
  readonly #deps: AgentDeps;
  readonly #request: SendRequest;
  readonly #info: ChatInfo;

  constructor(deps: AgentDeps, request: SendRequest, { fields, known }: Message) {
    this.#deps = deps;
    this.#request = request;
    this.#info = known.info;
    this.fields = fields;
  }

  /** What may let the message through without a card: mode `host`, or a standing approval that still stands then. */
  preapproval(): Pick<NewAction, "preapproval"> {
    const { mode, standing } = this.#deps;
    if (mode === "host") return { preapproval: async () => ({ kind: "host" }) };
    if (!standing.forMessages(this.#info)) return {};
    return {
      preapproval: async () => standing.forMessages((await readChat(this.#deps, this.#request.chat)).info),
    };
  }

  async perform({ decision, stop }: { decision: Decision; stop: AbortSignal }): Promise<void> {
    const { core, watch, clock, standing } = this.#deps;
    const { chat, replyTo } = this.#request;
    const { known, fields, mentions } = await compose(this.#deps, this.#request);
    if (JSON.stringify(fields) !== JSON.stringify(this.fields)) {
      throw new Error(
        "The chat, the quoted message or a mentioned name changed after the request. Send again.",
      );
    }
    if (decision.kind === "standing" && !standing.forMessages(known.info)) {
      throw new Error("The standing approval of this chat ended. Send again to ask.");
    }
    if (stop.aborted) throw new Error("The server is stopping.");
    // From before the send: a reply may be seen before the core's answer.
    const collected = watch.collect(chat);
    try {
      const [sent] = await core.sendMessages(chat, [
        {
          msgContent: { type: "text", text: fields.text },
          ...(fields.mentions.length > 0 ? { mentions } : {}),
          ...(replyTo === undefined ? {} : { quotedItemId: replyTo }),
        },
      ]);
      if (!sent) throw new Error("SimpleX did not take the message.");
      this.item = sent.chatItem.meta.itemId;
      this.sentAt = clock.now();
      collected.dropUpTo(this.item);
      this.collected = collected;
    } catch (error) {
      collected.stop();
      throw error;
    }
  }

  dispose(): void {
    this.collected?.stop();
  }
}
