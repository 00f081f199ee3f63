import type { CoreJson } from "../../core/api/chat-api.js";
import { chatError, storeError } from "../data/errors.js";
import type { ItemRow } from "../data/item-rows.js";
import type { GroupRow, Json, MemberRow } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import type { DeleteMessage } from "../data/wire.js";
import { sendTo } from "../groups/group-delivery.js";
import { groupChat, group as groupRow, membershipOf, others } from "../groups/group-rows.js";
import { contactFeatureEnabled } from "../json/contact-preferences.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { groupFeatureAllowed, roleRank } from "../json/group-preferences.js";
import { aChatItem } from "../json/item-json.js";
import { contactJson, sidesOf } from "../json/json.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";
import { deliver } from "./edits.js";
import { itemDeleted } from "./file-messages.js";
import { chatOf, itemOf, type Source } from "./incoming.js";

export type DeleteMode = "broadcast" | "internal" | "internalMark" | "history";

const HOUR = 3_600_000;
/** The app shows deletion for 24 hours, the command takes 6 more. */
const DELETE_WINDOW = 30 * HOUR;
/** Peers honour deletions of messages up to this old. */
const HONOUR_WINDOW = 78 * HOUR;

/** `/_delete item` */
export function deleteItems(user: User, chat: Chat, ids: readonly number[], mode: DeleteMode): CoreJson {
  const found = ids.flatMap((itemId) => {
    const item = user.db.items.get(itemId);
    return item?.chat === chat.key ? [item] : [];
  });
  const missing = ids.filter((itemId) => !found.some((item) => item.itemId === itemId));
  if (mode === "history" && chat.group) throw chatError("invalidChatItemDelete");
  if (mode === "broadcast") for (const item of found) checkDeletable(user, item);
  if (missing.length > 0) {
    const chatErrors = missing.map((itemId) => storeError("chatItemNotFound", { itemId }).chatError);
    user.emit({ type: "chatErrors", chatErrors });
  }
  const deletions = found.map((item) => deletion(user, chat, item, mode));
  return user.answer("chatItemsDeleted", { chatItemDeletions: deletions, byUser: true, timed: false });
}

function checkDeletable(user: User, item: ItemRow): void {
  const young = user.now() - item.itemTs < DELETE_WINDOW;
  if (item.content.type !== "sndMsgContent" || item.deleted || !young)
    throw chatError("invalidChatItemDelete");
}

function deletion(user: User, chat: Chat, item: ItemRow, mode: DeleteMode): Json {
  if (mode === "internal") return removed(user, item);
  if (mode === "internalMark") return marked(user, item, user.now());
  const wire: DeleteMessage = {
    kind: "delete",
    eventId: user.random.id(),
    sharedMsgId: item.sharedMsgId ?? "",
    ...(chat.supported && { scope: chat.supported.memberId }),
  };
  deliver(user, chat, [wire]);
  return fullDelete(user, chat) ? removed(user, item) : marked(user, item, user.now());
}

function fullDelete(user: User, { contact, group }: Chat): boolean {
  if (contact) return contactFeatureEnabled("fullDelete", sidesOf(user.db, contact));
  return (
    group !== undefined &&
    groupFeatureAllowed(group.profile, "fullDelete", membershipOf(user, group).memberRole)
  );
}

/** An item as deletions show it: those of direct chats read no reactions. */
function shown(user: User, item: ItemRow): Json {
  const json = aChatItem(user.db, item, { now: user.now() });
  return item.chat.startsWith("@")
    ? { ...json, chatItem: { ...(json.chatItem as Json), reactions: [] } }
    : json;
}

function removed(user: User, item: ItemRow): Json {
  const deletedChatItem = shown(user, item);
  user.db.deleteItem(item);
  return { deletedChatItem };
}

const CHAT_TYPES = new Map([
  ["@", "direct"],
  ["#", "group"],
  ["*", "local"],
]);

function marked(user: User, item: ItemRow, at: number, deleted?: Json): Json {
  const deletedChatItem = shown(user, item);
  const chatType = CHAT_TYPES.get(item.chat.slice(0, 1));
  item.deleted = deleted ?? { type: "deleted", deletedTs: timestamp(at), chatType };
  item.updatedAt = user.now();
  const toChatItem = shown(user, item);
  itemDeleted(user, item);
  return { deletedChatItem, toChatItem };
}

function emitDeleted(user: User, deletions: readonly Json[]): void {
  user.emitOf("chatItemsDeleted", { chatItemDeletions: deletions, byUser: false, timed: false });
}

/** A peer deleted its message, or a moderator somebody's. */
export function onDelete(user: User, source: Source, wire: DeleteMessage): void {
  if (wire.memberId !== undefined) return onModerate(user, source, wire);
  const item = itemOf(user, source, wire.sharedMsgId);
  if (!item) {
    if (!source.contact) return;
    const contact = contactJson(user.db, source.contact);
    return user.emitOf("chatItemDeletedNotFound", { contact, sharedMsgId: wire.sharedMsgId });
  }
  if (source.at - item.itemTs > HONOUR_WINDOW) return;
  const full = source.contact
    ? contactFeatureEnabled("fullDelete", sidesOf(user.db, source.contact))
    : source.group !== undefined &&
      groupFeatureAllowed(source.group.profile, "fullDelete", source.member?.memberRole ?? "observer");
  emitDeleted(user, [full ? removed(user, item) : marked(user, item, source.at)]);
}

/** `/_delete member item`: a moderator deletes others' messages. */
export function moderateItems(user: User, groupId: number, ids: readonly number[]): CoreJson {
  const { db } = user;
  const group = groupRow(user, groupId);
  const membership = membershipOf(user, group);
  const items = ids.flatMap((id) => {
    const item = db.items.get(id);
    return item?.chat === groupChat(group) ? [item] : [];
  });
  for (const item of items) checkModeratable(user, membership, item);
  if (roleRank(membership.memberRole) < roleRank("moderator")) {
    throw chatError("groupUserRole", { groupInfo: groupJson(db, group), requiredRole: "moderator" });
  }
  const deletions = items.map((item) => {
    const author = db.members.get(item.memberId) ?? membership;
    const wire: DeleteMessage = {
      kind: "delete",
      eventId: user.random.id(),
      sharedMsgId: item.sharedMsgId ?? "",
      memberId: author.memberId,
    };
    sendTo(user, [...others(user, group)], [wire]);
    return moderate(user, group, membership, item, user.now());
  });
  return user.answer("chatItemsDeleted", { chatItemDeletions: deletions, byUser: true, timed: false });
}

function checkModeratable(user: User, membership: MemberRow, item: ItemRow): void {
  const author = user.db.members.get(item.memberId);
  const message = item.content.type === "rcvMsgContent" || item.content.type === "sndMsgContent";
  if (!message || (author && roleRank(author.memberRole) > roleRank(membership.memberRole))) {
    throw chatError("invalidChatItemDelete");
  }
}

/** Marks an item as moderated; where messages are deleted in full nothing else is left of it. */
function moderate(user: User, group: GroupRow, by: MemberRow, item: ItemRow, at: number): Json {
  const mark = (withConn: boolean): Json => ({
    type: "moderated",
    deletedTs: timestamp(at),
    byGroupMember: memberJson(user.db, by, withConn),
  });
  const deletions = marked(user, item, at, mark(true));
  if (groupFeatureAllowed(group.profile, "fullDelete", by.memberRole)) {
    item.content = { type: item.sent ? "sndModerated" : "rcvModerated" };
    item.text = "moderated";
    delete item.formattedText;
  }
  const toChatItem = shown(user, item);
  // The connection shows as it was told only.
  item.deleted = mark(false);
  return { ...deletions, toChatItem };
}

function onModerate(user: User, source: Source, wire: DeleteMessage): void {
  const { group, member } = source;
  const item = user.db.itemByShared(chatOf(source), wire.sharedMsgId);
  if (!item || !group || !member || roleRank(member.memberRole) < roleRank("moderator")) return;
  emitDeleted(user, [moderate(user, group, member, item, source.at)]);
}
