import { chatId } from "../data/chat-key.js";
import type { ItemRow } from "../data/item-rows.js";
import type { MemberRow, SupportChat } from "../data/rows.js";
import type { Database } from "../database/database.js";

function supported(db: Database, item: ItemRow): MemberRow | undefined {
  return db.members.get(item.scope === 0 ? db.groups.at(chatId(item.chat)).membershipId : item.scope);
}

export const newSupportChat = (chatTs: number): SupportChat => ({
  chatTs,
  unread: 0,
  memberAttention: 0,
  mentions: 0,
});

/** An item in a support chat makes it, and is its newest. */
export function touchSupport(db: Database, item: ItemRow): void {
  if (item.scope === undefined) return;
  const member = supported(db, item);
  if (!member) return;
  member.supportChat ??= newSupportChat(item.createdAt);
  member.supportChat.chatTs = item.createdAt;
  db.noteSupport(member);
}

/** Counts a received item: what is unread, and what waits for the moderators since one of them wrote last. */
export function countSupport(db: Database, item: ItemRow): void {
  if (item.scope === undefined || item.sent) return;
  const member = supported(db, item);
  const chat = member?.supportChat;
  if (!chat) return;
  const unread = item.status.type === "rcvNew";
  const fromMember = item.memberId === member.groupMemberId;
  const message = "msgContent" in item.content;
  if (unread) chat.unread++;
  if (unread && item.userMention) chat.mentions++;
  if (unread && fromMember) chat.memberAttention++;
  else if (message && item.scope !== 0) chat.memberAttention = 0;
  if (message && fromMember) chat.lastMsgFromMemberTs = item.itemTs;
}
