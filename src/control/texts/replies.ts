/** What the server says in the control chat besides cards. Foreign text in it goes through `literal.ts`. */
import type { ActionFields, ChatRef, NamedChat, Remainder } from "../../actions/action.js";
import { count, formatSize } from "../../text/format.js";
import { displayName, foldedLine, literalText } from "../../text/literal.js";
import { commandLine } from "./cards.js";
import { announce, sentence } from "./clauses.js";
import { remark } from "./endings.js";
import { chatName, isContact, subject } from "./names.js";
import { lasts } from "./remainders.js";

export { ownerTexts } from "./owner-texts.js";

export const greeting = "I'm your agent. I ask here before I connect, send, download a file or leave a chat.";

/** Answers to commands that change nothing. */
export const refusals = {
  notPending: (number: number) => `Action ${number} is not pending.`,
  notAnOwner: "Only the owners of this chat can do this.",
  notListed: "Only the owners listed in --owners approve actions.",
  unknownCommand: "Unknown command. /help",
  malformed: (form: string) => `Write ${form}. /help`,
  /** A bare `#9` would be a link. */
  unknownChat: (chat: ChatRef) => `I have no chat \`${chat}\`. /list`,
  /** A command could not be carried out. */
  failed: (error: string) => `That failed: ${remark(error)}.`,
  hostMode: "In mode host nothing is approved here: the agent's program asks its user.",

  /** The command named a chat that the action is not for. */
  otherChat: (number: number, fields: ActionFields) => {
    const chat = subject(fields);
    return chat === undefined ? wrongKind(number, fields) : `Action ${number} is for ${chat}.`;
  },

  /** `/approve` of a download, or `/receive` and `/forward` of anything else: the card's own commands are named. */
  wrongKind,

  /** `/receive CHAT N all` where the file is on servers that the agent does not know. */
  unknownServers: (number: number, fields: ActionFields) =>
    `The servers of action ${number} are not known, so each such file needs its approval: ${commandLine(number, fields)}`,
} as const;

/** Answers to an owner's message that is meant as a command and does not count as one. */
export const ineffective = {
  link: "A message with a link is no command, but for `/reject` and `/answer`. Write the command alone. /help",
  caption:
    "What stands under a picture or a file is no command. Write the command as a message of its own. /help",
  edited: "An edited message is no command. Write the command as a new message. /help",
  live: "A live message is no command. Write the command as an ordinary message. /help",
  forwarded: "A forwarded message is no command. Write the command yourself. /help",
  passedOn: "A message that another member passed on is no command. Write the command again later. /help",
  support: "Commands count in the chat of all members only. Write the command there. /help",
  /** Something that nobody sees stands before it, or another sign than the slash. */
  hidden: "That does not begin with a plain `/`. Type the command again, or tap it on its card. /help",
} as const;

const WHAT = {
  connect: "a connection",
  send: "a message",
  download: "a download",
  leave: "to leave a chat",
  ask: "a question",
  invite: "a link to me",
  request: "a request to connect",
  invitation: "an invitation to a group",
  member: "a request to connect",
} as const;

function wrongKind(number: number, fields: ActionFields): string {
  return `Action ${number} is ${WHAT[fields.tool]}: ${commandLine(number, fields)}`;
}

/** Texts that owners write anew. */
export const editTexts = {
  /** `command`: `/edit #15 12`, which was sent alone. */
  copy: (command: string, old: string) =>
    sentence([announce("", "Copy, change and send", `${command} ${old}`)]),
  tooLong: (number: number, bytes: number) =>
    `That is ${count(bytes, "byte")} too long. Action ${number} is still pending.`,
  noText: (number: number, fields: ActionFields) =>
    `Action ${number} has no text to change: ${commandLine(number, fields)}`,
} as const;

/** Questions of the agent, and what it reports. */
export const askTexts = {
  report: (text: string) => sentence([announce("", "I report", text)]),
  /** `/'answer N'` was tapped: it stands for a text to come. */
  answerMissing: (number: number) =>
    `Write your answer after it, as in \`/answer ${number} Yes\`, or reply to my question.`,
  noText: (number: number) =>
    `An answer is a text: reply with one, or write it as in \`/answer ${number} Yes\`.`,
} as const;

/** The agent paused, and let on. */
export const pauseTexts = {
  paused: "Paused: nothing goes out. /'resume'",
  resumed: "Resumed.",
  /** Above a list. In code: the apps read a date as a phone number. */
  since: (by: string, time: string) => `Paused by ${displayName(by)} since \`${time}\`. /'resume'`,
  /** To the agent, of what was pending. */
  reason: (by: string) => `${foldedLine(by)} paused the agent.`,
  notSaved: (error: string) =>
    `Nothing goes out until the server stops; that I am paused could not be saved: ${remark(error)}. Try again: /'pause'`,
} as const;

/** Standing approvals, given and ended. */
export const standingTexts = {
  messagesApproved: (chat: NamedChat, by: string, end: Remainder, now: number) =>
    `Approved for ${chatName(chat)} by ${displayName(by)}${lasts(end, now, "message")}. /'revoke ${chat.chat}'`,
  /** `/approve CHAT all` of an old card, or out of the blue. */
  nothingPending: (chat: NamedChat) => `No message to ${chatName(chat)} is pending.`,
  /** `/approve CHAT all` where another chat had the number before: which one is meant is for the owner to say. */
  renumbered: (chat: NamedChat, number: number, end: string | undefined) => {
    const words = ["approve", chat.chat, number, "all", ...(end === undefined ? [] : [end])];
    return `Another chat had the number of ${chatName(chat)} before. To approve all for this one: /'${words.join(" ")}'`;
  },
  messagesEnded: (chat: NamedChat) => `Messages to ${chatName(chat)} need approval again.`,
  downloadsApproved: (chat: NamedChat, by: string, end: Remainder, now: number) =>
    `Downloads approved for ${chatName(chat)} by ${displayName(by)}${lasts(end, now, "download")}. /'receive ${chat.chat} off'`,
  downloadsEnded: (chat: NamedChat) => `Downloads from ${chatName(chat)} need approval again.`,
} as const;

/** Chats left and their files. */
export const leaveTexts = {
  /** For a contact, whose chat is deleted, and for a group. */
  left: (chat: NamedChat, by: string) =>
    `${isContact(chat.chat) ? "Deleted" : "Left"} ${chatName(chat)}, requested by ${displayName(by)}.`,
  /** The command was for another chat that had the number, perhaps. `code` tells this one. */
  leaveWhich: (chat: NamedChat, code: string) =>
    `Another chat had the number of ${chatName(chat)} before. To ${isContact(chat.chat) ? "delete" : "leave"} this one: /'leave ${chat.chat} ${code}'`,
  deleteWhich: (chat: NamedChat, code: string) =>
    `Another chat had the number of ${chatName(chat)} before. To delete the files of both: /'delete ${chat.chat} files ${code}'`,
  notLeft: (chat: NamedChat, error: string) =>
    `${isContact(chat.chat) ? "Deleting" : "Leaving"} ${chatName(chat)} failed: ${remark(error)}.`,
  filesKept: (chat: NamedChat, folder: string, files: number, bytes: number) =>
    `Files from ${chatName(chat)} are kept in ${literalText(folder)}: ` +
    `${count(files, "file")}, ${formatSize(bytes)}. /'delete ${chat.chat} files'`,
  /** By its number alone: the chat with this number may be another by now. */
  filesDeleted: (chat: ChatRef, files: number, bytes: number) =>
    `Deleted ${count(files, "file")} from \`${chat}\`, ${formatSize(bytes)}.`,
  filesNotDeleted: (chat: ChatRef, error: string) =>
    `Deleting the files of \`${chat}\` failed: ${remark(error)}.`,
} as const;

/** Longer ones are cut, so that their message is never too long to be posted. */
const LONGEST_PATH = 1000;

/** Files on their way. */
export const fileTexts = {
  notForwarded: (number: number, error: string) =>
    `Action ${number}: the file was not received: ${remark(error)}.`,
  /** The agent asked to send a file that it may not send. */
  refused: (chat: NamedChat, path: string, why: string) =>
    `I wanted to send ${literalText(path, LONGEST_PATH)} to ${chatName(chat)}. Refused: ${remark(why)}.`,
  /** The message left, its file did not. */
  notSent: (chat: NamedChat, file: string, error: string) =>
    `The file ${literalText(file, LONGEST_PATH)} was not sent to ${chatName(chat)}: ${remark(error)}.`,
} as const;
