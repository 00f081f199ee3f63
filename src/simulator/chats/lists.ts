import type { CoreJson } from "../../core/api/chat-api.js";
import { unparsable } from "../data/errors.js";
import { parseObject } from "../data/parsed.js";
import type { ContactRow, Json } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import { emptyStats, listStats } from "../database/stats.js";
import { group as groupRow } from "../groups/group-rows.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { chatInfo, itemJson } from "../json/item-json.js";
import { contactJson, pendingJson } from "../json/json.js";
import type { User } from "../user/user.js";

/** Chats shown when no number is given. */
const DEFAULT_COUNT = 5000;

/** `/_contacts`: those with a connection. */
export function contactsList(user: User): CoreJson {
  const { db } = user;
  const contacts = [...db.contacts.values()].filter(({ connId }) => db.conns.get(connId));
  return user.answer("contactsList", { contacts: contacts.map((contact) => contactJson(db, contact)) });
}

/** `/_groups` */
export function groupsList(user: User, search: string): CoreJson {
  const wanted = search.toLowerCase();
  const groups = [...user.db.groups.values()].filter(({ profile, localDisplayName }) =>
    [profile.displayName, profile.fullName, profile.description ?? "", localDisplayName].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
  return user.answer("groupsList", { groups: groups.map((group) => groupJson(user.db, group)) });
}

/** `/_members` */
export function groupMembers(user: User, groupId: number): CoreJson {
  const group = groupRow(user, groupId);
  const members = [...user.db.membersOf(groupId).values()]
    .filter(({ groupMemberId }) => groupMemberId !== group.membershipId)
    .map((member) => memberJson(user.db, member, true));
  return user.answer("groupMembers", { group: { groupInfo: groupJson(user.db, group), members } });
}

interface Entry {
  readonly ts: number;
  /** The item that the time is of. */
  readonly touchedBy: number;
  /** Names and descriptions that a search looks at. */
  readonly texts: ReadonlyArray<string | undefined>;
  readonly unread: boolean;
  readonly favorite: boolean;
  readonly json: () => Json;
}

/** `/_get chats` */
export function getChats(user: User, pending: boolean, pagination: string, query: string): CoreJson {
  const wanted = parseQuery(query);
  const entries = [...chatEntries(user), ...(pending ? pendingEntries(user) : [])].filter(wanted);
  // Of two of one time the later one comes first.
  entries.reverse().sort((a, b) => b.ts - a.ts || b.touchedBy - a.touchedBy);
  return user.answer("apiChats", { chats: page(entries, pagination).map(({ json }) => json()) });
}

function parseQuery(query: string): (entry: Entry) => boolean {
  if (query === "") return () => true;
  const { type, favorite, unread, search } = parseObject(query);
  if (type === "filters" && typeof favorite === "boolean" && typeof unread === "boolean") {
    return (entry) => (!favorite && !unread) || (favorite && entry.favorite) || (unread && entry.unread);
  }
  if (type !== "search" || typeof search !== "string") throw unparsable();
  const text = search.toLowerCase();
  return ({ texts }) => texts.some((one) => one?.toLowerCase().includes(text));
}

function page(entries: Entry[], pagination: string): Entry[] {
  if (pagination === "") return entries.slice(0, DEFAULT_COUNT);
  const [, kind, time, count] = /^(?:(after|before)=(\S+) )?count=(\d+)$/.exec(pagination) ?? [];
  if (count === undefined) throw unparsable();
  const limit = Number(count);
  if (kind === undefined || time === undefined) return entries.slice(0, limit);
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) throw unparsable();
  if (kind === "before") return entries.filter(({ ts }) => ts < ms).slice(0, limit);
  const later = entries.filter(({ ts }) => timestamp(ts) > time && ts >= ms);
  return limit === 0 ? [] : later.slice(-limit);
}

function* chatEntries(user: User): Iterable<Entry> {
  const { db } = user;
  const { chatTs, unread, favorite } = db.notes;
  yield entry(user, "*1", { chatTs, unreadChat: unread, chatSettings: { favorite } }, []);
  for (const contact of db.contacts.values()) {
    const { displayName, fullName, shortDescr, localAlias } = db.profiles.at(contact.profileId);
    const key = `@${contact.contactId}`;
    if (!contact.contactUsed || contact.chatDeleted) continue;
    const texts = [contact.localDisplayName, displayName, fullName, shortDescr, localAlias];
    yield entry(user, key, contact, texts);
  }
  for (const group of db.groups.values()) {
    const { displayName, fullName, shortDescr, description } = group.profile;
    const texts = [group.localDisplayName, displayName, fullName, shortDescr, description, group.localAlias];
    yield entry(user, `#${group.groupId}`, group, texts);
  }
}

type ChatRow = Pick<ContactRow, "chatTs" | "touchedBy" | "unreadChat" | "chatSettings">;

function entry(user: User, key: string, row: ChatRow, texts: Entry["texts"]): Entry {
  const { db } = user;
  const { chatTs, touchedBy = 0, unreadChat, chatSettings } = row;
  const index = db.chat(key);
  return {
    ts: chatTs,
    touchedBy,
    texts,
    unread: unreadChat || index.unread.size > 0,
    favorite: chatSettings.favorite === true,
    json: () => {
      const last = db.items.get(index.order.at(-1)?.itemId);
      return {
        chatInfo: chatInfo(db, key),
        chatItems: last ? [itemJson(db, last, { now: user.now() })] : [],
        chatStats: listStats(index, unreadChat),
      };
    },
  };
}

function pendingEntries({ db }: User): Entry[] {
  return [...db.conns.values()]
    .filter((conn) => conn.entityId === undefined && conn.connStatus !== "deleted")
    .map((conn) => ({
      ts: conn.updatedAt,
      touchedBy: 0,
      texts: [conn.localAlias],
      unread: false,
      favorite: false,
      json: () => ({
        chatInfo: { type: "contactConnection", contactConnection: pendingJson(conn) },
        chatItems: [],
        chatStats: emptyStats(),
      }),
    }));
}
