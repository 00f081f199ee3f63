import { contactOf } from "../connections/connections.js";
import type { ConnRow, GroupRow, MemberRow } from "../data/rows.js";
import type { Delivery, Wire } from "../data/wire.js";
import { onGroupDeleted, onGroupProfile } from "../groups/groups.js";
import { onHostProfile, onMemberProfile } from "../groups/member-profiles.js";
import { onBlocked, onRole } from "../groups/members.js";
import { onLeft, onRemoved } from "../groups/removal.js";
import { onMemberAccepted, onPendingReview } from "../joining/admission.js";
import {
  onMemberForward,
  onMemberIntro,
  onMemberInvite,
  onMemberNew,
  onMembersConnected,
} from "../joining/introductions.js";
import { onConfirm, onConnected, onInfo } from "../meeting/handshake.js";
import { onInvite } from "../meeting/invitations.js";
import { onDirectInvite } from "../meeting/member-contacts.js";
import { onRequest } from "../meeting/requests.js";
import { onChatWire } from "../messages/chat-wires.js";
import { received } from "../messages/delivery.js";
import { contactDeletedByPeer } from "../people/contact-deletion.js";
import { onContactProbe, onMemberProbe } from "../people/probes.js";
import { contactProfile } from "../people/profiles.js";
import type { User } from "../user/user.js";
import { onForward, passOn } from "./forwarding.js";

/** What is encrypted with the keys of the connection; its own handshake is not. */
const isChatWire = ({ kind }: Wire): boolean => kind === "message" || kind === "update";

/** Groups with more members get no receipts. */
const MAX_RECEIPT_MEMBERS = 20;

/** Takes one delivery from the servers. */
export function receive(user: User, delivery: Delivery): void {
  user.connectHost();
  const link = [...user.db.links.values()].find(({ queue }) => queue === delivery.to);
  if (link) {
    for (const wire of delivery.messages)
      if (wire.kind === "request") onRequest(user, link, delivery.from, wire);
    return;
  }
  const conn = user.db.conn(delivery.to);
  if (!conn || conn.connStatus === "deleted") return;
  const receipts: string[] = [];
  for (const wire of delivery.messages) {
    if (user.db.conn(delivery.to) !== conn) return;
    if (conn.pqSupport && conn.connType === "contact" && isChatWire(wire)) conn.pqRcvEnabled = true;
    dispatch(user, conn, wire, delivery.at);
    if (wire.kind === "message") receipts.push(wire.sharedMsgId);
    if (wire.kind === "invite") receipts.push(wire.eventId);
  }
  if (receipts.length > 0 && sendsReceipts(user, conn))
    user.post(conn, [{ kind: "receipt", sharedMsgIds: receipts }]);
}

function sendsReceipts(user: User, conn: ConnRow): boolean {
  const member = conn.connType === "member" ? user.db.members.get(conn.entityId) : undefined;
  return !member || user.db.currentMembers(member.groupId) <= MAX_RECEIPT_MEMBERS;
}

function dispatch(user: User, conn: ConnRow, wire: Wire, at: number): void {
  if (conn.connType === "contact" && conn.connStatus === "ready") conn.contactConnInitiated = false;
  switch (wire.kind) {
    case "confirm":
      return onConfirm(user, conn, wire);
    case "info":
      return onInfo(user, conn, wire);
    case "connected":
      return onConnected(user, conn, wire);
    case "receipt":
      return received(user, conn, wire.sharedMsgIds);
    default:
  }
  const member = conn.connType === "member" ? user.db.members.get(conn.entityId) : undefined;
  const group = member && user.db.groups.get(member.groupId);
  if (member && group) {
    member.chatVersion = conn.chatVersion;
    fromMember(user, conn, group, member, wire, at);
  } else {
    fromContact(user, conn, wire, at);
  }
}

function fromContact(user: User, conn: ConnRow, wire: Wire, at: number): void {
  const contact = contactOf(user, conn);
  if (!contact) return;
  switch (wire.kind) {
    case "message":
    case "update":
    case "delete":
    case "reaction":
    case "fileDescr":
    case "fileCancel":
      return onChatWire(user, { contact, at }, wire);
    case "profile":
      return contactProfile(user, contact, wire.profile);
    case "probe":
      return onContactProbe(user, contact, wire.database);
    case "contactDeleted":
      return contactDeletedByPeer(user, contact, conn, wire.eventId, at);
    case "invite":
      return onInvite(user, contact, wire, at);
    default:
  }
}

function fromMember(
  user: User,
  conn: ConnRow,
  group: GroupRow,
  member: MemberRow,
  wire: Wire,
  at: number,
): void {
  switch (wire.kind) {
    case "message":
    case "update":
    case "delete":
    case "reaction":
    case "fileDescr":
    case "fileCancel":
      onChatWire(user, { group, member, at }, wire);
      return passOn(user, group, member, wire, at);
    case "forward":
      return onForward(user, group, member, wire);
    case "probe":
      return onMemberProbe(user, member, wire.database);
    case "hostProfile":
      return onHostProfile(user, group, member, wire.profile);
    case "memberProfile":
      return onMemberProfile(user, group, member, wire, at);
    case "memberNew":
      return onMemberNew(user, group, member, wire, at);
    case "memberIntro":
      return onMemberIntro(user, group, conn, wire);
    case "memberInvite":
      return onMemberInvite(user, group, member, wire);
    case "memberForward":
      return onMemberForward(user, group, conn, wire);
    case "memberConnected":
      return onMembersConnected(user, group, member, wire.memberId);
    case "memberRole":
      return onRole(user, group, member, wire, at);
    case "memberRemoved":
      return onRemoved(user, group, member, wire, at);
    case "memberBlocked":
      return onBlocked(user, group, member, wire, at);
    case "left":
      return onLeft(user, group, member, wire.eventId, at);
    case "groupDeleted":
      return onGroupDeleted(user, group, member, wire.eventId, at);
    case "groupProfile":
      return onGroupProfile(user, group, member, wire, at);
    case "pendingReview":
      return onPendingReview(user, group, member);
    case "memberAccepted":
      return onMemberAccepted(user, group, member, wire, at);
    case "directInvite":
      return onDirectInvite(user, group, member, wire, at);
    default:
  }
}
