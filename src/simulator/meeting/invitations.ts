import type { CoreJson } from "../../core/api/chat-api.js";
import { newConn, readyConn } from "../connections/connections.js";
import { agentError, chatError, storeError } from "../data/errors.js";
import type { ContactRow, GroupRow, Json, MemberRow, Role } from "../data/rows.js";
import type { Wire } from "../data/wire.js";
import { needRole } from "../groups/group-rights.js";
import {
  addGroup,
  addMemberRow,
  groupChat,
  group as groupRow,
  hostOf,
  membershipOf,
} from "../groups/group-rows.js";
import { answerInvitation } from "../groups/received-invitations.js";
import { addAndEmit, addItem, RCV_NEW } from "../items/items.js";
import { invitationFor } from "../joining/joining.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { roleRank } from "../json/group-preferences.js";
import { contactJson } from "../json/json.js";
import { bannerItem, directChat } from "../people/contacts.js";
import type { User } from "../user/user.js";

/** `/_add`: invites a contact. */
export function addMember(user: User, groupId: number, contactId: number, role: Role): CoreJson {
  const { db } = user;
  const group = groupRow(user, groupId);
  const contact = db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  needRole(user, group, roleRank(role) > roleRank("admin") ? role : "admin");
  const conn = readyConn(user, contact);
  if (!conn) throw chatError("contactNotReady", { contact: contactJson(db, contact) });
  const member = invitee(user, group, contact, role);
  const through = db.conns.get(member.connId) ?? invitingConn(user, member);
  const invitation = invitationFor(user, group, member);
  const eventId = user.random.id();
  const fromRole = membershipOf(user, group).memberRole;
  user.post(conn, [{ kind: "invite", eventId, invitation, fromRole, through: through.agentConnId }]);
  const answer = user.answer("sentGroupInvitation", {
    groupInfo: groupJson(db, group),
    contact: contactJson(db, contact),
    member: memberJson(db, member, true),
  });
  member.connId = through.connId;
  addAndEmit(user, {
    chat: directChat(contact),
    sent: true,
    content: invitationContent("sndGroupInvitation", group, member, contact.localDisplayName, role),
    text: `sent invitation to join group ${group.profile.displayName} as ${role}`,
    sharedMsgId: eventId,
  });
  return answer;
}

const invitingConn = (user: User, member: MemberRow) =>
  newConn(user, {
    connType: "member",
    connStatus: "new",
    pqSupport: false,
    initiated: false,
    known: true,
    entityId: member.groupMemberId,
  });

/** A new row for the contact, or the one of an invitation that was not accepted. */
function invitee(user: User, group: GroupRow, contact: ContactRow, role: Role): MemberRow {
  const { db } = user;
  const gone = new Set(["removed", "left", "deleted"]);
  for (const member of db.membersOf(group.groupId).values()) {
    if (member.contactId !== contact.contactId || gone.has(member.memberStatus)) continue;
    if (member.memberStatus !== "invited") {
      throw chatError("groupDuplicateMember", { contactName: contact.localDisplayName });
    }
    member.memberRole = role;
    return member;
  }
  return addMemberRow(user, group, {
    memberId: user.random.id(),
    memberRole: role,
    memberCategory: "invitee",
    memberStatus: "invited",
    invitedBy: { type: "user" },
    invitedByGroupMemberId: group.membershipId,
    contactId: contact.contactId,
  });
}

function invitationContent(
  type: string,
  group: GroupRow,
  member: MemberRow,
  localDisplayName: string,
  role: Role,
): Json {
  const groupInvitation = {
    groupId: group.groupId,
    groupMemberId: member.groupMemberId,
    localDisplayName,
    groupProfile: group.profile,
    status: "pending",
  };
  return { type, groupInvitation, memberRole: role };
}

/** A contact invites us into a group. */
export function onInvite(
  user: User,
  contact: ContactRow,
  wire: Extract<Wire, { kind: "invite" }>,
  at: number,
): void {
  const { db } = user;
  const { invitation } = wire;
  const known = invitedTo(user, invitation.member.memberId);
  const group = known ?? invitedGroup(user, contact, wire);
  const membership = membershipOf(user, group);
  const { role } = invitation.member;
  const { businessChat: _, ...groupInfo } = groupJson(db, group);
  addAndEmit(user, {
    chat: directChat(contact),
    sent: false,
    content: invitationContent("rcvGroupInvitation", group, membership, group.localDisplayName, role),
    text: `received invitation to join group ${group.profile.displayName} as ${role}`,
    status: RCV_NEW,
    sharedMsgId: wire.eventId,
    itemTs: at,
  });
  // A second invitation renews the first, and shows the group as it was.
  group.invitedThrough = wire.through;
  membership.memberRole = role;
  user.emitOf("receivedGroupInvitation", {
    groupInfo: { ...groupInfo, groupSummary: { currentMembers: known ? 0 : INVITED_SIZE } },
    contact: contactJson(db, contact),
    fromMemberRole: wire.fromRole,
    memberRole: role,
  });
}

/** What the core says of the size of a group that we are invited to. */
const INVITED_SIZE = 2;

/** The group with an invitation that waits. */
function invitedTo(user: User, memberId: string): GroupRow | undefined {
  for (const group of user.db.groups.values()) {
    const membership = membershipOf(user, group);
    if (membership.memberId === memberId && membership.memberStatus === "invited") return group;
  }
  return undefined;
}

/** The rows of a group that we are invited to. */
function invitedGroup(user: User, contact: ContactRow, wire: Extract<Wire, { kind: "invite" }>): GroupRow {
  const { invitation } = wire;
  const group = addGroup(user, invitation.profile, {
    invitedThrough: wire.through,
    ...(invitation.businessChat && { businessChat: { chatType: "customer", ...invitation.businessChat } }),
  });
  addItem(user, bannerItem(groupChat(group)));
  const host = addMemberRow(user, group, {
    memberId: invitation.host.memberId,
    memberRole: invitation.host.role,
    memberCategory: "host",
    memberStatus: "invited",
    invitedBy: { type: "unknown" },
    contactId: contact.contactId,
  });
  const membership = addMemberRow(user, group, {
    memberId: invitation.member.memberId,
    memberRole: invitation.member.role,
    memberCategory: "user",
    memberStatus: "invited",
    invitedBy: { type: "contact", byContactId: contact.contactId },
    invitedByGroupMemberId: host.groupMemberId,
  });
  group.membershipId = membership.groupMemberId;
  return group;
}

/** `/_join`: accepts an invitation. */
export function joinGroup(user: User, groupId: number): CoreJson {
  const { db } = user;
  const group = groupRow(user, groupId);
  const membership = membershipOf(user, group);
  const host = hostOf(user, group);
  if (membership.memberStatus !== "invited" || !host || group.invitedThrough === undefined) {
    throw storeError("groupAlreadyJoined");
  }
  const server = user.network.serverFor(user).address;
  user.reach(server);
  // The invitation was withdrawn: its queue is gone.
  if (!user.network.hasRoute(group.invitedThrough))
    throw agentError({ type: "SMP", serverAddress: server, smpErr: { type: "AUTH" } });
  const conn = newConn(user, {
    connType: "member",
    connStatus: "joined",
    pqSupport: false,
    initiated: false,
    known: true,
    entityId: host.groupMemberId,
  });
  host.connId = conn.connId;
  user.network.join(conn.agentConnId, group.invitedThrough);
  user.post(conn, [{ kind: "confirm", peer: conn.agentConnId }]);
  const currentMembers = db.currentMembers(groupId);
  db.setMemberStatus(membership, "accepted");
  db.setMemberStatus(host, "accepted");
  answerInvitation(user, group, "accepted");
  const groupInfo = { ...groupJson(db, group), groupSummary: { currentMembers } };
  return user.answer("userAcceptedGroupSent", { groupInfo });
}
