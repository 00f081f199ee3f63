import { z } from "zod";
import { GroupInfo, GroupMember } from "./groups.js";
import { ChatItem } from "./items.js";
import { openUnion } from "./open-union.js";
import { Contact, ContactRequest, PendingContactConnection } from "./people.js";

/** Set on a support chat: of a member with the admins, or our own when `groupMember_` is absent. */
export const GroupChatScope = z.object({ type: z.string(), groupMember_: GroupMember.optional() });
export type GroupChatScope = z.infer<typeof GroupChatScope>;

export const ChatInfo = openUnion(
  z.object({ type: z.literal("direct"), contact: Contact }),
  z.object({ type: z.literal("group"), groupInfo: GroupInfo, groupChatScope: GroupChatScope.optional() }),
  z.object({ type: z.literal("local") }),
  z.object({ type: z.literal("contactRequest"), contactRequest: ContactRequest }),
  z.object({ type: z.literal("contactConnection"), contactConnection: PendingContactConnection }),
);
export type ChatInfo = z.infer<typeof ChatInfo>;

/** Real numbers from `/_get chats` and `initial=`/`around=` pages; zeros in every other page. */
export const ChatStats = z.object({
  unreadCount: z.number(),
  unreadMentions: z.number().default(0),
  /** 0 when nothing is unread. */
  minUnreadItemId: z.number(),
  /** Marked as unread by hand. */
  unreadChat: z.boolean().default(false),
});
export type ChatStats = z.infer<typeof ChatStats>;

export const AChat = z.object({ chatInfo: ChatInfo, chatItems: z.array(ChatItem), chatStats: ChatStats });
export type AChat = z.infer<typeof AChat>;

export const AChatItem = z.object({ chatInfo: ChatInfo, chatItem: ChatItem });
export type AChatItem = z.infer<typeof AChatItem>;

/** What lies behind a page: items after it, and the unread ones among them. */
export const NavInfo = z.object({ afterUnread: z.number(), afterTotal: z.number() });
export type NavInfo = z.infer<typeof NavInfo>;

export const ChatItemDeletion = z.object({
  deletedChatItem: AChatItem,
  /** Present when the item stays, marked as deleted. */
  toChatItem: AChatItem.optional(),
});
export type ChatItemDeletion = z.infer<typeof ChatItemDeletion>;
