import type { FileRow } from "../data/file-rows.js";
import type { ItemRow } from "../data/item-rows.js";
import type {
  ConnRow,
  ContactRow,
  GroupRow,
  LinkRow,
  MemberRow,
  ProfileRow,
  RequestRow,
  UserRow,
} from "../data/rows.js";
import type { Envelope } from "../data/wire.js";
import type { SavedNames } from "../text/display-names.js";
import { Database } from "./database.js";
import type { SavedReactions } from "./early-reactions.js";
import type { SavedTable } from "./table.js";

export interface SavedDatabase {
  readonly user?: UserRow;
  readonly profiles: SavedTable<ProfileRow>;
  readonly contacts: SavedTable<ContactRow>;
  readonly groups: SavedTable<GroupRow>;
  readonly members: SavedTable<MemberRow>;
  readonly conns: SavedTable<ConnRow>;
  readonly items: SavedTable<ItemRow>;
  readonly links: SavedTable<LinkRow>;
  readonly requests: SavedTable<RequestRow>;
  readonly files: SavedTable<FileRow>;
  readonly descriptions: SavedTable<number>;
  readonly earlyReactions: SavedReactions;
  readonly names: SavedNames;
  readonly rest: Pick<
    Database,
    "notes" | "smpServers" | "xftpServers" | "startedBefore" | "lastVersionId"
  > & { readonly outbox: readonly Envelope[]; readonly introductions: ReadonlyArray<[string, boolean]> };
}

/** All that is stored, as JSON. */
export function saveDatabase(db: Database): SavedDatabase {
  const { user, notes, smpServers, xftpServers, startedBefore, lastVersionId } = db;
  const introductions = [...db.introductions];
  const outbox = db.outbox.values();
  return {
    ...(user && { user }),
    profiles: db.profiles.toJSON(),
    contacts: db.contacts.toJSON(),
    groups: db.groups.toJSON(),
    members: db.members.toJSON(),
    conns: db.conns.toJSON(),
    items: db.items.toJSON(),
    links: db.links.toJSON(),
    requests: db.requests.toJSON(),
    files: db.files.toJSON(),
    descriptions: db.descriptions.toJSON(),
    earlyReactions: db.earlyReactions.toJSON(),
    names: db.names.toJSON(),
    rest: { outbox, notes, smpServers, xftpServers, startedBefore, lastVersionId, introductions },
  };
}

export function loadDatabase(saved: SavedDatabase): Database {
  const db = new Database();
  db.user = saved.user;
  db.profiles.load(saved.profiles);
  db.contacts.load(saved.contacts);
  db.groups.load(saved.groups);
  db.members.load(saved.members);
  db.conns.load(saved.conns);
  db.items.load(saved.items);
  db.links.load(saved.links);
  db.requests.load(saved.requests);
  db.files.load(saved.files);
  db.descriptions.load(saved.descriptions);
  db.earlyReactions.load(saved.earlyReactions);
  db.names.load(saved.names);
  const { outbox, notes, introductions, ...rest } = saved.rest;
  Object.assign(db, rest);
  for (const [pair, connected] of introductions) db.introductions.set(pair, connected);
  Object.assign(db.notes, notes);
  for (const envelope of outbox) db.outbox.push(envelope);
  db.index();
  return db;
}
