import type { CoreJson } from "../../core/api/chat-api.js";
import { deleteConns } from "../connections/connections.js";
import type { GroupRow, Json, MemberRow } from "../data/rows.js";
import { groupJson, memberJson } from "../json/group-json.js";
import type { User } from "../user/user.js";
import { sendTo } from "./group-delivery.js";
import { rcvEvent, sndEvent } from "./group-items.js";
import { group, isCurrent, membershipOf, others } from "./group-rows.js";
import { closeGroup } from "./groups.js";
import { eventProfile, memberJsons, nameOf, needOver, pickMembers } from "./members.js";

/** `/_remove` */
export function removeMembers(
  user: User,
  groupId: number,
  ids: readonly number[],
  withMessages: boolean,
): CoreJson {
  const { db } = user;
  const row = group(user, groupId);
  const members = pickMembers(user, row, ids);
  needOver(user, row, members, "admin");
  const told = [...others(user, row)];
  for (const member of members) remove(user, row, member, told, withMessages);
  const answer = user.answer("userDeletedMembers", {
    groupInfo: groupJson(db, row),
    members: memberJsons(user, members),
    withMessages,
    msgSigned: false,
  });
  for (const member of members) dropMember(user, row, member);
  return answer;
}

function remove(
  user: User,
  row: GroupRow,
  member: MemberRow,
  told: readonly MemberRow[],
  withMessages: boolean,
): void {
  const { db } = user;
  const { memberStatus, memberId, groupMemberId } = member;
  const pending = memberStatus === "pending_review";
  const eventId = user.random.id();
  if (memberStatus !== "invited") {
    const all = pending ? [...told, member] : told;
    sendTo(user, all, [{ kind: "memberRemoved", eventId, memberId, withMessages }]);
  }
  const supported = memberJson(db, member, true);
  db.setMemberStatus(member, "removed");
  if (memberStatus !== "invited") {
    const event = { type: "memberDeleted", groupMemberId, profile: eventProfile(user, member) };
    const scope = pending ? groupMemberId : undefined;
    const from = { sharedMsgId: eventId, scope, before: { supported } };
    sndEvent(user, row, event, `removed ${nameOf(user, member)}`, from);
  }
  if (withMessages) moderateAll(user, row, member, membershipOf(user, row));
}

/** Closes the connection with a member that is gone; its row stays while items show it. */
function dropMember(user: User, row: GroupRow, member: MemberRow): void {
  const { db } = user;
  const conn = db.conns.get(member.connId);
  if (conn) {
    if (user.network.hasRoute(conn.agentConnId)) deleteConns(user, [conn]);
    db.deleteConn(conn);
    delete member.connId;
  }
  const { order } = db.chat(`#${row.groupId}`);
  if (order.some(({ itemId }) => db.items.get(itemId)?.memberId === member.groupMemberId)) return;
  for (const { itemId } of [...db.chat(`#${row.groupId}`, member.groupMemberId).order]) {
    const item = db.items.get(itemId);
    if (item) db.deleteItem(item);
  }
  db.deleteMember(member);
}

/** Marks all messages of a member as moderated. */
function moderateAll(user: User, row: GroupRow, member: MemberRow, by: MemberRow): void {
  const { db } = user;
  const byGroupMember = memberJson(db, by, false);
  const deleted = { type: "moderated", deletedTs: new Date(user.now()).toISOString(), byGroupMember };
  for (const { itemId } of db.chat(`#${row.groupId}`).order) {
    const item = db.items.get(itemId);
    const mine = item?.sent === true && member.groupMemberId === row.membershipId;
    if (item && (mine || item.memberId === member.groupMemberId) && "msgContent" in item.content)
      item.deleted = deleted;
  }
}

export function onRemoved(
  user: User,
  row: GroupRow,
  by: MemberRow,
  wire: { readonly eventId: string; readonly memberId: string; readonly withMessages: boolean },
  at: number,
): void {
  const { db } = user;
  const member = db.memberByMemberId(row.groupId, wire.memberId);
  if (!member) return;
  const pending = member.memberStatus === "pending_review";
  if (pending) db.setMemberStatus(member, "removed");
  const groupInfo = groupJson(db, row);
  const from = { sharedMsgId: wire.eventId, at, before: { groupInfo } };
  const { withMessages } = wire;
  if (withMessages) moderateAll(user, row, member, by);
  if (member.groupMemberId === row.membershipId) {
    // While we wait for a review it stands in our support chat, with its own state of the group.
    const where = pending ? { sharedMsgId: wire.eventId, at, scope: 0 } : from;
    rcvEvent(user, row, by, { type: "userDeleted" }, "removed you", where);
    const membership = groupInfo.membership as Json;
    db.setMemberStatus(member, "removed");
    user.emitOf("deletedMemberUser", {
      groupInfo: { ...groupInfo, membership: { ...membership, memberStatus: member.memberStatus } },
      member: memberJson(db, by, true),
      withMessages,
    });
    closeGroup(user, row, true);
    return;
  }
  const event = {
    type: "memberDeleted",
    groupMemberId: member.groupMemberId,
    profile: eventProfile(user, member),
  };
  rcvEvent(user, row, by, event, `removed ${nameOf(user, member)}`, from);
  db.setMemberStatus(member, "removed");
  user.emitOf("deletedMember", {
    groupInfo,
    byMember: memberJson(db, by, true),
    deletedMember: memberJson(db, member, true),
    withMessages,
  });
  dropMember(user, row, member);
}

export function onLeft(user: User, row: GroupRow, member: MemberRow, eventId: string, at: number): void {
  const { db } = user;
  if (!isCurrent(member) && member.memberStatus !== "pending_review") return;
  const groupInfo = groupJson(db, row);
  rcvEvent(user, row, member, { type: "memberLeft" }, "left", { sharedMsgId: eventId, at });
  db.setMemberStatus(member, "left");
  user.emitOf("leftMember", { groupInfo, member: memberJson(db, member, true) });
  const conn = db.conns.get(member.connId);
  if (!conn) return;
  deleteConns(user, [conn]);
  conn.connStatus = "deleted";
}
