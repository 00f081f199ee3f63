import type { ConnRow, Json, ProfileRow } from "../data/rows.js";
import { preferencesFor } from "../json/contact-preferences.js";
import { plainProfile, present } from "../json/json.js";
import type { User } from "../user/user.js";

/** Our own profile row. */
export function ownProfile(user: User): ProfileRow {
  const { db } = user;
  if (!db.user) throw new Error("no user");
  return db.profiles.at(db.user.profileId);
}

/** The profile that a contact gets: the incognito one of the connection, or our own, with the preferences for it. */
export function profileForContact(user: User, conn: ConnRow | undefined): Json {
  const { db } = user;
  const incognito = db.profiles.get(conn?.customUserProfileId);
  const contact = conn?.connType === "contact" ? db.contacts.get(conn.entityId) : undefined;
  const own = incognito ? undefined : db.user?.preferences;
  const preferences = preferencesFor(own, contact?.userPreferences ?? {});
  return { ...plainProfile(incognito ?? ownProfile(user)), preferences };
}

/** The profile in a request: as for a contact, without what kind of peer we are. */
export function profileForRequest(user: User, conn: ConnRow): Json {
  const { peerType: _, ...profile } = profileForContact(user, conn);
  return profile;
}

/** What members hear from ourselves: with what kind of peer we are, which their events show and nothing keeps. */
export function announcedProfile(user: User, row: ProfileRow): Json {
  const { profileId, peerType } = ownProfile(user);
  return {
    ...memberProfile(row),
    ...(row.profileId === profileId && peerType !== undefined && { peerType }),
  };
}

/** The profile that members of a group get of a profile row. */
export function memberProfile(row: ProfileRow): Json {
  const { displayName, fullName, shortDescr, image } = row;
  return present({ displayName, fullName, shortDescr, image });
}

/** Adjectives and nouns for the random names of incognito profiles. */
const FIRST = ["Social", "Silent", "Golden", "Clever", "Quick", "Bright", "Lucky", "Gentle", "Brave", "Calm"];
const SECOND = [
  "Bonus",
  "River",
  "Falcon",
  "Comet",
  "Harbor",
  "Maple",
  "Signal",
  "Lantern",
  "Meadow",
  "Pebble",
];

/** Makes a random profile for an incognito connection. */
export function incognitoProfile(user: User): ProfileRow {
  const pick = (words: readonly string[]) => words[user.random.below(words.length)] ?? "";
  const displayName = pick(FIRST) + pick(SECOND);
  return user.db.profiles.insert((profileId) => ({ profileId, displayName, fullName: "", localAlias: "" }));
}
