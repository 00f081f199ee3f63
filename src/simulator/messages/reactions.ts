import type { CoreJson } from "../../core/api/chat-api.js";
import { commandError, unparsable } from "../data/errors.js";
import type { ItemRow, Reaction } from "../data/item-rows.js";
import { parseObject } from "../data/parsed.js";
import type { Json } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import type { ReactionMessage } from "../data/wire.js";
import { membershipOf } from "../groups/group-rows.js";
import { contactFeatureEnabled } from "../json/contact-preferences.js";
import { memberJson } from "../json/group-json.js";
import { groupFeatureAllowed } from "../json/group-preferences.js";
import { chatInfo, itemJson } from "../json/item-json.js";
import { sidesOf } from "../json/json.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";
import { deliver, itemIn } from "./edits.js";
import { chatOf, type Source } from "./incoming.js";

const EMOJI = new Set(["👍", "👎", "😀", "😂", "😢", "❤", "🚀", "✅"]);

/** Reactions of one's own on one item. */
const MAX_REACTIONS = 3;

/** `{"type":"emoji","emoji":"👍"}`: other emoji do not parse. */
export function parseReaction(text: string): Json {
  const { type, emoji } = parseObject(text);
  const plain = typeof emoji === "string" ? emoji.replace(/\ufe0f$/, "") : "";
  if (type !== "emoji" || !EMOJI.has(plain)) throw unparsable();
  return { type, emoji: plain };
}

/** Two that say the same, whatever they say. */
const isSame = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

/** `/_reaction` */
export function react(user: User, chat: Chat, itemId: number, add: boolean, reaction: Json): CoreJson {
  const item = itemIn(user, chat, itemId);
  if (item.sharedMsgId === undefined)
    throw commandError(chat.contact ? "reaction not possible - no shared item ID" : "invalid reaction");
  if (!allowed(user, chat)) throw commandError("feature not allowed Message reactions");
  if (!takesReactions(item)) throw commandError("reaction not allowed - chat item has no content");
  const mine = (item.reactions ?? []).filter(({ by }) => by === "");
  const there = mine.some((one) => isSame(one.reaction, reaction));
  if (add && there) throw commandError("reaction already added");
  if (!add && !there) throw commandError("reaction already removed");
  if (add && mine.length >= MAX_REACTIONS) throw commandError("too many reactions");
  item.reactions = changed(item.reactions, { reaction, by: "", at: user.now() }, add);
  const author =
    chat.group && (item.sent ? membershipOf(user, chat.group) : user.db.members.get(item.memberId));
  const wire: ReactionMessage = {
    kind: "reaction",
    sharedMsgId: item.sharedMsgId,
    reaction: user.network.faults.takeReaction(user.database) ?? reaction,
    add,
    ...(author && { memberId: author.memberId }),
    ...(chat.supported && { scope: chat.supported.memberId }),
  };
  deliver(user, chat, [wire]);
  const chatDir = { type: chat.contact ? "directSnd" : "groupSnd" };
  return user.answer("chatItemReaction", {
    added: add,
    reaction: reactionJson(user, item, chatDir, reaction, user.now()),
  });
}

function allowed(user: User, { contact, group }: Chat): boolean {
  if (contact) return contactFeatureEnabled("reactions", sidesOf(user.db, contact));
  return (
    group === undefined ||
    groupFeatureAllowed(group.profile, "reactions", membershipOf(user, group).memberRole)
  );
}

const takesReactions = ({ content, deleted }: ItemRow): boolean =>
  "msgContent" in content && deleted === undefined;

function changed(given: readonly Reaction[] = [], one: Reaction, add: boolean): Reaction[] {
  const rest = given.filter(({ by, reaction }) => by !== one.by || !isSame(reaction, one.reaction));
  return add ? [...rest, one] : rest;
}

function reactionJson(user: User, item: ItemRow, chatDir: Json, reaction: Json, at: number): Json {
  return {
    chatInfo: chatInfo(user.db, item.chat, item.scope),
    chatReaction: {
      chatDir,
      chatItem: itemJson(user.db, item, { now: user.now() }),
      sentAt: timestamp(at),
      reaction,
    },
  };
}

/** A peer's reaction. */
export function onReaction(user: User, source: Source, wire: ReactionMessage): void {
  const { db } = user;
  const chat = chatOf(source);
  const item = db.itemByShared(chat, wire.sharedMsgId);
  const { member } = source;
  const one = { reaction: wire.reaction, by: member?.memberId ?? "contact", at: source.at };
  if (!item)
    return db.earlyReactions.change(chat, wire.sharedMsgId, (early) => changed(early, one, wire.add));
  if (!takesReactions(item)) return;
  item.reactions = changed(item.reactions, one, wire.add);
  const chatDir = member
    ? { type: "groupRcv", groupMember: memberJson(user.db, member, true) }
    : { type: "directRcv" };
  user.emitOf("chatItemReaction", {
    added: wire.add,
    reaction: reactionJson(user, item, chatDir, wire.reaction, source.at),
  });
}

/** `/_reaction members` */
export function reactionMembers(user: User, chat: Chat, itemId: number, wanted: Json): CoreJson {
  const item = itemIn(user, chat, itemId);
  const { group } = chat;
  const memberReactions = (item.reactions ?? []).flatMap(({ reaction, by, at }) => {
    const member =
      group && (by === "" ? membershipOf(user, group) : user.db.memberByMemberId(group.groupId, by));
    if (!isSame(reaction, wanted) || !member) return [];
    return [{ groupMember: memberJson(user.db, member, true), reactionTs: timestamp(at) }];
  });
  return user.answer("reactionMembers", { memberReactions });
}
