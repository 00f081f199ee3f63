import { commandError, storeError } from "../data/errors.js";
import type { ConnLink, ConnRow, ConnStatus, ContactRow } from "../data/rows.js";
import { contactJson, userJson } from "../json/json.js";
import type { User } from "../user/user.js";

/** The chat version before the peer's is known. */
const OLDEST_VERSION = 8;
export const CHAT_VERSION = 19;

export interface NewConn {
  readonly connType: "contact" | "member";
  readonly connStatus: ConnStatus;
  readonly pqSupport: boolean;
  readonly initiated: boolean;
  /** Whether the peer's version is known already. */
  readonly known: boolean;
  readonly entityId?: number | undefined;
  readonly more?: Partial<ConnRow>;
}

/** Makes a connection with its queue. */
export function newConn(user: User, conn: NewConn): ConnRow {
  const now = user.now();
  const agentConnId = user.random.id();
  user.network.route(agentConnId, user.database);
  return user.db.addConn((connId) => ({
    connId,
    agentConnId,
    connType: conn.connType,
    connStatus: conn.connStatus,
    viaGroupLink: false,
    contactConnInitiated: conn.initiated,
    connLevel: 0,
    pqSupport: conn.pqSupport,
    peerVersion: conn.known ? CHAT_VERSION : 1,
    chatVersion: conn.known ? CHAT_VERSION : OLDEST_VERSION,
    localAlias: "",
    authErrCounter: 0,
    createdAt: now,
    updatedAt: now,
    viaContactUri: false,
    ...(conn.entityId !== undefined && { entityId: conn.entityId }),
    ...conn.more,
  }));
}

/** The peer answered: its version is known. */
export function peerKnown(conn: ConnRow): void {
  conn.peerVersion = CHAT_VERSION;
  conn.chatVersion = CHAT_VERSION;
}

/**
 * The inviting side is connected as soon as it has the confirmation and what was sent with it, unless the other side
 * is gone by then.
 */
export function confirmed(user: User, conn: ConnRow): void {
  const { agentConnId } = conn;
  const messages = [{ kind: "connected", confirmed: true }] as const;
  user.network.take({ from: agentConnId, to: agentConnId, messages }, user.now());
}

/**
 * Deletes connections at the servers, and reports it: one event with the queues, one with the connections. What is
 * queued for the other side still leaves first.
 */
export function deleteConns(user: User, conns: readonly ConnRow[]): void {
  const ids = conns.map(({ agentConnId }) => agentConnId);
  if (ids.length === 0) return;
  const server = user.network.serverFor(user).address;
  const queues = ids.map((agentConnId) => ({ agentConnId, server, agentQueueId: user.random.base64url(24) }));
  user.later(() => {
    for (const id of ids) user.network.unroute(id);
    user.emit({ type: "agentRcvQueuesDeleted", deletedRcvQueues: queues });
    user.emit({ type: "agentConnsDeleted", agentConnIds: ids });
  });
}

/** A queue that only a link has: its deletion is reported alike. */
export function deleteLinkQueue(user: User, queue: string, agentConnId: string): void {
  user.network.unpublish(queue);
  const server = user.network.serverFor(user).address;
  const deleted = { agentConnId, server, agentQueueId: user.random.base64url(24) };
  user.later(() => {
    user.emit({ type: "agentRcvQueuesDeleted", deletedRcvQueues: [deleted] });
    user.emit({ type: "agentConnsDeleted", agentConnIds: [agentConnId] });
  });
}

/** A connection that is nobody's yet. */
export function pendingConn(user: User, connId: number): ConnRow {
  const conn = user.db.conns.get(connId);
  if (!conn || conn.entityId !== undefined) throw storeError("pendingConnectionNotFound", { connId });
  return conn;
}

/** The contact of a connection. */
export function contactOf(user: User, conn: ConnRow): ContactRow | undefined {
  return conn.connType === "contact" ? user.db.contacts.get(conn.entityId) : undefined;
}

/** Whether messages can be sent to the contact. */
export function readyConn(user: User, contact: ContactRow): ConnRow | undefined {
  const conn = user.db.conns.get(contact.connId);
  if (!conn || contact.contactStatus !== "active") return undefined;
  return conn.connStatus === "ready" || conn.connStatus === "sndReady" ? conn : undefined;
}

export function emitContact(
  user: User,
  type: string,
  contact: ContactRow,
  more: Record<string, unknown> = {},
): void {
  user.emit({ type, user: userJson(user.db), contact: contactJson(user.db, contact), ...more });
}

/** The two links of `FULL[ SHORT]`. */
export const connLink = (full: string, short: string | undefined): ConnLink => ({
  connFullLink: full,
  ...(short !== undefined && { connShortLink: short }),
});

export const notPrepared = (what: "contact" | "group") =>
  commandError(`${what} doesn't have link to connect`);
