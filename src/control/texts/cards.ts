/** An action -> the text of its card: what the agent wants, and on the last line the commands or the ending. */
import type {
  ActionFields,
  ActionState,
  ConnectFields,
  DownloadFields,
  LeaveFields,
  SendFields,
} from "../../actions/action.js";
import { isPicture } from "../../files/pictures/images.js";
import { formatSize } from "../../text/format.js";
import { displayName, literalText, target } from "../../text/literal.js";
import { answerLine, askClauses, choiceLines } from "./ask-cards.js";
import { act, announce, type Clause, sentence } from "./clauses.js";
import { ending, LONGEST_STATES, longestChanged } from "./endings.js";
import { invitationClauses, inviteClauses, memberClauses, requestClauses } from "./meeting-cards.js";
import {
  chatName,
  distinction,
  isContact,
  kindAndName,
  mentionName,
  peerOf,
  withReferences,
} from "./names.js";

/**
 * By how many bytes a message of the control chat would be too long; 0 or less when it fits. An edit carries more
 * besides the text than a new message. `picture`: the data URI of one that goes with the text.
 */
export type BytesTooLong = (text: string, isEdit: boolean, picture?: string) => number;

/** `now`, in milliseconds since 1970: times of another day are written with it. */
export function cardText(number: number, fields: ActionFields, state: ActionState, now = 0): string {
  const says = sentence(clausesOf(fields, state));
  const choices = fields.tool === "ask" ? choiceLines(number, fields, state) : [];
  return [says, ...choices, lastLine(number, fields, state, now)].join("\n");
}

function lastLine(number: number, fields: ActionFields, state: ActionState, now: number): string {
  if (state.state !== "pending") return ending(fields, state, now);
  return fields.tool === "ask" ? answerLine(number) : commandLine(number, fields);
}

/** What an owner can answer to a pending card, as commands to tap. */
export function commandLine(number: number, fields: ActionFields): string {
  switch (fields.tool) {
    case "connect":
    case "invite":
    case "request":
    case "invitation":
    case "member":
      return either(`approve ${number}`, `reject ${number}`);
    case "ask":
      return `/'answer ${number}' with your text, or /'reject ${number}'`;
    case "leave":
      return either(`approve ${fields.chat} ${number}`, `reject ${fields.chat} ${number}`);
    case "send":
      return either(
        `approve ${fields.chat} ${number}`,
        `approve ${fields.chat} ${fields.renumbered ? `${number} ` : ""}all`,
        `reject ${fields.chat} ${number}`,
        `edit ${fields.chat} ${number}`,
      );
    case "download":
      return either(
        `receive ${fields.chat} ${number}`,
        ...(fields.unknownServers.length === 0 ? [`receive ${fields.chat} ${number} all`] : []),
        `forward ${fields.chat} ${number}`,
        `reject ${fields.chat} ${number}`,
      );
  }
}

/** By how many bytes the card would be too long in its longest state; 0 when it fits whatever happens to it. */
export function cardOverflow(fields: ActionFields, bytesTooLong: BytesTooLong): number {
  return Math.max(0, longestExcess(fields, bytesTooLong, cardPicture(fields)));
}

/** The most characters that the picture of the card may have; none or less when the text alone fills it. */
export function pictureRoom(fields: ActionFields, bytesTooLong: BytesTooLong): number {
  return -longestExcess(fields, bytesTooLong, "");
}

/** The picture of the card: what is sent, or what the sender shows of what is offered. */
export function cardPicture(fields: ActionFields): string | undefined {
  const preview = fields.tool === "send" || fields.tool === "download" ? fields.file?.preview : undefined;
  return preview !== undefined && isPicture(preview) ? preview : undefined;
}

function longestExcess(
  fields: ActionFields,
  bytesTooLong: BytesTooLong,
  picture: string | undefined,
): number {
  return longestOf(LONGEST_STATES, fields, bytesTooLong, picture);
}

/** By how many bytes the card would be too long once an owner has written its text anew; 0 or less when it fits. */
export function changedExcess(fields: ActionFields, changedFrom: string, bytesTooLong: BytesTooLong): number {
  return longestOf([longestChanged(changedFrom)], fields, bytesTooLong, cardPicture(fields));
}

function longestOf(
  states: readonly ActionState[],
  fields: ActionFields,
  bytesTooLong: BytesTooLong,
  picture: string | undefined,
): number {
  const longest = withReferences(fields, { isAlike: () => true });
  const excesses = states.map((state) =>
    bytesTooLong(cardText(Number.MAX_SAFE_INTEGER, longest, state), state.state !== "pending", picture),
  );
  return Math.max(...excesses);
}

function clausesOf(fields: ActionFields, state: ActionState): Clause[] {
  switch (fields.tool) {
    case "connect":
      return connectClauses(fields, state);
    case "send":
      return sendClauses(fields, state);
    case "download":
      return downloadClauses(fields, state);
    case "leave":
      return leaveClauses(fields, state);
    case "ask":
      return askClauses(fields, state);
    case "invite":
      return inviteClauses(fields, state);
    case "request":
      return requestClauses(fields, state);
    case "invitation":
      return invitationClauses(fields, state);
    case "member":
      return memberClauses(fields, state);
  }
}

function connectClauses(fields: ConnectFields, state: ActionState): Clause[] {
  const verb = act(state, "connect", "connected");
  const identity = fields.incognito ? "incognito" : "as myself";
  const words = `${verb} to ${peerOf(fields)} (${target(fields.target)}), ${identity}`;
  return fields.message
    ? [{ glue: "", words: `${words}, with the message:`, quote: fields.message }]
    : [{ glue: "", words: `${words}.` }];
}

function sendClauses(fields: SendFields, state: ActionState): Clause[] {
  const { text, replyTo, mentions, file } = fields;
  const clauses = [announce("", `${act(state, "send", "sent")} a message to ${kindAndName(fields)}`, text)];
  const people = replyTo ? [replyTo, ...mentions] : mentions;
  if (replyTo) {
    const author = `${displayName(replyTo.name)}${distinction(replyTo, people)}`;
    clauses.push(announce(" ", `replying to ${author}`, replyTo.text));
  }
  if (mentions.length > 0) {
    const names = mentions.map((one) => `${mentionName(one.name)}${distinction(one, people)}`);
    clauses.push({ glue: " ", words: `mentioning ${names.join(", ")}` });
  }
  if (file) {
    const type = file.type === "voice" ? "voice message" : file.type;
    const name = file.name === undefined ? "" : ` as ${literalText(file.name)}`;
    const shown = file.shown === undefined ? "" : ` (${file.shown} shown)`;
    const words = `attaching ${type} ${literalText(file.path)}${name}, ${formatSize(file.size)}${shown}`;
    clauses.push({ glue: ", ", words });
  }
  return clauses;
}

function downloadClauses(fields: DownloadFields, state: ActionState): Clause[] {
  const { chat, member, file, unknownServers } = fields;
  const from = isContact(chat) ? chatName(fields) : `${displayName(member)} in ${chatName(fields)}`;
  // Hosts are foreign too, and words with a dot would be links.
  const hosts = unknownServers.map((host) => literalText(host)).join(", ");
  const words =
    `${act(state, "download", "downloaded")} a file from ${from}: ` +
    `${literalText(file.name)}, ${formatSize(file.size)}. Servers: ${hosts || "known"}.`;
  return [{ glue: "", words }];
}

function leaveClauses(fields: LeaveFields, state: ActionState): Clause[] {
  const verb = isContact(fields.chat) ? act(state, "delete", "deleted") : act(state, "leave", "left");
  return [{ glue: "", words: `${verb} ${chatName(fields)}.` }];
}

/** `/'a', /'b' or /'c'`: the apps leave out the quotation marks and send the command when it is tapped. */
function either(...commands: string[]): string {
  const tappable = commands.map((command) => `/'${command}'`);
  return `${tappable.slice(0, -1).join(", ")} or ${tappable.at(-1)}`;
}
