import type { ItemRow } from "../data/item-rows.js";
import type { GroupRow, Json } from "../data/rows.js";
import { emitItem } from "../items/items.js";
import type { User } from "../user/user.js";
import { hostOf } from "./group-rows.js";

/** Marks the newest invitation to a group that a contact sent, while it waits, as answered. */
export function answerInvitation(user: User, group: GroupRow, status: "accepted" | "rejected"): void {
  const item = newestInvitation(user, hostOf(user, group)?.contactId, group.groupId);
  const invitation = item?.content.groupInvitation as Json | undefined;
  if (!item || invitation?.status !== "pending") return;
  item.content = { ...item.content, groupInvitation: { ...invitation, status } };
  emitItem(user, "chatItemUpdated", item);
}

function newestInvitation(user: User, contactId: number | undefined, groupId: number): ItemRow | undefined {
  const { order } = user.db.chat(`@${contactId}`);
  for (let at = order.length - 1; at >= 0; at--) {
    const item = user.db.items.get(order[at]?.itemId);
    const invitation = item?.content.groupInvitation as { groupId?: unknown } | undefined;
    if (item?.content.type === "rcvGroupInvitation" && invitation?.groupId === groupId) return item;
  }
  return undefined;
}
