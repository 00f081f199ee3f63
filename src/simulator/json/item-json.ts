import type { CoreJson } from "../../core/api/chat-api.js";
import { chatId } from "../data/chat-key.js";
import type { ItemRow, Quote, Reaction } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import type { Database } from "../database/database.js";
import { fileJson } from "./file-json.js";
import { groupJson, memberJson } from "./group-json.js";
import { contactJson, present } from "./json.js";

const DAY = 86_400_000;

/** How an item is shown: as just made (the author's connection with it), or as read from the database. */
export interface ItemView {
  readonly now: number;
  readonly fresh?: boolean;
  readonly before?: Before;
}

/** What the core had read before the change that made an item, and shows with it. */
export interface Before {
  readonly groupInfo?: Json | undefined;
  /** The member that sent the item. */
  readonly author?: Json | undefined;
  /** The member whose support chat it is in. */
  readonly supported?: Json | undefined;
}

/** `ChatInfo` of a chat, with the support chat that an item is in. */
export function chatInfo(db: Database, chat: string, scope?: number, before: Before = {}): Json {
  if (chat.startsWith("@")) return { type: "direct", contact: contactJson(db, db.contacts.at(chatId(chat))) };
  if (chat.startsWith("*")) return { type: "local", noteFolder: noteFolder(db) };
  const group = db.groups.at(chatId(chat));
  const json = { type: "group", groupInfo: before.groupInfo ?? groupJson(db, group) };
  return scope === undefined ? json : { ...json, groupChatScope: scopeJson(db, scope, before.supported) };
}

function scopeJson(db: Database, scope: number, before: Json | undefined): Json {
  if (scope === 0) return { type: "memberSupport" };
  return { type: "memberSupport", groupMember_: before ?? memberJson(db, db.members.at(scope), true) };
}

function noteFolder({ notes, user }: Database): Json {
  return {
    noteFolderId: 1,
    userId: user?.userId ?? 1,
    createdAt: timestamp(notes.createdAt),
    updatedAt: timestamp(notes.updatedAt),
    chatTs: timestamp(notes.chatTs),
    favorite: notes.favorite,
    unread: notes.unread,
  };
}

/** `AChatItem`. */
export function aChatItem(db: Database, item: ItemRow, view: ItemView): Json {
  return { chatInfo: chatInfo(db, item.chat, item.scope, view.before), chatItem: itemJson(db, item, view) };
}

export function newChatItems(user: Json, chatItems: readonly Json[]): CoreJson {
  return { type: "newChatItems", user, chatItems };
}

/** `ChatItem`. */
export function itemJson(db: Database, item: ItemRow, view: ItemView): Json {
  const file = db.files.get(item.fileId);
  return present({
    chatDir: chatDir(db, item, view),
    meta: meta(item, view.now),
    content: item.content,
    mentions: mentions(db, item),
    formattedText: item.formattedText,
    quotedItem: item.quote && quoteJson(db, item, item.quote),
    reactions: reactions(item.reactions ?? []),
    file: file && fileJson(file),
  });
}

function chatDir(db: Database, item: ItemRow, { fresh = false, before }: ItemView): Json {
  const kind = item.chat.startsWith("@") ? "direct" : item.chat.startsWith("#") ? "group" : "local";
  if (item.sent) return { type: `${kind}Snd` };
  if (kind !== "group") return { type: `${kind}Rcv` };
  return {
    type: "groupRcv",
    groupMember: before?.author ?? memberJson(db, db.members.at(item.memberId), fresh),
  };
}

/** Whether the item can still be deleted for everyone, as the core shows it. */
function deletable(item: ItemRow, now: number): boolean {
  return (
    item.content.type === "sndMsgContent" &&
    !item.deleted &&
    now - item.itemTs < DAY &&
    !item.chat.startsWith("*")
  );
}

function meta(item: ItemRow, now: number): Json {
  const canDelete = deletable(item, now);
  return present({
    itemId: item.itemId,
    itemTs: timestamp(item.itemTs),
    itemText: item.text,
    itemStatus: item.status,
    sentViaProxy: item.sentViaProxy,
    itemSharedMsgId: item.sharedMsgId,
    itemForwarded: item.forwarded,
    itemDeleted: item.deleted,
    itemEdited: item.edited,
    itemTimed:
      item.timed &&
      present({
        ttl: item.timed.ttl,
        deleteAt: item.timed.deleteAt !== undefined ? timestamp(item.timed.deleteAt) : undefined,
      }),
    itemLive: item.live,
    userMention: item.userMention,
    hasLink: item.hasLink,
    deletable: canDelete,
    editable: canDelete && !item.forwarded,
    forwardedByMember: item.forwardedByMember,
    showGroupAsSender: item.asGroup,
    createdAt: timestamp(item.createdAt),
    updatedAt: timestamp(item.updatedAt),
  });
}

function mentions(db: Database, item: ItemRow): Json {
  const json: Record<string, unknown> = {};
  for (const [name, { memberId }] of Object.entries(item.mentions ?? {})) {
    const member = db.memberByMemberId(chatId(item.chat), memberId);
    const profile = member && db.profiles.at(member.profileId);
    json[name] = present({
      memberId,
      memberRef: member && {
        groupMemberId: member.groupMemberId,
        displayName: profile?.displayName,
        localAlias: profile?.localAlias,
        memberRole: member.memberRole,
      },
    });
  }
  return json;
}

function quoteJson(db: Database, item: ItemRow, quote: Quote): Json {
  return present({
    chatDir: quotedDir(db, item, quote),
    itemId: db.itemByShared(item.chat, quote.sharedMsgId)?.itemId,
    sharedMsgId: quote.sharedMsgId,
    sentAt: timestamp(quote.sentAt),
    content: quote.content,
    formattedText: quote.formattedText,
  });
}

function quotedDir(db: Database, item: ItemRow, quote: Quote): Json | undefined {
  const direct = item.chat.startsWith("@");
  if (quote.sent) return { type: direct ? "directSnd" : "groupSnd" };
  if (direct) return { type: "directRcv" };
  const member = db.memberByMemberId(chatId(item.chat), quote.memberId);
  return member && { type: "groupRcv", groupMember: memberJson(db, member, false) };
}

function reactions(given: readonly Reaction[]): Json[] {
  const counts = new Map<string, { reaction: Json; mine: boolean; total: number }>();
  for (const { reaction, by } of given) {
    const key = JSON.stringify(reaction);
    const count = counts.get(key) ?? { reaction, mine: false, total: 0 };
    counts.set(key, { reaction, mine: count.mine || by === "", total: count.total + 1 });
  }
  const sorted = [...counts].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sorted.map(([, { reaction, mine, total }]) => ({
    reaction,
    userReacted: mine,
    totalReacted: total,
  }));
}
