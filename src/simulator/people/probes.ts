import type { ConnRow, ContactRow, Json, MemberRow } from "../data/rows.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { contactJson } from "../json/json.js";
import type { User } from "../user/user.js";

/** Lets a new member or contact find out whether it is a contact or member already. */
export function probe(user: User, conn: ConnRow): void {
  if (conn.customUserProfileId === undefined) user.post(conn, [{ kind: "probe", database: user.database }]);
}

/** A new member is a contact when a contact of the same name is the same person: then it takes that profile over. */
export function onMemberProbe(user: User, member: MemberRow, database: string): void {
  const { db } = user;
  const contact = member.contactId === undefined ? sameContact(user, member, database) : undefined;
  if (!contact) return;
  const before = memberJson(db, member, true);
  const oldProfile = member.profileId;
  db.names.release(member.localDisplayName);
  member.contactId = contact.contactId;
  member.profileId = contact.profileId;
  member.localDisplayName = contact.localDisplayName;
  db.profiles.delete(oldProfile);
  emitAssociated(user, contactJson(db, contact), before, member, contact);
}

/** A new contact is a member likewise: then it takes the member's profile over. */
export function onContactProbe(user: User, contact: ContactRow, database: string): void {
  const { db } = user;
  const member = sameMember(user, contact, database);
  if (!member) return;
  const before = contactJson(db, contact);
  const memberBefore = memberJson(db, member, true);
  const oldProfile = contact.profileId;
  db.names.release(contact.localDisplayName);
  member.contactId = contact.contactId;
  contact.profileId = member.profileId;
  contact.localDisplayName = member.localDisplayName;
  db.profiles.delete(oldProfile);
  emitAssociated(user, before, memberBefore, member, contact);
}

function emitAssociated(
  user: User,
  contactBefore: Json,
  memberBefore: Json,
  member: MemberRow,
  contact: ContactRow,
): void {
  const { db } = user;
  user.emitOf("contactAndMemberAssociated", {
    contact: contactBefore,
    groupInfo: groupJson(db, db.groups.at(member.groupId)),
    member: memberBefore,
    updatedContact: contactJson(db, contact),
  });
}

function sameContact(user: User, member: MemberRow, database: string): ContactRow | undefined {
  for (const contact of user.db.contacts.values()) {
    const conn = user.db.conns.get(contact.connId);
    if (sameName(user, contact, member) && conn && leadsTo(user, conn, database)) return contact;
  }
  return undefined;
}

function sameMember(user: User, contact: ContactRow, database: string): MemberRow | undefined {
  for (const member of user.db.members.values()) {
    const conn = user.db.conns.get(member.connId);
    if (member.contactId !== undefined || !conn || !sameName(user, contact, member)) continue;
    if (leadsTo(user, conn, database)) return member;
  }
  return undefined;
}

function sameName({ db }: User, contact: ContactRow, member: MemberRow): boolean {
  const one = db.profiles.at(contact.profileId);
  const other = db.profiles.at(member.profileId);
  return one.displayName === other.displayName && one.fullName === other.fullName;
}

function leadsTo(user: User, conn: ConnRow, database: string): boolean {
  if (conn.connStatus !== "ready" || conn.customUserProfileId !== undefined) return false;
  return user.network.peerDatabase(conn.agentConnId) === database;
}
