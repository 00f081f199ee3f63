import type { CoreJson } from "../../core/api/chat-api.js";
import { connLink, notPrepared } from "../connections/connections.js";
import { memberProfile, ownProfile, profileForRequest } from "../connections/own-profile.js";
import { chatError, storeError } from "../data/errors.js";
import { needed, objectIn } from "../data/parsed.js";
import type { ConnLink, ConnRow, Json } from "../data/rows.js";
import { emptyStats, statsJson } from "../database/stats.js";
import { addAndEmit, addItem, setMessage } from "../items/items.js";
import { prepareBusiness } from "../joining/prepare-group.js";
import { chatInfo, itemJson } from "../json/item-json.js";
import { contactJson, pendingJson, plainProfile } from "../json/json.js";
import { addContact, addFirstItems, directChat } from "../people/contacts.js";
import {
  checkQueue,
  messageIn,
  openRequest,
  postRequest,
  type RequestMessage,
  requestConn,
  requestItem,
  welcomeItem,
} from "../people/link-requests.js";
import type { User } from "../user/user.js";
import { acceptInvitation, confirmInvitation, invitedConn, takeInvitation } from "./one-time-links.js";
import { planFull } from "./plans.js";

/** `/_prepare contact`: makes the chat that a link's data describes; nothing is sent. */
export function prepareContact(user: User, link: ConnLink, domain: string | undefined, data: Json): CoreJson {
  if (data.business === true) return prepareBusiness(user, link, data);
  const profile = needed(objectIn(data, "profile"));
  const welcome = messageIn(data);
  const contact = addContact(user, profile, {
    prepared: {
      link,
      mode: link.connFullLink.startsWith("simplex:/invitation") ? "inv" : "con",
      ...(welcome && { welcomeSharedMsgId: user.random.id() }),
    },
  });
  if (domain !== undefined) user.db.profiles.at(contact.profileId).contactDomainVerified = true;
  // Only the links of invitations bring keys to begin with.
  const pq = contact.prepared?.mode === "inv" ? link.connFullLink.includes("kem_key") : undefined;
  addFirstItems(user, contact, pq);
  const items = welcome ? [addItem(user, welcomeItem(directChat(contact), welcome))] : [];
  const view = { now: user.now(), fresh: true };
  const chat = {
    chatInfo: chatInfo(user.db, directChat(contact)),
    chatItems: items.map((item) => itemJson(user.db, item, view)),
    chatStats: items[0] ? statsJson({ unreadCount: 1, minUnreadItemId: items[0].itemId }) : emptyStats(),
  };
  for (const item of items) user.db.setShared(item, contact.prepared?.welcomeSharedMsgId ?? "");
  return user.answer("newPreparedChat", { chat });
}

/** `/_connect contact`: asks the owner of a prepared contact's link. */
export function connectContact(
  user: User,
  contactId: number,
  incognito: boolean,
  message: RequestMessage | undefined,
): CoreJson {
  const { db } = user;
  const contact = db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  const { prepared } = contact;
  if (!prepared) throw notPrepared("contact");
  const begun = db.conns.get(contact.connId);
  if (begun && begun.connStatus !== "prepared")
    return user.answer("contactAlreadyExists", { contact: contactJson(db, contact) });
  const make = prepared.mode === "inv" ? invitedConn : requestConn;
  const conn = begun ?? make(user, prepared.link, incognito);
  conn.entityId = contactId;
  contact.connId = conn.connId;
  const sharedMsgId = user.random.id();
  if (message && prepared.mode === "con") contact.prepared = { ...prepared, requestSharedMsgId: sharedMsgId };
  try {
    if (prepared.mode === "inv") takeInvitation(user, prepared.link);
    else checkQueue(user, prepared.link);
  } catch (error) {
    user.emitOf("chatInfoUpdated", { chatInfo: chatInfo(db, directChat(contact)) });
    throw error;
  }
  if (incognito) user.emitOf("newChatItems", { chatItems: [] });
  if (prepared.mode === "inv") {
    conn.connStatus = "sndReady";
    if (message) {
      const item = setMessage("sndMsgContent", { ...message });
      addAndEmit(user, { chat: directChat(contact), sent: true, ...item, sharedMsgId });
    }
    confirmInvitation(user, conn, message && { content: { ...message }, sharedMsgId });
  } else {
    conn.connStatus = "joined";
    const sent = message && requestItem(user, directChat(contact), message, sharedMsgId);
    const who = { profile: profileForRequest(user, conn), joining: false };
    postRequest(user, conn, who, sent, prepared.welcomeSharedMsgId);
  }
  const profile = db.profiles.get(conn.customUserProfileId);
  return user.answer("startedConnectionToContact", {
    contact: contactJson(db, contact),
    ...(profile && { customUserProfile: plainProfile(profile) }),
  });
}

/** `/_connect UID` with a link: connects without a prepared chat. */
export function connectLink(
  user: User,
  incognito: boolean,
  full: string,
  short: string | undefined,
): CoreJson {
  if (short?.includes("/c#")) throw chatError("invalidConnReq");
  const link = connLink(full, short);
  const invitation = full.startsWith("simplex:/invitation") || /\/invitation\/?#/.test(full);
  const plan = planFull(user, full);
  const known = plan.contactAddressPlan;
  const contact = known?.contact;
  if (contact !== undefined && (known?.type === "known" || known?.type === "connectingProhibit")) {
    return user.answer("contactAlreadyExists", { contact });
  }
  const join = invitation ? acceptInvitation : requestWithoutChat;
  const conn = join(user, link, incognito);
  const profile = user.db.profiles.get(conn.customUserProfileId);
  return user.answer(invitation ? "sentConfirmation" : "sentInvitation", {
    connection: pendingJson(conn),
    ...(profile && { customUserProfile: plainProfile(profile) }),
  });
}

function requestWithoutChat(user: User, link: ConnLink, incognito: boolean): ConnRow {
  const conn = openRequest(user, link, incognito);
  const joining = conn.viaGroupLink;
  const own = user.db.profiles.get(conn.customUserProfileId) ?? ownProfile(user);
  const profile = joining ? memberProfile(own) : profileForRequest(user, conn);
  postRequest(user, conn, { profile, joining }, undefined, undefined);
  return conn;
}
