/** What a caught error means. Every question takes whatever was thrown. */
import { ZodError } from "zod";
import { agentFailure, CoreError, errorPath, innermost } from "./core-error.js";

function pathOf(error: unknown): string {
  return error instanceof CoreError && error.chatError ? errorPath(error.chatError) : "";
}

function detail(error: unknown, field: string): unknown {
  return error instanceof CoreError && error.chatError ? innermost(error.chatError)[field] : undefined;
}

/** The core's own words, or its agent's. */
function messageOf(error: unknown): string {
  const message = detail(error, "message");
  if (typeof message === "string") return message;
  return (error instanceof CoreError && error.chatError && agentFailure(innermost(error.chatError))) || "";
}

function isAt(error: unknown, ...paths: string[]): boolean {
  return paths.includes(pathOf(error));
}

// Questions about the user and the core

export function isNoActiveUser(error: unknown): boolean {
  return isAt(error, "error/noActiveUser");
}

/** The command or its JSON was refused as a whole. */
export function isCommandError(error: unknown): boolean {
  return isAt(error, "error/commandError");
}

export function isInvalidDisplayName(error: unknown): boolean {
  return isAt(error, "error/invalidDisplayName");
}

/** The nearest name that the core takes, where it refused one; empty when there is none. */
export function validName(error: unknown): string | undefined {
  const name = isInvalidDisplayName(error) ? detail(error, "validName") : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Another process holds the database; nothing was done. */
/** The core answered, in a shape that this program does not know. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CoreError && error.cause instanceof ZodError;
}

export function isDatabaseBusy(error: unknown): boolean {
  return (
    isAt(error, "errorStore/dBBusyError") ||
    (isAgentFailure(error) && /ErrorBusy|ErrorLocked|\blocked\b/.test(messageOf(error)))
  );
}

/** The agent within the core, which has the other database, failed inside. */
function isAgentFailure(error: unknown): boolean {
  const path = pathOf(error);
  return path.startsWith("errorAgent/CRITICAL") || path.startsWith("errorAgent/INTERNAL");
}

/** SQLite's words for a database that works no more. */
const BROKEN_DATABASE =
  /ErrorFull|ErrorIO|ErrorCorrupt|ErrorNotADatabase|ErrorReadOnly|ErrorCan'?tOpen|disk is full|disk I\/O|malformed|not a database|readonly database/i;

/** The core works no more: it stopped, its library failed, or its database did. */
export function isFatal(error: unknown): boolean {
  if (!(error instanceof CoreError)) return false;
  const path = pathOf(error);
  return (
    error.libraryFailed ||
    path.startsWith("errorDatabase") ||
    (path.startsWith("errorAgent/CRITICAL") && !isDatabaseBusy(error)) ||
    isAt(error, "error/chatNotStarted", "error/chatStoreChanged") ||
    ((isAt(error, "errorStore/dBException", "error/exception", "error/internalError") ||
      path.startsWith("errorAgent/INTERNAL")) &&
      BROKEN_DATABASE.test(messageOf(error)))
  );
}

// Questions about links and connecting

export function isGroupLinkNotFound(error: unknown): boolean {
  return isAt(error, "errorStore/groupLinkNotFound");
}

export function isAddressNotFound(error: unknown): boolean {
  return isAt(error, "errorStore/userContactLinkNotFound");
}

export function isAddressExists(error: unknown): boolean {
  return isAt(error, "errorStore/duplicateContactLink");
}

/** A link that works once was used, or there was none. */
export function isPendingConnectionNotFound(error: unknown): boolean {
  return isAt(error, "errorStore/pendingConnectionNotFound");
}

export function isRequestNotFound(error: unknown): boolean {
  return isAt(error, "errorStore/contactRequestNotFound");
}

/** We are in the group no more by which a member asked for a chat. */
export function isMemberContactGone(error: unknown): boolean {
  return isAt(error, "errorStore/memberContactGroupMemberNotFound");
}

export function isNetworkError(error: unknown): boolean {
  const path = pathOf(error);
  return ["errorAgent/BROKER", "errorAgent/PROXY", "errorAgent/SMP/PROXY"].some((start) =>
    path.startsWith(start),
  );
}

/** The link was deleted, or it worked once and was used. */
export function isLinkGone(error: unknown): boolean {
  return isAt(error, "errorAgent/SMP/AUTH");
}

/** What was given to connect to is no link and no name. */
export function isNotALink(error: unknown): boolean {
  return (
    isAt(error, "error/invalidConnReq") ||
    (isCommandError(error) && error instanceof CoreError && error.command === "/_connect plan")
  );
}

/** A link of a kind or version that this core cannot use. */
export function isUnsupportedLink(error: unknown): boolean {
  return (
    isAt(error, "error/unsupportedConnReq") || (isNotALink(error) && /not supported/.test(messageOf(error)))
  );
}

export function isNameNotFound(error: unknown): boolean {
  const path = pathOf(error);
  return ["errorAgent/SMP/NAME", "errorAgent/NAME", "error/simplexDomainNotReady"].some((start) =>
    path.startsWith(start),
  );
}

/** No server of the user resolves names. */
export function isNamesUnsupported(error: unknown): boolean {
  return isAt(error, "errorAgent/NO_NAME_SERVERS");
}

/** The contact is not connected, or deleted us. */
export function isContactNotReady(error: unknown): boolean {
  return isAt(error, "error/contactNotReady", "error/contactDisabled");
}

// Questions about chats and messages

export function isChatNotFound(error: unknown): boolean {
  return isAt(
    error,
    "errorStore/contactNotFound",
    "errorStore/groupNotFound",
    "errorStore/userNotFoundByGroupId",
    "errorStore/userNotFoundByContactId",
  );
}

/** No such item in this chat. */
export function isItemNotFound(error: unknown): boolean {
  return isAt(error, "errorStore/chatItemNotFound");
}

export function isMemberNotFound(error: unknown): boolean {
  return isAt(error, "error/groupMemberNotFound", "errorStore/groupMemberNotFound");
}

/** We are no member of the group, or not yet. */
export function isNotMember(error: unknown): boolean {
  return (
    (isCommandError(error) && messageOf(error) === "not current member") ||
    isAt(error, "error/groupNotJoined", "error/groupMemberUserRemoved", "error/groupMemberNotActive")
  );
}

/** Our role in the group is too low. */
export function isRoleTooLow(error: unknown): boolean {
  return isAt(error, "error/groupUserRole");
}

/** The chat does not allow this kind of message; the feature as the core names it, such as `Files and media`. */
export function forbiddenFeature(error: unknown): string | undefined {
  return isCommandError(error) ? /^feature not allowed (.+)$/.exec(messageOf(error))?.[1] : undefined;
}

/** The message does not fit; the core says so in three ways. */
export function isTooLong(error: unknown): boolean {
  return (
    isAt(error, "errorStore/largeMsg") ||
    (isAt(error, "error/exception") && /^large (compressed )?(message|info)/.test(messageOf(error))) ||
    (isAt(error, "error/internalError") && messageOf(error) === "sendGroupMessage: expected 1 message")
  );
}

/** The quoted item was deleted or is no message. */
export function isInvalidQuote(error: unknown): boolean {
  return isAt(error, "errorStore/invalidQuote");
}

export function isInvalidMention(error: unknown): boolean {
  return isAt(error, "errorStore/invalidMention");
}

/** The item cannot be edited: older than 24 hours, deleted, or not ours. */
export function isNotEditable(error: unknown): boolean {
  return isAt(error, "error/invalidChatItemUpdate");
}

// Questions about files

/** The servers that a refused file needs and that are not in the user's list; empty for any other error. */
export function unknownServers(error: unknown): string[] {
  const servers = isAt(error, "error/fileNotApproved") ? detail(error, "unknownServers") : undefined;
  return Array.isArray(servers) ? servers.filter((server) => typeof server === "string") : [];
}

/** The file is being received, was received, or failed for good. */
export function isAlreadyReceiving(error: unknown): boolean {
  return isAt(error, "error/fileAlreadyReceiving");
}

/** The sender or we cancelled the file, or there is none any more. */
export function isFileGone(error: unknown): boolean {
  return isAt(error, "error/fileCancelled", "errorStore/userNotFoundByFileId", "errorStore/fileNotFound");
}

/** The file to send is not there, or is a folder. */
export function isFileMissing(error: unknown): boolean {
  return isAt(error, "error/fileNotFound");
}
