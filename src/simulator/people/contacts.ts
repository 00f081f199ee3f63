import type { ItemRow } from "../data/item-rows.js";
import type { ContactRow, Json, ProfileRow } from "../data/rows.js";
import { addItem, emitItems, type NewItem } from "../items/items.js";
import { contactFeatureItems, type FeatureItem } from "../json/contact-preferences.js";
import { sidesOf } from "../json/json.js";
import type { User } from "../user/user.js";

export const DEFAULT_SETTINGS: Json = { enableNtfs: "all", favorite: false };

const E2EE = "This conversation is protected by end-to-end encryption";
const PQ_E2EE =
  "This conversation is protected by quantum resistant end-to-end encryption. " +
  "It has perfect forward secrecy, repudiation and quantum resistant break-in recovery.";
const FORWARD_SECRET_E2EE =
  "This conversation is protected by end-to-end encryption with perfect forward secrecy, repudiation and break-in recovery.";

/** Stores a profile that came as JSON; `keep` names the fields to take. */
export function addProfile(user: User, profile: Json): ProfileRow {
  return user.db.profiles.insert((profileId) => ({ profileId, localAlias: "", ...profileFields(profile) }));
}

/** The fields of a profile that came as JSON. */
function profileFields(profile: Json): Omit<ProfileRow, "profileId" | "localAlias"> {
  const text = (key: string) => (typeof profile[key] === "string" ? { [key]: profile[key] } : {});
  const json = (key: string) =>
    typeof profile[key] === "object" && profile[key] !== null ? { [key]: profile[key] } : {};
  return {
    displayName: String(profile.displayName ?? ""),
    fullName: String(profile.fullName ?? ""),
    ...text("shortDescr"),
    ...text("image"),
    ...text("contactLink"),
    ...json("preferences"),
    ...text("peerType"),
    ...json("contactDomain"),
  };
}

/** Replaces the fields of a stored profile. */
export function replaceProfile(row: ProfileRow, profile: Json): void {
  for (const key of [
    "shortDescr",
    "image",
    "contactLink",
    "preferences",
    "peerType",
    "contactDomain",
  ] as const) {
    delete row[key];
  }
  Object.assign(row, profileFields(profile));
}

/** Makes a contact with its profile and local name. */
export function addContact(user: User, profile: Json, more: Partial<ContactRow> = {}): ContactRow {
  const { db } = user;
  const now = user.now();
  const { profileId, displayName } = addProfile(user, profile);
  return db.contacts.insert((contactId) => ({
    contactId,
    localDisplayName: db.names.take(displayName),
    profileId,
    contactUsed: true,
    contactStatus: "active",
    chatSettings: DEFAULT_SETTINGS,
    userPreferences: {},
    createdAt: now,
    updatedAt: now,
    chatTs: now,
    touchedBy: db.items.latestId,
    contactGrpInvSent: false,
    chatDeleted: false,
    unreadChat: false,
    ...more,
  }));
}

export const directChat = (contact: ContactRow): string => `@${contact.contactId}`;

export const bannerItem = (chat: string): NewItem => ({
  chat,
  sent: true,
  content: { type: "chatBanner" },
  text: "chat banner",
  itemTs: 0,
});

/** The item about encryption: quantum resistant, with forward secrecy (member contacts), or not known yet. */
export function e2eeItem(chat: string, pq: boolean | undefined): NewItem {
  return {
    chat,
    sent: false,
    content: { type: "rcvDirectE2EEInfo", e2eeInfo: pq === undefined ? {} : { pqEnabled: pq } },
    text: pq === undefined ? E2EE : pq ? PQ_E2EE : FORWARD_SECRET_E2EE,
  };
}

/** Stores items about features: the contact's, or with "snd" those of what we changed. */
export function addFeatureItems(
  user: User,
  contact: ContactRow,
  side: "rcv" | "snd",
  items: readonly FeatureItem[],
): ItemRow[] {
  return items.map(({ type, text, fields }) =>
    addItem(user, {
      chat: directChat(contact),
      sent: side === "snd",
      content: { type: `${side}${type}`, ...fields },
      text,
    }),
  );
}

const addAllFeatures = (user: User, contact: ContactRow): ItemRow[] =>
  addFeatureItems(user, contact, "rcv", contactFeatureItems(sidesOf(user.db, contact)));

/** The items that a direct chat begins with, without events: of a prepared contact, or of a request. */
export function addFirstItems(user: User, contact: ContactRow, pq: boolean | undefined): void {
  const chat = directChat(contact);
  addItem(user, bannerItem(chat));
  addItem(user, e2eeItem(chat, pq));
  addAllFeatures(user, contact);
}

/** The feature items with one event. */
export function emitFeatureItems(user: User, contact: ContactRow): void {
  emitItems(user, addAllFeatures(user, contact));
}
