import type { CoreJson } from "../../core/api/chat-api.js";
import { storeError, unparsable } from "../data/errors.js";
import type { ItemRow } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import { pageStats } from "../database/stats.js";
import { RCV_READ } from "../items/items.js";
import { startTimer } from "../items/timed.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { aChatItem, chatInfo, itemJson } from "../json/item-json.js";
import { present } from "../json/json.js";
import { itemIn } from "../messages/edits.js";
import { type PageItem, type PageRequest, type Pagination, readPage } from "../text/pagination.js";
import { type Chat, findChat, type Ref } from "../user/refs.js";
import type { User } from "../user/user.js";

/** `count=N`, `after=ID count=N`, `before=ID count=N`, `around=ID count=N` or `initial=N`. */
export function parsePagination(text: string): Pagination {
  const [, kind, item, count] = /^(?:(after|before|around)=(\d+) )?count=(\d+)$/.exec(text) ?? [];
  if (count !== undefined) {
    if (kind === undefined) return { kind: "last", count: Number(count) };
    return { kind: kind as "after" | "before" | "around", item: Number(item), count: Number(count) };
  }
  const initial = /^initial=(\d+)$/.exec(text)?.[1];
  if (initial === undefined) throw unparsable();
  return { kind: "initial", count: Number(initial) };
}

/** `/_get chat` */
export function getChat(user: User, ref: Ref, request: PageRequest): CoreJson {
  const chat = findChat(user, ref);
  const { db } = user;
  const index = db.chat(chat.key, chat.scope);
  const result = readPage(
    index.order,
    request,
    ({ itemId }) => pageItem(db.items.at(itemId)),
    () => ({ stats: pageStats(index), has: ({ itemId }) => index.unread.has(itemId) }),
  );
  if ("error" in result) {
    const { type, ...fields } = result.error;
    throw storeError(type, fields);
  }
  const { items, stats, navInfo } = result.page;
  const view = { now: user.now() };
  const withStats = navInfo ? { ...stats, unreadChat: unreadMark(user, chat) } : stats;
  const json = {
    chatInfo: chatInfo(db, chat.key, chat.scope),
    chatItems: items.map(({ itemId }) => itemJson(db, db.items.at(itemId), view)),
    chatStats: withStats,
  };
  return user.answer("apiChat", { chat: json, ...(navInfo && { navInfo }) });
}

function pageItem(item: ItemRow): PageItem {
  const content = item.content.msgContent as { type?: string } | undefined;
  return {
    id: item.itemId,
    text: item.text,
    unread: item.status.type === "rcvNew",
    readMessage: item.content.type === "rcvMsgContent" && item.status.type === "rcvRead",
    mention: item.userMention,
    link: item.hasLink,
    ...(content?.type !== undefined && { tag: content.type }),
  };
}

function unreadMark({ db }: User, { contact, group }: Chat): boolean {
  return contact?.unreadChat ?? group?.unreadChat ?? db.notes.unread;
}

/** Marks an item as read; its time to disappear begins. */
function markRead(user: User, item: ItemRow): void {
  if (item.status.type !== "rcvNew") return;
  user.db.setStatus(item, RCV_READ);
  startTimer(user, item);
  const { supportChat } = user.db.members.get(supportedId(user, item)) ?? {};
  if (supportChat && supportChat.unread > 0) supportChat.unread--;
}

/** The member whose support chat the item is in. */
function supportedId(user: User, item: ItemRow): number | undefined {
  if (item.scope === undefined) return undefined;
  if (item.scope > 0) return item.scope;
  return user.db.groups.get(Number(item.chat.slice(1)))?.membershipId;
}

/** `/_read chat items` */
export function readItems(user: User, ref: Ref, ids: readonly number[]): CoreJson {
  if (ref.kind === "#" && !user.db.groups.get(ref.id))
    throw storeError("userNotFoundByGroupId", { groupId: ref.id });
  if (ref.kind === "@" && !user.db.contacts.get(ref.id)) {
    throw storeError("userNotFoundByContactId", { contactId: ref.id });
  }
  const chat = findChat(user, ref);
  for (const id of ids) {
    const item = user.db.items.get(id);
    if (item?.chat === chat.key) markRead(user, item);
  }
  return user.answer("itemsReadForChat", { chatInfo: chatInfo(user.db, chat.key) });
}

/** `/_read chat`: all items, of a group with those of its support chats. */
export function readChat(user: User, ref: Ref): CoreJson {
  const { db } = user;
  const chat = findChat(user, ref);
  const indexes = chat.scope === undefined ? [...db.chatsOf(chat.key)] : [db.chat(chat.key, chat.scope)];
  for (const index of indexes) for (const id of [...index.unread]) markRead(user, db.items.at(id));
  if (!chat.supported || !chat.group) {
    if (chat.contact) chat.contact.unreadChat = false;
    else if (chat.group) chat.group.unreadChat = false;
    return { type: "cmdOk", user_: user.answer("").user };
  }
  const { supportChat } = chat.supported;
  if (supportChat) Object.assign(supportChat, { unread: 0, memberAttention: 0, mentions: 0 });
  return user.answer("memberSupportChatRead", {
    groupInfo: groupJson(db, chat.group),
    member: memberJson(db, chat.supported, true),
  });
}

/** `/_unread chat`: the manual mark. */
export function markChat(user: User, ref: Ref, unread: boolean): CoreJson {
  const { contact, group } = findChat(user, ref);
  if (contact) contact.unreadChat = unread;
  else if (group) group.unreadChat = unread;
  else user.db.notes.unread = unread;
  return { type: "cmdOk", user_: user.answer("").user };
}

/** `/_get content types` */
export function contentTypes(user: User, ref: Ref): CoreJson {
  const { key } = findChat(user, ref);
  const types = new Set<string>();
  for (const { itemId } of user.db.chat(key).order) {
    const { tag } = pageItem(user.db.items.at(itemId));
    if (tag !== undefined) types.add(tag);
  }
  return { type: "chatContentTypes", contentTypes: [...types] };
}

/** `/_get item info` */
export function itemInfo(user: User, ref: Ref, itemId: number): CoreJson {
  const item = itemIn(user, findChat(user, ref), itemId);
  const { chatItemId } = item.forwarded ?? {};
  const origin = typeof chatItemId === "number" ? user.db.items.get(chatItemId) : undefined;
  return user.answer("chatItemInfo", {
    chatItem: aChatItem(user.db, item, { now: user.now() }),
    chatItemInfo: present({
      itemVersions: versions(item),
      forwardedFromChatItem: origin && aChatItem(user.db, origin, { now: user.now() }),
      memberDeliveryStatuses: item.deliveries && deliveries(item),
    }),
  });
}

/** The texts that a message had, the newest first; one that was never changed has itself as its only version. */
function versions(item: ItemRow): Json[] {
  const own = {
    chatItemVersionId: item.itemId,
    text: item.text,
    formattedText: item.formattedText,
    itemVersionTs: item.itemTs,
    createdAt: item.createdAt,
  };
  return [...(item.versions ?? [own])].reverse().map((version) =>
    present({
      chatItemVersionId: version.chatItemVersionId,
      msgContent: { type: item.versions ? "text" : contentType(item), text: version.text },
      formattedText: version.formattedText,
      itemVersionTs: timestamp(version.itemVersionTs),
      createdAt: timestamp(version.createdAt),
    }),
  );
}

const contentType = (item: ItemRow): unknown =>
  (item.content.msgContent as { type?: unknown } | undefined)?.type ?? "text";

function deliveries(item: ItemRow): Json[] {
  return Object.entries(item.deliveries ?? {}).map(([id, { status, sentViaProxy }]) =>
    present({
      groupMemberId: Number(id),
      memberDeliveryStatus: status === "rcvd" ? { type: "rcvd", msgRcptStatus: "ok" } : { type: status },
      sentViaProxy,
    }),
  );
}

/** `/_clear chat`: all items but the banner. */
export function clearChat(user: User, ref: Ref): CoreJson {
  const { db } = user;
  const { key } = findChat(user, ref);
  for (const index of [...db.chatsOf(key)]) {
    for (const { itemId } of [...index.order].reverse()) {
      const item = db.items.at(itemId);
      if (item.content.type !== "chatBanner") db.deleteItem(item);
    }
  }
  return user.answer("chatCleared", { chatInfo: chatInfo(db, key) });
}
