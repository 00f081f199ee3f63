import type { ItemRow, MemberDelivery } from "../data/item-rows.js";
import type { ConnRow, Json } from "../data/rows.js";
import type { Envelope, Wire } from "../data/wire.js";
import { descriptorsSent } from "../files/uploads.js";
import { aChatItem } from "../json/item-json.js";
import { contactJson, userJson } from "../json/json.js";
import type { User } from "../user/user.js";

/** AUTH errors after which a contact is disabled. */
const AUTH_ERRORS_TO_DISABLE = 10;

/** Hands an envelope to the servers, and notes what became of it. */
export function deliver(user: User, envelope: Envelope): void {
  user.connectHost();
  const conn = user.db.conn(envelope.from);
  const taken = user.network.take(envelope, user.now());
  if (!conn) return;
  if (taken) sent(user, conn, envelope.messages);
  else refused(user, conn, envelope.messages);
}

function sent(user: User, conn: ConnRow, messages: readonly Wire[]): void {
  const viaProxy = user.session.networkConfig.smpProxyMode === "always";
  const status: Json = { type: "sndSent", sndProgress: "complete" };
  conn.authErrCounter = 0;
  if (conn.pqSupport && messages.some(({ kind }) => kind === "message" || kind === "update"))
    conn.pqSndEnabled = true;
  updateStatuses(user, conn, idsOf(messages), status, { status: "sent", sentViaProxy: viaProxy });
  descriptorsSent(user, conn, messages);
}

/** The receiver's queue is gone. */
function refused(user: User, conn: ConnRow, messages: readonly Wire[]): void {
  const contact = conn.connType === "contact" ? user.db.contacts.get(conn.entityId) : undefined;
  const status: Json = { type: "sndError", agentError: { type: "auth" } };
  updateStatuses(user, conn, idsOf(messages), status, { status: "error" });
  if (conn.connStatus !== "ready") return;
  conn.authErrCounter++;
  if (contact && conn.authErrCounter === AUTH_ERRORS_TO_DISABLE) {
    user.emitOf("contactDisabled", { contact: contactJson(user.db, contact) });
  }
}

/** A receipt of the other side. */
export function received(user: User, conn: ConnRow, sharedMsgIds: readonly string[]): void {
  const status: Json = { type: "sndRcvd", msgRcptStatus: "ok", sndProgress: "complete" };
  updateStatuses(user, conn, sharedMsgIds, status, { status: "rcvd" });
}

const idsOf = (messages: readonly Wire[]): string[] =>
  messages.flatMap((message) => {
    if (message.kind === "message") return [message.sharedMsgId];
    return message.kind === "invite" ? [message.eventId] : [];
  });

function updateStatuses(
  user: User,
  conn: ConnRow,
  ids: readonly string[],
  status: Json,
  delivery: MemberDelivery,
): void {
  if (ids.length === 0) return;
  const { db } = user;
  const member = conn.connType === "member" ? db.members.get(conn.entityId) : undefined;
  const chat = member ? `#${member.groupId}` : `@${conn.entityId}`;
  const changed = ids.flatMap((id) => {
    const item = db.itemByShared(chat, id);
    if (!item?.sent) return [];
    const next = member
      ? groupStatus(item, member.groupMemberId, delivery)
      : directStatus(item, status, delivery);
    if (!next) return [];
    item.status = next;
    return [item];
  });
  if (changed.length > 0) emitStatuses(user, changed);
}

function emitStatuses(user: User, items: readonly ItemRow[]): void {
  const view = { now: user.now() };
  const chatItems = items.map((item) => aChatItem(user.db, item, view));
  user.emit({ type: "chatItemsStatusesUpdated", user: userJson(user.db), chatItems });
}

function directStatus(item: ItemRow, status: Json, { sentViaProxy }: MemberDelivery): Json | undefined {
  if (item.status.type === "sndRcvd") return undefined;
  if (sentViaProxy !== undefined) item.sentViaProxy = sentViaProxy;
  return status;
}

/** The status of a group item after a change at one member; undefined when it stays. */
function groupStatus(item: ItemRow, memberId: number, change: MemberDelivery): Json | undefined {
  const delivery = item.deliveries?.[memberId];
  const counts = item.deliveryCounts;
  if (!delivery || !counts || delivery.status === "rcvd") return undefined;
  if (delivery.status !== "sent" && (change.status === "sent" || change.status === "rcvd")) counts.sent++;
  if (change.status === "rcvd") counts.received++;
  Object.assign(delivery, change);
  const next = aggregate(counts);
  return JSON.stringify(next) === JSON.stringify(item.status) ? undefined : next;
}

function aggregate({ total, sent, received }: { total: number; sent: number; received: number }): Json {
  if (received > 0) {
    return { type: "sndRcvd", msgRcptStatus: "ok", sndProgress: received === total ? "complete" : "partial" };
  }
  if (sent > 0) return { type: "sndSent", sndProgress: sent === total ? "complete" : "partial" };
  return { type: "sndNew" };
}
