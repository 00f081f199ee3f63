import type { ZodError } from "zod";
import { fieldOf, oneLine } from "../api/json.js";

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
    // The library's own error class without the core's JSON: one answer that it could not parse.
    const libraryFailed = !(typeof thrown === "object" && thrown !== null && "chatError" in thrown);
    return new CoreError(command, oneLine(reason), { libraryFailed, cause: thrown });
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

/** Errors whose `message` is the core's own words; in others it is a file name or the like. */
const WORDED = ["commandError", "exception", "internalError", "dBException", "fileWrite", "fileCancel"];

/** What failed inside of the agent, in its own words. */
export function agentFailure({ criticalErr, internalErr }: ChatErrorJson): string | undefined {
  const failure = criticalErr ?? internalErr;
  return typeof failure === "string" ? failure : undefined;
}

function reasonOf(chatError: ChatErrorJson, command: string): string {
  const inner = innermost(chatError);
  const { type, message } = inner;
  if (type === "commandError" && message === "Failed reading: empty") return `${command} was not understood`;
  if (WORDED.includes(type) && typeof message === "string" && message !== "") return oneLine(message);
  const failure = agentFailure(inner);
  if (failure !== undefined && failure !== "") return oneLine(failure);
  const tags = errorPath(chatError).split("/");
  const reason = tags
    .slice(tags.length > 1 ? 1 : 0)
    .map(words)
    .join(" ");
  const host = hostOf(chatError);
  return host ? `${reason} at ${host}` : reason;
}

/** The host of the server that an agent error is about. */
function hostOf(chatError: ChatErrorJson): string | undefined {
  const agentError = fieldOf(chatError, "agentError");
  const address = fieldOf(agentError, "serverAddress") ?? fieldOf(agentError, "brokerAddress");
  return typeof address === "string" ? /@([^,:/]+)/.exec(address)?.[1] : undefined;
}

/** `groupLinkNotFound` as words; tags in capitals stay. */
function words(tag: string): string {
  return /^[a-z]/.test(tag) ? tag.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : tag;
}

function asTagged(value: unknown): ChatErrorJson | undefined {
  const type = fieldOf(value, "type");
  return typeof type === "string" ? { ...(value as object), type } : undefined;
}
