import { groupJson, memberJson } from "./group-json.js";
import { contactJson } from "./json.js";
import type { ConnRow, ContactRow, MemberRow } from "./rows.js";
import type { User } from "./user.js";

/** Lets a new member find out whether it is a contact already. */
export function probe(user: User, conn: ConnRow, member: MemberRow): void {
  const group = user.db.groups.get(member.groupId);
  if (!group || conn.customUserProfileId !== undefined || member.contactId !== undefined) return;
  user.post(conn, [{ kind: "probe", database: user.database }]);
}

/** The member is a contact when a contact of the same name is the same person: then they are one from now on. */
export function onProbe(user: User, member: MemberRow, database: string): void {
  const { db } = user;
  const group = db.groups.get(member.groupId);
  const contact = member.contactId === undefined ? sameContact(user, member, database) : undefined;
  if (!group || !contact) return;
  const before = memberJson(db, member, true);
  const oldProfile = member.profileId;
  db.names.release(member.localDisplayName);
  member.contactId = contact.contactId;
  member.profileId = contact.profileId;
  member.localDisplayName = contact.localDisplayName;
  db.profiles.delete(oldProfile);
  const json = contactJson(db, contact);
  user.emitOf("contactAndMemberAssociated", {
    contact: json,
    groupInfo: groupJson(db, group),
    member: before,
    updatedContact: json,
  });
}

function sameContact(user: User, member: MemberRow, database: string): ContactRow | undefined {
  const { db } = user;
  const profile = db.profiles.at(member.profileId);
  for (const contact of db.contacts.values()) {
    const conn = db.conns.get(contact.connId);
    if (conn?.connStatus !== "ready" || conn.customUserProfileId !== undefined) continue;
    const theirs = db.profiles.at(contact.profileId);
    if (theirs.displayName !== profile.displayName || theirs.fullName !== profile.fullName) continue;
    if (user.network.peerDatabase(conn.agentConnId) === database) return contact;
  }
  return undefined;
}
