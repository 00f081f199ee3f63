/** Whom and what a text is about, in the words of the control chat. */
import type { ChatRef, ConnectFields, NamedChat } from "../../actions/action.js";
import { isolated } from "../../text/characters.js";
import { displayName, literalText } from "../../text/literal.js";
import { isPlainName, NAME_LENGTH } from "../../text/plain-name.js";

/** `group Trail`. */
export function kindAndName({ kind, name }: Pick<NamedChat, "kind" | "name">): string {
  return `${kind} ${displayName(name)}`;
}

/** `group Trail (#15)`; a bare `#15` would be a link in the apps, and `@4` a mention. */
export function chatName(chat: NamedChat): string {
  return `${kindAndName(chat)} (${chat.chat})`;
}

/** Whom a connection is to. A link that tells no name leaves only the kind to say. */
export function peerOf(fields: ConnectFields): string {
  return fields.name === "" ? fields.kind : kindAndName(fields);
}

/** `@Alice`. The apps give it no target, since the card names no members. */
export function mentionName(name: string): string {
  return isPlainName(name) ? isolated(`@${name}`) : literalText(`@${name}`, NAME_LENGTH + 1);
}

export function isContact(chat: ChatRef): boolean {
  return chat.startsWith("@");
}
