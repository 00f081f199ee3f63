import { newConn } from "../connections/connections.js";
import { incognitoProfile } from "../connections/own-profile.js";
import { type MsgContent, parseContent } from "../data/composed.js";
import type { ConnLink, ConnRow, Json } from "../data/rows.js";
import { addItem, emitItems, RCV_NEW } from "../items/items.js";
import { groupLinkIdOf, linkGone, queueOf, serverOf } from "../network/links.js";
import type { User } from "../user/user.js";

/** A message that goes with a request to connect. */
export type RequestMessage = MsgContent;

/** The welcome message of an address's link data. */
export const messageIn = (data: Json): RequestMessage | undefined =>
  data.message === undefined ? undefined : parseContent(data.message);

/** A welcome message of link data, as if received; its shared id is set after it was shown. */
export const welcomeItem = (chat: string, message: RequestMessage) => ({
  chat,
  sent: false,
  content: { type: "rcvMsgContent", msgContent: { ...message } },
  text: message.text,
  status: RCV_NEW,
});

/** The item of a message that goes with a request: its event shows no shared id yet. */
export function requestItem(user: User, chat: string, message: RequestMessage, sharedMsgId: string) {
  const item = addItem(user, {
    chat,
    sent: true,
    content: { type: "sndMsgContent", msgContent: { ...message } },
    text: message.text,
  });
  emitItems(user, [item]);
  user.db.setShared(item, sharedMsgId);
  return { content: { ...message }, sharedMsgId };
}

/** Checks that a link's queue takes requests, and makes the connection for it. */
export function openRequest(user: User, link: ConnLink, incognito: boolean, group = false): ConnRow {
  checkQueue(user, link);
  const conn = requestConn(user, link, incognito, group);
  conn.connStatus = "joined";
  return conn;
}

/** Throws unless a link's queue takes requests. */
export function checkQueue(user: User, { connFullLink }: ConnLink): void {
  user.reach(serverOf(connFullLink));
  if (!user.network.linkOfQueue(queueOf(connFullLink))) throw linkGone(connFullLink);
}

/** The connection of a request that is not sent yet. */
export function requestConn(user: User, link: ConnLink, incognito: boolean, group = false): ConnRow {
  const queue = queueOf(link.connFullLink);
  const groupLinkId = groupLinkIdOf(link.connFullLink);
  return newConn(user, {
    connType: group ? "member" : "contact",
    connStatus: "prepared",
    pqSupport: !group || groupLinkId === undefined,
    initiated: true,
    known: false,
    more: {
      xContactId: xContactId(user, queue),
      viaContactUri: true,
      viaGroupLink: groupLinkId !== undefined,
      ...(groupLinkId !== undefined && { groupLinkId }),
      ...(queue !== undefined && { viaQueue: queue }),
      ...(incognito && { customUserProfileId: incognitoProfile(user).profileId }),
    },
  });
}

/** Requests through one link carry one id, so that their owner knows them again. */
function xContactId(user: User, queue: string | undefined): string {
  for (const conn of user.db.conns.values()) {
    if (conn.viaQueue === queue && conn.xContactId && !conn.viaGroupLink) return conn.xContactId;
  }
  return `${user.random.base64url(16)}==`;
}

export function postRequest(
  user: User,
  conn: ConnRow,
  who: { readonly profile: Json; readonly joining: boolean },
  message: { readonly content: Json; readonly sharedMsgId: string } | undefined,
  welcomeSharedMsgId: string | undefined,
): void {
  user.postTo(conn.viaQueue ?? "", conn, {
    kind: "request",
    ...who,
    xContactId: conn.xContactId ?? "",
    ...(message && { message }),
    ...(welcomeSharedMsgId !== undefined && { welcomeSharedMsgId }),
  });
}
