/** The lists of the control chat: pending actions, chats, commands. Shortened where a message would be too long. */
import type { ActionFields, NamedChat, Remainder } from "../../actions/action.js";
import { count, formatTime } from "../../text/format.js";
import { displayName, literalText } from "../../text/literal.js";
import { type BytesTooLong, commandLine } from "./cards.js";
import { chatName, isContact, kindAndName, peerOf } from "./names.js";
import { remains } from "./remainders.js";

export interface PendingEntry {
  number: number;
  fields: ActionFields;
  /** Milliseconds since 1970. */
  expires: number;
}

/** The reply to `/pending`: what waits, until when, and the commands of its card. */
export function pendingList(
  entries: readonly PendingEntry[],
  now: number,
  bytesTooLong: BytesTooLong,
  timeZone?: string,
): string {
  if (entries.length === 0) return "No pending actions.";
  const items = entries.map(({ number, fields, expires }) => {
    // In code: the apps read a date as a phone number.
    const until = `\`${formatTime(expires, now, timeZone)}\``;
    return `Action ${number}: ${purpose(fields)}, until ${until}\n${commandLine(number, fields)}`;
  });
  return shortened(`${count(entries.length, "pending action")}:`, items, bytesTooLong);
}

interface ListedApproval extends Remainder {
  by: string;
}

export interface ListedChat extends NamedChat {
  unread: number;
  /** The standing approvals that count, for messages and for downloads. */
  messagesApproved?: ListedApproval;
  filesApproved?: ListedApproval;
}

/** The reply to `/list`. `unreadable`: how many chats there are besides, which cannot be read. */
export function chatList(
  chats: readonly ListedChat[],
  now: number,
  bytesTooLong: BytesTooLong,
  unreadable = 0,
): string {
  const all = chats.length + unreadable;
  if (all === 0) return "No chats.";
  const items = chats.map((chat) => {
    const facts = [chatName(chat)];
    if (chat.unread > 0) facts.push(`${chat.unread} unread`);
    const by = (approval: ListedApproval) => `${displayName(approval.by)}${remains(approval, now)}`;
    if (chat.messagesApproved)
      facts.push(`messages approved by ${by(chat.messagesApproved)} /'revoke ${chat.chat}'`);
    if (chat.filesApproved)
      facts.push(`downloads approved by ${by(chat.filesApproved)} /'receive ${chat.chat} off'`);
    return facts.join(", ");
  });
  return shortened(`${count(all, "chat")}:`, items, bytesTooLong, unreadable);
}

/** The reply to `/help`. Commands with arguments are code: tapped without them they would only be refused. */
export const helpText = [
  "N is the number of an action, CHAT a chat such as `@4` or `#15`.",
  "`/approve N` or `/approve CHAT N`: allow an action",
  "`/reject N` or `/reject CHAT N`: refuse it; a reason at the end goes to the agent",
  "`/edit N TEXT` or `/edit CHAT N TEXT`: allow it with your text instead",
  "`/approve CHAT all`: allow all messages to a chat, the waiting ones too",
  "`/revoke CHAT`: end that",
  "`/receive CHAT N`: allow a download; with `all` at the end, all downloads from that chat",
  "`/receive CHAT off`: end that",
  "`2h`, `30m`, `7d` or `10` after `all`: for that long, or for the next ten",
  "`/forward CHAT N`: show the file here, decide later",
  "`/answer N TEXT`: answer my question; or reply to it",
  "/pause: nothing goes out any more, what waits is rejected; /resume ends that",
  "/pending: the actions that wait",
  "/requests: who waits to be let in",
  "/address: my address, by which people can ask to connect",
  "`/address auto`, `/address ask` or `/address off`: let everybody in, ask again, delete it",
  "/invite: a link for one person; `/invite off` deletes the unused ones",
  "/list: the chats",
  "`/leave CHAT`: leave a group or delete a contact, at once",
  "`/delete CHAT files`: delete the files downloaded from a chat",
  "/help: these commands",
].join("\n");

/** What an action is for, in short; the card above shows all of it. */
function purpose(fields: ActionFields): string {
  switch (fields.tool) {
    case "invite":
      return fields.kind === "address" ? "have an address" : "make a one-time link";
    case "request":
      return `let in ${kindAndName(fields)}`;
    case "invitation":
      return `join ${kindAndName(fields.group)}`;
    case "member":
      return `let in ${displayName(fields.name)} of ${chatName(fields.group)}`;
    case "connect":
      return `connect to ${peerOf(fields)} at ${literalText(fields.target, 50)}`;
    case "send":
      return `send ${fields.file ? "a message with a file" : "a message"} to ${chatName(fields)}`;
    case "download":
      return `download ${literalText(fields.file.name, 50)} from ${chatName(fields)}`;
    case "ask":
      return `answer ${literalText(fields.question, 50)}`;
    case "leave":
      return `${isContact(fields.chat) ? "delete" : "leave"} ${chatName(fields)}`;
  }
}

/** As many items as fit one message, with how many are left out. */
function shortened(head: string, items: readonly string[], bytesTooLong: BytesTooLong, hidden = 0): string {
  const first = (shown: number) => {
    const rest = items.length - shown + hidden;
    return [head, ...items.slice(0, shown), ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
  };
  let shown = items.length;
  if (bytesTooLong(first(shown), false) <= 0) return first(shown);
  // Halving: a list of thousands is not built once an item.
  let fits = 0;
  while (shown - fits > 1) {
    const middle = Math.floor((fits + shown) / 2);
    if (bytesTooLong(first(middle), false) <= 0) fits = middle;
    else shown = middle;
  }
  return first(fits);
}
