import type { CoreJson } from "../../core/api/chat-api.js";
import { emitContact, newConn } from "../connections/connections.js";
import { profileForContact } from "../connections/own-profile.js";
import { agentError, storeError } from "../data/errors.js";
import type { ItemRow } from "../data/item-rows.js";
import { isMessage, type MessageContent } from "../data/message-content.js";
import type { ConnRow, ContactRow, Json, LinkRow, RequestRow } from "../data/rows.js";
import type { RequestWire } from "../data/wire.js";
import { emptyStats, statsJson } from "../database/stats.js";
import { addAndEmit, addItem, emitItems, RCV_NEW, setMessage } from "../items/items.js";
import { acceptBusiness } from "../joining/business.js";
import { acceptJoiner } from "../joining/joining.js";
import { chatInfo, itemJson } from "../json/item-json.js";
import { contactJson, requestJson } from "../json/json.js";
import { addContact, addFirstItems, directChat, replaceProfile } from "../people/contacts.js";
import type { User } from "../user/user.js";

/** A request through our address or a group link. */
export function onRequest(user: User, link: LinkRow, from: string, wire: RequestWire): void {
  if (link.groupId !== undefined) return acceptJoiner(user, link, from, wire);
  if (link.settings.businessAddress === true) return acceptBusiness(user, link, from, wire);
  const known = findRequest(user, wire.xContactId);
  if (known?.accepted) return alreadyAccepted(user, known);
  const request = known ? repeated(user, known, from, wire) : firstRequest(user, link, from, wire);
  const contact = user.db.contacts.at(request.contactId);
  const item = wire.message && requestMessage(user, contact, wire.message.content);
  if (link.settings.autoAccept) {
    autoAccept(user, link, request, contact);
  } else {
    emitRequest(user, request, contact, item);
  }
  if (item && wire.message) user.db.setShared(item, wire.message.sharedMsgId);
}

function findRequest(user: User, xContactId: string): RequestRow | undefined {
  for (const request of user.db.requests.values()) if (request.xContactId === xContactId) return request;
  return undefined;
}

function alreadyAccepted(user: User, request: RequestRow): void {
  const contact = user.db.contacts.get(request.contactId);
  if (contact) emitContact(user, "contactRequestAlreadyAccepted", contact);
}

function firstRequest(user: User, link: LinkRow, from: string, wire: RequestWire): RequestRow {
  const { db } = user;
  const now = user.now();
  const contact = addContact(user, wire.profile);
  const request = db.requests.insert((contactRequestId) => ({
    contactRequestId,
    agentInvitationId: user.random.id(),
    contactId: contact.contactId,
    userContactLinkId: link.userContactLinkId,
    localDisplayName: contact.localDisplayName,
    profileId: contact.profileId,
    createdAt: now,
    updatedAt: now,
    xContactId: wire.xContactId,
    ...(wire.welcomeSharedMsgId !== undefined && { welcomeSharedMsgId: wire.welcomeSharedMsgId }),
    ...(wire.message && { requestSharedMsgId: wire.message.sharedMsgId }),
    from,
    accepted: false,
  }));
  contact.contactRequestId = request.contactRequestId;
  addFirstItems(user, contact, true);
  const reply = link.settings.autoReply;
  if (wire.welcomeSharedMsgId !== undefined && isMessage(reply))
    seenWelcome(user, contact, reply, wire.welcomeSharedMsgId);
  return request;
}

/** The same person asks again before an answer. */
function repeated(user: User, request: RequestRow, from: string, wire: RequestWire): RequestRow {
  const { db } = user;
  request.from = from;
  request.updatedAt = user.now();
  request.agentInvitationId = user.random.id();
  replaceProfile(db.profiles.at(request.profileId), wire.profile);
  return request;
}

/** The welcome that the person has seen through the link's data: an item without an event. */
function seenWelcome(user: User, contact: ContactRow, reply: MessageContent, sharedMsgId: string): void {
  addItem(user, {
    chat: directChat(contact),
    sent: true,
    content: { type: "sndMsgContent", msgContent: reply },
    text: reply.text,
    sharedMsgId,
  });
}

function requestMessage(user: User, contact: ContactRow, content: Json): ItemRow {
  return addAndEmit(user, {
    chat: directChat(contact),
    sent: false,
    ...setMessage("rcvMsgContent", content),
    status: RCV_NEW,
  });
}

function emitRequest(user: User, request: RequestRow, contact: ContactRow, item: ItemRow | undefined): void {
  const view = { now: user.now(), fresh: true };
  const chat = {
    chatInfo: chatInfo(user.db, directChat(contact)),
    chatItems: item ? [itemJson(user.db, item, view)] : [],
    chatStats: item ? statsJson({ unreadCount: 1, minUnreadItemId: item.itemId }) : emptyStats(),
  };
  user.emitOf("receivedContactRequest", { contactRequest: requestJson(user.db, request), chat_: chat });
}

/** Makes the connection to a requester and sends it our profile. */
function answerRequest(user: User, request: RequestRow, contact: ContactRow): ConnRow {
  const conn = newConn(user, {
    connType: "contact",
    connStatus: "new",
    pqSupport: true,
    initiated: false,
    known: true,
    entityId: contact.contactId,
    more: {
      ...(request.userContactLinkId !== undefined && { viaUserContactLink: request.userContactLinkId }),
    },
  });
  contact.connId = conn.connId;
  request.accepted = true;
  user.network.join(conn.agentConnId, request.from);
  user.post(conn, [{ kind: "confirm", profile: profileForContact(user, conn), peer: conn.agentConnId }]);
  return conn;
}

function autoAccept(user: User, link: LinkRow, request: RequestRow, contact: ContactRow): void {
  const conn = answerRequest(user, request, contact);
  emitContact(user, "acceptingContactRequest", contact);
  user.later(() => {
    conn.connStatus = "sndReady";
    emitContact(user, "contactSndReady", contact);
    welcome(user, link, request, contact, conn);
    user.post(conn, [{ kind: "connected" }]);
  });
}

/** The address's auto reply: a message, or the update of the welcome that the person has seen already. */
function welcome(user: User, link: LinkRow, request: RequestRow, contact: ContactRow, conn: ConnRow): void {
  const reply = link.settings.autoReply;
  if (!isMessage(reply)) return;
  if (request.welcomeSharedMsgId !== undefined) {
    user.post(conn, [{ kind: "update", sharedMsgId: request.welcomeSharedMsgId, content: reply }]);
    return;
  }
  const sharedMsgId = user.random.id();
  const item = addItem(user, {
    chat: directChat(contact),
    sent: true,
    ...setMessage("sndMsgContent", reply),
    sharedMsgId,
  });
  emitItems(user, [item]);
  user.post(conn, [{ kind: "message", sharedMsgId, content: reply }]);
}

function request(user: User, contactRequestId: number): RequestRow {
  const row = user.db.requests.get(contactRequestId);
  if (!row) throw storeError("contactRequestNotFound", { contactRequestId });
  return row;
}

/** `/_accept` */
export function acceptRequest(user: User, contactRequestId: number): CoreJson {
  const row = request(user, contactRequestId);
  if (row.accepted) {
    const invitation = Buffer.from(row.agentInvitationId, "base64").toString();
    throw agentError({
      type: "CMD",
      cmdErr: { type: "PROHIBITED" },
      errContext: `SEInvitationNotFound acceptContact', invitationId = "${invitation}"`,
    });
  }
  const contact = user.db.contacts.at(row.contactId);
  const link = user.db.links.get(row.userContactLinkId);
  const conn = answerRequest(user, row, contact);
  conn.connStatus = "sndReady";
  user.later(() => {
    if (link) welcome(user, link, row, contact, conn);
    user.post(conn, [{ kind: "connected" }]);
  });
  return user.answer("acceptingContactRequest", { contact: contactJson(user.db, contact) });
}

/** `/_reject`: the requester is told nothing. */
export function rejectRequest(user: User, contactRequestId: number): CoreJson {
  const { db } = user;
  const row = request(user, contactRequestId);
  const contact = db.contacts.get(row.contactId);
  const answer = user.answer("contactRequestRejected", {
    contactRequest: requestJson(db, row),
    ...(contact && { contact_: contactJson(db, contact) }),
  });
  db.requests.delete(contactRequestId);
  if (contact && contact.connId === undefined) {
    db.deleteChat(directChat(contact));
    db.contacts.delete(contact.contactId);
    db.profiles.delete(contact.profileId);
    db.names.release(contact.localDisplayName);
  }
  return answer;
}
