/** A chat item as the agent sees it: the one border that foreign text crosses towards the agent. */
import { isAbsolute, relative } from "node:path";
import type { ChatDir, ChatInfo, ChatItem, CIFile, CIQuote } from "../core/types.js";
import { contactKind } from "./chats.js";
import { isDeleted } from "./items.js";
import type { Message, MessageFile, Sender } from "./message.js";

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
    from: senderOf(item.chatDir, info, viewer),
    ...(isOwn(item.chatDir) && { own: true as const }),
  };
  if (!("msgContent" in item.content)) return { ...base, kind: "event", text: item.meta.itemText };
  if (isDeleted(item)) return { ...base, text: "", deleted: true };
  const reactions = viewReactions(item);
  return {
    ...base,
    text: item.content.msgContent.text,
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

function isOwn(dir: ChatDir): boolean {
  return dir.type === "directSnd" || dir.type === "groupSnd" || dir.type === "localSnd";
}

function senderOf(dir: ChatDir, info: ChatInfo, viewer: Viewer): Sender {
  if (isOwn(dir)) return { name: ownName(info, viewer), kind: "agent" };
  if (dir.type === "groupRcv") {
    const { groupMemberId, memberProfile } = dir.groupMember;
    // Members mostly come without a peer type, so that nobody is called a person for lack of one.
    const kind = contactKind(memberProfile.peerType);
    return {
      member: groupMemberId,
      name: memberProfile.displayName,
      kind: kind === "contact" ? "member" : kind,
    };
  }
  if (info.type === "direct") {
    return { name: info.contact.profile.displayName, kind: contactKind(info.contact.profile.peerType) };
  }
  return unknownSender(info);
}

/** A channel speaks as itself; in a group it is a member that we do not know. */
function unknownSender(info: ChatInfo): Sender {
  if (info.type !== "group") return { name: "", kind: "contact" };
  const { groupProfile, useRelays } = info.groupInfo;
  return useRelays ? { name: groupProfile.displayName, kind: "channel" } : { name: "", kind: "member" };
}

/** In a group we may be known by another name: incognito. */
function ownName(info: ChatInfo, viewer: Viewer): string {
  return info.type === "group" ? info.groupInfo.membership.memberProfile.displayName : viewer.name;
}

function viewQuote(quote: CIQuote, info: ChatInfo, viewer: Viewer): NonNullable<Message["reply_to"]> {
  return {
    ...(quote.itemId !== undefined && { item: quote.itemId }),
    from: quote.chatDir ? senderOf(quote.chatDir, info, viewer) : unknownSender(info),
    text: quote.content.text,
  };
}

function viewReactions({ reactions }: ChatItem): NonNullable<Message["reactions"]> {
  return reactions.flatMap(({ reaction, totalReacted, userReacted }) =>
    reaction.emoji
      ? [{ emoji: reaction.emoji, count: totalReacted, ...(userReacted && { own: true as const }) }]
      : [],
  );
}

function viewFile(
  file: CIFile,
  contentType: string,
  { filesFolder, givenPath }: { filesFolder: string; givenPath: string | undefined },
): MessageFile {
  const type = FILE_TYPES.find((known) => known === contentType) ?? "file";
  const base = { name: file.fileName, size: file.fileSize, type };
  const state = FILE_STATES[file.fileStatus.type] ?? "failed";
  if (state !== "ready" && state !== "downloading") return { ...base, state };
  // A file that the owner only looked at, or that the core took by itself, is not the agent's yet.
  const path = givenPath ?? file.fileSource?.filePath;
  if (path === undefined || !isInside(filesFolder, path)) return { ...base, state: "offered" };
  return state === "ready" ? { ...base, state, path } : { ...base, state };
}

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
