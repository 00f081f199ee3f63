/** A chat item as the agent sees it: the one border that foreign text crosses towards the agent. */
import { isAbsolute, relative } from "node:path";
import type { ChatDir, ChatInfo, ChatItem, CIFile, CIQuote } from "../core/types.js";
import { visibleName, visibleText } from "../text/for-agent.js";
import { isDeleted } from "./items.js";
import type { Message, MessageFile, Sender } from "./message.js";
import { isOwn, senderOf } from "./sender.js";

export { isLive, isMessage } from "./items.js";
export { Message } from "./message.js";

/** The agent that looks. */
export interface Viewer {
  /** Its display name. */
  name: string;
  /** Absolute path of the folder whose files it may read. */
  filesFolder: string;
  /** Where the file of an item is that the agent was given in this run; the core may know it elsewhere. */
  givenPath?: (item: number) => string | undefined;
}

/** `info` is the chat of the item. */
export function viewItem(item: ChatItem, info: ChatInfo, viewer: Viewer): Message {
  const base = {
    item: item.meta.itemId,
    time: timeOf(item),
    from: viewSender(item.chatDir, info, viewer),
    ...(isOwn(item.chatDir) && { own: true as const }),
  };
  if (!("msgContent" in item.content))
    return { ...base, kind: "event", text: visibleText(item.meta.itemText) };
  if (isDeleted(item)) return { ...base, text: "", deleted: true };
  const reactions = viewReactions(item);
  return {
    ...base,
    text: visibleText(item.content.msgContent.text),
    ...(item.meta.itemEdited && { edited: true as const }),
    ...(item.meta.userMention && { mentions_me: true as const }),
    ...(item.quotedItem && { reply_to: viewQuote(item.quotedItem, info, viewer) }),
    ...(item.file && {
      file: viewFile(item.file, item.content.msgContent.type, {
        filesFolder: viewer.filesFolder,
        givenPath: viewer.givenPath?.(item.meta.itemId),
      }),
    }),
    ...(reactions.length > 0 && { reactions }),
    ...(item.meta.itemForwarded && { forwarded: true as const }),
  };
}

/** A time comes from its sender, or from whoever passed the message on, and may be one that no `Date` holds. */
function timeOf({ meta }: ChatItem): string {
  const times = [meta.itemTs, meta.createdAt].map((time) => new Date(time));
  const readable = times.find((time) => !Number.isNaN(time.getTime())) ?? new Date(0);
  return readable.toISOString();
}

function viewSender(dir: ChatDir | undefined, info: ChatInfo, viewer: Viewer): Sender {
  const sender = senderOf(dir, info, viewer.name);
  return { ...sender, name: visibleName(sender.name) };
}

function viewQuote(quote: CIQuote, info: ChatInfo, viewer: Viewer): NonNullable<Message["reply_to"]> {
  return {
    ...(quote.itemId !== undefined && { item: quote.itemId }),
    from: viewSender(quote.chatDir, info, viewer),
    text: visibleText(quote.content.text),
  };
}

/** Peers may react with any text: more kinds, or longer ones, are none that an app shows. */
const MOST_REACTIONS = 20;
const LONGEST_REACTION = 20;

function viewReactions({ reactions }: ChatItem): NonNullable<Message["reactions"]> {
  return reactions
    .flatMap(({ reaction: { emoji }, totalReacted, userReacted }) =>
      emoji
        ? [
            {
              emoji: visibleName(emoji, LONGEST_REACTION),
              count: totalReacted,
              ...(userReacted && { own: true as const }),
            },
          ]
        : [],
    )
    .slice(0, MOST_REACTIONS);
}

function viewFile(
  file: CIFile,
  contentType: string,
  { filesFolder, givenPath }: { filesFolder: string; givenPath: string | undefined },
): MessageFile {
  const type = FILE_TYPES.find((known) => known === contentType) ?? "file";
  const base = { name: visibleName(file.fileName, LONGEST_FILE_NAME), size: file.fileSize, type };
  const state = FILE_STATES[file.fileStatus.type] ?? "failed";
  if (state !== "ready" && state !== "downloading") return { ...base, state };
  // A file that the owner only looked at, or that the core took by itself, is not the agent's yet.
  const path = givenPath ?? file.fileSource?.filePath;
  if (path === undefined || !isInside(filesFolder, path)) return { ...base, state: "offered" };
  return state === "ready" ? { ...base, state, path } : { ...base, state };
}

/** What file systems take. */
const LONGEST_FILE_NAME = 255;

const FILE_TYPES: readonly MessageFile["type"][] = ["image", "video", "voice"];

const FILE_STATES: Record<string, MessageFile["state"]> = {
  rcvInvitation: "offered",
  rcvAccepted: "downloading",
  rcvTransfer: "downloading",
  rcvWarning: "downloading",
  // Stopped because a server was not approved; it can be asked for again.
  rcvAborted: "offered",
  rcvComplete: "ready",
  rcvCancelled: "cancelled",
  rcvError: "failed",
  sndStored: "uploading",
  sndTransfer: "uploading",
  sndWarning: "uploading",
  sndComplete: "sent",
  sndCancelled: "cancelled",
  sndError: "failed",
};

function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return isAbsolute(path) && inner !== "" && !inner.startsWith("..") && !isAbsolute(inner);
}
