import type { CoreJson } from "../../core/api/chat-api.js";
import { deleteConns, emitContact, newConn } from "../connections/connections.js";
import { profileForContact } from "../connections/own-profile.js";
import { agentError, chatError, commandError, storeError } from "../data/errors.js";
import type { ConnRow, ContactRow, GroupRow, MemberRow } from "../data/rows.js";
import type { Wire } from "../data/wire.js";
import { rcvEvent } from "../groups/group-items.js";
import { group as groupRow, memberConn, membershipOf } from "../groups/group-rows.js";
import { addAndEmit, addItem, RCV_NEW, setMessage } from "../items/items.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { groupFeatureAllowed } from "../json/group-preferences.js";
import { contactJson } from "../json/json.js";
import { makeLink } from "../network/links.js";
import { bannerItem, DEFAULT_SETTINGS, directChat } from "../people/contacts.js";
import type { RequestMessage } from "../people/link-requests.js";
import type { User } from "../user/user.js";

/** `/_create member contact`: a direct contact with a member, to be invited next. */
export function createMemberContact(user: User, groupId: number, groupMemberId: number): CoreJson {
  const { db } = user;
  const group = groupRow(user, groupId);
  const member = db.membersOf(groupId).get(groupMemberId);
  if (!member) throw storeError("groupMemberNotFound", { groupMemberId });
  if (!groupFeatureAllowed(group.profile, "directMessages", membershipOf(user, group).memberRole)) {
    throw commandError("direct messages not allowed");
  }
  if (!memberConn(user, member)) throw chatError("groupMemberNotActive");
  if (member.contactId !== undefined) throw commandError("member contact already exists");
  const before = memberJson(db, member, true);
  const contact = memberContact(user, member, { contactGroupMemberId: groupMemberId });
  connect(user, member, contact, true);
  addItem(user, bannerItem(directChat(contact)));
  group.updatedAt = user.now();
  return user.answer("newMemberContact", { ...answerFields(user, group, member, contact), member: before });
}

/** Quantum resistance is agreed on later than with other contacts. */
function connect(user: User, member: MemberRow, contact: ContactRow, initiated: boolean): ConnRow {
  const { connLevel = 0 } = user.db.conns.get(member.connId) ?? {};
  const conn = newConn(user, {
    connType: "contact",
    connStatus: initiated ? "new" : "prepared",
    pqSupport: false,
    initiated,
    known: true,
    entityId: contact.contactId,
    more: { connLevel },
  });
  contact.connId = conn.connId;
  return conn;
}

/** The member and its contact share one profile and one local name. */
function memberContact(user: User, member: MemberRow, more: Partial<ContactRow>): ContactRow {
  const { db } = user;
  const now = user.now();
  const contact = db.contacts.insert((contactId) => ({
    contactId,
    localDisplayName: member.localDisplayName,
    profileId: member.profileId,
    contactUsed: true,
    contactStatus: "active",
    chatSettings: DEFAULT_SETTINGS,
    userPreferences: {},
    createdAt: now,
    updatedAt: now,
    chatTs: now,
    touchedBy: db.items.latestId,
    contactGrpInvSent: false,
    chatDeleted: false,
    unreadChat: false,
    ...more,
  }));
  member.contactId = contact.contactId;
  return contact;
}

const answerFields = (user: User, group: GroupRow, member: MemberRow, contact: ContactRow) => ({
  contact: contactJson(user.db, contact),
  groupInfo: groupJson(user.db, group),
  member: memberJson(user.db, member, true),
});

/** `/_invite member contact`: sends the invitation, once. */
export function inviteMemberContact(
  user: User,
  contactId: number,
  message: RequestMessage | undefined,
): CoreJson {
  const { db } = user;
  const contact = db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  if (contact.contactGrpInvSent) throw commandError("x.grp.direct.inv already sent");
  const member = db.members.get(contact.contactGroupMemberId);
  const group = member && db.groups.get(member.groupId);
  const conn = db.conns.get(contact.connId);
  const through = member && memberConn(user, member);
  if (!member || !group || !conn || !through) throw chatError("groupMemberNotActive");
  const sharedMsgId = user.random.id();
  const { link } = makeLink(user.random, user.network.serverFor(user), "invitation");
  user.post(through, [
    {
      kind: "directInvite",
      link,
      through: conn.agentConnId,
      ...(message && { message: { content: { ...message }, sharedMsgId } }),
    },
  ]);
  contact.contactGrpInvSent = true;
  const answer = user.answer("newMemberContactSentInv", answerFields(user, group, member, contact));
  if (message) {
    addAndEmit(user, {
      chat: directChat(contact),
      sent: true,
      ...setMessage("sndMsgContent", { ...message }),
      sharedMsgId,
    });
  }
  return answer;
}

/** A member invites us to a direct contact. */
export function onDirectInvite(
  user: User,
  group: GroupRow,
  member: MemberRow,
  wire: Extract<Wire, { kind: "directInvite" }>,
  at: number,
): void {
  const auto = user.db.user?.autoAcceptMemberContacts === true;
  const contact = invitedContact(user, group, member, wire);
  const chat = directChat(contact);
  const conn = auto ? joinInvitation(user, contact) : undefined;
  if (user.db.chat(chat).order.length === 0) addAndEmit(user, bannerItem(chat));
  if (!auto) {
    const event = { type: "groupInvLinkReceived", groupProfile: group.profile };
    addAndEmit(user, {
      chat,
      sent: false,
      content: { type: "rcvDirectEvent", rcvDirectEvent: event },
      text: `requested connection from group ${group.profile.displayName}`,
      status: RCV_NEW,
    });
  }
  rcvEvent(user, group, member, { type: "memberCreatedContact" }, "started direct connection with you");
  user.emitOf("newMemberContactReceivedInv", answerFields(user, group, member, contact));
  if (wire.message) {
    addAndEmit(user, {
      chat,
      sent: false,
      ...setMessage("rcvMsgContent", wire.message.content),
      status: RCV_NEW,
      itemTs: at,
      sharedMsgId: wire.message.sharedMsgId,
    });
  }
  if (!conn) return;
  user.later(() => {
    if (conn.connStatus !== "joined") return;
    conn.connStatus = "sndReady";
    emitContact(user, "contactSndReady", contact);
  });
}

function invitedContact(
  user: User,
  group: GroupRow,
  member: MemberRow,
  wire: Extract<Wire, { kind: "directInvite" }>,
): ContactRow {
  const existing = user.db.contacts.get(member.contactId);
  const contact = existing ?? memberContact(user, member, {});
  if (existing) forgetConn(user, existing);
  connect(user, member, contact, false);
  contact.groupDirectInv = {
    groupDirectInvLink: wire.link.connFullLink,
    fromGroupId_: group.groupId,
    fromGroupMemberId_: member.groupMemberId,
    ...(member.connId !== undefined && { fromGroupMemberConnId_: member.connId }),
    groupDirectInvStartedConnection: false,
  };
  contact.invitedThrough = wire.through;
  if (existing) {
    addAndEmit(user, {
      chat: directChat(contact),
      sent: false,
      content: { type: "rcvConnEvent", rcvConnEvent: { type: "verificationCodeReset" } },
      text: "security code changed",
      status: RCV_NEW,
    });
  }
  return contact;
}

/** The member invites us once more: what there was between us counts no longer. */
function forgetConn(user: User, contact: ContactRow): void {
  contact.contactStatus = "active";
  const conn = user.db.conns.get(contact.connId);
  if (!conn) return;
  if (conn.connStatus !== "prepared" && conn.connStatus !== "deleted") deleteConns(user, [conn]);
  user.db.deleteConn(conn);
}

/** `/_accept member contact` */
export function acceptMemberContact(user: User, contactId: number): CoreJson {
  const contact = user.db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  // Without the connection to the member, as after we left its group, the core finds no invitation.
  if (contact.groupDirectInv?.fromGroupMemberConnId_ === undefined)
    throw storeError("memberContactGroupMemberNotFound", { contactId });
  if (contact.groupDirectInv.groupDirectInvStartedConnection === true)
    throw commandError("connection already started");
  const server = user.network.serverFor(user).address;
  user.reach(server);
  if (!user.network.hasRoute(contact.invitedThrough ?? ""))
    throw agentError({ type: "SMP", serverAddress: server, smpErr: { type: "AUTH" } });
  joinInvitation(user, contact).connStatus = "sndReady";
  return user.answer("memberContactAccepted", { contact: contactJson(user.db, contact) });
}

function joinInvitation(user: User, contact: ContactRow): ConnRow {
  const conn = user.db.conns.at(contact.connId);
  conn.connStatus = "joined";
  contact.groupDirectInv = { ...contact.groupDirectInv, groupDirectInvStartedConnection: true };
  user.network.join(conn.agentConnId, contact.invitedThrough ?? "");
  user.post(conn, [{ kind: "confirm", profile: profileForContact(user, conn), peer: conn.agentConnId }]);
  return conn;
}
