import { z } from "zod";
import { fieldOf } from "../api/json.js";
import { GroupInfo, GroupMember } from "./groups.js";
import { ChatItem } from "./items.js";
import { openUnion } from "./open-union.js";
import { Contact, ContactRequest, PendingContactConnection } from "./people.js";
import { type ChatRef, parseChatRef } from "./refs.js";
import { each, optionalText } from "./tolerant.js";

/** Set on a support chat: of a member with the admins, or our own when `groupMember_` is absent. */
export const GroupChatScope = z.object({ type: z.string(), groupMember_: GroupMember.optional() });
export type GroupChatScope = z.infer<typeof GroupChatScope>;

export const ChatInfo = openUnion(
  z.object({ type: z.literal("direct"), contact: Contact }),
  z.object({ type: z.literal("group"), groupInfo: GroupInfo, groupChatScope: GroupChatScope.optional() }),
  z.object({ type: z.literal("local") }),
  z.object({ type: z.literal("contactRequest"), contactRequest: ContactRequest }),
  z.object({ type: z.literal("contactConnection"), contactConnection: PendingContactConnection }),
  /** A chat that cannot be read: which it is, and the time by which the core orders it, where these can. */
  z.object({ type: z.literal("unreadable"), chat: z.custom<ChatRef>().optional(), time: optionalText }),
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

export const AChat = z.object({ chatInfo: ChatInfo, chatItems: each(ChatItem), chatStats: ChatStats });
export type AChat = z.infer<typeof AChat>;

/** A chat, or what can be read of it. */
export const AnyChatInfo = z
  .unknown()
  .optional()
  .transform((json): ChatInfo => {
    const info = ChatInfo.safeParse(json);
    return info.success ? info.data : unreadableChat(json);
  });

/** A chat of a list, where one that cannot be read fails no other. */
export const ListedChat = z.unknown().transform((json): AChat => {
  const chat = AChat.safeParse(json);
  if (chat.success) return chat.data;
  const { unreadCount } = Unread.parse(fieldOf(json, "chatStats"));
  return {
    chatInfo: unreadableChat(fieldOf(json, "chatInfo")),
    chatItems: [],
    chatStats: { unreadCount, unreadMentions: 0, minUnreadItemId: 0, unreadChat: false },
  };
});

const Unread = z.object({ unreadCount: z.number() }).catch({ unreadCount: 0 });

/** What tells which chat it is, whatever else is wrong with it. */
function unreadableChat(json: unknown): ChatInfo {
  const isGroup = fieldOf(json, "type") === "group";
  const isSupport = isGroup && fieldOf(json, "groupChatScope") !== undefined;
  const row = fieldOf(json, isGroup ? "groupInfo" : "contact");
  const id = fieldOf(row, isGroup ? "groupId" : "contactId");
  const [chatTs, createdAt] = [fieldOf(row, "chatTs"), fieldOf(row, "createdAt")].map((time) =>
    optionalText.parse(time),
  );
  const chat = isSupport ? undefined : parseChatRef(`${isGroup ? "#" : "@"}${id}`);
  return { type: "unreadable", chat, time: chatTs ?? createdAt };
}

export const AChatItem = z.object({ chatInfo: AnyChatInfo, chatItem: ChatItem });
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
