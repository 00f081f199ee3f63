/** An owner's message -> a command. Nothing but one complete command is a command. */
import type { ChatRef } from "../../actions/action.js";
import { type Limit, readLimit } from "../standing/limit.js";

export type OwnerCommand =
  | { kind: "approve"; number: number; chat?: ChatRef }
  | { kind: "approveAll"; chat: ChatRef; number?: number; limit?: Limit }
  | { kind: "reject"; number: number; chat?: ChatRef; reason?: string }
  /** The text as it was written, line feeds and all; without one, what was tapped stands for one to come. */
  | { kind: "edit"; number: number; chat?: ChatRef; text?: string }
  | { kind: "revoke"; chat: ChatRef }
  | { kind: "receive"; chat: ChatRef; number: number }
  | { kind: "receiveAll"; chat: ChatRef; number: number; limit?: Limit }
  | { kind: "receiveOff"; chat: ChatRef }
  | { kind: "forward"; chat: ChatRef; number: number }
  | { kind: "leave"; chat: ChatRef; code?: string }
  | { kind: "deleteFiles"; chat: ChatRef; code?: string }
  | { kind: "address"; to?: "auto" | "ask" | "off" }
  | { kind: "invite" }
  | { kind: "inviteOff" }
  | { kind: "requests" }
  /** Without a text, what was tapped stands for one to come. */
  | { kind: "answer"; number: number; text?: string }
  | { kind: "pause" }
  | { kind: "resume" }
  | { kind: "pending" }
  | { kind: "list" }
  | { kind: "help" };

/** What a text that is meant as a command turned out to be. `form` says how the command is written, in code spans. */
export type ParsedCommand = OwnerCommand | { kind: "unknown" } | { kind: "malformed"; form: string };

/**
 * The command in a message; undefined when the message is none. A command stands alone in its message; only the
 * reason of a rejection may have several lines. Case, extra blanks, and the quotation marks of a tappable command
 * (`/'approve 12'`) are forgiven.
 */
export function parseOwnerCommand(text: string): ParsedCommand | undefined {
  const edit = readEdit(text);
  if (edit) return edit;
  const [, keyword, args = ""] = /^\/\s*(\S+)(.*)$/s.exec(withoutQuotes(text.trim())) ?? [];
  if (keyword === undefined) return undefined;
  const grammar = GRAMMARS.get(keyword.toLowerCase());
  if (grammar) return grammar.read(args) ?? { kind: "malformed", form: grammar.form };
  // Paths, and texts of several lines, are no attempts at a command.
  return /^\p{L}[^/]*$/u.test(keyword) && !LINE_BREAK.test(args) ? { kind: "unknown" } : undefined;
}

interface Grammar {
  form: string;
  /** The command with what follows its keyword; undefined when that is not of its form. */
  read(args: string): OwnerCommand | undefined;
}

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;

const GRAMMARS: ReadonlyMap<string, Grammar> = new Map([
  ["approve", grammar("`/approve N`, `/approve CHAT N` or `/approve CHAT all`", readApprove)],
  [
    "reject",
    { form: "`/reject N` or `/reject CHAT N`, with a reason at the end or without", read: readReject },
  ],
  ["edit", { form: "`/edit N TEXT` or `/edit CHAT N TEXT`", read: () => undefined }],
  ["revoke", grammar("`/revoke CHAT`", readRevoke)],
  ["receive", grammar("`/receive CHAT N`, `/receive CHAT N all` or `/receive CHAT off`", readReceive)],
  ["forward", grammar("`/forward CHAT N`", readForward)],
  ["leave", grammar("`/leave CHAT`", readLeave)],
  ["delete", grammar("`/delete CHAT files`", readDelete)],
  ["address", grammar("`/address`, `/address auto`, `/address ask` or `/address off`", readAddress)],
  ["invite", grammar("`/invite` or `/invite off`", readInvite)],
  ["requests", grammar("`/requests`", (words) => alone("requests", words))],
  ["answer", { form: "`/answer N TEXT`", read: readAnswer }],
  ["pause", grammar("`/pause`", (words) => alone("pause", words))],
  ["resume", grammar("`/resume`", (words) => alone("resume", words))],
  ["pending", grammar("`/pending`", (words) => alone("pending", words))],
  ["list", grammar("`/list`", (words) => alone("list", words))],
  ["help", grammar("`/help`", (words) => alone("help", words))],
]);

/** A command whose arguments are words on one line. */
function grammar(form: string, read: (words: string[]) => OwnerCommand | undefined): Grammar {
  return {
    form,
    read: (args) => {
      if (LINE_BREAK.test(args)) return undefined;
      return read(args.toLowerCase().match(/\S+/g) ?? []);
    },
  };
}

function readApprove(words: string[]): OwnerCommand | undefined {
  const [first, second, ...more] = words;
  if (second === undefined) return withNumber(first, (number) => ({ kind: "approve", number }));
  return withChat(first, (chat) => {
    if (second === "all") return withEnd(more, (end) => ({ kind: "approveAll", chat, ...end }));
    return withNumber(second, (number) => {
      const [third, ...rest] = more;
      if (third === undefined) return { kind: "approve", number, chat };
      return third === "all"
        ? withEnd(rest, (end) => ({ kind: "approveAll", chat, number, ...end }))
        : undefined;
    });
  });
}

/** What may stand after `all`: when it ends. */
function withEnd(
  [word, ...more]: string[],
  build: (end: { limit?: Limit }) => OwnerCommand,
): OwnerCommand | undefined {
  if (word === undefined) return build({});
  const limit = more.length === 0 ? readLimit(word) : undefined;
  return limit && build({ limit });
}

function readReject(args: string): OwnerCommand | undefined {
  const [, chat, digits, reason] = /^(?:([#@]\d+)\s+)?(\d+)(?:\s+(\S.*))?$/s.exec(args.trim()) ?? [];
  const because = reason === undefined ? {} : { reason };
  return withNumber(digits, (number) =>
    chat === undefined
      ? { kind: "reject", number, ...because }
      : withChat(chat, (ref) => ({ kind: "reject", number, chat: ref, ...because })),
  );
}

/** Apart from the others, since its text counts to the last blank: what follows one blank or line feed after the number. */
function readEdit(message: string): OwnerCommand | undefined {
  const plain = /^\s*\/\s*edit\s+(?:([#@]\d+)\s+)?(\d+)(?:\s([\s\S]*))?$/i;
  const tapped = /^\s*\/\s*['‘’]\s*edit\s+(?:([#@]\d+)\s+)?(\d+)\s*['‘’](?:\s([\s\S]*))?$/i;
  const [, chat, digits, text] = plain.exec(message) ?? tapped.exec(message) ?? [];
  const words = text === undefined || text.trim() === "" ? {} : { text };
  return withNumber(digits, (number) =>
    chat === undefined
      ? { kind: "edit", number, ...words }
      : withChat(chat, (ref) => ({ kind: "edit", number, chat: ref, ...words })),
  );
}

function readAnswer(args: string): OwnerCommand | undefined {
  const [, digits, text] = /^\s*(\d+)(?:\s+(\S.*))?$/s.exec(args) ?? [];
  return withNumber(digits, (number) => ({
    kind: "answer",
    number,
    ...(text === undefined ? {} : { text }),
  }));
}

function readReceive(words: string[]): OwnerCommand | undefined {
  const [first, second, third, ...more] = words;
  return withChat(first, (chat) => {
    if (second === "off") return third === undefined ? { kind: "receiveOff", chat } : undefined;
    return withNumber(second, (number) => {
      if (third === undefined) return { kind: "receive", chat, number };
      return third === "all"
        ? withEnd(more, (end) => ({ kind: "receiveAll", chat, number, ...end }))
        : undefined;
    });
  });
}

function readForward([first, second, ...more]: string[]): OwnerCommand | undefined {
  if (more.length > 0) return undefined;
  return withChat(first, (chat) => withNumber(second, (number) => ({ kind: "forward", chat, number })));
}

function readRevoke([first, ...more]: string[]): OwnerCommand | undefined {
  return more.length > 0 ? undefined : withChat(first, (chat) => ({ kind: "revoke", chat }));
}

function readLeave([first, ...more]: string[]): OwnerCommand | undefined {
  return withCode(more, (code) => withChat(first, (chat) => ({ kind: "leave", chat, ...code })));
}

function readDelete([first, second, ...more]: string[]): OwnerCommand | undefined {
  if (second !== "files") return undefined;
  return withCode(more, (code) => withChat(first, (chat) => ({ kind: "deleteFiles", chat, ...code })));
}

/** The word by which the server was told before which chat is meant. */
function withCode([code, ...more]: string[], build: Build<{ code?: string }>): OwnerCommand | undefined {
  if (code === undefined) return build({});
  return more.length === 0 && /^[a-z]{5}$/.test(code) && code !== "files" ? build({ code }) : undefined;
}

function readAddress([first, ...more]: string[]): OwnerCommand | undefined {
  if (first === undefined) return { kind: "address" };
  const to = (["auto", "ask", "off"] as const).find((word) => word === first);
  return to === undefined || more.length > 0 ? undefined : { kind: "address", to };
}

function readInvite([first, ...more]: string[]): OwnerCommand | undefined {
  if (first === undefined) return { kind: "invite" };
  return first === "off" && more.length === 0 ? { kind: "inviteOff" } : undefined;
}

function alone(
  kind: "requests" | "pause" | "resume" | "pending" | "list" | "help",
  words: string[],
): OwnerCommand | undefined {
  return words.length > 0 ? undefined : { kind };
}

type Build<Argument> = (argument: Argument) => OwnerCommand | undefined;

/** Action numbers as the cards write them: no sign, no leading zero, and no more than a double holds exactly. */
function withNumber(word: string | undefined, build: Build<number>): OwnerCommand | undefined {
  const number = word !== undefined && /^[1-9]\d*$/.test(word) ? Number(word) : Number.NaN;
  return Number.isSafeInteger(number) ? build(number) : undefined;
}

function withChat(word: string | undefined, build: Build<ChatRef>): OwnerCommand | undefined {
  return withNumber(word?.slice(1), (id) => {
    if (word?.startsWith("@")) return build(`@${id}`);
    return word?.startsWith("#") ? build(`#${id}`) : undefined;
  });
}

/** `/'approve 12'` is how the cards write a command; typed or copied it means the same. */
function withoutQuotes(text: string): string {
  const bare = text.replace(/^(\/\s*)['‘’](.*)['‘’]$/s, "$1$2");
  // A reason may stand after it.
  return bare === text ? text.replace(/^(\/\s*)['‘’]([^'‘’]*)['‘’](?=\s)/, "$1$2") : bare;
}
