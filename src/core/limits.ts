/** What fits and what is allowed, so that it can be said before the core refuses it. */
import type { ChatItem, Contact, GroupMember } from "./types.js";

/** Most bytes of the JSON of one message as it travels. Observed: 15602 pass, 15603 fail. */
const MESSAGE_BYTES = 15602;

/** Message and member ids always have 24 characters on the wire. */
const ID = "x".repeat(24);

/** The content of a message, as it is given to the core. */
type Content = { type: string; text: string; [key: string]: unknown };

/** A message, as far as its size depends on it. */
export interface MessageSize {
  chat: "direct" | "group";
  content: Content;
  /** A change of a message; it carries neither the quote nor the file. */
  edit?: boolean;
  /** Names of mentioned members, as they stand in the text. */
  mentions?: readonly string[];
  quote?: Quote;
  file?: { name: string; size: number };
  /** Seconds after which messages of the chat disappear, where that is on. */
  ttl?: number;
  live?: boolean;
}

/** A quoted message. `sentAt` is its `itemTs` as the core gives it, `own` whether we wrote it. */
export interface Quote {
  content: Content;
  sentAt: string;
  own: boolean;
  fileName?: string;
}

export function quoteOf(item: ChatItem): Quote | undefined {
  if (!("msgContent" in item.content)) return undefined;
  return {
    content: item.content.msgContent,
    sentAt: item.meta.itemTs,
    own: item.content.type === "sndMsgContent",
    fileName: item.file?.fileName,
  };
}

/**
 * By how many bytes a message is too long; 0 when it fits. In direct chats the core compresses what is over 13380
 * bytes, and texts near the limit that do not compress can still be refused.
 */
export function bytesTooLong(message: MessageSize): number {
  return Math.max(0, -bytesLeft(message));
}

/** By how many bytes a message may still grow; negative when it is too long. */
export function bytesLeft(message: MessageSize): number {
  return MESSAGE_BYTES - wireBytes(wireMessage(message));
}

/** The message as the core encodes it; the order of keys does not change its size. */
function wireMessage({ chat, content, edit, mentions, quote, file, ttl, live }: MessageSize): object {
  const params = {
    content,
    ...(edit && { msgId: ID }),
    ...(edit && chat === "group" && { asGroup: false }),
    ...(mentions?.length && {
      mentions: Object.fromEntries(mentions.map((name) => [name, { memberId: ID }])),
    }),
    ...(quote && !edit && { quote: wireQuote(chat, content, quote) }),
    ...(file && !edit && { file: wireFile(file) }),
    ...(ttl !== undefined && { ttl }),
    ...(live && { live }),
  };
  return { v: "1-19", msgId: ID, event: edit ? "x.msg.update" : "x.msg.new", params };
}

function wireQuote(chat: "direct" | "group", content: Content, quote: Quote): object {
  const member = chat === "group" ? { memberId: ID } : {};
  return {
    content: quotedContent(content, quote),
    msgRef: { ...member, msgId: ID, sent: quote.own, sentAt: quote.sentAt },
  };
}

/** Messages that may be large themselves quote only text; files without a text are quoted by their name. */
function quotedContent(content: Content, quote: Quote): Content {
  const text = quote.content.text || (quote.fileName ?? "");
  if (!["text", "file", "voice"].includes(content.type)) return { type: "text", text };
  return ["image", "file"].includes(quote.content.type) ? { ...quote.content, text } : quote.content;
}

function wireFile({ name, size }: { name: string; size: number }): object {
  const fileDescr = { fileDescrText: "", fileDescrPartNo: 0, fileDescrComplete: false };
  return { fileName: name, fileSize: size, fileDescr };
}

/**
 * Bytes of the JSON. Without recursion: a peer's message that is quoted may be deeper than that takes. The core writes
 * backspace and form feed as six bytes, JavaScript as two.
 */
function wireBytes(value: object): number {
  let bytes = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== "object" || part === null) {
      bytes += plainBytes(part);
      continue;
    }
    const members = Object.entries(part).filter(([, member]) => member !== undefined);
    // Brackets and commas, and keys with their colons.
    bytes += 2 + Math.max(0, members.length - 1);
    for (const [key, member] of members) {
      if (!Array.isArray(part)) bytes += plainBytes(key) + 1;
      left.push(member);
    }
  }
  return bytes;
}

function plainBytes(part: unknown): number {
  const long = typeof part === "string" ? part.replace(/[\b\f]/g, "\u0001") : part;
  return Buffer.byteLength(JSON.stringify(long));
}

/**
 * Bytes of a message with a connection request that always fit: the request is JSON of at most 10968 bytes, beyond
 * which it is compressed and may still be refused, less what the profile and the rest of it take.
 */
const REQUEST_MESSAGE_BYTES = 10_000;

/** By how many bytes a message is too long to go with a connection request; 0 when it fits. */
export function requestBytesTooLong(text: string): number {
  return Math.max(0, wireBytes({ text }) - wireBytes({ text: "" }) - REQUEST_MESSAGE_BYTES);
}

/** Roles in ascending order. */
export const ROLES = ["relay", "observer", "author", "member", "moderator", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

const ORDER: readonly string[] = ROLES;

/** Others are text of a peer, or of a newer core. */
export function isRole(role: string): role is Role {
  return ORDER.includes(role);
}

/** A role that only newer cores know is below all others. */
export function roleAtLeast(role: string, least: Role): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(least);
}

const PENDING = ["pending_approval", "pending_review"];
const CONNECTED = ["connected", "complete", "creator"];
const CONNECTING = ["introduced", "intro-inv", "accepted", "announced"];

type WithStatus = Pick<GroupMember, "memberStatus">;

/** Counts as a member: gets the messages of the group, now or once connected. */
export function isCurrent({ memberStatus }: WithStatus): boolean {
  return CONNECTED.includes(memberStatus) || CONNECTING.includes(memberStatus);
}

/** Can be written to, if only in its support chat. */
export function isActive({ memberStatus }: WithStatus): boolean {
  return CONNECTED.includes(memberStatus) || PENDING.includes(memberStatus);
}

/** Waits for the admins of the group to let it in. */
export function isPending({ memberStatus }: WithStatus): boolean {
  return PENDING.includes(memberStatus);
}

/** After so many refusals by its server the core gives a contact up. */
const AUTH_ERRORS = 10;

export function canSendToContact({ activeConn, contactStatus }: Contact): boolean {
  if (!activeConn || contactStatus !== "active" || activeConn.authErrCounter >= AUTH_ERRORS) return false;
  return ["ready", "sndReady"].includes(activeConn.connStatus.type);
}

interface WithMembership {
  membership: Pick<GroupMember, "memberStatus" | "memberRole">;
}

/** We are in the group and connected to it, whatever our role. */
export function isConnectedGroup({ membership }: WithMembership): boolean {
  return CONNECTED.includes(membership.memberStatus);
}

export function canSendToGroup(group: WithMembership): boolean {
  return isConnectedGroup(group) && roleAtLeast(group.membership.memberRole, "author");
}

/** How long a message can be edited after its `itemTs`. */
export const EDIT_WINDOW_MS = 24 * 3600 * 1000;

/** The core's own `editable` is of the moment the item was read, so the age is looked at again. */
export function canEdit({ meta }: Pick<ChatItem, "meta">, now: number): boolean {
  return meta.editable && now < Date.parse(meta.itemTs) + EDIT_WINDOW_MS;
}
