import type { ItemRow, Mention, Quote } from "../data/item-rows.js";
import type { ContactRow, GroupRow, Json, MemberRow } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import type { NewMessage, UpdateMessage, WireQuote } from "../data/wire.js";
import { isReceivable, offerFile } from "../files/offered-files.js";
import { groupChat, membershipOf } from "../groups/group-rows.js";
import { addItem, emitItems, RCV_NEW, setMessage } from "../items/items.js";
import { countSupport } from "../items/support-chats.js";
import { memberJson } from "../json/group-json.js";
import { directChat } from "../people/contacts.js";
import { parseMarkdown } from "../text/markdown.js";
import type { User } from "../user/user.js";

/** Where a message came from. */
export interface Source {
  readonly contact?: ContactRow;
  readonly group?: GroupRow;
  /** The author. */
  readonly member?: MemberRow;
  /** The server's time, or the time that the forwarder states. */
  readonly at: number;
  /** The host that forwarded it. */
  readonly forwardedBy?: MemberRow;
}

/** Members may mention this many at most. */
const MAX_MENTIONS = 5;

export const chatOf = ({ contact, group }: Source): string =>
  contact ? directChat(contact) : group ? groupChat(group) : "";

/** The support chat that a message belongs to: 0 for ours. */
function scopeOf(user: User, source: Source, scope: string | undefined): number | undefined {
  if (scope === undefined || !source.group) return undefined;
  const member = user.db.memberByMemberId(source.group.groupId, scope);
  if (!member) return undefined;
  return member.groupMemberId === source.group.membershipId ? 0 : member.groupMemberId;
}

/** A new message; false when it was there already. */
export function onMessage(user: User, source: Source, wire: NewMessage): boolean {
  if (user.db.itemByShared(chatOf(source), wire.sharedMsgId)) return false;
  if (wire.file && !isReceivable(wire.file)) return false;
  if (source.contact) source.contact.chatDeleted = false;
  const { member } = source;
  // The author shows as read before the message was counted in its support chat.
  const author = member?.supportChat && memberJson(user.db, member, true);
  emitItems(user, [addReceived(user, source, wire, wire.quote)], { author });
  return true;
}

/** Stores a received message, without an event. */
export function addReceived(
  user: User,
  source: Source,
  wire: NewMessage | UpdateMessage,
  wireQuote?: WireQuote,
): ItemRow {
  const quote = wireQuote && quoteOf(user, source, wireQuote);
  const mentions = keptMentions(wire.mentions);
  const forward = wire.kind === "message" && wire.forward;
  const item = addItem(user, {
    chat: chatOf(source),
    scope: scopeOf(user, source, wire.scope),
    sent: false,
    memberId: source.member?.groupMemberId,
    ...setMessage("rcvMsgContent", wire.content),
    status: RCV_NEW,
    itemTs: source.at,
    sharedMsgId: wire.sharedMsgId,
    more: {
      userMention: isMentioned(user, source, mentions, quote),
      ...(wire.live && { live: true }),
      ...(wire.ttl !== undefined && { timed: { ttl: wire.ttl } }),
      ...(forward && { forwarded: { type: "unknown" } }),
      ...(quote && { quote }),
      ...(mentions && { mentions }),
      ...(source.forwardedBy && { forwardedByMember: source.forwardedBy.groupMemberId }),
      ...(source.member?.blockedByAdmin && {
        deleted: { type: "blockedByAdmin", deletedTs: timestamp(user.now()) },
      }),
    },
  });
  if (wire.kind === "message" && wire.file) offerFile(user, item, wire.file);
  countSupport(user.db, item);
  return item;
}

function keptMentions(given: NewMessage["mentions"]): Record<string, Mention> | undefined {
  const kept = Object.entries(given ?? {}).slice(0, MAX_MENTIONS);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isMentioned(
  user: User,
  { group }: Source,
  mentions: Record<string, Mention> | undefined,
  quote: Quote | undefined,
): boolean {
  if (!group) return false;
  const { memberId } = membershipOf(user, group);
  return (
    quote?.sent === true || Object.values(mentions ?? {}).some((mention) => mention.memberId === memberId)
  );
}

function quoteOf(user: User, source: Source, wire: WireQuote): Quote {
  const ours = source.group ? wire.memberId === membershipOf(user, source.group).memberId : !wire.sent;
  const text = wire.content.text;
  const formatted = typeof text === "string" ? parseMarkdown(text) : undefined;
  return {
    sent: ours,
    sentAt: wire.sentAt,
    content: wire.content,
    ...(wire.sharedMsgId !== undefined && { sharedMsgId: wire.sharedMsgId }),
    ...(!ours && wire.memberId !== undefined && { memberId: wire.memberId }),
    ...(formatted && { formattedText: formatted.map((part): Json => ({ ...part })) }),
  };
}

/** The item that a peer's edit, deletion or reaction is about; only its author may change it. */
export function itemOf(user: User, source: Source, sharedMsgId: string): ItemRow | undefined {
  const item = user.db.itemByShared(chatOf(source), sharedMsgId);
  return item && !item.sent && item.memberId === source.member?.groupMemberId ? item : undefined;
}
