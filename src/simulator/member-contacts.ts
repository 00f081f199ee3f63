import type { CoreJson } from "../core/chat-api.js";
import type { RequestMessage } from "./connect.js";
import { newConn } from "./connections.js";
import { addContact, bannerItem, DEFAULT_SETTINGS, directChat } from "./contacts.js";
import { chatError, commandError, storeError } from "./errors.js";
import { rcvEvent } from "./group-items.js";
import { groupJson, memberJson } from "./group-json.js";
import { groupFeatureAllowed } from "./group-preferences.js";
import { group as groupRow, memberConn, membershipOf } from "./group-rows.js";
import { addAndEmit, addItem, RCV_NEW, setMessage } from "./items.js";
import { contactJson } from "./json.js";
import { makeLink } from "./links.js";
import { profileForContact } from "./own-profile.js";
import type { ConnRow, ContactRow, GroupRow, MemberRow } from "./rows.js";
import type { User } from "./user.js";
import type { Wire } from "./wire.js";

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
  const conn = newConn(user, {
    connType: "contact",
    connStatus: "new",
    pqSupport: false,
    initiated: true,
    known: true,
    more: { connLevel: 1 },
  });
  const contact = memberContact(user, group, member, conn);
  return user.answer("newMemberContact", answerFields(user, group, member, contact));
}

/** The member and its contact share one profile and one local name. */
function memberContact(user: User, group: GroupRow, member: MemberRow, conn: ConnRow): ContactRow {
  const { db } = user;
  const now = user.now();
  const contact = db.contacts.insert((contactId) => ({
    contactId,
    localDisplayName: member.localDisplayName,
    profileId: member.profileId,
    connId: conn.connId,
    contactUsed: true,
    contactStatus: "active",
    chatSettings: DEFAULT_SETTINGS,
    userPreferences: {},
    createdAt: now,
    updatedAt: now,
    chatTs: now,
    contactGroupMemberId: member.groupMemberId,
    contactGrpInvSent: false,
    chatDeleted: false,
    unreadChat: false,
  }));
  member.contactId = contact.contactId;
  conn.entityId = contact.contactId;
  addItem(user, bannerItem(directChat(contact)));
  group.updatedAt = now;
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
  const { db } = user;
  const auto = db.user?.autoAcceptMemberContacts === true;
  const contact = invitedContact(user, group, member, wire);
  const chat = directChat(contact);
  const banner = db.items.get(db.chat(chat).order[0]?.itemId);
  if (banner) user.emitOf("newChatItems", { chatItems: [] });
  if (!auto) {
    const event = { type: "groupInvLinkReceived", groupProfile: group.profile };
    addAndEmit(user, {
      chat,
      sent: false,
      content: { type: "rcvDirectEvent", rcvDirectEvent: event },
      text: `requested connection from group ${group.profile.displayName}`,
      status: RCV_NEW,
      itemTs: at,
    });
  }
  rcvEvent(user, group, member, { type: "memberCreatedContact" }, "started direct connection with you", {
    at,
  });
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
  if (auto) joinInvitation(user, contact);
}

function invitedContact(
  user: User,
  group: GroupRow,
  member: MemberRow,
  wire: Extract<Wire, { kind: "directInvite" }>,
): ContactRow {
  const { db } = user;
  const known = db.contacts.get(member.contactId);
  const contact = known ?? addContact(user, {}, {});
  if (!known) {
    db.profiles.delete(contact.profileId);
    db.names.release(contact.localDisplayName);
    contact.profileId = member.profileId;
    contact.localDisplayName = member.localDisplayName;
    member.contactId = contact.contactId;
    addItem(user, bannerItem(directChat(contact)));
  }
  contact.groupDirectInv = {
    groupDirectInvLink: wire.link.connFullLink,
    fromGroupId_: group.groupId,
    fromGroupMemberId_: member.groupMemberId,
    ...(member.connId !== undefined && { fromGroupMemberConnId_: member.connId }),
    groupDirectInvStartedConnection: false,
  };
  contact.invitedThrough = wire.through;
  return contact;
}

/** `/_accept member contact` */
export function acceptMemberContact(user: User, contactId: number): CoreJson {
  const contact = user.db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  if (contact.invitedThrough === undefined) throw commandError("contact does not have a direct invitation");
  joinInvitation(user, contact);
  return user.answer("memberContactAccepted", { contact: contactJson(user.db, contact) });
}

function joinInvitation(user: User, contact: ContactRow): void {
  const through = contact.invitedThrough;
  if (through === undefined) return;
  const conn = newConn(user, {
    connType: "contact",
    connStatus: "sndReady",
    pqSupport: false,
    initiated: false,
    known: true,
    entityId: contact.contactId,
    more: { connLevel: 1 },
  });
  contact.connId = conn.connId;
  contact.groupDirectInv = { ...contact.groupDirectInv, groupDirectInvStartedConnection: true };
  user.network.join(conn.agentConnId, through);
  user.post(conn, [{ kind: "confirm", profile: profileForContact(user, conn), peer: conn.agentConnId }]);
}
