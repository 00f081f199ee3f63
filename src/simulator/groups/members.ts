import type { CoreJson } from "../../core/api/chat-api.js";
import { chatError, commandError } from "../data/errors.js";
import type { GroupRow, Json, MemberRow, Role } from "../data/rows.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { isRole, roleRank } from "../json/group-preferences.js";
import { plainProfile } from "../json/json.js";
import type { User } from "../user/user.js";
import { sendTo } from "./group-delivery.js";
import { rcvEvent, sndEvent } from "./group-items.js";
import { group, membershipOf, others } from "./group-rows.js";

const NOT_THERE = new Set(["left", "removed", "rejected", "deleted"]);

/** The members of these ids; the core knows no member twice, nor one that has left. */
export function pickMembers(user: User, row: GroupRow, ids: readonly number[]): MemberRow[] {
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
export function needOver(
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

export const eventProfile = (user: User, member: MemberRow): Json =>
  plainProfile(user.db.profiles.at(member.profileId));
export const nameOf = (user: User, member: MemberRow): string =>
  user.db.profiles.at(member.profileId).displayName;
export const memberJsons = (user: User, members: readonly MemberRow[]): Json[] =>
  members.map((member) => memberJson(user.db, member, true));

/** `/_member role` */
export function setRole(user: User, groupId: number, ids: readonly number[], role: Role): CoreJson {
  const row = group(user, groupId);
  if (ids.includes(row.membershipId)) throw commandError("can't change role for self");
  const members = pickMembers(user, row, ids);
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
    members: memberJsons(user, changed),
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

/** `/_block` for all */
export function blockMembers(
  user: User,
  groupId: number,
  ids: readonly number[],
  blocked: boolean,
): CoreJson {
  const { db } = user;
  const row = group(user, groupId);
  const members = pickMembers(user, row, ids);
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
    members: memberJsons(user, members),
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
