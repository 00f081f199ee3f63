import { memberConn, others } from "./group-rows.js";
import type { GroupRow, ItemRow, MemberRow } from "./rows.js";
import type { User } from "./user.js";
import type { Wire } from "./wire.js";

/** Starts to keep what becomes of a sent group item at each member. */
export function trackDeliveries(item: ItemRow, members: readonly MemberRow[]): void {
  item.deliveries = Object.fromEntries(
    members.map(({ groupMemberId }) => [groupMemberId, { status: "new" as const }]),
  );
  item.deliveryCounts = { total: members.length, sent: 0, received: 0 };
}

/** Sends the same messages to all members that are connected. */
export function sendToGroup(user: User, group: GroupRow, messages: readonly Wire[]): void {
  sendTo(user, [...others(user, group)], messages);
}

export function sendTo(user: User, members: readonly MemberRow[], messages: readonly Wire[]): void {
  for (const member of members) {
    const conn = memberConn(user, member);
    if (conn) user.post(conn, messages);
  }
}
