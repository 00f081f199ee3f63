import type { ItemRow } from "../data/item-rows.js";
import type { ConnRow, GroupRow, MemberRow } from "../data/rows.js";
import type { Wire } from "../data/wire.js";
import type { User } from "../user/user.js";
import { memberConn, others } from "./group-rows.js";

/** Starts to keep what becomes of a sent group item at each member. */
export function trackDeliveries(item: ItemRow, members: readonly MemberRow[]): void {
  item.deliveries = Object.fromEntries(
    members.map(({ groupMemberId }) => [groupMemberId, { status: "new" as const }]),
  );
  item.deliveryCounts = { total: members.length, sent: 0, received: 0 };
}

/** Sends the same messages to all members: at once, or as soon as they are connected. */
export function sendToGroup(user: User, group: GroupRow, messages: readonly Wire[]): void {
  sendTo(user, [...others(user, group)], messages);
}

export function sendTo(user: User, members: readonly MemberRow[], messages: readonly Wire[]): void {
  for (const member of members) {
    const conn = memberConn(user, member);
    if (conn) user.post(conn, messages);
    else if (isAwaited(member)) member.pending = [...(member.pending ?? []), ...messages];
  }
}

/** A member that we accepted or that is our host, not connected yet; others are introduced to us by their host. */
export function isAwaited({ memberCategory, memberStatus, connId }: MemberRow): boolean {
  return connId !== undefined && memberStatus === "accepted" && ["invitee", "host"].includes(memberCategory);
}

export function sendPending(user: User, member: MemberRow, conn: ConnRow): void {
  user.post(conn, member.pending ?? []);
  delete member.pending;
}
