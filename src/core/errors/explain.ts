import { CoreError } from "./core-error.js";
import {
  forbiddenFeature,
  isAlreadyReceiving,
  isChatNotFound,
  isContactNotReady,
  isDatabaseBusy,
  isFatal,
  isFileGone,
  isFileMissing,
  isInvalidMention,
  isInvalidQuote,
  isItemNotFound,
  isLinkGone,
  isMemberNotFound,
  isNameNotFound,
  isNamesUnsupported,
  isNetworkError,
  isNotALink,
  isNotEditable,
  isNotMember,
  isRoleTooLow,
  isTooLong,
  isUnsupportedLink,
  unknownServers,
} from "./error-questions.js";

/** What an agent can do about an error; the first question that fits answers. */
const SENTENCES: ReadonlyArray<readonly [(error: unknown) => boolean, string]> = [
  [isFatal, "The SimpleX core stopped working: tell your owner that the server must be restarted."],
  [isDatabaseBusy, "The SimpleX database is busy: try again in a minute."],
  [isUnsupportedLink, "This kind of link is not supported: ask for another link."],
  [isNotALink, "This is not a SimpleX link or name: check that it is complete."],
  [isNameNotFound, "No such SimpleX name: check its spelling or ask for a link."],
  [isNamesUnsupported, "No configured server resolves SimpleX names: ask for a link."],
  [isLinkGone, "The link is gone: it was deleted or used already, so ask for a new one."],
  [isNetworkError, "The SimpleX server cannot be reached: try again later."],
  [
    isContactNotReady,
    "The contact is not connected: wait for the connection, or connect again if the contact was deleted.",
  ],
  [isChatNotFound, "There is no such chat: use list to see the chats."],
  [isItemNotFound, "There is no such message in this chat: use history to find its item."],
  [isMemberNotFound, "There is no such member in this group: use members to see who is there."],
  [isNotMember, "You are not a member of this group, or not yet admitted."],
  [isRoleTooLow, "Your role in this group is too low for this."],
  [isTooLong, "The message is too long: shorten it."],
  [isInvalidQuote, "The message to reply to was deleted or is no message: send without reply_to."],
  [
    isInvalidMention,
    "A mentioned member is not named in the text as a mention: check the names and mention at most 3.",
  ],
  [isNotEditable, "The message cannot be edited any more."],
  [isAlreadyReceiving, "The file was received, is being received, or failed for good."],
  [isFileGone, "The file is not offered any more: ask for it again."],
  [isFileMissing, "The file to send is not there: check its path."],
  [(error) => unknownServers(error).length > 0, "The file is on servers that were not approved."],
];

/** One sentence about any error, for the agent. */
export function explain(error: unknown): string {
  const feature = forbiddenFeature(error);
  if (feature) return `This chat does not allow it: ${feature}.`;
  const sentence = SENTENCES.find(([question]) => question(error))?.[1];
  if (sentence) return sentence;
  if (error instanceof CoreError) return `${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}
