/** Whom and what a text is about, in the words of the control chat. */
import type { ActionFields, ChatRef, ConnectFields, NamedChat } from "../../actions/action.js";
import { isolated } from "../../text/characters.js";
import { displayName, literalText } from "../../text/literal.js";
import { lookAlike } from "../../text/look-alike.js";
import { isPlainName, NAME_LENGTH } from "../../text/plain-name.js";

/** `group Trail`, or `group Trail (#15)` where another chat has a name that looks like it. */
export function kindAndName(named: NamedChat): string {
  return named.lookAlike ? chatName(named) : `${named.kind} ${displayName(named.name)}`;
}

/** `group Trail (#15)`; a bare `#15` would be a link in the apps, and `@4` a mention. */
export function chatName({ chat, kind, name }: NamedChat): string {
  return `${kind} ${displayName(name)} (${chat})`;
}

/** The chat that an action is about; none where it is yet to be. */
export function subject(fields: ActionFields): string | undefined {
  switch (fields.tool) {
    case "connect":
    case "invite":
    case "ask":
      return undefined;
    case "invitation":
      return chatName(fields.group);
    case "member":
      return `${displayName(fields.name)} (${fields.chat})`;
    default:
      return chatName(fields);
  }
}

/** Tells of a chat whether another has a name that looks like it. */
export interface Names {
  isAlike(chat: { chat: ChatRef; name: string }): boolean;
}

/** The fields of an action with the chats marked whose names look like another's. */
export function withReferences(fields: ActionFields, names: Names): ActionFields {
  const marked = <Named extends { chat: ChatRef; name: string }>(chat: Named): Named =>
    names.isAlike(chat) ? { ...chat, lookAlike: true } : chat;
  switch (fields.tool) {
    case "connect":
    case "invite":
    case "ask":
      return fields;
    case "invitation":
      return { ...fields, group: marked(fields.group) };
    case "member":
      return marked({ ...fields, group: marked(fields.group) });
    default:
      return marked(fields);
  }
}

/** Whom a connection is to. A link that tells no name leaves only the kind to say. */
export function peerOf(fields: ConnectFields): string {
  return fields.name === "" ? fields.kind : `${fields.kind} ${displayName(fields.name)}`;
}

/** `@Alice`. The apps give it no target, since the card names no members. */
export function mentionName(name: string): string {
  return isPlainName(name) ? isolated(`@${name}`) : literalText(`@${name}`, NAME_LENGTH + 1);
}

interface Person {
  member?: number;
  own?: boolean;
  name: string;
  namesake?: boolean;
}

/** What tells a person from those with a name that looks alike, on the card or in the group: ` (member 44)`. */
export function distinction(one: Person, others: readonly Person[]): string {
  const { member, own, name, namesake } = one;
  if (!namesake && !others.some((other) => other.member !== member && lookAlike(other.name, name))) return "";
  if (member !== undefined) return ` (member ${member})`;
  return own ? " (me)" : "";
}

export function isContact(chat: ChatRef): boolean {
  return chat.startsWith("@");
}
