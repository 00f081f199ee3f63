import type { CoreJson } from "../../core/api/chat-api.js";
import { readyConn } from "../connections/connections.js";
import type { Composed } from "../data/composed.js";
import { chatError, storeError } from "../data/errors.js";
import type { ItemRow, ItemVersion, Mention } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import { brokerTime } from "../data/time.js";
import type { UpdateMessage, Wire } from "../data/wire.js";
import { membershipOf } from "../groups/group-rows.js";
import { emitItem, formatted, messageText, setContent } from "../items/items.js";
import { roleRank } from "../json/group-preferences.js";
import { aChatItem } from "../json/item-json.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";
import { addReceived, itemOf, type Source } from "./incoming.js";
import { checkMentions, sizeError } from "./outgoing-message.js";
import { recipients } from "./sending.js";

const EDIT_WINDOW = 24 * 3_600_000;

export function itemIn(user: User, chat: Chat, itemId: number): ItemRow {
  const item = user.db.items.get(itemId);
  if (!item || item.chat !== chat.key) throw storeError("chatItemNotFound", { itemId });
  return item;
}

/** `/_update item` */
export function updateItem(
  user: User,
  chat: Chat,
  itemId: number,
  live: boolean,
  composed: Composed,
): CoreJson {
  const item = itemIn(user, chat, itemId);
  checkEditable(user, chat, item);
  const { content } = composed;
  if (sameJson(item.content.msgContent, content) && item.live !== true) {
    return user.answer("chatItemNotChanged", { chatItem: aChatItem(user.db, item, { now: user.now() }) });
  }
  const mentions = checkMentions(user, chat, content, composed.mentions);
  const wire: UpdateMessage = {
    kind: "update",
    sharedMsgId: item.sharedMsgId ?? "",
    content,
    ...(live && { live: true }),
    ...(item.timed && { ttl: item.timed.ttl }),
    ...(mentions && { mentions }),
    ...(chat.supported && { scope: chat.supported.memberId }),
  };
  const error = sizeError(chat, wire, undefined, true);
  if (error && chat.group)
    throw chatError("internalError", { message: "sendGroupMessage: expected 1 message" });
  if (error) throw error;
  deliver(user, chat, [wire]);
  const shown = change(user, item, content, live, mentions);
  return user.answer("chatItemUpdated", { chatItem: shown });
}

function checkEditable(user: User, chat: Chat, item: ItemRow): void {
  const role = chat.group && membershipOf(user, chat.group).memberRole;
  const young = user.now() - item.itemTs < EDIT_WINDOW;
  const message = item.content.type === "sndMsgContent" && !item.deleted && !item.forwarded;
  if (!message || !young || (role !== undefined && roleRank(role) < roleRank("author"))) {
    throw chatError("invalidChatItemUpdate");
  }
}

const sameJson = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Sends something about messages to a chat's other side. */
export function deliver(user: User, chat: Chat, wires: readonly Wire[]): void {
  if (chat.contact) {
    const conn = readyConn(user, chat.contact);
    if (conn) user.post(conn, wires);
    return;
  }
  for (const { conn } of recipients(user, chat)) user.post(conn, wires);
}

/** Changes an item; gives it as its event shows it, where mentions that are gone still stand. */
function change(
  user: User,
  item: ItemRow,
  content: Json,
  live: boolean,
  mentions: Record<string, Mention> | undefined,
): Json {
  keepVersion(user, item, content);
  const wasLive = item.live === true;
  setContent(item, content);
  if (wasLive || live) item.live = live;
  else item.edited = true;
  item.updatedAt = user.now();
  if (mentions) item.mentions = mentions;
  const shown = aChatItem(user.db, item, { now: user.now() });
  if (!mentions) delete item.mentions;
  return shown;
}

/** Versions are kept from the first change on, as texts. */
function keepVersion(user: User, item: ItemRow, content: Json): void {
  if (sameJson(item.content.msgContent, content)) return;
  const createdAt = brokerTime(user.now());
  const keep = (text: string, itemVersionTs: number): ItemVersion => {
    const formattedText = formatted(text);
    const chatItemVersionId = ++user.db.lastVersionId;
    return { chatItemVersionId, text, itemVersionTs, createdAt, ...(formattedText && { formattedText }) };
  };
  item.versions ??= [keep(item.text, item.itemTs)];
  item.versions.push(keep(messageText(content), user.now()));
}

/** A peer's edit. */
export function onUpdate(user: User, source: Source, wire: UpdateMessage): void {
  const item = itemOf(user, source, wire.sharedMsgId);
  if (!item) return emitItem(user, "chatItemUpdated", addReceived(user, source, wire), true);
  if (sameJson(item.content.msgContent, wire.content) && item.live !== true) {
    return emitItem(user, "chatItemNotChanged", item);
  }
  const mentions = wire.mentions && Object.keys(wire.mentions).length > 0 ? { ...wire.mentions } : undefined;
  const chatItem = change(user, item, wire.content, wire.live ?? false, mentions);
  user.emitOf("chatItemUpdated", { chatItem });
}
