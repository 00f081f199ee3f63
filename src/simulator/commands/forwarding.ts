import type { GroupRow, MemberRow } from "../data/rows.js";
import type { ChatWire, Wire } from "../data/wire.js";
import { memberConn, others } from "../groups/group-rows.js";
import { pairOf } from "../joining/introductions.js";
import { onChatWire } from "../messages/chat-wires.js";
import type { User } from "../user/user.js";

/** A host passes messages on between members that it introduced and that are not connected to each other yet. */
export function passOn(user: User, group: GroupRow, author: MemberRow, message: ChatWire, at: number): void {
  if (user.db.introductions.size === 0 || message.scope !== undefined) return;
  const wire: Wire = { kind: "forward", memberId: author.memberId, at, message };
  for (const member of others(user, group)) {
    if (user.db.introductions.get(pairOf(author, member)) !== false) continue;
    const conn = memberConn(user, member);
    if (conn) user.post(conn, [wire]);
  }
}

/** A message of another member: from the history, or while we are not connected to it. */
export function onForward(
  user: User,
  group: GroupRow,
  forwardedBy: MemberRow,
  wire: Extract<Wire, { kind: "forward" }>,
): void {
  const member = user.db.memberByMemberId(group.groupId, wire.memberId);
  if (!member || member.groupMemberId === group.membershipId) return;
  onChatWire(user, { group, member, at: wire.at, forwardedBy }, wire.message);
}
