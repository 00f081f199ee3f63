import type { CoreJson } from "../../core/api/chat-api.js";
import { chatError, storeError } from "../data/errors.js";
import type { ItemRow } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import { forwardConfirmation, forwarded } from "../files/file-forwards.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";
import { sendMessages } from "./sending.js";

/** The items of these ids in a chat; the others are reported. */
function found(user: User, from: Chat, ids: readonly number[]): ItemRow[] {
  const items: ItemRow[] = [];
  const missing: number[] = [];
  for (const id of ids) {
    const item = user.db.items.get(id);
    if (item?.chat === from.key) items.push(item);
    else missing.push(id);
  }
  if (missing.length > 0) {
    const chatErrors = missing.map((itemId) => storeError("chatItemNotFound", { itemId }).chatError);
    user.emit({ type: "chatErrors", chatErrors });
  }
  return items;
}

const canForward = (item: ItemRow): boolean => "msgContent" in item.content && !item.deleted;

/** `/_forward` */
export function forwardItems(
  user: User,
  to: Chat,
  from: Chat,
  ids: readonly number[],
  ttl: number | undefined,
): CoreJson {
  const items = found(user, from, ids);
  if (items.some((item) => !canForward(item))) throw chatError("invalidForward");
  const composed = items.flatMap((item) =>
    forwarded(user, item).map((one) => ({ one, from: origin(user, from, item) })),
  );
  if (composed.length === 0) return user.answer("newChatItems", { chatItems: [] });
  return sendMessages(
    user,
    to,
    composed.map(({ one }) => one),
    { ttl, forwarded: composed.map(({ from }) => from) },
  );
}

/** What an item was forwarded from first. */
function origin({ db }: User, from: Chat, item: ItemRow): Json {
  if (item.forwarded && item.forwarded.type !== "unknown") return item.forwarded;
  const msgDir = item.sent ? "snd" : "rcv";
  const chatItemId = item.itemId;
  if (from.group) {
    const { groupId, profile } = from.group;
    return { type: "group", chatName: profile.displayName, msgDir, groupId, chatItemId };
  }
  if (!from.contact) return { type: "unknown" };
  const { contactId, profileId } = from.contact;
  return { type: "contact", chatName: db.profiles.at(profileId).displayName, msgDir, contactId, chatItemId };
}

/** `/_forward plan` */
export function forwardPlan(user: User, from: Chat, ids: readonly number[]): CoreJson {
  const items = found(user, from, ids).filter(canForward);
  const confirmation = forwardConfirmation(user, items);
  return user.answer("forwardPlan", {
    itemsCount: ids.length,
    chatItemIds: items.map(({ itemId }) => itemId),
    ...(confirmation && { forwardConfirmation: confirmation }),
  });
}
