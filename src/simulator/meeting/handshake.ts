import { confirmed, emitContact, peerKnown } from "../connections/connections.js";
import { profileForContact } from "../connections/own-profile.js";
import type { ConnRow, ContactRow, Json } from "../data/rows.js";
import type { Wire } from "../data/wire.js";
import { addAndEmit } from "../items/items.js";
import { confirmGroup, confirmMember, memberConnected } from "../joining/joining.js";
import { plainProfile } from "../json/json.js";
import { addContact, bannerItem, directChat, e2eeItem, emitFeatureItems } from "../people/contacts.js";
import { probe } from "../people/probes.js";
import { contactProfile } from "../people/profiles.js";
import type { User } from "../user/user.js";

type Confirm = Extract<Wire, { kind: "confirm" }>;
type Info = Extract<Wire, { kind: "info" }>;

/** The other side's confirmation: of our request or our invitation, or of a member introduced to us. */
export function onConfirm(user: User, conn: ConnRow, wire: Confirm): void {
  user.network.join(conn.agentConnId, wire.peer);
  peerKnown(conn);
  if (wire.group) return confirmGroup(user, conn, wire.group);
  if (conn.connType === "member") return confirmMember(user, conn);
  const existing = user.db.contacts.get(conn.entityId);
  const inviting = conn.connStatus === "new";
  conn.connStatus = "requested";
  const contact = existing ?? newContact(user, conn, wire.profile ?? {});
  if (existing) {
    if (wire.profile) contactProfile(user, existing, wire.profile, false);
  } else {
    emitContact(user, "contactConnecting", contact);
  }
  conn.connStatus = "accepted";
  user.post(conn, [{ kind: "info", profile: profileForContact(user, conn), asked: !inviting }]);
  if (!inviting) return;
  if (conn.connLinkInv) user.network.unpublish(conn.viaQueue ?? "");
  delete conn.connLinkInv;
  confirmed(user, conn);
}

function newContact(user: User, conn: ConnRow, profile: Json): ContactRow {
  const contact = addContact(user, profile, { connId: conn.connId });
  user.db.profiles.at(contact.profileId).localAlias = conn.localAlias;
  conn.entityId = contact.contactId;
  return contact;
}

/** The other side's profile, after our confirmation. */
export function onInfo(user: User, conn: ConnRow, { profile, asked }: Info): void {
  if (conn.connType === "member" || !profile) return;
  peerKnown(conn);
  if (asked) user.post(conn, [{ kind: "connected" }]);
  const contact = user.db.contacts.get(conn.entityId);
  // We joined through a one-time invitation without a prepared chat.
  if (!contact) emitContact(user, "contactConnecting", newContact(user, conn, profile));
  else if (contact.contactStatus !== "deletedByUser")
    contactProfile(user, contact, profile, contact.invitedThrough === undefined);
}

/** Both directions work. */
export function onConnected(user: User, conn: ConnRow, wire: Extract<Wire, { kind: "connected" }>): void {
  if (conn.connStatus === "ready" || conn.connStatus === "deleted") return;
  if (wire.confirmed && !user.network.hasRoute(user.network.peerOf(conn.agentConnId) ?? "")) return;
  if (conn.connType === "member") return memberConnected(user, conn);
  const contact = user.db.contacts.get(conn.entityId);
  // The core finds no contact that was deleted but for its messages: the other side alone is connected.
  if (!contact || contact.contactStatus === "deletedByUser") return;
  contactConnected(user, conn, contact);
  user.post(conn, [{ kind: "connected" }]);
  probe(user, conn);
}

function contactConnected(user: User, conn: ConnRow, contact: ContactRow): void {
  conn.connStatus = "ready";
  const pq = conn.pqSupport;
  Object.assign(conn, { pqSupport: true, pqSndEnabled: pq, pqRcvEnabled: pq });
  contact.contactGrpInvSent = false;
  delete contact.contactGroupMemberId;
  const incognito = user.db.profiles.get(conn.customUserProfileId);
  emitContact(user, "contactConnected", contact, incognito && { userCustomProfile: plainProfile(incognito) });
  firstItems(user, pq, contact);
  if (pq) return;
  // Told, and not stored before a message agreed on it.
  delete conn.pqSndEnabled;
  delete conn.pqRcvEnabled;
}

/**
 * The owner of an address has its items since the request. A chat prepared with an invitation has all of them, one
 * prepared with an address lacks the one about encryption.
 */
function firstItems(user: User, pq: boolean, contact: ContactRow): void {
  if (contact.contactRequestId !== undefined || contact.prepared?.mode === "inv") return;
  const chat = directChat(contact);
  if (user.db.chat(chat).order.length === 0) addAndEmit(user, bannerItem(chat));
  addAndEmit(user, e2eeItem(chat, pq));
  if (!contact.prepared) emitFeatureItems(user, contact);
}
