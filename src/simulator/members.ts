import type { CoreJson } from "../core/chat-api.js";
import { deleteConns } from "./connections.js";
import { replaceProfile } from "./contacts.js";
import { chatError, commandError } from "./errors.js";
import { sendTo } from "./group-delivery.js";
import { rcvEvent, sndEvent } from "./group-items.js";
import { groupJson, memberJson } from "./group-json.js";
import { isRole, roleRank } from "./group-preferences.js";
import { group, isCurrent, membershipOf, others } from "./group-rows.js";
import { closeGroup } from "./groups.js";
import { plainProfile, present } from "./json.js";
import { memberProfile } from "./own-profile.js";
import type { GroupRow, Json, MemberRow, Role } from "./rows.js";
import type { User } from "./user.js";

const NOT_THERE = new Set(["left", "removed", "rejected", "deleted"]);

/** The members of these ids; the core knows no member twice, nor one that has left. */
function pick(user: User, row: GroupRow, ids: readonly number[]): MemberRow[] {
  const members = user.db.membersOf(row.groupId);
  const picked = new Set<MemberRow>();
  for (const id of ids) {
    const member = members.get(id);
    if (!member || picked.has(member) || NOT_THERE.has(member.memberStatus))
      throw chatError("groupMemberNotFound");
    picked.add(member);
  }
  return [...picked];
}

/** Throws `groupUserRole` unless our role reaches this, the members' roles and one more. */
function needOver(
  user: User,
  row: GroupRow,
  members: readonly MemberRow[],
  least: Role,
  target?: Role,
): void {
  const { memberRole, memberStatus } = membershipOf(user, row);
  const roles = [least, ...members.map((member) => member.memberRole), ...(target ? [target] : [])];
  const requiredRole = roles.reduce((highest, role) => (roleRank(role) > roleRank(highest) ? role : highest));
  if (roleRank(memberRole) < roleRank(requiredRole)) {
    throw chatError("groupUserRole", { groupInfo: groupJson(user.db, row), requiredRole });
  }
  if (memberStatus === "removed") throw chatError("groupMemberUserRemoved");
  if (memberStatus === "invited") throw chatError("groupNotJoined", { groupInfo: groupJson(user.db, row) });
}

const eventProfile = (user: User, member: MemberRow): Json =>
  plainProfile(user.db.profiles.at(member.profileId));
const nameOf = (user: User, member: MemberRow): string => user.db.profiles.at(member.profileId).displayName;
const jsons = (user: User, members: readonly MemberRow[]): Json[] =>
  members.map((member) => memberJson(user.db, member, true));

/** `/_member role` */
export function setRole(user: User, groupId: number, ids: readonly number[], role: Role): CoreJson {
  const row = group(user, groupId);
  if (ids.includes(row.membershipId)) throw commandError("can't change role for self");
  const members = pick(user, row, ids);
  const admins = members.some((member) => roleRank(member.memberRole) >= roleRank("admin"));
  if (members.length > 1 && (admins || roleRank(role) >= roleRank("admin"))) {
    throw commandError("can't change role of multiple members when admins selected, or new role is admin");
  }
  needOver(user, row, members, "admin", role);
  const changed = members.filter((member) => member.memberRole !== role);
  for (const member of changed) {
    member.memberRole = role;
    if (member.memberStatus === "invited") continue;
    const eventId = user.random.id();
    sendTo(user, [...others(user, row)], [{ kind: "memberRole", eventId, memberId: member.memberId, role }]);
    const event = {
      type: "memberRole",
      groupMemberId: member.groupMemberId,
      profile: eventProfile(user, member),
      role,
    };
    sndEvent(user, row, event, `changed role of ${nameOf(user, member)} to ${role}`, {
      sharedMsgId: eventId,
    });
  }
  return user.answer("membersRoleUser", {
    groupInfo: groupJson(user.db, row),
    members: jsons(user, changed),
    toRole: role,
    msgSigned: false,
  });
}

export function onRole(
  user: User,
  row: GroupRow,
  by: MemberRow,
  wire: { readonly eventId: string; readonly memberId: string; readonly role: Role },
  at: number,
): void {
  const { db } = user;
  const member = db.memberByMemberId(row.groupId, wire.memberId);
  if (!member || !isRole(wire.role)) return;
  const fromRole = member.memberRole;
  member.memberRole = wire.role;
  const from = { sharedMsgId: wire.eventId, at };
  const { role } = wire;
  if (member.groupMemberId === row.membershipId) {
    rcvEvent(user, row, by, { type: "userRole", role }, `changed your role to ${role}`, from);
  } else {
    const event = {
      type: "memberRole",
      groupMemberId: member.groupMemberId,
      profile: eventProfile(user, member),
      role,
    };
    rcvEvent(user, row, by, event, `changed role of ${nameOf(user, member)} to ${role}`, from);
  }
  user.emitOf("memberRole", {
    groupInfo: groupJson(db, row),
    byMember: memberJson(db, by, true),
    member: memberJson(db, member, true),
    fromRole,
    toRole: role,
  });
}

/** `/_remove` */
export function removeMembers(
  user: User,
  groupId: number,
  ids: readonly number[],
  withMessages: boolean,
): CoreJson {
  const { db } = user;
  const row = group(user, groupId);
  const members = pick(user, row, ids);
  needOver(user, row, members, "admin");
  const told = [...others(user, row)];
  for (const member of members) remove(user, row, member, told, withMessages);
  const answer = user.answer("userDeletedMembers", {
    groupInfo: groupJson(db, row),
    members: jsons(user, members),
    withMessages,
    msgSigned: false,
  });
  for (const member of members) dropMember(user, row, member);
  return answer;
}

function remove(
  user: User,
  row: GroupRow,
  member: MemberRow,
  told: readonly MemberRow[],
  withMessages: boolean,
): void {
  const { db } = user;
  const { memberStatus, memberId, groupMemberId } = member;
  const pending = memberStatus === "pending_review";
  const eventId = user.random.id();
  if (memberStatus !== "invited") {
    const all = pending ? [...told, member] : told;
    sendTo(user, all, [{ kind: "memberRemoved", eventId, memberId, withMessages }]);
  }
  const supported = memberJson(db, member, true);
  db.setMemberStatus(member, "removed");
  if (memberStatus !== "invited") {
    const event = { type: "memberDeleted", groupMemberId, profile: eventProfile(user, member) };
    const scope = pending ? groupMemberId : undefined;
    const from = { sharedMsgId: eventId, scope, before: { supported } };
    sndEvent(user, row, event, `removed ${nameOf(user, member)}`, from);
  }
  if (withMessages) moderateAll(user, row, member, membershipOf(user, row));
}

/** Closes the connection with a member that is gone; its row stays while items show it. */
function dropMember(user: User, row: GroupRow, member: MemberRow): void {
  const { db } = user;
  const conn = db.conns.get(member.connId);
  if (conn) {
    if (user.network.hasRoute(conn.agentConnId)) deleteConns(user, [conn]);
    db.deleteConn(conn);
    delete member.connId;
  }
  const { order } = db.chat(`#${row.groupId}`);
  if (order.some(({ itemId }) => db.items.get(itemId)?.memberId === member.groupMemberId)) return;
  for (const { itemId } of [...db.chat(`#${row.groupId}`, member.groupMemberId).order]) {
    const item = db.items.get(itemId);
    if (item) db.deleteItem(item);
  }
  db.deleteMember(member);
}

/** Marks all messages of a member as moderated. */
function moderateAll(user: User, row: GroupRow, member: MemberRow, by: MemberRow): void {
  const { db } = user;
  const byGroupMember = memberJson(db, by, false);
  const deleted = { type: "moderated", deletedTs: new Date(user.now()).toISOString(), byGroupMember };
  for (const { itemId } of db.chat(`#${row.groupId}`).order) {
    const item = db.items.get(itemId);
    const mine = item?.sent === true && member.groupMemberId === row.membershipId;
    if (item && (mine || item.memberId === member.groupMemberId) && "msgContent" in item.content)
      item.deleted = deleted;
  }
}

export function onRemoved(
  user: User,
  row: GroupRow,
  by: MemberRow,
  wire: { readonly eventId: string; readonly memberId: string; readonly withMessages: boolean },
  at: number,
): void {
  const { db } = user;
  const member = db.memberByMemberId(row.groupId, wire.memberId);
  if (!member) return;
  const pending = member.memberStatus === "pending_review";
  if (pending) db.setMemberStatus(member, "removed");
  const groupInfo = groupJson(db, row);
  const from = { sharedMsgId: wire.eventId, at, before: { groupInfo } };
  const { withMessages } = wire;
  if (withMessages) moderateAll(user, row, member, by);
  if (member.groupMemberId === row.membershipId) {
    // While we wait for a review it stands in our support chat, with its own state of the group.
    const where = pending ? { sharedMsgId: wire.eventId, at, scope: 0 } : from;
    rcvEvent(user, row, by, { type: "userDeleted" }, "removed you", where);
    const membership = groupInfo.membership as Json;
    db.setMemberStatus(member, "removed");
    user.emitOf("deletedMemberUser", {
      groupInfo: { ...groupInfo, membership: { ...membership, memberStatus: member.memberStatus } },
      member: memberJson(db, by, true),
      withMessages,
    });
    closeGroup(user, row, true);
    return;
  }
  const event = {
    type: "memberDeleted",
    groupMemberId: member.groupMemberId,
    profile: eventProfile(user, member),
  };
  rcvEvent(user, row, by, event, `removed ${nameOf(user, member)}`, from);
  db.setMemberStatus(member, "removed");
  user.emitOf("deletedMember", {
    groupInfo,
    byMember: memberJson(db, by, true),
    deletedMember: memberJson(db, member, true),
    withMessages,
  });
  dropMember(user, row, member);
}

/** `/_block` for all */
export function blockMembers(
  user: User,
  groupId: number,
  ids: readonly number[],
  blocked: boolean,
): CoreJson {
  const { db } = user;
  const row = group(user, groupId);
  const members = pick(user, row, ids);
  needOver(user, row, members, "moderator");
  for (const member of members) {
    member.blockedByAdmin = blocked;
    const eventId = user.random.id();
    const told = [...others(user, row)].filter((other) => other !== member);
    sendTo(user, told, [{ kind: "memberBlocked", eventId, memberId: member.memberId, blocked }]);
    const event = blockedEvent(user, member, blocked);
    sndEvent(user, row, event, `${blocked ? "blocked" : "unblocked"} ${nameOf(user, member)}`, {
      sharedMsgId: eventId,
    });
  }
  return user.answer("membersBlockedForAllUser", {
    groupInfo: groupJson(db, row),
    members: jsons(user, members),
    blocked,
    msgSigned: false,
  });
}

const blockedEvent = (user: User, member: MemberRow, blocked: boolean) => ({
  type: "memberBlocked",
  groupMemberId: member.groupMemberId,
  profile: eventProfile(user, member),
  blocked,
});

export function onBlocked(
  user: User,
  row: GroupRow,
  by: MemberRow,
  wire: { readonly eventId: string; readonly memberId: string; readonly blocked: boolean },
  at: number,
): void {
  const { db } = user;
  const member = db.memberByMemberId(row.groupId, wire.memberId);
  if (!member || member.groupMemberId === row.membershipId) return;
  const { blocked } = wire;
  member.blockedByAdmin = blocked;
  const text = `${blocked ? "blocked" : "unblocked"} ${nameOf(user, member)}`;
  rcvEvent(user, row, by, blockedEvent(user, member, blocked), text, { sharedMsgId: wire.eventId, at });
  user.emitOf("memberBlockedForAll", {
    groupInfo: groupJson(db, row),
    byMember: memberJson(db, by, true),
    member: memberJson(db, member, true),
    blocked,
  });
}

export function onLeft(user: User, row: GroupRow, member: MemberRow, eventId: string, at: number): void {
  const { db } = user;
  if (!isCurrent(member) && member.memberStatus !== "pending_review") return;
  const groupInfo = groupJson(db, row);
  rcvEvent(user, row, member, { type: "memberLeft" }, "left", { sharedMsgId: eventId, at });
  db.setMemberStatus(member, "left");
  user.emitOf("leftMember", { groupInfo, member: memberJson(db, member, true) });
  const conn = db.conns.get(member.connId);
  if (!conn) return;
  deleteConns(user, [conn]);
  conn.connStatus = "deleted";
}

/** A member changed its profile: shown before its next message. */
export function onMemberProfile(
  user: User,
  row: GroupRow,
  member: MemberRow,
  wire: { readonly eventId: string; readonly profile: Json },
  at: number,
): void {
  const { db } = user;
  const profile = db.profiles.at(member.profileId);
  const before = memberProfile(profile);
  const { peerType, ...kept } = wire.profile;
  if (JSON.stringify(before) === JSON.stringify(kept)) return;
  const fromMember = memberJson(db, member, true);
  if (member.contactId === undefined) {
    replaceProfile(profile, kept);
    if (before.displayName !== profile.displayName) {
      db.names.release(member.localDisplayName);
      member.localDisplayName = db.names.take(profile.displayName);
    }
  }
  const event = { type: "memberProfileUpdated", fromProfile: before, toProfile: wire.profile };
  // The events show what kind of peer it is; the database does not keep it.
  if (member.contactId === undefined && typeof peerType === "string") profile.peerType = peerType;
  rcvEvent(user, row, member, event, "updated profile", { sharedMsgId: wire.eventId, at });
  emitUpdated(user, row, fromMember, memberJson(db, member, true));
  if (member.contactId === undefined) delete profile.peerType;
}

const emitUpdated = (user: User, row: GroupRow, fromMember: Json, toMember: Json): void =>
  user.emitOf("groupMemberUpdated", { groupInfo: groupJson(user.db, row), fromMember, toMember });

/** The host's profile after we joined: what kind of peer it is shows in the event only. */
export function onHostProfile(user: User, row: GroupRow, host: MemberRow, profile: Json): void {
  const stored = memberProfile(user.db.profiles.at(host.profileId));
  if (JSON.stringify(present({ ...stored })) === JSON.stringify(profile)) return;
  const fromMember = memberJson(user.db, host, true);
  const memberProfileJson = { ...(fromMember.memberProfile as Json), ...profile };
  emitUpdated(user, row, fromMember, { ...fromMember, memberProfile: memberProfileJson });
}
