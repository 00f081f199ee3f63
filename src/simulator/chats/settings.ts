import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CoreJson } from "../../core/api/chat-api.js";
import { pendingConn, readyConn } from "../connections/connections.js";
import { profileForContact } from "../connections/own-profile.js";
import { chatError, storeError, unparsable } from "../data/errors.js";
import { parseObject } from "../data/parsed.js";
import type { Json } from "../data/rows.js";
import { group as groupRow } from "../groups/group-rows.js";
import { emitItems } from "../items/items.js";
import { changedFeatureItems, parsePreferences } from "../json/contact-preferences.js";
import { groupJson } from "../json/group-json.js";
import { contactJson, pendingJson, sidesOf } from "../json/json.js";
import { addFeatureItems } from "../people/contacts.js";
import { findChat, type Ref } from "../user/refs.js";
import type { User } from "../user/user.js";

/** `cmdOk` that names its user. */
export const done = (user: User): CoreJson => ({ type: "cmdOk", user_: user.answer("").user });

/** `/_set custom` */
export function setCustom(user: User, ref: Ref, json: string): CoreJson {
  const customData = json === "" ? undefined : parseObject(json);
  const { contact, group } = findChat(user, ref);
  const row = contact ?? group;
  if (!row) throw unparsable();
  if (customData) row.customData = customData;
  else delete row.customData;
  return done(user);
}

/** `/_settings` */
export function setSettings(user: User, ref: Ref, json: string): CoreJson {
  const { enableNtfs, favorite } = parseObject(json);
  if (typeof enableNtfs !== "string" || typeof favorite !== "boolean") throw unparsable();
  const { contact, group } = findChat(user, ref);
  const row = contact ?? group;
  if (!row) throw unparsable();
  row.chatSettings = { enableNtfs, favorite };
  return done(user);
}

/** `/_set alias` */
export function setAlias(user: User, ref: Ref, alias: string): CoreJson {
  const { db } = user;
  if (ref.kind === "#") {
    const group = groupRow(user, ref.id);
    group.localAlias = alias;
    return user.answer("groupAliasUpdated", { toGroup: groupJson(db, group) });
  }
  if (ref.kind === ":") {
    const conn = pendingConn(user, ref.id);
    Object.assign(conn, { localAlias: alias, updatedAt: user.now() });
    return user.answer("connectionAliasUpdated", { toConnection: pendingJson(conn) });
  }
  if (ref.kind !== "@") throw unparsable();
  const contact = db.contacts.get(ref.id);
  if (!contact) throw storeError("contactNotFound", { contactId: ref.id });
  db.profiles.at(contact.profileId).localAlias = alias;
  return user.answer("contactAliasUpdated", { toContact: contactJson(db, contact) });
}

/** `/_set prefs` */
export function setContactPreferences(user: User, contactId: number, json: string): CoreJson {
  const { db } = user;
  const preferences = parsePreferences(parseObject(json));
  if (!preferences) throw unparsable();
  const contact = db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  const fromContact = contactJson(db, contact);
  const before = sidesOf(db, contact);
  if (JSON.stringify(contact.userPreferences) === JSON.stringify(preferences)) {
    return user.answer("contactPrefsUpdated", { fromContact, toContact: fromContact });
  }
  contact.userPreferences = preferences;
  const conn = readyConn(user, contact);
  if (conn) {
    user.post(conn, [{ kind: "profile", eventId: user.random.id(), profile: profileForContact(user, conn) }]);
  }
  const answer = user.answer("contactPrefsUpdated", { fromContact, toContact: contactJson(db, contact) });
  const items = addFeatureItems(
    user,
    contact,
    "snd",
    changedFeatureItems(sidesOf(db, contact), before, "own"),
  );
  if (items.length > 0) emitItems(user, items);
  return answer;
}

/** `/_temp_folder`, `/_files_folder` */
export function setFolder(user: User, kind: "temp" | "files", path: string): CoreJson {
  try {
    makeFolder(path);
  } catch {
    const reason = "createDirectory: does not exist (No such file or directory)";
    throw chatError("exception", { message: `${path}: ${reason}` });
  }
  user.session.folders[kind] = path;
  return { type: "cmdOk" };
}

/** Level by level: Node's recursive `mkdir` never returns for a path below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** `/_info`: what the servers of a connection are. */
export function connectionStats(user: User): Json {
  const server = user.network.serverFor(user).address;
  return {
    connAgentVersion: 7,
    rcvQueuesInfo: [
      { rcvServer: server, status: "active", canAbortSwitch: false, subStatus: { type: "active" } },
    ],
    sndQueuesInfo: [{ sndServer: server, canAbortSwitch: false }],
    ratchetSyncState: "ok",
    ratchetSyncSupported: true,
  };
}
