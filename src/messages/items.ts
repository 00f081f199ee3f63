/** Questions about one chat item. */
import type { ChatItem } from "../core/types.js";

/** A message, received or own; everything else in a chat is an event. */
export function isMessage(item: ChatItem): boolean {
  return isReceivedMessage(item) || item.content.type === "sndMsgContent";
}

/** One that cannot be read came, too: the agent gets it as an event, and it is not marked as read unseen. */
export function isReceivedMessage({ content }: ChatItem): boolean {
  return contentType(content) === "rcvMsgContent";
}

function contentType(content: ChatItem["content"]): string {
  return content.type === "unreadable" ? content.tag : content.type;
}

/** Still being typed: the text is not final. The core leaves a deleted message live, though nobody types it. */
export function isLive(item: ChatItem): boolean {
  return item.meta.itemLive === true && !isDeleted(item);
}

export function isUnread({ meta }: ChatItem): boolean {
  return meta.itemStatus.type === "rcvNew";
}

/** Deleted, moderated, or of a member that was blocked for all; the core still has its content. */
export function isDeleted({ meta }: ChatItem): boolean {
  return meta.itemDeleted !== undefined;
}
