import type { CoreJson } from "../../core/api/chat-api.js";
import { newConn } from "../connections/connections.js";
import { incognitoProfile, profileForContact } from "../connections/own-profile.js";
import type { ConnLink, ConnRow, Json } from "../data/rows.js";
import { pendingJson } from "../json/json.js";
import { linkGone, makeLink, type PublishedLink, queueOf, serverOf, withKemKey } from "../network/links.js";
import type { User } from "../user/user.js";

/** `/_connect UID`: makes a one-time link. */
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

/** Whether the link is open to the user: its server keeps it for who asked for it first. */
export const isOpenTo = (user: User, { used, takenBy }: PublishedLink): boolean =>
  !used && (takenBy === undefined || takenBy === user.database);

/** Joins through a one-time link: its owner gets our profile at once. */
export function acceptInvitation(user: User, link: ConnLink, incognito: boolean): ConnRow {
  takeInvitation(user, link);
  const conn = invitedConn(user, link, incognito);
  confirmInvitation(user, conn, undefined);
  return conn;
}

/** Uses the link up. Throws when another did, or looked it up. */
export function takeInvitation(user: User, { connFullLink }: ConnLink): void {
  user.reach(serverOf(connFullLink));
  const published = user.network.linkOfQueue(queueOf(connFullLink));
  if (!published?.conn || !isOpenTo(user, published)) throw linkGone(connFullLink);
  published.used = true;
}

/** The connection that a one-time link will make. */
export function invitedConn(user: User, link: ConnLink, incognito: boolean): ConnRow {
  const queue = queueOf(link.connFullLink);
  return newConn(user, {
    connType: "contact",
    connStatus: "prepared",
    pqSupport: true,
    initiated: false,
    known: false,
    more: {
      connLinkInv: link,
      ...(queue !== undefined && { viaQueue: queue }),
      ...(incognito && { customUserProfileId: incognitoProfile(user).profileId }),
    },
  });
}

/** Confirms the invitation of a link that was taken, with the first message. */
export function confirmInvitation(
  user: User,
  conn: ConnRow,
  message: { readonly content: Json; readonly sharedMsgId: string } | undefined,
): void {
  const inviting = user.network.linkOfQueue(conn.viaQueue)?.conn;
  if (inviting === undefined) throw new Error("the link was not taken");
  conn.connStatus = "sndReady";
  user.network.join(conn.agentConnId, inviting);
  user.post(conn, [
    { kind: "confirm", profile: profileForContact(user, conn), peer: conn.agentConnId },
    ...(message ? [{ kind: "message" as const, ...message }] : []),
  ]);
}
