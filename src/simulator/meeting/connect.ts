import type { CoreJson } from "../../core/api/chat-api.js";
import { connLink, newConn, notPrepared } from "../connections/connections.js";
import {
  incognitoProfile,
  memberProfile,
  ownProfile,
  profileForContact,
  profileForRequest,
} from "../connections/own-profile.js";
import { chatError, storeError } from "../data/errors.js";
import { needed, objectIn } from "../data/parsed.js";
import type { ConnLink, ConnRow, ContactRow, Json } from "../data/rows.js";
import { emptyStats, statsJson } from "../database/stats.js";
import { addItem } from "../items/items.js";
import { prepareBusiness } from "../joining/prepare-group.js";
import { chatInfo, itemJson } from "../json/item-json.js";
import { contactJson, pendingJson, plainProfile } from "../json/json.js";
import { linkGone, makeLink, queueOf, serverOf, withKemKey } from "../network/links.js";
import { addContact, addFirstItems, directChat } from "../people/contacts.js";
import {
  messageIn,
  openRequest,
  postRequest,
  type RequestMessage,
  requestItem,
  welcomeItem,
} from "../people/link-requests.js";
import type { User } from "../user/user.js";
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
  addFirstItems(user, contact, undefined);
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
  if (db.conns.get(contact.connId))
    return user.answer("contactAlreadyExists", { contact: contactJson(db, contact) });
  const conn = prepared.mode === "inv" ? undefined : openRequest(user, prepared.link, incognito, contact);
  const joined = conn ?? acceptInvitation(user, prepared.link, incognito, contact);
  contact.connId = joined.connId;
  if (incognito) user.emitOf("newChatItems", { chatItems: [] });
  if (conn) {
    const sharedMsgId = user.random.id();
    if (message) contact.prepared = { ...prepared, requestSharedMsgId: sharedMsgId };
    const sent = message && requestItem(user, directChat(contact), message, sharedMsgId);
    postRequest(
      user,
      conn,
      { profile: profileForRequest(user, conn), joining: false },
      sent,
      prepared.welcomeSharedMsgId,
    );
  }
  const profile = db.profiles.get(joined.customUserProfileId);
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
  const conn = invitation
    ? acceptInvitation(user, link, incognito)
    : requestWithoutChat(user, link, incognito);
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

/** `/_connect UID`: makes a one-time invitation. */
export function createInvitation(user: User, incognito: boolean): CoreJson {
  const server = user.network.serverFor(user);
  user.reach(server.address);
  const { queue, link } = makeLink(user.random, server, "invitation");
  const conn = newConn(user, {
    connType: "contact",
    connStatus: "new",
    pqSupport: true,
    initiated: true,
    known: false,
    more: {
      connLinkInv: link,
      viaQueue: queue,
      ...(incognito && { customUserProfileId: incognitoProfile(user).profileId }),
    },
  });
  const data = { profile: profileForContact(user, conn), business: false };
  user.network.publish({
    queue,
    kind: "invitation",
    database: user.database,
    link,
    server: server.address,
    data,
    used: false,
    fetched: withKemKey(user.random, link),
    conn: conn.agentConnId,
  });
  return user.answer("invitation", { connLinkInvitation: link, connection: pendingJson(conn) });
}

/** Joins through a one-time invitation: its owner gets our profile at once. */
function acceptInvitation(user: User, link: ConnLink, incognito: boolean, prepared?: ContactRow): ConnRow {
  const queue = queueOf(link.connFullLink);
  user.reach(serverOf(link.connFullLink));
  const published = user.network.linkOfQueue(queue);
  if (!published?.conn || published.used) throw linkGone(link.connFullLink);
  published.used = true;
  const conn = newConn(user, {
    connType: "contact",
    connStatus: "sndReady",
    pqSupport: true,
    initiated: false,
    known: true,
    entityId: prepared?.contactId,
    more: {
      connLinkInv: link,
      ...(queue !== undefined && { viaQueue: queue }),
      ...(incognito && { customUserProfileId: incognitoProfile(user).profileId }),
    },
  });
  user.network.join(conn.agentConnId, published.conn);
  user.post(conn, [{ kind: "confirm", profile: profileForContact(user, conn), peer: conn.agentConnId }]);
  return conn;
}
