import { newConn } from "../connections/connections.js";
import { memberProfile } from "../connections/own-profile.js";
import type { ConnRow, GroupRow, Json, MemberRow } from "../data/rows.js";
import type { MemberInfo, Wire } from "../data/wire.js";
import { isAwaited, sendTo } from "../groups/group-delivery.js";
import { rcvEvent } from "../groups/group-items.js";
import { addMemberRow, memberConn, others } from "../groups/group-rows.js";
import { newSupportChat } from "../items/support-chats.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { roleRank } from "../json/group-preferences.js";
import { present } from "../json/json.js";
import type { User } from "../user/user.js";
import { sendHistory } from "./history.js";

function infoOf(user: User, member: MemberRow): MemberInfo {
  const { memberId, memberRole: role } = member;
  const row = user.db.profiles.at(member.profileId);
  const { peerType } = row;
  return { memberId, role, profile: present({ ...memberProfile(row), peerType }) };
}

/** The host's work when its joiner is in: it introduces the others and sends the history. */
export function afterJoin(user: User, group: GroupRow, member: MemberRow, conn: ConnRow): void {
  introduce(user, member, conn, [...others(user, group)]);
  sendHistory(user, group, conn);
}

/** Announces a newcomer to members and introduces them to it; in a review only moderators are told. */
export function introduce(
  user: User,
  newcomer: MemberRow,
  conn: ConnRow,
  members: readonly MemberRow[],
): void {
  const review = newcomer.memberStatus === "pending_review";
  const scope = review ? { scope: newcomer.memberId } : {};
  const announced = members.filter(
    (member) =>
      member.groupMemberId !== newcomer.groupMemberId &&
      (memberConn(user, member) || isAwaited(member)) &&
      (!review || roleRank(member.memberRole) >= roleRank("moderator")) &&
      !user.db.introductions.has(pairOf(newcomer, member)),
  );
  const wire: Wire = {
    kind: "memberNew",
    eventId: user.random.id(),
    member: infoOf(user, newcomer),
    ...scope,
  };
  sendTo(user, announced, [wire]);
  for (const member of announced) user.db.introductions.set(pairOf(newcomer, member), false);
  user.post(
    conn,
    announced.map((member) => ({ kind: "memberIntro", member: infoOf(user, member), ...scope })),
  );
}

/** The key of two members of one group, in either order. */
export function pairOf(one: MemberRow, other: MemberRow): string {
  const ids = [one.groupMemberId, other.groupMemberId].sort((a, b) => a - b);
  return ids.join("-");
}

/** A member's side: the host announces a newcomer. */
export function onMemberNew(
  user: User,
  group: GroupRow,
  host: MemberRow,
  wire: Extract<Wire, { kind: "memberNew" }>,
  at: number,
): void {
  const { db } = user;
  if (db.memberByMemberId(group.groupId, wire.member.memberId)) return;
  const review = wire.scope !== undefined;
  const { peerType, ...profile } = wire.member.profile;
  const before = groupJson(db, group);
  const member = addMemberRow(user, group, {
    memberId: wire.member.memberId,
    memberRole: wire.member.role,
    memberCategory: "post",
    memberStatus: review ? "pending_review" : "announced",
    invitedBy: { type: "unknown" },
    invitedByGroupMemberId: host.groupMemberId,
    profile,
  });
  const scope = review ? member.groupMemberId : undefined;
  if (review) member.supportChat = newSupportChat(user.now());
  // What kind of peer it is shows in the events, and nothing keeps it.
  const stored = memberJson(db, member, true);
  const shown = { ...(stored.memberProfile as Json), ...(peerType !== undefined && { peerType }) };
  const newcomer = { ...stored, memberProfile: shown };
  const groupInfo = review ? groupJson(db, group) : before;
  const { groupMemberId } = member;
  const added = { type: "memberAdded", groupMemberId, profile: wire.member.profile };
  const text = `added ${wire.member.profile.displayName}`;
  rcvEvent(user, group, host, added, text, { sharedMsgId: wire.eventId, at, scope, before: { groupInfo } });
  if (review) {
    rcvEvent(user, group, host, { type: "newMemberPendingReview" }, "new member wants to join the group", {
      at,
      scope,
    });
  }
  user.emitOf("joinedGroupMemberConnecting", {
    groupInfo,
    hostMember: memberJson(db, host, true),
    member: newcomer,
  });
}

/** The newcomer's side: the host introduces a member, which is invited to connect. */
export function onMemberIntro(
  user: User,
  group: GroupRow,
  hostConn: ConnRow,
  wire: Extract<Wire, { kind: "memberIntro" }>,
): void {
  const { memberId, role } = wire.member;
  const { peerType: _, ...profile } = wire.member.profile;
  if (user.db.memberByMemberId(group.groupId, memberId)) return;
  const member = addMemberRow(user, group, {
    memberId,
    memberRole: role,
    memberCategory: "pre",
    memberStatus: "introduced",
    invitedBy: { type: "unknown" },
    profile,
  });
  const conn = meshConn(user, member, hostConn);
  user.db.setMemberStatus(member, "intro-inv");
  user.post(hostConn, [{ kind: "memberInvite", memberId, through: conn.agentConnId }]);
}

function meshConn(user: User, member: MemberRow, hostConn: ConnRow): ConnRow {
  const viaContact = user.db.members.get(hostConn.entityId)?.contactId;
  const conn = newConn(user, {
    connType: "member",
    connStatus: "new",
    pqSupport: false,
    initiated: false,
    known: true,
    entityId: member.groupMemberId,
    more: {
      connLevel: hostConn.connLevel + 1,
      ...(viaContact !== undefined && { viaContact }),
    },
  });
  member.connId = conn.connId;
  return conn;
}

/** The host's side: passes a newcomer's invitation on. */
export function onMemberInvite(
  user: User,
  group: GroupRow,
  newcomer: MemberRow,
  wire: Extract<Wire, { kind: "memberInvite" }>,
): void {
  const member = user.db.memberByMemberId(group.groupId, wire.memberId);
  if (!member) return;
  sendTo(user, [member], [{ kind: "memberForward", member: infoOf(user, newcomer), through: wire.through }]);
}

/** A member's side: connects to the newcomer that was announced. */
export function onMemberForward(
  user: User,
  group: GroupRow,
  hostConn: ConnRow,
  wire: Extract<Wire, { kind: "memberForward" }>,
): void {
  const { db } = user;
  const member = db.memberByMemberId(group.groupId, wire.member.memberId);
  if (!member || member.connId !== undefined) return;
  if (member.memberStatus !== "pending_review") db.setMemberStatus(member, "intro-inv");
  const conn = meshConn(user, member, hostConn);
  conn.connStatus = "joined";
  user.network.join(conn.agentConnId, wire.through);
  user.post(conn, [{ kind: "confirm", peer: conn.agentConnId }]);
}

/** The host's side: two members that it introduced are connected, nothing is forwarded between them any more. */
export function onMembersConnected(user: User, group: GroupRow, member: MemberRow, memberId: string): void {
  const other = user.db.memberByMemberId(group.groupId, memberId);
  if (!other) return;
  user.db.introductions.set(pairOf(member, other), true);
}
