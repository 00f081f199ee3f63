import { type AChat, AChatItem, ChatInfo, type ChatItem } from "../../../src/core/types.js";

const MEMBERSHIP = {
  groupMemberId: 1,
  memberId: "bWU=",
  memberRole: "member",
  memberCategory: "user",
  memberStatus: "connected",
  localDisplayName: "My Agent",
  memberProfile: { displayName: "My Agent" },
  createdAt: "2026-12-01T14:00:00Z",
};

export const SWITCHBACK = {
  ...MEMBERSHIP,
  groupMemberId: 7,
  memberId: "c3c=",
  memberCategory: "pre",
  localDisplayName: "Switchback",
  memberProfile: { displayName: "Switchback" },
};

export function groupInfo(groupId: number, fields: object = {}): ChatInfo {
  return ChatInfo.parse({
    type: "group",
    groupInfo: {
      groupId,
      localDisplayName: "Trail",
      groupProfile: { displayName: "Trail", fullName: "" },
      fullGroupPreferences: {},
      membership: MEMBERSHIP,
      createdAt: "2026-11-30T15:00:00Z",
      ...fields,
    },
  });
}

export function contactInfo(contactId: number, fields: object = {}): ChatInfo {
  return ChatInfo.parse({
    type: "direct",
    contact: {
      contactId,
      localDisplayName: "Ann_1",
      profile: { displayName: "Ann" },
      activeConn: { connId: 5, agentConnId: "YQ==", connStatus: { type: "ready" } },
      contactStatus: "active",
      createdAt: "2026-11-30T15:00:00Z",
      ...fields,
    },
  });
}

export interface ItemFields {
  text?: string;
  content?: object;
  dir?: object;
  meta?: object;
  [field: string]: unknown;
}

/** A received, unread message, or what `fields` make of it. */
export function chatItem(
  itemId: number,
  { text = `text ${itemId}`, content, dir, meta, ...rest }: ItemFields = {},
): ChatItem {
  return itemIn(contactInfo(4), itemId, { text, content, dir, meta, ...rest }).chatItem;
}

export function itemIn(
  chatInfo: ChatInfo,
  itemId: number,
  { text = `text ${itemId}`, content, dir, meta, ...rest }: ItemFields = {},
): AChatItem {
  const author =
    chatInfo.type === "group" ? { type: "groupRcv", groupMember: SWITCHBACK } : { type: "directRcv" };
  return AChatItem.parse({
    chatInfo,
    chatItem: {
      chatDir: dir ?? author,
      meta: {
        itemId,
        itemTs: "2026-11-30T15:00:00.123456789Z",
        itemText: text,
        itemStatus: { type: "rcvNew" },
        createdAt: "2026-11-30T15:00:00.123456789Z",
        ...meta,
      },
      content: content ?? { type: "rcvMsgContent", msgContent: { type: "text", text } },
      ...rest,
    },
  });
}

export const LIVE = { itemLive: true };
export const READ = { itemStatus: { type: "rcvRead" } };
export const EVENT = { type: "rcvGroupEvent" };

export function chatPage(
  chatInfo: ChatInfo,
  chatItems: ChatItem[],
  unreadCount = 0,
  minUnreadItemId = 0,
): AChat {
  return {
    chatInfo,
    chatItems,
    chatStats: { unreadCount, minUnreadItemId, unreadMentions: 0, unreadChat: false },
  };
}
