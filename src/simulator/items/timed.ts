import type { ItemRow } from "../data/item-rows.js";
import { contactFeatureEnabled, contactTimer } from "../json/contact-preferences.js";
import { groupTimer } from "../json/group-preferences.js";
import { aChatItem } from "../json/item-json.js";
import { sidesOf } from "../json/json.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";

/** Seconds after which a message of ours disappears: as asked, where the chat allows it, else the chat's own value. */
export function ttlOf(user: User, chat: Chat, asked: number | undefined): number | undefined {
  if (chat.group) {
    const timer = groupTimer(chat.group.profile);
    return timer === undefined ? undefined : (asked ?? timer);
  }
  if (!chat.contact) return undefined;
  const sides = sidesOf(user.db, chat.contact);
  return contactFeatureEnabled("timedMessages", sides) ? (asked ?? contactTimer(sides)) : undefined;
}

/** Starts the time of a disappearing item. */
export function startTimer(user: User, item: ItemRow): void {
  if (!item.timed || item.timed.deleteAt !== undefined) return;
  item.timed = { ttl: item.timed.ttl, deleteAt: user.now() + item.timed.ttl * 1000 };
  armTimer(user, item);
}

/** Deletes the item when its time has come; also after a restart. */
function armTimer(user: User, item: ItemRow): void {
  const deleteAt = item.timed?.deleteAt;
  if (deleteAt === undefined) return;
  const wait = deleteAt - user.now();
  if (wait <= 0) user.scheduler.post(() => expire(user, item));
  else user.network.clock.after(wait, () => expire(user, item));
}

function expire(user: User, item: ItemRow): void {
  if (!user.started || user.db.items.get(item.itemId) !== item) return;
  const deletedChatItem = aChatItem(user.db, item, { now: user.now() });
  user.db.deleteItem(item);
  user.emitOf("chatItemsDeleted", { chatItemDeletions: [{ deletedChatItem }], byUser: true, timed: true });
}

/** Arms the timers of all items, at a start. */
export function armTimers(user: User): void {
  for (const item of user.db.items.values()) armTimer(user, item);
}
