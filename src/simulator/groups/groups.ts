import type { CoreJson } from "../../core/api/chat-api.js";
import { deleteConns } from "../connections/connections.js";
import { republish } from "../connections/link-data.js";
import { chatError } from "../data/errors.js";
import type { ConnRow, GroupProfile, GroupRow, MemberRow } from "../data/rows.js";
import { addAndEmit } from "../items/items.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { bannerItem } from "../people/contacts.js";
import { checkName } from "../people/profiles.js";
import type { User } from "../user/user.js";
import { sendToGroup } from "./group-delivery.js";
import { emitChangedFeatures, emitGroupFeatures, rcvEvent, sndE2EE, sndEvent } from "./group-items.js";
import { dropLink, linkOf } from "./group-links.js";
import { needRole } from "./group-rights.js";
import {
  addGroup,
  addMemberRow,
  group,
  groupChat,
  isCurrent,
  membershipOf,
  parseGroupProfile,
} from "./group-rows.js";
import { answerInvitation } from "./received-invitations.js";

/** `/_group`: a new group of ours. */
export function createGroup(user: User, json: unknown): CoreJson {
  const profile = parseGroupProfile(json);
  checkName(profile.displayName);
  const row = addGroup(user, profile);
  const membership = addMemberRow(user, row, {
    memberId: user.random.id(),
    memberRole: "owner",
    memberCategory: "user",
    memberStatus: "creator",
    invitedBy: { type: "user" },
  });
  row.membershipId = membership.groupMemberId;
  addAndEmit(user, bannerItem(groupChat(row)));
  addAndEmit(user, sndE2EE(row));
  emitGroupFeatures(user, row, undefined);
  return user.answer("groupCreated", { groupInfo: groupJson(user.db, row) });
}

/** `/_group_profile`: replaces the whole profile. */
export function setGroupProfile(user: User, groupId: number, json: unknown): CoreJson {
  const profile = parseGroupProfile(json);
  const row = group(user, groupId);
  needRole(user, row, "owner");
  if (profile.displayName !== row.profile.displayName) checkName(profile.displayName);
  const before = row.profile;
  const fromGroup = groupJson(user.db, row);
  applyProfile(user, row, profile);
  const eventId = user.random.id();
  sendToGroup(user, row, [{ kind: "groupProfile", eventId, profile }]);
  for (const link of user.db.links.values()) if (link.groupId === groupId) republish(user, link);
  if (changedBeyondPreferences(before, profile)) {
    const event = { type: "groupUpdated", groupProfile: profile };
    sndEvent(user, row, event, "group profile updated", { sharedMsgId: eventId });
  }
  emitChangedFeatures(user, row, undefined, before);
  return user.answer("groupUpdated", { fromGroup, toGroup: groupJson(user.db, row), msgSigned: false });
}

function applyProfile(user: User, row: GroupRow, profile: GroupProfile): void {
  if (profile.displayName !== row.profile.displayName) {
    user.db.names.release(row.localDisplayName);
    row.localDisplayName = user.db.names.take(profile.displayName);
  }
  row.profile = profile;
  row.updatedAt = user.now();
}

function changedBeyondPreferences(before: GroupProfile, after: GroupProfile): boolean {
  const { groupPreferences: _, ...one } = before;
  const { groupPreferences: __, ...other } = after;
  return JSON.stringify(one) !== JSON.stringify(other);
}

/** Another owner changed the profile. */
export function onGroupProfile(
  user: User,
  row: GroupRow,
  member: MemberRow,
  wire: { readonly eventId: string; readonly profile: GroupProfile },
  at: number,
): void {
  const before = row.profile;
  const fromGroup = groupJson(user.db, row);
  const ours =
    row.businessChat?.chatType === "business"
      ? { ...wire.profile, displayName: before.displayName }
      : wire.profile;
  applyProfile(user, row, ours);
  user.emitOf("groupUpdated", {
    fromGroup,
    toGroup: groupJson(user.db, row),
    member_: memberJson(user.db, member, true),
  });
  if (changedBeyondPreferences(before, ours)) {
    const event = { type: "groupUpdated", groupProfile: ours };
    rcvEvent(user, row, member, event, "group profile updated", { sharedMsgId: wire.eventId, at });
  }
  emitChangedFeatures(user, row, member, before);
}

/** All connections with members of a group. */
function groupConns(user: User, row: GroupRow): ConnRow[] {
  const conns: ConnRow[] = [];
  for (const member of user.db.membersOf(row.groupId).values()) {
    const conn = user.db.conns.get(member.connId);
    if (conn && user.network.hasRoute(conn.agentConnId)) conns.push(conn);
  }
  return conns;
}

/** `/_delete #G`: an owner deletes the group for all, who is not in it deletes it here. */
export function deleteGroup(user: User, groupId: number, notify: boolean): CoreJson {
  const { db } = user;
  const row = group(user, groupId);
  const membership = membershipOf(user, row);
  const owner = membership.memberRole === "owner";
  if (isCurrent(membership) && !owner) {
    throw chatError("groupUserRole", { groupInfo: groupJson(db, row), requiredRole: "owner" });
  }
  if (isCurrent(membership) && notify) {
    sendToGroup(user, row, [{ kind: "groupDeleted", eventId: user.random.id() }]);
  }
  const answer = user.answer("groupDeletedUser", { groupInfo: groupJson(db, row), msgSigned: false });
  answerInvitation(user, row, "rejected");
  dropLink(user, linkOf(user, row));
  const conns = groupConns(user, row);
  deleteConns(user, conns);
  for (const conn of conns) db.deleteConn(conn);
  forgetInvitations(user, groupId);
  db.deleteChat(groupChat(row));
  for (const member of [...db.membersOf(groupId).values()]) db.deleteMember(member);
  db.groups.delete(groupId);
  db.names.release(row.localDisplayName);
  return answer;
}

/** An owner deleted the group: our row of it stays. */
export function onGroupDeleted(
  user: User,
  row: GroupRow,
  member: MemberRow,
  eventId: string,
  at: number,
): void {
  const { db } = user;
  rcvEvent(user, row, member, { type: "groupDeleted" }, "deleted group", { sharedMsgId: eventId, at });
  const before = groupJson(db, row);
  const membership = membershipOf(user, row);
  db.setMemberStatus(membership, "deleted");
  user.emitOf("groupDeleted", {
    groupInfo: { ...before, membership: memberJson(db, membership, false) },
    member: memberJson(db, member, true),
  });
  closeGroup(user, row);
}

/** Invitations of members to direct contacts cannot be accepted any more. */
function forgetInvitations(user: User, groupId: number): void {
  for (const contact of user.db.contacts.values()) {
    if (contact.groupDirectInv?.fromGroupId_ !== groupId) continue;
    const { fromGroupMemberConnId_: _, ...kept } = contact.groupDirectInv;
    contact.groupDirectInv = kept;
  }
}

/** The connections of a group that we are not in any more: gone at the servers, their rows mostly stay as they are. */
export function closeGroup(user: User, row: GroupRow, withRows = false): void {
  const conns = groupConns(user, row);
  deleteConns(user, conns);
  if (withRows) for (const conn of conns) user.db.deleteConn(conn);
  forgetInvitations(user, row.groupId);
  dropLink(user, linkOf(user, row));
}

/** `/_leave` */
export function leaveGroup(user: User, groupId: number): CoreJson {
  const { db } = user;
  const row = group(user, groupId);
  const groupInfo = groupJson(db, row);
  const membership = membershipOf(user, row);
  const eventId = user.random.id();
  sendToGroup(user, row, [{ kind: "left", eventId }]);
  sndEvent(user, row, { type: "userLeft" }, "left", { sharedMsgId: eventId });
  db.setMemberStatus(membership, "left");
  closeGroup(user, row);
  return user.answer("leftMemberUser", {
    groupInfo: { ...groupInfo, membership: memberJson(db, membership, false) },
  });
}
