/** Questions about one chat item. */
import type { ChatItem } from "../core/types.js";

/** A message, received or own; everything else in a chat is an event. */
export function isMessage(item: ChatItem): boolean {
  return isReceivedMessage(item) || item.content.type === "sndMsgContent";
}

export function isReceivedMessage(item: ChatItem): boolean {
  return item.content.type === "rcvMsgContent";
}

/** Still being typed: the text is not final. */
export function isLive({ meta }: ChatItem): boolean {
  return meta.itemLive === true;
}

export function isUnread({ meta }: ChatItem): boolean {
  return meta.itemStatus.type === "rcvNew";
}

/** Deleted, moderated, or of a member that was blocked for all; the core still has its content. */
export function isDeleted({ meta }: ChatItem): boolean {
  return meta.itemDeleted !== undefined;
}
