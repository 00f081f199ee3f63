import { confirmed, newConn } from "../connections/connections.js";
import { announcedProfile, memberProfile } from "../connections/own-profile.js";
import type { ConnRow, GroupRow, LinkRow, MemberRow } from "../data/rows.js";
import type { GroupInvitation, RequestWire } from "../data/wire.js";
import { sendPending } from "../groups/group-delivery.js";
import { emitGroupFeatures, rcvE2EE, rcvEvent } from "../groups/group-items.js";
import { addGroup, addMemberRow, groupChat, hostOf, membershipOf } from "../groups/group-rows.js";
import { addAndEmit, RCV_NEW, setMessage } from "../items/items.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { replaceProfile } from "../people/contacts.js";
import { probe } from "../people/probes.js";
import type { User } from "../user/user.js";
import { joinedForReview } from "./admission.js";
import { afterJoin } from "./introductions.js";

/** The event of a member's item and its group. */
function emitMember(
  user: User,
  type: string,
  group: GroupRow,
  member: MemberRow,
  more: Record<string, unknown> = {},
): void {
  const { db } = user;
  user.emitOf(type, { groupInfo: groupJson(db, group), ...more, member: memberJson(db, member, true) });
}

/** Somebody asks through our group's link: accepted at once, in review groups for a review. */
export function acceptJoiner(user: User, link: LinkRow, from: string, wire: RequestWire): void {
  const { db } = user;
  const group = db.groups.get(link.groupId);
  if (!group) return;
  const groupInfo = groupJson(db, group);
  const review = (group.profile.memberAdmission as { review?: unknown } | undefined)?.review === "all";
  const member = addMemberRow(user, group, {
    memberId: user.random.id(),
    memberRole: link.acceptMemberRole ?? "member",
    memberCategory: "invitee",
    memberStatus: review ? "pending_review" : "accepted",
    invitedBy: { type: "user" },
    invitedByGroupMemberId: group.membershipId,
    profile: wire.profile,
  });
  const conn = newConn(user, {
    connType: "member",
    connStatus: "new",
    pqSupport: false,
    initiated: false,
    known: true,
    entityId: member.groupMemberId,
    more: { viaUserContactLink: link.userContactLinkId, viaGroupLink: true },
  });
  member.connId = conn.connId;
  user.network.join(conn.agentConnId, from);
  const scope = review ? member.groupMemberId : undefined;
  rcvEvent(user, group, member, { type: "invitedViaGroupLink" }, "invited via your group link", {
    scope,
    before: { groupInfo },
  });
  user.emitOf("acceptingGroupJoinRequestMember", { groupInfo, member: memberJson(db, member, true) });
  confirmJoiner(user, conn, group, member);
  user.post(conn, [{ kind: "connected" }]);
}

/** Tells a joiner its place in the group. */
export function confirmJoiner(user: User, conn: ConnRow, group: GroupRow, member: MemberRow): void {
  user.post(conn, [{ kind: "confirm", group: invitationFor(user, group, member), peer: conn.agentConnId }]);
}

/** What somebody who is invited or accepted by us learns of the group. */
export function invitationFor(user: User, group: GroupRow, member: MemberRow): GroupInvitation {
  const { db } = user;
  const own = membershipOf(user, group);
  return {
    profile: group.profile,
    ...(group.businessChat && {
      businessChat: { businessId: group.businessChat.businessId, customerId: group.businessChat.customerId },
    }),
    member: { memberId: member.memberId, role: member.memberRole },
    host: {
      memberId: own.memberId,
      role: own.memberRole,
      profile: memberProfile(db.profiles.at(own.profileId)),
    },
    pendingReview: member.memberStatus === "pending_review",
  };
}

/** The joiner's side: the host answered. */
export function confirmGroup(user: User, conn: ConnRow, invitation: GroupInvitation): void {
  conn.connStatus = "requested";
  const host = user.db.members.get(conn.entityId);
  const group = host ? joinPrepared(user, host, invitation) : joinUnprepared(user, conn, invitation);
  const hostMember = memberJson(user.db, host ?? user.db.members.at(conn.entityId), true);
  user.emitOf("groupLinkConnecting", { groupInfo: groupJson(user.db, group), hostMember });
  conn.connStatus = "accepted";
  user.post(conn, [{ kind: "info" }]);
}

function businessChat(group: GroupInvitation): Pick<GroupRow, "businessChat"> {
  return group.businessChat ? { businessChat: { chatType: "business", ...group.businessChat } } : {};
}

const statusOf = (invitation: GroupInvitation) => (invitation.pendingReview ? "pending_review" : "accepted");

/** A business's group is called after the customer there, and after the business here. */
function profileOf(invitation: GroupInvitation): GroupInvitation["profile"] {
  if (!invitation.businessChat) return invitation.profile;
  const { displayName, fullName } = invitation.host.profile;
  return { ...invitation.profile, displayName: String(displayName), fullName: String(fullName) };
}

/** The placeholders of a prepared group get their values. */
function joinPrepared(user: User, host: MemberRow, invitation: GroupInvitation): GroupRow {
  const { db } = user;
  const group = db.groups.at(host.groupId);
  const membership = membershipOf(user, group);
  db.setMemberId(membership, invitation.member.memberId);
  membership.memberRole = invitation.member.role;
  db.setMemberStatus(membership, statusOf(invitation));
  db.setMemberId(host, invitation.host.memberId);
  host.memberRole = invitation.host.role;
  const profile = db.profiles.at(host.profileId);
  replaceProfile(profile, invitation.host.profile);
  db.names.release(host.localDisplayName);
  host.localDisplayName = db.names.take(profile.displayName);
  group.profile = profileOf(invitation);
  Object.assign(group, businessChat(invitation));
  return group;
}

function joinUnprepared(user: User, conn: ConnRow, invitation: GroupInvitation): GroupRow {
  const group = addGroup(user, profileOf(invitation), {
    ...businessChat(invitation),
    ...(viaLink(user, conn) !== undefined && { viaGroupLinkUri: viaLink(user, conn) ?? "" }),
  });
  const host = addMemberRow(user, group, {
    memberId: invitation.host.memberId,
    memberRole: invitation.host.role,
    memberCategory: "host",
    memberStatus: "accepted",
    invitedBy: { type: "unknown" },
    profile: invitation.host.profile,
  });
  host.chatVersion = 1;
  const membership = addMemberRow(user, group, {
    memberId: invitation.member.memberId,
    memberRole: invitation.member.role,
    memberCategory: "user",
    memberStatus: statusOf(invitation),
    invitedBy: { type: "unknown" },
    invitedByGroupMemberId: host.groupMemberId,
  });
  if (conn.customUserProfileId !== undefined) membership.profileId = conn.customUserProfileId;
  group.membershipId = membership.groupMemberId;
  conn.connType = "member";
  conn.entityId = host.groupMemberId;
  host.connId = conn.connId;
  return group;
}

const viaLink = (user: User, conn: ConnRow): string | undefined =>
  user.network.linkOfQueue(conn.viaQueue)?.link.connFullLink;

/** A member that was introduced to us answered. */
export function confirmMember(user: User, conn: ConnRow): void {
  const member = user.db.members.get(conn.entityId);
  if (member?.memberStatus === "invited") user.db.setMemberStatus(member, "accepted");
  conn.connStatus = "accepted";
  user.post(conn, [{ kind: "info" }, { kind: "connected" }]);
  if (member?.memberCategory === "invitee") return;
  confirmed(user, conn);
}

/** The connection with a member works. */
export function memberConnected(user: User, conn: ConnRow): void {
  const { db } = user;
  const member = db.members.get(conn.entityId);
  const group = member && db.groups.get(member.groupId);
  conn.connStatus = "ready";
  if (!member || !group) return;
  user.post(conn, [{ kind: "connected" }]);
  if (member.memberCategory === "host") joined(user, group, member);
  else if (member.memberCategory === "invitee") hosted(user, group, member, conn);
  else meshed(user, group, member);
  if (member.contactId === undefined) probe(user, conn);
}

/** We are in: our connection with the host works. */
function joined(user: User, group: GroupRow, host: MemberRow): void {
  const { db } = user;
  const membership = membershipOf(user, group);
  const review = membership.memberStatus === "pending_review";
  const scope = review ? 0 : undefined;
  db.setMemberStatus(host, "connected");
  if (!review) db.setMemberStatus(membership, "connected");
  user.emitOf("userJoinedGroup", { groupInfo: groupJson(db, group), hostMember: memberJson(db, host, true) });
  addAndEmit(user, rcvE2EE(group, host, scope));
  if (!group.prepared && !review) emitGroupFeatures(user, group, host);
  rcvEvent(user, group, host, { type: "memberConnected" }, "connected", { scope });
  if (review) return;
  const { description } = group.profile;
  if (group.prepared || description === undefined || group.businessChat) return;
  const chat = groupChat(group);
  const content = setMessage("rcvMsgContent", { type: "text", text: description });
  addAndEmit(user, { chat, sent: false, memberId: host.groupMemberId, ...content, status: RCV_NEW });
}

/** The member that we accepted or invited is connected. */
function hosted(user: User, group: GroupRow, member: MemberRow, conn: ConnRow): void {
  const own = user.db.profiles.at(membershipOf(user, group).profileId);
  const tellProfile = () => user.post(conn, [{ kind: "hostProfile", profile: announcedProfile(user, own) }]);
  if (member.memberStatus === "pending_review") return joinedForReview(user, group, member, tellProfile);
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected");
  user.db.setMemberStatus(member, "connected");
  emitMember(user, "joinedGroupMember", group, member);
  sendPending(user, member, conn);
  tellProfile();
  afterJoin(user, group, member, conn);
}

/** Two members that a host introduced are connected. */
function meshed(user: User, group: GroupRow, member: MemberRow): void {
  const { db } = user;
  const scope = member.memberStatus === "pending_review" ? member.groupMemberId : pendingScope(user, group);
  rcvEvent(user, group, member, { type: "memberConnected" }, "connected", { scope });
  emitMember(user, "connectedToGroupMember", group, member);
  if (member.memberStatus !== "pending_review") db.setMemberStatus(member, "connected");
  const host = db.members.get(member.invitedByGroupMemberId) ?? hostOf(user, group);
  const hostConn = host && db.conns.get(host.connId);
  if (hostConn) user.post(hostConn, [{ kind: "memberConnected", memberId: member.memberId }]);
}

/** While we wait for a review, what concerns moderators stands in our support chat. */
function pendingScope(user: User, group: GroupRow): number | undefined {
  return membershipOf(user, group).memberStatus === "pending_review" ? 0 : undefined;
}
