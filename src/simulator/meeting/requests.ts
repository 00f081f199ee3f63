import { emitContact } from "../connections/connections.js";
import type { ItemRow } from "../data/item-rows.js";
import { isMessage, type MessageContent } from "../data/message-content.js";
import type { ContactRow, Json, LinkRow, RequestRow } from "../data/rows.js";
import type { RequestWire } from "../data/wire.js";
import { emptyStats, statsJson } from "../database/stats.js";
import { addAndEmit, addItem, RCV_NEW, setMessage } from "../items/items.js";
import { acceptBusiness } from "../joining/business.js";
import { acceptJoiner } from "../joining/joining.js";
import { chatInfo, itemJson } from "../json/item-json.js";
import { requestJson } from "../json/json.js";
import { addContact, addFirstItems, directChat, replaceProfile } from "../people/contacts.js";
import type { User } from "../user/user.js";
import { autoAccept } from "./request-answers.js";

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

/** The same person asks again before an answer, under another name perhaps. */
function repeated(user: User, request: RequestRow, from: string, wire: RequestWire): RequestRow {
  const { db } = user;
  request.from = from;
  request.updatedAt = user.now();
  request.agentInvitationId = user.random.id();
  const profile = db.profiles.at(request.profileId);
  const { displayName } = profile;
  replaceProfile(profile, wire.profile);
  if (profile.displayName !== displayName) {
    db.names.release(request.localDisplayName);
    request.localDisplayName = db.names.take(profile.displayName);
    db.contacts.at(request.contactId).localDisplayName = request.localDisplayName;
  }
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
