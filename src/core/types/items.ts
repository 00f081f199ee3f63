import { z } from "zod";
import { CIFile } from "./files.js";
import { GroupMember } from "./groups.js";
import { MsgContent } from "./messages.js";
import { openUnion } from "./open-union.js";
import { each, optionalText, text } from "./tolerant.js";

/** Who wrote an item: `…Snd` is us, `…Rcv` the other side, `channelRcv` a channel or an unknown author. */
export const ChatDir = openUnion(
  z.object({ type: z.literal("directSnd") }),
  z.object({ type: z.literal("directRcv") }),
  z.object({ type: z.literal("groupSnd") }),
  z.object({ type: z.literal("groupRcv"), groupMember: GroupMember }),
  z.object({ type: z.literal("channelRcv") }),
  z.object({ type: z.literal("localSnd") }),
  z.object({ type: z.literal("localRcv") }),
);
export type ChatDir = z.infer<typeof ChatDir>;

/** What happened in a group; of a changed role, whose. Of another shape it is none: a history does not fail for it. */
const GroupEvent = z
  .object({ type: z.string(), groupMemberId: z.number().optional() })
  .optional()
  .catch(undefined);

/** Messages carry their content; everything else is an event of which `meta.itemText` says enough. */
export const ChatItemContent = openUnion(
  z.object({ type: z.literal("rcvMsgContent"), msgContent: MsgContent }),
  z.object({ type: z.literal("sndMsgContent"), msgContent: MsgContent }),
  z.object({ type: z.literal("rcvGroupEvent"), rcvGroupEvent: GroupEvent }),
  z.object({ type: z.literal("sndGroupEvent"), sndGroupEvent: GroupEvent }),
  z.object({
    type: z.literal("rcvGroupInvitation"),
    groupInvitation: z.object({ groupId: z.number() }),
    memberRole: text,
  }),
  /** Of an item that cannot be read; `tag` is what the core says it is. */
  z.object({ type: z.literal("unreadable"), tag: z.string() }),
);
export type ChatItemContent = z.infer<typeof ChatItemContent>;

export const ItemMeta = z.object({
  /** One number space for all chats of the database. */
  itemId: z.number(),
  /** ISO 8601 UTC with up to 12 fraction digits: broker time of received items, our clock for own ones. */
  itemTs: text,
  itemText: text,
  /** `rcvNew` (unread), `rcvRead`, `sndNew`, `sndSent`, … */
  itemStatus: z.object({ type: z.string() }),
  /** The message, the same for everybody; events have none. */
  itemSharedMsgId: z.string().optional(),
  itemForwarded: z.object({ type: z.string() }).optional(),
  /** The member that passed it on, where it did not come from its author directly. */
  forwardedByMember: z.number().optional(),
  /** `deleted`, `moderated`, `blocked`, `blockedByAdmin`; the content is still there. */
  itemDeleted: z.object({ type: z.string() }).optional(),
  itemEdited: z.boolean().default(false),
  /** Being typed: the text is not final. */
  itemLive: z.boolean().optional(),
  /** We are mentioned or quoted. */
  userMention: z.boolean().default(false),
  editable: z.boolean().default(false),
  createdAt: z.string(),
});
export type ItemMeta = z.infer<typeof ItemMeta>;

export const CIQuote = z.object({
  /** From our view: `groupSnd` and `directSnd` are our own message; absent when the author is unknown. */
  chatDir: ChatDir.optional().catch(undefined),
  /** Absent when we do not have the quoted message. */
  itemId: z.number().optional().catch(undefined),
  sentAt: text,
  content: MsgContent,
});
export type CIQuote = z.infer<typeof CIQuote>;

export const CIMention = z.object({
  memberId: z.string(),
  memberRef: z.object({ groupMemberId: z.number(), displayName: z.string() }).optional().catch(undefined),
});
export type CIMention = z.infer<typeof CIMention>;

/** Given back by the core as the peer wrote it: any JSON. */
export const Reaction = z
  .object({ type: z.string().catch("unknown"), emoji: optionalText })
  .catch({ type: "unknown" });

export const CIReaction = z.object({
  reaction: Reaction,
  userReacted: z.boolean(),
  totalReacted: z.number(),
});
export type CIReaction = z.infer<typeof CIReaction>;

const Mentions = z
  .record(z.string(), CIMention.optional().catch(undefined))
  .transform((all) => {
    const known = Object.entries(all).flatMap(([name, mention]) =>
      mention ? [[name, mention] as const] : [],
    );
    return Object.fromEntries(known);
  })
  .catch({});

const WholeItem = z.object({
  chatDir: ChatDir,
  meta: ItemMeta,
  content: ChatItemContent,
  /** By the name as it stands in the text. */
  mentions: Mentions,
  quotedItem: CIQuote.optional().catch(undefined),
  reactions: each(CIReaction),
  file: CIFile.optional().catch(undefined),
});

/** What is needed to pass an item over and to mark it as read. */
const ItemRow = z.object({
  chatDir: ChatDir.catch({ type: "unknown", tag: "unreadable" }),
  meta: z.object({
    itemId: z.number(),
    itemTs: text,
    itemStatus: z.object({ type: z.string() }).catch({ type: "unknown" }),
    createdAt: text,
  }),
  content: z.object({ type: text }).catch({ type: "" }),
});

/** One that cannot be read is of the content `unreadable`, and fails no other. */
export const ChatItem = z.unknown().transform((json, context): z.infer<typeof WholeItem> => {
  const whole = WholeItem.safeParse(json);
  if (whole.success) return whole.data;
  const row = ItemRow.safeParse(json);
  if (row.success) return unreadableItem(row.data);
  for (const issue of whole.error.issues) context.addIssue({ ...issue, code: "custom" });
  return z.NEVER;
});
export type ChatItem = z.infer<typeof WholeItem>;

function unreadableItem({ chatDir, meta, content }: z.infer<typeof ItemRow>): ChatItem {
  return {
    chatDir,
    meta: { ...meta, itemText: "unreadable", itemEdited: false, userMention: false, editable: false },
    content: { type: "unreadable", tag: content.type },
    mentions: {},
    reactions: [],
  };
}
