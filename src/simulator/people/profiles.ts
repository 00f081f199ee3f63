import type { CoreJson } from "../../core/api/chat-api.js";
import { readyConn } from "../connections/connections.js";
import { ownAddress, republish } from "../connections/link-data.js";
import { memberProfile, ownProfile, profileForContact } from "../connections/own-profile.js";
import { chatError, storeError, unparsable } from "../data/errors.js";
import type { ContactRow, Json, ProfileRow } from "../data/rows.js";
import { addAndEmit, emitItems } from "../items/items.js";
import { changedFeatureItems, parsePreferences, withTimerOf } from "../json/contact-preferences.js";
import { contactJson, plainProfile, present, sidesOf } from "../json/json.js";
import { validName } from "../text/names.js";
import type { User } from "../user/user.js";
import { addFeatureItems, directChat, replaceProfile } from "./contacts.js";

const PEER_TYPES = ["human", "bot"];

/** Reads a `Profile`; throws as the core does on what it cannot parse, and on a bad name. */
export function parseProfile(user: User, json: unknown): Json {
  const profile: Json = typeof json === "object" && json !== null && !Array.isArray(json) ? { ...json } : {};
  const { displayName, fullName, shortDescr, image, contactLink, peerType } = profile;
  if (typeof displayName !== "string" || typeof fullName !== "string") throw unparsable();
  const types = user.network.peerTypeAgent ? [...PEER_TYPES, "agent"] : PEER_TYPES;
  if (peerType !== undefined && !types.some((type) => type === peerType)) throw unparsable();
  for (const text of [shortDescr, image, contactLink]) {
    if (text !== undefined && typeof text !== "string") throw unparsable();
  }
  const preferences = profile.preferences === undefined ? undefined : parsePreferences(profile.preferences);
  if (profile.preferences !== undefined && !preferences) throw unparsable();
  return present({ displayName, fullName, shortDescr, image, contactLink, preferences, peerType });
}

/** Throws `invalidDisplayName` unless the name is in its normal form. */
export function checkName(displayName: string): void {
  const valid = validName(displayName);
  if (valid !== displayName || displayName === "") {
    throw chatError("invalidDisplayName", { displayName, validName: valid });
  }
}

/** `/_profile`: replaces the whole profile. */
export function setProfile(user: User, json: unknown): CoreJson {
  const profile = parseProfile(user, json);
  const { displayName } = profile;
  checkName(String(displayName));
  const own = ownProfile(user);
  const before = { ...plainProfile(own), preferences: user.db.user?.preferences };
  if (JSON.stringify(sorted(present(before))) === JSON.stringify(sorted(profile))) {
    return user.answer("userProfileNoChange");
  }
  return changeProfile(user, (row, db) => {
    const { preferences, ...rest } = profile;
    rename(user, String(displayName));
    replaceProfile(row, rest);
    if (preferences) db.preferences = preferences as Json;
    else delete db.preferences;
  });
}

const sorted = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));

function rename(user: User, displayName: string): void {
  const { db } = user;
  if (!db.user || ownProfile(user).displayName === displayName) return;
  if (db.names.has(displayName)) {
    // The core fails after it has changed the user's row.
    Object.assign(db.user, { localDisplayName: displayName, memberProfileUpdatedAt: user.now() });
    throw storeError("duplicateName");
  }
  db.names.release(db.user.localDisplayName);
  db.user.localDisplayName = db.names.take(displayName);
}

type Change = (profile: ProfileRow, user: { preferences?: Json }) => void;

/** Changes our profile and tells it: contacts at once, groups with the next message there, and the address's link. */
export function changeProfile(user: User, change: Change): CoreJson {
  const { db } = user;
  if (!db.user) throw new Error("no user");
  const row = ownProfile(user);
  const fromProfile = withPreferences(row, db.user.preferences);
  const shown = memberProfile(row);
  change(row, db.user);
  if (JSON.stringify(memberProfile(row)) !== JSON.stringify(shown))
    db.user.memberProfileUpdatedAt = user.now();
  for (const member of db.members.values()) {
    if (member.contactId === db.user.userContactId && member.memberCategory === "user") {
      member.localDisplayName = db.user.localDisplayName;
    }
  }
  republish(user, ownAddress(user));
  const told = tellContacts(user);
  return user.answer("userProfileUpdated", {
    fromProfile,
    toProfile: withPreferences(row, db.user.preferences),
    updateSummary: { updateSuccesses: told, updateFailures: 0, changedContacts: [] },
  });
}

const withPreferences = (row: ProfileRow, preferences: Json | undefined): Json =>
  present({ ...plainProfile(row), preferences });

/** How many contacts got the profile. */
function tellContacts(user: User): number {
  let told = 0;
  for (const contact of user.db.contacts.values()) {
    const conn = readyConn(user, contact);
    if (!conn || conn.customUserProfileId !== undefined) continue;
    user.post(conn, [{ kind: "profile", eventId: user.random.id(), profile: profileForContact(user, conn) }]);
    told++;
  }
  if (told > 0) user.emitOf("newChatItems", { chatItems: [] });
  return told;
}

/** A contact's profile came: what changed is stored and shown, with items once the chat has begun. */
export function contactProfile(user: User, contact: ContactRow, profile: Json, withItems = true): void {
  const { db } = user;
  const row = db.profiles.at(contact.profileId);
  const fromProfile = plainProfile(row);
  if (JSON.stringify(sorted(fromProfile)) === JSON.stringify(sorted(present({ ...profile })))) return;
  const fromContact = contactJson(db, contact);
  const before = sidesOf(db, contact);
  const shown = JSON.stringify(memberProfile(row));
  storeProfile(user, contact, profile);
  if (withItems) {
    if (JSON.stringify(memberProfile(row)) !== shown) {
      profileItem(user, contact, fromProfile, plainProfile(row));
    }
    const changed = changedFeatureItems(sidesOf(db, contact), before, "theirs");
    emitItems(user, addFeatureItems(user, contact, "rcv", changed));
  }
  user.emitOf("contactUpdated", { fromContact, toContact: contactJson(db, contact) });
  if (row.displayName !== fromProfile.displayName) dropRequest(user, contact);
}

/** The database forgets a request together with the name that its contact had. */
function dropRequest(user: User, contact: ContactRow): void {
  if (contact.contactRequestId === undefined) return;
  user.db.requests.delete(contact.contactRequestId);
  delete contact.contactRequestId;
}

function storeProfile(user: User, contact: ContactRow, profile: Json): void {
  const { db } = user;
  const row = db.profiles.at(contact.profileId);
  const { displayName } = row;
  replaceProfile(row, profile);
  if (row.displayName !== displayName) {
    db.names.release(contact.localDisplayName);
    contact.localDisplayName = db.names.take(row.displayName);
  }
  contact.userPreferences = withTimerOf(row.preferences, db.user?.preferences, contact.userPreferences);
  contact.updatedAt = user.now();
}

function profileItem(user: User, contact: ContactRow, fromProfile: Json, toProfile: Json): void {
  const event = { type: "profileUpdated", fromProfile, toProfile };
  addAndEmit(user, {
    chat: directChat(contact),
    sent: false,
    content: { type: "rcvDirectEvent", rcvDirectEvent: event },
    text: "updated profile",
  });
}
