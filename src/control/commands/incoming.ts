import type { AChatItem, ChatRef, GroupMember } from "../../core/types.js";
import { chatRefOf } from "../../core/types.js";

/** A message that may be a command: who wrote it, and its text. */
export interface Incoming {
  member: GroupMember;
  text: string;
}

/**
 * A new text message of a member in the control chat itself. Not one that is live, edited, deleted or forwarded,
 * nor one in a support chat, nor one that another member passed on: only what came from its author counts.
 */
export function incomingText({ chatInfo, chatItem }: AChatItem, controlChat: ChatRef): Incoming | undefined {
  const { chatDir, content, meta } = chatItem;
  if (chatRefOf(chatInfo) !== controlChat || chatDir.type !== "groupRcv") return undefined;
  if (content.type !== "rcvMsgContent" || content.msgContent.type !== "text") return undefined;
  if (meta.itemLive || meta.itemEdited || meta.itemForwarded || meta.itemDeleted) return undefined;
  if (meta.forwardedByMember !== undefined) return undefined;
  return { member: chatDir.groupMember, text: content.msgContent.text };
}
