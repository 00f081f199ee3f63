import type { ItemRow } from "../data/item-rows.js";
import type { GroupProfile, GroupRow, Json, MemberRow } from "../data/rows.js";
import { addAndEmit, addItem, emitItems, type NewItem, RCV_NEW, RCV_READ } from "../items/items.js";
import { countSupport } from "../items/support-chats.js";
import { groupFeatureItems } from "../json/group-preferences.js";
import type { Before } from "../json/item-json.js";
import type { User } from "../user/user.js";
import { groupChat } from "./group-rows.js";

const E2EE =
  "This conversation is protected by end-to-end encryption with perfect forward secrecy, repudiation and break-in recovery.";

/** How an event item came: from the wire (then with the sender's id and the server's time), and where it stands. */
export interface EventFrom {
  readonly sharedMsgId?: string | undefined;
  readonly at?: number | undefined;
  /** A support chat. */
  readonly scope?: number | undefined;
  readonly before?: Before;
}

const SELF_EVENTS = new Set(["userRole", "userDeleted", "groupDeleted", "newMemberPendingReview"]);

/** An event of a group that another member caused. */
export function rcvEvent(
  user: User,
  group: GroupRow,
  member: MemberRow,
  event: Json & { readonly type: string },
  text: string,
  from: EventFrom = {},
): ItemRow {
  const item: NewItem = {
    chat: groupChat(group),
    sent: false,
    memberId: member.groupMemberId,
    content: { type: "rcvGroupEvent", rcvGroupEvent: event },
    text,
    status: SELF_EVENTS.has(event.type) ? RCV_NEW : RCV_READ,
    sharedMsgId: from.sharedMsgId,
    itemTs: from.at,
    scope: from.scope,
  };
  if (from.sharedMsgId === undefined) return addAndEmit(user, item, from.before);
  const row = addItem(user, item);
  countSupport(user.db, row);
  emitItems(user, [row], from.before);
  return row;
}

/** An event of a group that we caused. */
export function sndEvent(
  user: User,
  group: GroupRow,
  event: Json & { readonly type: string },
  text: string,
  from: EventFrom = {},
): ItemRow {
  const item: NewItem = {
    chat: groupChat(group),
    sent: true,
    content: { type: "sndGroupEvent", sndGroupEvent: event },
    text,
    sharedMsgId: from.sharedMsgId,
    scope: from.scope,
  };
  return addAndEmit(user, item, from.before);
}

export const sndE2EE = (group: GroupRow): NewItem => ({
  chat: groupChat(group),
  sent: true,
  content: { type: "sndGroupE2EEInfo", e2eeInfo: { pqEnabled: false } },
  text: E2EE,
});

export const rcvE2EE = (group: GroupRow, host: MemberRow, scope?: number): NewItem => ({
  chat: groupChat(group),
  sent: false,
  memberId: host.groupMemberId,
  content: { type: "rcvGroupE2EEInfo", e2eeInfo: { pqEnabled: false } },
  text: E2EE,
  scope,
});

function featureItems(
  user: User,
  group: GroupRow,
  member: MemberRow | undefined,
  before?: GroupProfile,
): ItemRow[] {
  return groupFeatureItems(group.profile, before).map(({ text, fields }) =>
    addItem(user, {
      chat: groupChat(group),
      sent: member === undefined,
      memberId: member?.groupMemberId,
      content: { type: member ? "rcvGroupFeature" : "sndGroupFeature", ...fields },
      text,
    }),
  );
}

/** The items of all features of a group, with one event: ours, or its host's. */
export function emitGroupFeatures(user: User, group: GroupRow, member: MemberRow | undefined): void {
  emitItems(user, featureItems(user, group, member));
}

/** The items of the features that changed, with an event each. */
export function emitChangedFeatures(
  user: User,
  group: GroupRow,
  member: MemberRow | undefined,
  before: GroupProfile,
): void {
  for (const item of featureItems(user, group, member, before)) emitItems(user, [item]);
}
