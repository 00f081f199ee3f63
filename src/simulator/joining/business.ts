import { newConn } from "../connections/connections.js";
import { isMessage } from "../data/message-content.js";
import type { GroupRow, LinkRow, MemberRow } from "../data/rows.js";
import type { RequestWire } from "../data/wire.js";
import { trackDeliveries } from "../groups/group-delivery.js";
import { emitGroupFeatures, sndE2EE } from "../groups/group-items.js";
import { addGroup, addMemberRow, groupChat, namedProfile } from "../groups/group-rows.js";
import { addAndEmit, addItem, emitItems, RCV_NEW, setMessage } from "../items/items.js";
import { groupJson } from "../json/group-json.js";
import { BUSINESS_PREFERENCES } from "../json/group-preferences.js";
import { bannerItem } from "../people/contacts.js";
import type { User } from "../user/user.js";
import { confirmJoiner } from "./joining.js";

/** A customer's request through a business address: a group of its own for the customer. */
export function acceptBusiness(user: User, link: LinkRow, from: string, wire: RequestWire): void {
  const existing = groupOf(user, wire.xContactId);
  if (existing)
    return user.emitOf("businessRequestAlreadyAccepted", { groupInfo: groupJson(user.db, existing) });
  const { group, customer } = addBusinessGroup(user, wire);
  const chat = groupChat(group);
  addAndEmit(user, sndE2EE(group));
  emitGroupFeatures(user, group, undefined);
  addItem(user, bannerItem(chat));
  const reply = link.settings.autoReply;
  const seen = wire.welcomeSharedMsgId;
  if (seen !== undefined && isMessage(reply)) {
    addItem(user, { chat, sent: true, ...setMessage("sndMsgContent", reply), sharedMsgId: seen });
  }
  const from1 = { chat, sent: false, memberId: customer.groupMemberId, status: RCV_NEW };
  if (wire.message) {
    const item = addItem(user, { ...from1, ...setMessage("rcvMsgContent", wire.message.content) });
    emitItems(user, [item]);
    user.db.setShared(item, wire.message.sharedMsgId);
  }
  user.emitOf("acceptingBusinessRequest", { groupInfo: groupJson(user.db, group) });
  connectCustomer(user, link, from, group, customer, () => {
    if (!isMessage(reply)) return;
    const conn = user.db.conns.get(customer.connId);
    if (!conn) return;
    if (seen !== undefined) {
      user.post(conn, [{ kind: "update", sharedMsgId: seen, content: reply }]);
      return;
    }
    const sharedMsgId = user.random.id();
    const item = addItem(user, { chat, sent: true, ...setMessage("sndMsgContent", reply), sharedMsgId });
    trackDeliveries(item, [customer]);
    emitItems(user, [item]);
    user.post(conn, [{ kind: "message", sharedMsgId, content: reply }]);
  });
}

function addBusinessGroup(user: User, wire: RequestWire): { group: GroupRow; customer: MemberRow } {
  const profile = { ...namedProfile(wire.profile), groupPreferences: BUSINESS_PREFERENCES };
  const [businessId, customerId] = [user.random.id(), user.random.id()];
  const group = addGroup(user, profile, { businessChat: { chatType: "customer", businessId, customerId } });
  const membership = addMemberRow(user, group, {
    memberId: businessId,
    memberRole: "owner",
    memberCategory: "user",
    memberStatus: "creator",
    invitedBy: { type: "user" },
  });
  group.membershipId = membership.groupMemberId;
  const customer = addMemberRow(user, group, {
    memberId: customerId,
    memberRole: "member",
    memberCategory: "invitee",
    memberStatus: "accepted",
    invitedBy: { type: "user" },
    invitedByGroupMemberId: membership.groupMemberId,
    profile: wire.profile,
  });
  customer.xContactId = wire.xContactId;
  return { group, customer };
}

function groupOf(user: User, xContactId: string): GroupRow | undefined {
  for (const member of user.db.members.values()) {
    if (member.xContactId === xContactId) return user.db.groups.get(member.groupId);
  }
  return undefined;
}

function connectCustomer(
  user: User,
  link: LinkRow,
  from: string,
  group: GroupRow,
  customer: MemberRow,
  greet: () => void,
): void {
  const conn = newConn(user, {
    connType: "member",
    connStatus: "new",
    pqSupport: false,
    initiated: false,
    known: true,
    entityId: customer.groupMemberId,
    more: { viaUserContactLink: link.userContactLinkId },
  });
  customer.connId = conn.connId;
  user.network.join(conn.agentConnId, from);
  confirmJoiner(user, conn, group, customer);
  user.later(() => {
    conn.connStatus = "sndReady";
    greet();
    user.post(conn, [{ kind: "connected" }]);
  });
}
