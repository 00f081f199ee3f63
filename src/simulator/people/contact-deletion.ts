import type { CoreJson } from "../../core/api/chat-api.js";
import { deleteConns, emitContact, pendingConn, readyConn } from "../connections/connections.js";
import { storeError } from "../data/errors.js";
import type { ConnRow, ContactRow } from "../data/rows.js";
import { addAndEmit } from "../items/items.js";
import { contactJson, pendingJson } from "../json/json.js";
import type { User } from "../user/user.js";
import { directChat } from "./contacts.js";

export type DeleteChatMode = "full" | "entity" | "messages";

/** `/_delete @C` */
export function deleteContact(
  user: User,
  contactId: number,
  mode: DeleteChatMode,
  notify: boolean,
): CoreJson {
  const { db } = user;
  const contact = db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  if (mode === "messages") {
    db.deleteChat(directChat(contact));
    contact.chatDeleted = true;
    return user.answer("contactDeleted", { contact: contactJson(db, contact) });
  }
  const ready = readyConn(user, contact);
  if (notify && ready) user.post(ready, [{ kind: "contactDeleted", eventId: user.random.id() }]);
  const full = user.answer("contactDeleted", { contact: contactJson(db, contact) });
  const conn = db.conns.get(contact.connId);
  if (conn) {
    if (conn.connStatus !== "deleted") deleteConns(user, [conn]);
    db.deleteConn(conn);
    delete contact.connId;
  }
  if (mode === "entity") {
    contact.contactStatus = "deletedByUser";
    return user.answer("contactDeleted", { contact: contactJson(db, contact) });
  }
  dropContact(user, contact);
  return full;
}

/** Deletes a contact with its chat and its request; members of groups with its name keep it. */
export function dropContact(user: User, contact: ContactRow): void {
  const { db } = user;
  db.deleteChat(directChat(contact));
  db.contacts.delete(contact.contactId);
  if (contact.contactRequestId !== undefined) db.requests.delete(contact.contactRequestId);
  const members = [...db.members.values()].filter((member) => member.contactId === contact.contactId);
  for (const member of members) delete member.contactId;
  if (members.length > 0) return;
  db.profiles.delete(contact.profileId);
  db.names.release(contact.localDisplayName);
}

/** The peer deleted us: our row and the conversation stay. */
export function contactDeletedByPeer(
  user: User,
  contact: ContactRow,
  conn: ConnRow,
  eventId: string,
  at: number,
): void {
  contact.contactStatus = "deleted";
  conn.connStatus = "deleted";
  addAndEmit(user, {
    chat: directChat(contact),
    sent: false,
    content: { type: "rcvDirectEvent", rcvDirectEvent: { type: "contactDeleted" } },
    text: "contact deleted",
    sharedMsgId: eventId,
    itemTs: at,
  });
  emitContact(user, "contactDeletedByContact", contact);
  deleteConns(user, [conn]);
}

/** `/_delete :CONN`: drops a pending connection. */
export function deletePending(user: User, connId: number): CoreJson {
  const { db } = user;
  const conn = pendingConn(user, connId);
  const connection = pendingJson(conn);
  if (conn.connLinkInv && conn.contactConnInitiated) user.network.unpublish(conn.viaQueue ?? "");
  deleteConns(user, [conn]);
  db.deleteConn(conn);
  return user.answer("contactConnectionDeleted", { connection });
}
