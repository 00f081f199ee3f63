/**
 * The size of a message on the wire, as the core counts it: the exact JSON, uncompressed, may have 15602 bytes.
 * Measured against the recordings; the product's own sums are written apart from these on purpose.
 */
import { deflateRawSync } from "node:zlib";

const MAX_MESSAGE = 15602;
const MAX_COMPRESSED = 13380;

/** 12 random bytes, base64 twice: as long as every message id and member id. */
const ANY_ID = "x".repeat(24);
const ANY_TIME = "2026-01-01T00:00:00.000000000Z";

/** The `msgContent` of a message: any JSON with a type. */
export interface WireContent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface WireMessage {
  content: WireContent;
  /** An edit leaves out the quote, the file and the forward mark by itself. */
  edit?: boolean;
  /** Groups name members in quotes and say in edits that they are not sent as the group. */
  group: boolean;
  /** The names that are mentioned, as they stand in the text. */
  mentions?: readonly string[];
  quote?: { content: WireContent; own: boolean /** The `itemTs` of the quoted item. */; sentAt: string };
  /** In a support chat, ours or a member's. */
  support?: boolean;
  live?: boolean;
  forward?: boolean;
  /** Seconds until it disappears. */
  ttl?: number;
  file?: { name: string; size: number };
}

/** What the core refuses to send: see `tooLargeError`. */
export type TooLarge = "message" | "compressed";

/** Whether the message is too large for a chat; `pq` = its connection compresses (direct chats). */
export function tooLarge(message: WireMessage, pq: boolean): TooLarge | undefined {
  const json = wireJson(message);
  const size = Buffer.byteLength(json);
  if (size > MAX_MESSAGE) return "message";
  if (!pq || size <= MAX_COMPRESSED) return undefined;
  // The core compresses with zstd; on texts near the limit deflate comes out within a few hundred bytes of it.
  return deflateRawSync(json).length > MAX_COMPRESSED ? "compressed" : undefined;
}

/** Bytes of the message's JSON. */
export function wireSize(message: WireMessage): number {
  return Buffer.byteLength(wireJson(message));
}

/** Whether a host can pass a group's message on: with what that adds. */
export function canBePassedOn(message: WireMessage, author: string): boolean {
  const params = { memberId: ANY_ID, memberName: author, msg: wireParts(message), msgTs: ANY_TIME };
  const json = coreJson({ v: "1-19", event: "x.grp.msg.forward", params });
  return Buffer.byteLength(json) <= MAX_MESSAGE;
}

const wireJson = (message: WireMessage): string => coreJson(wireParts(message));

function wireParts(message: WireMessage): object {
  const { content, edit = false, group, mentions = [], live = false, ttl, support = false } = message;
  const changes = {
    content,
    ...(mentions.length > 0 && {
      mentions: Object.fromEntries(mentions.map((name) => [name, { memberId: ANY_ID }])),
    }),
    ...(ttl !== undefined && { ttl }),
    ...(live && { live }),
    ...(support && { scope: { memberId: ANY_ID, type: "member" } }),
  };
  const params = edit
    ? { ...changes, msgId: ANY_ID, ...(group && { asGroup: false }) }
    : { ...changes, ...newMessageParams(message) };
  const event = edit ? "x.msg.update" : "x.msg.new";
  return { v: "1-19", msgId: ANY_ID, event, params };
}

function newMessageParams({ group, quote, forward = false, file }: WireMessage): object {
  return {
    ...(quote !== undefined && {
      quote: {
        content: quote.content,
        msgRef: {
          ...(group && { memberId: ANY_ID }),
          msgId: ANY_ID,
          sent: quote.own,
          sentAt: quote.sentAt,
        },
      },
    }),
    ...(forward && { forward }),
    ...(file !== undefined && {
      file: {
        fileDescr: { fileDescrComplete: false, fileDescrPartNo: 0, fileDescrText: "" },
        fileName: file.name,
        fileSize: file.size,
      },
    }),
  };
}

/** The core's JSON escapes backspace and form feed with six bytes where `JSON.stringify` needs two. */
function coreJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:b|f|(.))/g, (escaped, other?: string) =>
    other === undefined ? "\\u0000" : escaped,
  );
}

const KEEPS_QUOTED_PICTURE = new Set(["text", "file", "voice", "report"]);

/**
 * The content of a quote: the whole quoted content, without the picture when the new message carries data of its
 * own; the file's name where the quoted message has no text.
 */
export function quoteContent(content: WireContent, quoted: WireContent, quotedFile?: string): WireContent {
  const text = typeof quoted.text === "string" && quoted.text !== "" ? quoted.text : (quotedFile ?? "");
  if (!KEEPS_QUOTED_PICTURE.has(content.type)) return { type: "text", text };
  if (quoted.type === "image" || quoted.type === "file") return { ...quoted, text };
  return quoted;
}
