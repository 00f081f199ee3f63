import type { Composed, MsgContent } from "../data/composed.js";
import { type ChatAPIError, chatError, storeError } from "../data/errors.js";
import type { Mention, Quote } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import type { NewMessage } from "../data/wire.js";
import { type OutgoingFile, outgoingFile } from "../files/uploads.js";
import { membershipOf } from "../groups/group-rows.js";
import { type addItem, setMessage } from "../items/items.js";
import { ttlOf } from "../items/timed.js";
import { parseMarkdown } from "../text/markdown.js";
import { quoteContent, tooLarge } from "../text/sizes.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";

export interface SendOptions {
  readonly live?: boolean;
  /** Seconds; absent for the chat's own value. */
  readonly ttl?: number | undefined;
  /** Forwarding: what it was forwarded from. */
  readonly forwarded?: readonly Json[];
}

/** A message that is checked, and not stored yet; with `error` it is refused. */
export interface PreparedMessage {
  readonly item: Omit<Parameters<typeof addItem>[1], "chat">;
  readonly wire: NewMessage;
  readonly file?: OutgoingFile;
  readonly error?: ChatAPIError;
}

/** What is stored and sent of a message. */
export function prepare(
  user: User,
  chat: Chat,
  composed: Composed,
  options: SendOptions,
  forwarded: Json | undefined,
): PreparedMessage {
  const { content } = composed;
  const file = composed.file && outgoingFile(user, composed.file);
  const mentions = checkMentions(user, chat, content, composed.mentions);
  const quote = quoteOf(user, chat, content, composed.quotedItemId);
  const ttl = ttlOf(user, chat, options.ttl);
  const sharedMsgId = user.random.id();
  const wire: NewMessage = {
    kind: "message",
    sharedMsgId,
    content,
    ...(options.live && { live: true }),
    ...(ttl !== undefined && { ttl }),
    ...(forwarded && { forward: true }),
    ...(quote && { quote: wireQuote(user, chat, quote) }),
    ...(mentions && { mentions }),
    ...(file && { file: { name: file.name, size: file.size } }),
    ...(chat.supported && { scope: chat.supported.memberId }),
  };
  const error = sizeError(chat, wire, quote);
  const item = {
    sent: true,
    ...setMessage("sndMsgContent", content),
    sharedMsgId,
    more: {
      ...(options.live && { live: true }),
      ...(ttl !== undefined && { timed: { ttl } }),
      ...(quote && { quote }),
      ...(mentions && { mentions }),
      ...(forwarded && { forwarded }),
    },
  };
  return { item, wire, ...(file && { file }), ...(error && { error }) };
}

/** The error of a message that is too large for its chat. */
export function sizeError(
  chat: Chat,
  wire: Omit<NewMessage, "kind">,
  quote?: Quote,
  edit = false,
): ChatAPIError | undefined {
  const content = wire.content as MsgContent;
  const large = tooLarge(
    {
      content,
      edit,
      group: chat.group !== undefined,
      mentions: Object.keys(wire.mentions ?? {}),
      support: chat.scope !== undefined,
      live: wire.live ?? false,
      forward: wire.forward ?? false,
      ...(wire.file && { file: wire.file }),
      ...(wire.ttl !== undefined && { ttl: wire.ttl }),
      ...(quote && {
        quote: { content: quote.content as MsgContent, own: quote.sent, sentAt: timestamp(quote.sentAt) },
      }),
    },
    chat.contact !== undefined,
  );
  if (large === "compressed") return chatError("exception", { message: "large compressed message" });
  return large ? storeError("largeMsg") : undefined;
}

/** Most mentions of one message. */
const MAX_MENTIONS = 3;

/** The mentions that travel; names that the text does not mention are refused, unless it has no Markdown at all. */
export function checkMentions(
  user: User,
  { group }: Chat,
  content: MsgContent,
  given: ReadonlyMap<string, number>,
): Record<string, Mention> | undefined {
  if (given.size === 0 || !group) return undefined;
  const formatted = parseMarkdown(content.text);
  if (!formatted) return undefined;
  const members = user.db.membersOf(group.groupId);
  const mentions: Record<string, Mention> = {};
  for (const [name, groupMemberId] of given) {
    const member = members.get(groupMemberId);
    if (!member) throw storeError("groupMemberNotFound", { groupMemberId });
    mentions[name] = { memberId: member.memberId };
  }
  const inText = new Set(
    formatted.flatMap(({ format }) => (format?.type === "mention" ? [format.memberName] : [])),
  );
  const different = new Set(given.values());
  if (
    given.size > MAX_MENTIONS ||
    different.size < given.size ||
    [...given.keys()].some((name) => !inText.has(name))
  ) {
    throw storeError("invalidMention");
  }
  return mentions;
}

function quoteOf(user: User, chat: Chat, content: MsgContent, itemId: number | undefined): Quote | undefined {
  if (itemId === undefined) return undefined;
  const item = user.db.items.get(itemId);
  if (!item || item.chat !== chat.key) throw storeError("chatItemNotFound", { itemId });
  const quoted = item.content.msgContent as MsgContent | undefined;
  if (!quoted || item.deleted || item.sharedMsgId === undefined) throw storeError("invalidQuote");
  const kept = quoteContent(content, quoted) as MsgContent;
  const member = user.db.members.get(item.memberId);
  const formatted = parseMarkdown(kept.text);
  return {
    sent: item.sent,
    sharedMsgId: item.sharedMsgId,
    sentAt: item.itemTs,
    content: kept,
    ...(member && { memberId: member.memberId }),
    ...(formatted && { formattedText: formatted.map((part) => ({ ...part })) }),
  };
}

function wireQuote(user: User, { group }: Chat, quote: Quote): NonNullable<NewMessage["quote"]> {
  const memberId = group && (quote.sent ? membershipOf(user, group).memberId : quote.memberId);
  return {
    sent: quote.sent,
    sentAt: quote.sentAt,
    content: quote.content,
    ...(quote.sharedMsgId !== undefined && { sharedMsgId: quote.sharedMsgId }),
    ...(memberId !== undefined && { memberId }),
  };
}
