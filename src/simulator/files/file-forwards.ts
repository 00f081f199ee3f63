import { copyFileSync } from "node:fs";
import { basename } from "node:path";
import type { Composed, ComposedFile, MsgContent } from "../data/composed.js";
import type { FileRow } from "../data/file-rows.js";
import type { ItemRow } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import type { FileDescrMessage, WireFile } from "../data/wire.js";
import type { User } from "../user/user.js";
import { onDisk, sizeOf, uniquePath } from "./file-disk.js";
import { descriptorMessages } from "./uploads.js";

const LOADED = new Set([
  "rcvComplete",
  "sndStored",
  "sndTransfer",
  "sndComplete",
  "sndCancelled",
  "sndError",
]);

/** What is forwarded of an item: a file that is not here goes as its text, and not at all without one. */
export function forwarded(user: User, item: ItemRow): Composed[] {
  const content = item.content.msgContent as MsgContent;
  const row = user.db.files.get(item.fileId);
  if (!row) return [{ content, mentions: new Map() }];
  const file = copyToForward(user, row);
  if (file) return [{ content, file, mentions: new Map() }];
  if (content.type === "image" || content.type === "link") return [{ content, mentions: new Map() }];
  if (content.text === "") return [];
  return [{ content: { type: "text", text: content.text }, mentions: new Map() }];
}

/** In a files folder the forwarded file is a copy, which stays when the original is deleted. */
function copyToForward(user: User, { path, status, cryptoArgs, name }: FileRow): ComposedFile | undefined {
  if (path === undefined || !LOADED.has(String(status.type))) return undefined;
  const from = onDisk(user, path);
  if (sizeOf(from) === undefined) return undefined;
  const more = cryptoArgs && { cryptoArgs };
  const { files } = user.session.folders;
  if (files === undefined) return { filePath: path, ...more };
  const copy = uniquePath(files, name);
  copyFileSync(from, copy);
  return { filePath: basename(copy), ...more };
}

/** `forwardConfirmation`: what of the items' files cannot be forwarded; undefined when all can. */
export function forwardConfirmation(user: User, items: readonly ItemRow[]): Json | undefined {
  const rows = items.flatMap(({ fileId }) => user.db.files.get(fileId) ?? []);
  const of = (...types: string[]) => rows.filter(({ status }) => types.includes(String(status.type)));
  const notAccepted = of("rcvInvitation", "rcvAborted");
  if (notAccepted.length > 0)
    return { type: "filesNotAccepted", fileIds: notAccepted.map(({ fileId }) => fileId) };
  const inProgress = of("rcvAccepted", "rcvTransfer").length;
  if (inProgress > 0) return { type: "filesInProgress", filesCount: inProgress };
  const failed = of("rcvCancelled", "rcvError").length;
  if (failed > 0) return { type: "filesFailed", filesCount: failed };
  const missing = rows.filter(({ path }) => path === undefined || sizeOf(onDisk(user, path)) === undefined);
  return missing.length > 0 ? { type: "filesMissing", filesCount: missing.length } : undefined;
}

/** Newcomers are told of files that are not older. Milliseconds. */
const HISTORY_AGE = 48 * 3_600_000;

/** What the history of a group says of an item's file: nothing, unless it can be received. */
export function fileInHistory(
  user: User,
  item: ItemRow,
): { file: WireFile; descriptor: FileDescrMessage[] } | undefined {
  const row = user.db.files.get(item.fileId);
  const { sending, receiving } = row ?? {};
  const descr = receiving?.complete ? receiving.descr : sending?.sharedDescr;
  const cancelled = sending?.cancelled === true || receiving?.state === "cancelled";
  if (!row || descr === undefined || cancelled || user.now() - item.itemTs > HISTORY_AGE) return undefined;
  const { name, size } = row;
  return { file: { name, size }, descriptor: descriptorMessages(item.sharedMsgId ?? "", descr) };
}
