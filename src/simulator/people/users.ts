import type { CoreJson } from "../../core/api/chat-api.js";
import { TINY_IMAGE } from "../connections/servers.js";
import { commandError, unparsable } from "../data/errors.js";
import { parseObject } from "../data/parsed.js";
import type { Json } from "../data/rows.js";
import { brokerTime } from "../data/time.js";
import { armTimers } from "../items/timed.js";
import { userJson } from "../json/json.js";
import type { User } from "../user/user.js";
import { addContact, addProfile } from "./contacts.js";
import { checkName, parseProfile } from "./profiles.js";

const PRESET_CONTACTS: readonly Json[] = [
  {
    displayName: "SimpleX Status",
    fullName: "",
    shortDescr: "Automatic server status and app release updates",
    image: TINY_IMAGE,
    contactLink:
      "simplex:/contact#/?v=2&smp=smp%3A%2F%2Fu2dS9sG8nMNURyZwqASV4yROM28Er0luVTx5X1CsMrU%3D%40smp4.simplex.im%2FShQuD-rPokbDvkyotKx5NwM8P3oUXHxA%23%2F%3Fv%3D1-2%26dh%3DMCowBQYDK2VuAyEA6fSx1k9zrOmF0BJpCaTarZvnZpMTAVQhd3RkDQ35KT0%253D",
    peerType: "bot",
  },
  {
    displayName: "Ask SimpleX Team",
    fullName: "",
    shortDescr: "Send questions about SimpleX Chat app and your suggestions",
    image: TINY_IMAGE,
    contactLink:
      "simplex:/contact#/?v=2&smp=smp%3A%2F%2FPQUV2eL0t7OStZOoAsPEV2QYWt4-xilbakvGUGOItUo%3D%40smp6.simplex.im%2FK1rslx-m5bpXVIdMZg9NLUZ_8JBm8xTt%23%2F%3Fv%3D1%26dh%3DMCowBQYDK2VuAyEALDeVe-sG8mRY22LsXlPgiwTNs9dbiLrNuA7f3ZMAJ2w%253D",
  },
];

/** `/_create user`: the user of a new database, with the preset contacts and the notes. */
export function createUser(user: User, json: string): CoreJson {
  const { profile: given, pastTimestamp } = parseObject(json);
  if (typeof pastTimestamp !== "boolean") throw unparsable();
  const profile = parseProfile(user, given ?? { displayName: randomName(user), fullName: "" });
  checkName(String(profile.displayName));
  const { db } = user;
  if (db.user) throw commandError("several users in one database are not simulated");
  const { preferences, ...rest } = profile;
  const row = addProfile(user, rest);
  db.user = {
    userId: 1,
    userContactId: 1,
    localDisplayName: db.names.take(row.displayName),
    profileId: row.profileId,
    autoAcceptMemberContacts: false,
    autoAcceptShown: false,
    ...(preferences !== undefined && { preferences: preferences as Json }),
  };
  const now = user.now();
  db.contacts.insert((contactId) => ({
    contactId,
    localDisplayName: row.displayName,
    profileId: row.profileId,
    // The user's own row is no chat.
    contactUsed: false,
    contactStatus: "active",
    chatSettings: {},
    userPreferences: {},
    createdAt: now,
    updatedAt: now,
    chatTs: now,
    contactGrpInvSent: false,
    chatDeleted: false,
    unreadChat: false,
  }));
  for (const preset of PRESET_CONTACTS) addContact(user, preset);
  const second = brokerTime(now);
  Object.assign(db.notes, { createdAt: second, updatedAt: second, chatTs: second });
  return activeUser(user);
}

const randomName = (user: User): string => `User${user.random.below(10_000)}`;

export function activeUser(user: User): CoreJson {
  return { type: "activeUser", user: userJson(user.db) };
}

/** `/users` */
export function usersList(user: User): CoreJson {
  const { db } = user;
  if (!db.user) return { type: "usersList", users: [] };
  let unreadCount = 0;
  for (const contact of db.contacts.values()) unreadCount += db.chat(`@${contact.contactId}`).unread.size;
  for (const group of db.groups.values()) unreadCount += db.chat(`#${group.groupId}`).unread.size;
  const { autoAcceptMemberContacts } = db.user;
  return {
    type: "usersList",
    users: [{ user: { ...userJson(db), autoAcceptMemberContacts }, unreadCount }],
  };
}

/** `/_start`: subscribes; the first time in a new database there is nothing to subscribe to. */
export function start(user: User): CoreJson {
  if (user.started) return { type: "chatRunning" };
  const { db } = user;
  const fresh = !db.startedBefore;
  db.startedBefore = true;
  user.start();
  if (fresh) {
    const none = { missingIds: [], extraIds: [] };
    user.emit({ type: "connectionsDiff", userIds: none, connIds: none });
  }
  subscribe(user);
  armTimers(user);
  return { type: "chatStarted" };
}

function subscribe(user: User): void {
  const connections = [...user.db.conns.values()]
    .filter(({ connStatus }) => connStatus !== "deleted")
    .map(({ agentConnId }) => agentConnId);
  const links = [...user.db.links.values()].map(({ agentConnId }) => agentConnId);
  const all = [...links, ...connections];
  if (all.length === 0 || user.networkDown) return;
  user.connectHost();
  user.emit({
    type: "subscriptionStatus",
    server: user.network.serverFor(user).address,
    subscriptionStatus: { type: "active" },
    connections: all,
  });
}

export function stop(user: User): CoreJson {
  user.stop();
  return { type: "chatStopped" };
}
