import type { CoreJson } from "../../core/api/chat-api.js";
import { emitContact, newConn } from "../connections/connections.js";
import { profileForContact } from "../connections/own-profile.js";
import { agentError, storeError } from "../data/errors.js";
import { isMessage } from "../data/message-content.js";
import type { ConnRow, ContactRow, LinkRow, RequestRow } from "../data/rows.js";
import { addItem, emitItems, setMessage } from "../items/items.js";
import { contactJson, requestJson } from "../json/json.js";
import { dropContact } from "../people/contact-deletion.js";
import { directChat } from "../people/contacts.js";
import type { User } from "../user/user.js";

/** Makes the connection to a requester and sends it our profile. */
function answerRequest(user: User, request: RequestRow, conn: ConnRow): void {
  request.accepted = true;
  user.network.join(conn.agentConnId, request.from);
  user.post(conn, [{ kind: "confirm", profile: profileForContact(user, conn), peer: conn.agentConnId }]);
}

/** The connection to a requester: a new one, or that of an acceptance that failed. */
function connTo(user: User, request: RequestRow, contact: ContactRow): ConnRow {
  const failed = user.db.conns.get(contact.connId);
  if (failed) return failed;
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
  return conn;
}

/** Accepts a request as it comes. Whoever gave up meanwhile is accepted too, and never connected. */
export function autoAccept(user: User, link: LinkRow, request: RequestRow, contact: ContactRow): void {
  const conn = connTo(user, request, contact);
  const asking = user.network.hasRoute(request.from);
  if (asking) answerRequest(user, request, conn);
  emitContact(user, "acceptingContactRequest", contact);
  if (!asking) return;
  user.later(() => {
    conn.connStatus = "sndReady";
    emitContact(user, "contactSndReady", contact);
    welcome(user, link, request, contact, conn);
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
  const server = user.network.serverFor(user).address;
  user.reach(server);
  const conn = connTo(user, row, contact);
  // The requester prepared anew, or deleted what it had prepared: its queue is gone.
  if (!user.network.hasRoute(row.from))
    throw agentError({ type: "SMP", serverAddress: server, smpErr: { type: "AUTH" } });
  answerRequest(user, row, conn);
  conn.connStatus = "sndReady";
  user.later(() => {
    if (link) welcome(user, link, row, contact, conn);
  });
  return user.answer("acceptingContactRequest", { contact: contactJson(user.db, contact) });
}

/** `/_reject`: the requester is told nothing. An accepted request's contact is deleted with it, as silently. */
export function rejectRequest(user: User, contactRequestId: number): CoreJson {
  const { db } = user;
  const row = request(user, contactRequestId);
  const contact = db.contacts.get(row.contactId);
  const answer = user.answer("contactRequestRejected", {
    contactRequest: requestJson(db, row),
    ...(contact && { contact_: contactJson(db, contact) }),
  });
  db.requests.delete(contactRequestId);
  const conn = db.conns.get(contact?.connId);
  if (conn) db.deleteConn(conn);
  if (contact) dropContact(user, contact);
  return answer;
}
