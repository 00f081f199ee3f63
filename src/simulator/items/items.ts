import { chatId } from "../data/chat-key.js";
import type { ItemRow } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import { aChatItem, type Before, newChatItems } from "../json/item-json.js";
import { userJson } from "../json/json.js";
import { hasLink, parseMarkdown } from "../text/markdown.js";
import type { User } from "../user/user.js";
import { countSupport, touchSupport } from "./support-chats.js";

const SND_NEW: Json = { type: "sndNew" };
export const RCV_NEW: Json = { type: "rcvNew" };
export const RCV_READ: Json = { type: "rcvRead" };

/** What the maker of an item says about it; the rest follows. */
export interface NewItem {
  readonly chat: string;
  readonly content: Json;
  readonly text: string;
  readonly sent: boolean;
  readonly scope?: number | undefined;
  readonly memberId?: number | undefined;
  readonly status?: Json;
  readonly itemTs?: number | undefined;
  readonly sharedMsgId?: string | undefined;
  readonly asGroup?: boolean;
  readonly more?: Partial<ItemRow>;
}

/** Stores an item at the end of its chat, without an event. */
export function addItem(user: User, item: NewItem): ItemRow {
  const now = user.now();
  const isMessage = "msgContent" in item.content;
  const formatted = isMessage ? parseMarkdown(item.text) : undefined;
  const row = user.db.addItem((itemId) => ({
    itemId,
    chat: item.chat,
    sent: item.sent,
    content: item.content,
    text: item.text,
    status: item.status ?? (item.sent ? SND_NEW : RCV_READ),
    itemTs: item.itemTs ?? now,
    edited: false,
    userMention: false,
    hasLink: hasLink(formatted),
    asGroup: item.asGroup ?? false,
    createdAt: now,
    updatedAt: now,
    ...(item.scope !== undefined && { scope: item.scope }),
    ...(item.memberId !== undefined && { memberId: item.memberId }),
    ...(item.sharedMsgId !== undefined && { sharedMsgId: item.sharedMsgId }),
    ...(formatted && { formattedText: formatted.map((part) => ({ ...part })) }),
    ...item.more,
  }));
  if (row.itemTs > 0 && (row.sent || row.status.type === "rcvNew")) touch(user, row);
  touchSupport(user.db, row);
  return row;
}

/** The time of the newest item that is ours or calls for attention is the chat's. */
function touch({ db }: User, item: ItemRow): void {
  const ts = Math.max(item.itemTs, item.createdAt);
  if (item.chat.startsWith("*")) {
    db.notes.chatTs = ts;
    return;
  }
  const table = item.chat.startsWith("@") ? db.contacts : db.groups;
  Object.assign(table.at(chatId(item.chat)), { chatTs: ts, touchedBy: item.itemId });
}

/** The event of new items. */
export function emitItems(user: User, items: readonly ItemRow[], before: Before = {}): void {
  const view = { now: user.now(), fresh: true, before };
  user.emit(
    newChatItems(
      userJson(user.db),
      items.map((item) => aChatItem(user.db, item, view)),
    ),
  );
}

/** An event about one item. */
export function emitItem(user: User, type: string, item: ItemRow, fresh = false): void {
  user.emitOf(type, { chatItem: aChatItem(user.db, item, { now: user.now(), fresh }) });
}

/** Stores an item, with its event; a support chat counts it afterwards. */
export function addAndEmit(user: User, item: NewItem, before?: Before): ItemRow {
  const row = addItem(user, item);
  emitItems(user, [row], before);
  countSupport(user.db, row);
  return row;
}

/** The content and text of a message. */
export function setMessage(
  type: "rcvMsgContent" | "sndMsgContent",
  msgContent: Json,
): { content: Json; text: string } {
  return { content: { type, msgContent }, text: messageText(msgContent) };
}

/** `itemText` of a message. */
export function messageText(content: Json): string {
  const text = typeof content.text === "string" ? content.text : "";
  if (content.type === "voice") {
    const seconds = typeof content.duration === "number" ? content.duration : 0;
    const clock = [Math.floor(seconds / 60), seconds % 60]
      .map((part) => String(part).padStart(2, "0"))
      .join(":");
    return `voice message (${clock})${text === "" ? "" : `; ${text}`}`;
  }
  return content.type === "report" ? `report ${content.reason}: ${text}` : text;
}

/** The formats of a text, as JSON; undefined when it has none. */
export function formatted(text: string): Json[] | undefined {
  return parseMarkdown(text)?.map((part) => ({ ...part }));
}

/** Sets the message content of an item, with what follows from its text. */
export function setContent(item: ItemRow, msgContent: Json): void {
  const text = messageText(msgContent);
  const formatted = parseMarkdown(text);
  item.content = { ...item.content, msgContent };
  item.text = text;
  item.hasLink = hasLink(formatted);
  if (formatted) item.formattedText = formatted.map((part) => ({ ...part }));
  else delete item.formattedText;
}
