import type { CoreJson } from "../../core/api/chat-api.js";
import { chatError, commandError, storeError } from "../data/errors.js";
import type { GroupRow, Json, MemberRow, Role } from "../data/rows.js";
import { sendTo } from "../groups/group-delivery.js";
import { rcvE2EE, rcvEvent, sndEvent } from "../groups/group-items.js";
import { group as groupRow, memberConn, membershipOf, others } from "../groups/group-rows.js";
import { addAndEmit } from "../items/items.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { roleRank } from "../json/group-preferences.js";
import { plainProfile } from "../json/json.js";
import type { User } from "../user/user.js";
import { sendHistory } from "./history.js";
import { introduce } from "./introductions.js";

/** The host's side: somebody who has to wait for a review is connected. */
export function joinedForReview(
  user: User,
  group: GroupRow,
  member: MemberRow,
  hostProfile: () => void,
): void {
  const { db } = user;
  const scope = member.groupMemberId;
  const newcomer = memberJson(db, member, true);
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected", { scope });
  rcvEvent(user, group, member, { type: "newMemberPendingReview" }, "new member wants to join the group", {
    scope,
  });
  user.emitOf("joinedGroupMember", { groupInfo: groupJson(db, group), member: newcomer });
  const conn = db.conns.get(member.connId);
  if (!conn) return;
  hostProfile();
  user.post(conn, [{ kind: "pendingReview" }]);
  introduce(user, member, conn, [...others(user, group)]);
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
  const groupInfo = accept(user, group, member, role);
  const before = { groupInfo };
  tellAcceptance(user, group, member);
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected", { before });
  const profile = plainProfile(db.profiles.at(member.profileId));
  const event = { type: "memberAccepted", groupMemberId, profile };
  sndEvent(user, group, event, "you accepted this member", { scope: groupMemberId, before });
  return user.answer("memberAccepted", { groupInfo, member: memberJson(db, member, true) });
}

/** Makes a pending member one of the group; its answer and events show how many there were before. */
function accept({ db }: User, group: GroupRow, member: MemberRow, role: Role): Json {
  const { groupSummary } = groupJson(db, group);
  member.memberRole = role;
  db.setMemberStatus(member, "connected");
  return { ...groupJson(db, group), groupSummary };
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
  introduce(user, member, conn, [...others(user, group)]);
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
  const groupInfo = accept(user, group, member, wire.role);
  if (member.groupMemberId === group.membershipId) {
    userAccepted(user, group, by, groupInfo);
    return;
  }
  const before = { groupInfo };
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected", { before });
  const { displayName, ...rest } = plainProfile(db.profiles.at(member.profileId));
  const event = {
    type: "memberAccepted",
    groupMemberId: member.groupMemberId,
    profile: { displayName, ...rest },
  };
  const from = { sharedMsgId: wire.eventId, at, scope: member.groupMemberId, before };
  rcvEvent(user, group, by, event, `accepted ${displayName}`, from);
  user.emitOf("memberAcceptedByOther", {
    groupInfo,
    acceptingMember: memberJson(db, by, true),
    member: memberJson(db, member, true),
  });
  if (member.memberCategory !== "invitee") return;
  const conn = memberConn(user, member);
  if (!conn) return;
  introduce(user, member, conn, [...others(user, group)]);
  sendHistory(user, group, conn);
}

function userAccepted(user: User, group: GroupRow, by: MemberRow, groupInfo: Json): void {
  const before = { groupInfo };
  const event = { type: "userAccepted" };
  addAndEmit(user, rcvE2EE(group, by), before);
  rcvEvent(user, group, by, event, "accepted you", { before });
  rcvEvent(user, group, by, event, "accepted you", { scope: 0, before });
  user.emitOf("userJoinedGroup", { groupInfo, hostMember: memberJson(user.db, by, true) });
}
