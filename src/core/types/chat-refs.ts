import type { ChatInfo } from "./chats.js";
import type { User } from "./people.js";
import type { ChatRef } from "./refs.js";

/** What the core has as the contact of the user itself. */
export function ownContact({ userContactId }: User): ChatRef | undefined {
  return userContactId === undefined ? undefined : `@${userContactId}`;
}

/**
 * The chat as tools and owners name it: a contact, or the main chat of a group. Undefined for a support chat of a
 * group, so that what is written there never passes for a message of the group.
 */
export function chatRefOf(info: ChatInfo): ChatRef | undefined {
  if (info.type === "direct") return `@${info.contact.contactId}`;
  if (info.type === "group" && !info.groupChatScope) return `#${info.groupInfo.groupId}`;
  return undefined;
}
