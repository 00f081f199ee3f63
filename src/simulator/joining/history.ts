import type { MsgContent } from "../data/composed.js";
import type { ItemRow } from "../data/item-rows.js";
import type { ConnRow, GroupRow, Json } from "../data/rows.js";
import type { NewMessage, Wire } from "../data/wire.js";
import { fileInHistory } from "../files/file-forwards.js";
import { groupChat, membershipOf } from "../groups/group-rows.js";
import { canBePassedOn } from "../text/sizes.js";
import type { User } from "../user/user.js";

/** Items that a newcomer is sent. */
const HISTORY_LENGTH = 100;

/** Sends the last messages of the group to a newcomer, where the group has history. */
export function sendHistory(user: User, group: GroupRow, conn: ConnRow): void {
  const history = group.profile.groupPreferences?.history as { enable?: unknown } | undefined;
  if (history?.enable !== "on") return;
  const items: ItemRow[] = [];
  const { order } = user.db.chat(groupChat(group));
  for (let at = order.length - 1; at >= 0 && items.length < HISTORY_LENGTH; at--) {
    const item = user.db.items.get(order[at]?.itemId);
    if (item && belongs(item)) items.push(item);
  }
  const messages = items.reverse().flatMap((item) => historyMessage(user, group, item));
  for (const message of messages) user.post(conn, [message]);
}

const belongs = (item: ItemRow): boolean =>
  "msgContent" in item.content && !item.deleted && item.sharedMsgId !== undefined;

function historyMessage(user: User, group: GroupRow, item: ItemRow): Wire[] {
  const author = item.sent ? membershipOf(user, group) : user.db.members.get(item.memberId);
  if (!author || item.sharedMsgId === undefined) return [];
  const file = fileInHistory(user, item);
  // The core makes each message anew, and fails where it would refuse to send it.
  const content = item.content.msgContent as MsgContent;
  const quoted = user.db.itemByShared(item.chat, item.quote?.sharedMsgId);
  if (quoted?.deleted || !canBePassedOn({ content, group: true }, author.localDisplayName)) return [];
  const message: NewMessage = {
    kind: "message",
    sharedMsgId: item.sharedMsgId,
    content: item.content.msgContent as Json,
    ...(item.mentions && { mentions: item.mentions }),
    ...(item.quote && { quote: quoteOf(user, group, item) }),
    ...(item.timed && { ttl: item.timed.ttl }),
    ...(file && { file: file.file }),
  };
  return [message, ...(file?.descriptor ?? [])].map((one) => ({
    kind: "forward",
    memberId: author.memberId,
    at: item.itemTs,
    message: one,
  }));
}

function quoteOf(user: User, group: GroupRow, item: ItemRow): NonNullable<NewMessage["quote"]> {
  const { quote } = item;
  const memberId = quote?.sent ? membershipOf(user, group).memberId : quote?.memberId;
  return {
    sent: quote?.sent === item.sent && (quote?.sent ?? false),
    sentAt: quote?.sentAt ?? 0,
    content: quote?.content ?? {},
    ...(quote?.sharedMsgId !== undefined && { sharedMsgId: quote.sharedMsgId }),
    ...(memberId !== undefined && { memberId }),
  };
}
