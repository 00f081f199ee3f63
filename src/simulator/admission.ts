import type { CoreJson } from "../core/chat-api.js";
import { chatError, commandError, storeError } from "./errors.js";
import { sendTo } from "./group-delivery.js";
import { rcvE2EE, rcvEvent, sndEvent } from "./group-items.js";
import { groupJson, memberJson } from "./group-json.js";
import { roleRank } from "./group-preferences.js";
import { group as groupRow, memberConn, membershipOf, others } from "./group-rows.js";
import { sendHistory } from "./history.js";
import { introduce } from "./introductions.js";
import { addAndEmit } from "./items.js";
import { plainProfile } from "./json.js";
import type { GroupRow, MemberRow, Role } from "./rows.js";
import type { User } from "./user.js";

/** The host's side: somebody who has to wait for a review is connected. */
export function joinedForReview(
  user: User,
  group: GroupRow,
  member: MemberRow,
  hostProfile: () => void,
): void {
  const { db } = user;
  const scope = member.groupMemberId;
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected", { scope });
  rcvEvent(user, group, member, { type: "newMemberPendingReview" }, "new member wants to join the group", {
    scope,
  });
  user.emitOf("joinedGroupMember", { groupInfo: groupJson(db, group), member: memberJson(db, member, true) });
  const conn = db.conns.get(member.connId);
  if (!conn) return;
  hostProfile();
  user.post(conn, [{ kind: "pendingReview" }]);
  introduce(user, group, member, conn, [...others(user, group)]);
}

/** The newcomer's side: it has to wait. */
export function onPendingReview(user: User, group: GroupRow, host: MemberRow): void {
  const { db } = user;
  const text = "please wait for group moderators to review your request to join the group";
  sndEvent(user, group, { type: "userPendingReview" }, text, { scope: 0 });
  user.emitOf("memberAcceptedByOther", {
    groupInfo: groupJson(db, group),
    acceptingMember: memberJson(db, host, true),
    member: memberJson(db, membershipOf(user, group), true),
  });
}

/** `/_accept member`: ends the review. */
export function acceptMember(user: User, groupId: number, groupMemberId: number, role: Role): CoreJson {
  const { db } = user;
  const group = groupRow(user, groupId);
  const member = db.membersOf(groupId).get(groupMemberId);
  if (!member) throw storeError("groupMemberNotFound", { groupMemberId });
  const needed = Math.max(roleRank("moderator"), roleRank(role));
  if (roleRank(membershipOf(user, group).memberRole) < needed) {
    const requiredRole = roleRank(role) > roleRank("moderator") ? role : "moderator";
    throw chatError("groupUserRole", { groupInfo: groupJson(db, group), requiredRole });
  }
  if (member.memberStatus !== "pending_review" && member.memberStatus !== "pending_approval") {
    throw commandError("member should be pending approval and invitee, or pending review and not invitee");
  }
  db.setMemberStatus(member, "connected");
  member.memberRole = role;
  tellAcceptance(user, group, member);
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected");
  const profile = plainProfile(db.profiles.at(member.profileId));
  const event = { type: "memberAccepted", groupMemberId, profile };
  sndEvent(user, group, event, "you accepted this member", { scope: groupMemberId });
  return user.answer("memberAccepted", {
    groupInfo: groupJson(db, group),
    member: memberJson(db, member, true),
  });
}

/** The newcomer and the moderators learn of it; then the host introduces the other members and sends the history. */
function tellAcceptance(user: User, group: GroupRow, member: MemberRow): void {
  const told = [...others(user, group)].filter(
    (one) => one === member || roleRank(one.memberRole) >= roleRank("moderator"),
  );
  const { memberId, memberRole: role } = member;
  sendTo(user, told, [{ kind: "memberAccepted", eventId: user.random.id(), memberId, role }]);
  const conn = memberConn(user, member);
  if (!conn || member.memberCategory !== "invitee") return;
  introduce(user, group, member, conn, [...others(user, group)]);
  sendHistory(user, group, conn);
}

/** Somebody was accepted by another moderator: we ourselves, or a member that we saw waiting. */
export function onMemberAccepted(
  user: User,
  group: GroupRow,
  by: MemberRow,
  wire: { readonly memberId: string; readonly role: Role; readonly eventId: string },
  at: number,
): void {
  const { db } = user;
  const member = db.memberByMemberId(group.groupId, wire.memberId);
  if (!member) return;
  member.memberRole = wire.role;
  db.setMemberStatus(member, "connected");
  if (member.groupMemberId === group.membershipId) return userAccepted(user, group, by);
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected");
  const { displayName, ...rest } = plainProfile(db.profiles.at(member.profileId));
  const event = {
    type: "memberAccepted",
    groupMemberId: member.groupMemberId,
    profile: { displayName, ...rest },
  };
  const from = { sharedMsgId: wire.eventId, at, scope: member.groupMemberId };
  rcvEvent(user, group, by, event, `accepted ${displayName}`, from);
  user.emitOf("memberAcceptedByOther", {
    groupInfo: groupJson(db, group),
    acceptingMember: memberJson(db, by, true),
    member: memberJson(db, member, true),
  });
  if (member.memberCategory !== "invitee") return;
  const conn = memberConn(user, member);
  if (!conn) return;
  introduce(user, group, member, conn, [...others(user, group)]);
  sendHistory(user, group, conn);
}

function userAccepted(user: User, group: GroupRow, by: MemberRow): void {
  addAndEmit(user, rcvE2EE(group, by));
  rcvEvent(user, group, by, { type: "userAccepted" }, "accepted you");
  rcvEvent(user, group, by, { type: "userAccepted" }, "accepted you", { scope: 0 });
  user.emitOf("userJoinedGroup", {
    groupInfo: groupJson(user.db, group),
    hostMember: memberJson(user.db, by, true),
  });
}
