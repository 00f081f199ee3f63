import type { ZodError } from "zod";

/** The core's account of an error: nested tagged objects, read only where a question asks about them. */
export interface ChatErrorJson {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An error of the SimpleX core: it refused a command, failed, or gave an answer that cannot be read. */
export class CoreError extends Error {
  override readonly name = "CoreError";
  /** The first words of the command, such as `/_get chat`, or the event; never arguments. */
  readonly command: string;
  /** The core's JSON; undefined when the library failed or the answer could not be read. */
  readonly chatError: ChatErrorJson | undefined;
  /** The library itself failed: no later command can be trusted to work. */
  readonly libraryFailed: boolean;

  constructor(
    command: string,
    reason: string,
    details: { chatError?: ChatErrorJson; libraryFailed?: boolean; cause?: unknown } = {},
  ) {
    super(`SimpleX core: ${reason}`, { cause: details.cause });
    this.command = command;
    this.chatError = details.chatError;
    this.libraryFailed = details.libraryFailed ?? false;
  }

  /** What `sendChatCmd` threw. */
  static from(command: string, thrown: unknown): CoreError {
    if (thrown instanceof CoreError) return thrown;
    const chatError = asTagged(fieldOf(thrown, "chatError"));
    if (chatError) return new CoreError(command, reasonOf(chatError, command), { chatError, cause: thrown });
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return new CoreError(command, oneLine(reason), { libraryFailed: true, cause: thrown });
  }

  /** The plan of a link can be an error, too. */
  static ofPlan(chatError: unknown): CoreError {
    const known = asTagged(chatError) ?? { type: "unknown" };
    return new CoreError("/_connect plan", reasonOf(known, "/_connect plan"), { chatError: known });
  }

  static unexpected(command: string, answer: string): CoreError {
    return new CoreError(command, `unexpected answer ${oneLine(answer)} to ${command}`);
  }

  static unreadable(source: string, cause: ZodError): CoreError {
    const where = cause.issues[0]?.path.join(".") ?? "";
    return new CoreError(source, `${source} could not be read${where ? ` at ${where}` : ""}`, { cause });
  }
}

/** The command's own words: `/_get chat #3 count=1` is `/_get chat`. */
export function commandName(command: string): string {
  return (
    /^\/\w+(?: (?:user|chats?|items?|info|custom|link|role|plan|contact|group|agent))*(?= |$)/.exec(
      command,
    )?.[0] ?? ""
  );
}

/** Keys under which the core nests the part of an error that says more. */
const INNER = [
  "errorType",
  "storeError",
  "databaseError",
  "agentError",
  "smpErr",
  "nameErr",
  "brokerErr",
  "xftpErr",
];

/** The tags from the outside in: `errorAgent/SMP/NAME/NOT_FOUND`. */
export function errorPath(chatError: ChatErrorJson): string {
  const inner = innerOf(chatError);
  return inner ? `${chatError.type}/${errorPath(inner)}` : chatError.type;
}

/** The part of the error that says most. */
export function innermost(chatError: ChatErrorJson): ChatErrorJson {
  const inner = innerOf(chatError);
  return inner ? innermost(inner) : chatError;
}

function innerOf(chatError: ChatErrorJson): ChatErrorJson | undefined {
  for (const key of INNER) {
    const inner = asTagged(chatError[key]);
    if (inner) return inner;
  }
  return undefined;
}

function reasonOf(chatError: ChatErrorJson, command: string): string {
  const { type, message } = innermost(chatError);
  if (type === "commandError" && message === "Failed reading: empty") return `${command} was not understood`;
  if (typeof message === "string" && message !== "") return oneLine(message);
  return errorPath(chatError).split("/").slice(1).map(words).join(" ") || words(chatError.type);
}

/** `groupLinkNotFound` as words; tags in capitals stay. */
function words(tag: string): string {
  return /^[a-z]/.test(tag) ? tag.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : tag;
}

/** Long enough for every message of the core, short enough for a line. */
const REASON_LENGTH = 300;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > REASON_LENGTH ? `${line.slice(0, REASON_LENGTH - 1)}…` : line;
}

function asTagged(value: unknown): ChatErrorJson | undefined {
  const type = fieldOf(value, "type");
  return typeof type === "string" ? { ...(value as object), type } : undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
