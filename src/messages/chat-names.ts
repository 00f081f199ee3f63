import type { Answer } from "../core/responses.js";
import {
  type ChatEvent,
  type ChatInfo,
  type ChatRef,
  type Contact,
  chatRefOf,
  type GroupInfo,
} from "../core/types.js";
import { literalLine } from "../text/literal.js";
import { looksOf } from "../text/look-alike.js";
import { describeChat } from "./chats.js";

/** Names that are shown as they are, whole. */
const SIMPLE = /^[\w -]{0,50}$/;

/**
 * The names of all chats, by how they look. Whatever the core says of a chat, in an answer or an event, is heard here, so
 * that nothing is read to learn which names look alike; the start reads all chats once.
 */
export class ChatNames {
  readonly #names = new Map<ChatRef, string>();
  readonly #byLook = new Map<string, Set<ChatRef>>();
  /** No chats to anybody. */
  readonly #ignored = new Set<ChatRef>();

  /** The control chat, and what the core has as the user's own contact. */
  ignore(chat: ChatRef): void {
    this.#ignored.add(chat);
    this.#forget(chat);
  }

  hear(news: Answer | ChatEvent): void {
    const gone = goneIn(news);
    if (gone !== undefined) this.#forget(gone);
    else for (const info of infosIn(news)) this.#learn(info);
  }

  /** Whether another chat has a name that looks like this one's. */
  isAlike({ chat, name }: { chat: ChatRef; name: string }): boolean {
    return shownLooks(name).some((look) => {
      const chats = this.#byLook.get(look);
      return chats !== undefined && (chats.size > 1 || !chats.has(chat));
    });
  }

  #learn(info: ChatInfo): void {
    const described = describeChat(info);
    if (!described || this.#ignored.has(described.chat)) return;
    const { chat, name } = described;
    if (this.#names.get(chat) === name) return;
    this.#forget(chat);
    this.#names.set(chat, name);
    for (const look of shownLooks(name)) {
      const chats = this.#byLook.get(look) ?? new Set();
      this.#byLook.set(look, chats.add(chat));
    }
  }

  #forget(chat: ChatRef): void {
    const name = this.#names.get(chat);
    if (name === undefined) return;
    this.#names.delete(chat);
    for (const look of shownLooks(name)) {
      const chats = this.#byLook.get(look);
      chats?.delete(chat);
      if (chats?.size === 0) this.#byLook.delete(look);
    }
  }
}

/** Of the name, and of what is left of it on cards: two long ones may differ only in what is cut off. */
function shownLooks(name: string): string[] {
  const looks = looksOf(name);
  return SIMPLE.test(name) ? [...looks] : [...new Set([...looks, ...looksOf(literalLine(name).text)])];
}

/** The chat that an answer says is deleted. */
function goneIn(news: Answer | ChatEvent): ChatRef | undefined {
  switch (news.type) {
    case "contactDeleted":
      return `@${news.contact.contactId}`;
    case "contactRequestRejected":
      return news.contact_ && `@${news.contact_.contactId}`;
    case "groupDeletedUser":
      return `#${news.groupInfo.groupId}`;
    default:
      return undefined;
  }
}

/** The chats that are told of, wherever an answer or event has them. */
function infosIn(news: Answer | ChatEvent): ChatInfo[] {
  const infos: ChatInfo[] = [];
  const contact = (one: Contact) => infos.push({ type: "direct", contact: one });
  const group = (one: GroupInfo) => infos.push({ type: "group", groupInfo: one });
  if ("contact" in news) contact(news.contact);
  if ("toContact" in news) contact(news.toContact);
  if ("groupInfo" in news) group(news.groupInfo);
  if ("toGroup" in news) group(news.toGroup);
  if ("chatInfo" in news) infos.push(news.chatInfo);
  if ("chat" in news) infos.push(news.chat.chatInfo);
  if ("chat_" in news && news.chat_) infos.push(news.chat_.chatInfo);
  if ("chats" in news) infos.push(...news.chats.map(({ chatInfo }) => chatInfo));
  if ("chatItem" in news) infos.push(news.chatItem.chatInfo);
  if ("chatItems" in news) infos.push(...news.chatItems.map(({ chatInfo }) => chatInfo));
  if ("contacts" in news) news.contacts.forEach(contact);
  if ("groups" in news) news.groups.forEach(group);
  // Of a support chat the group is told of, too.
  return infos.filter((info) => chatRefOf(info) !== undefined);
}
