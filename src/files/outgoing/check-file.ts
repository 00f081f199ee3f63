/** A path that the agent gave -> a file that it may send, known by its identity and content. */
import { type FileHandle, lstat, readdir, realpath } from "node:fs/promises";
import { join, normalize } from "node:path";
import { errorCode, FileError, FileRefused, fileWork } from "../disk/file-error.js";
import { HEAD_BYTES } from "../pictures/media.js";
import { type FileIdentity, identityOf, isAtPath, openToRead, readAll, sameIdentity } from "./opened-file.js";
import { absolutePath, type OwnFolders, refusalOf } from "./path-rules.js";

/** SimpleX sends no larger files. */
export const MOST_BYTES = 1 << 30;

export interface CheckedFile {
  /** Without links: what the card shows. */
  path: string;
  /** Bytes. */
  size: number;
  identity: FileIdentity;
  /** Of the content. */
  sha256: string;
  /** Its first bytes, which tell the format. */
  head: Buffer;
  /** The content, where it was asked for. */
  content?: Buffer;
}

export interface FileRules {
  own: OwnFolders;
  /** The home folder, for `~`. */
  home: string;
  /** Whether the content is wanted, of a file of this path and size. */
  wantsContent: (path: string, size: number) => boolean;
}

/** Rejects with `FileRefused` for a file that may not be sent, with `FileError` where there is none. */
export async function checkFile(given: string, rules: FileRules): Promise<CheckedFile> {
  const named = given.includes("\0") ? undefined : absolutePath(given, rules.home);
  if (named === undefined) throw new FileError("file: give an absolute path, or one that starts with ~/.");
  const path = await allowedPath(normalize(named), rules.own);
  const file = await opened(path);
  try {
    return await read(file, path, rules);
  } finally {
    await file.close();
  }
}

/** The path without links. First by its name: whether a forbidden file is there is not told. */
async function allowedPath(named: string, own: OwnFolders): Promise<string> {
  const atOnce = refusalOf(named, own);
  if (atOnce !== undefined) throw new FileRefused(named, atOnce);
  const path = await resolved(named);
  const why = refusalOf(path, own);
  if (why === undefined) return path;
  throw new FileRefused(named, path === named ? why : `leads to ${path}, which ${why}`);
}

async function resolved(named: string): Promise<string> {
  try {
    return await realpath(named);
  } catch (error) {
    throw unreadable(named, error);
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    // Before it is opened: that alone does something to devices and pipes.
    if (!(await lstat(path)).isFile()) throw notRegular(path);
    return await openToRead(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function read(file: FileHandle, path: string, { own, wantsContent }: FileRules): Promise<CheckedFile> {
  const identity = await identityOf(file);
  if (!identity) throw notRegular(path);
  if (!(await isAtPath(file, path, identity).catch(() => false))) throw changing(path);
  if (await isOwnSecret(identity, own)) throw new FileRefused(path, "is in the agent's data folder");
  if (identity.size > MOST_BYTES) throw new FileRefused(path, "is larger than 1 GiB");
  // The core sends one, and the other side's drops the message that it came with.
  if (identity.size === 0n) throw new FileError(`file: ${path} is empty. SimpleX delivers no empty files.`);
  const size = Number(identity.size);
  const blocks: Buffer[] = [];
  const keep = wantsContent(path, size);
  const sha256 = await fileWork(`file: ${path} cannot be read`, () =>
    readAll(file, size, (block) => {
      if (keep) blocks.push(Buffer.from(block));
      else if (blocks.length === 0) blocks.push(Buffer.from(block.subarray(0, HEAD_BYTES)));
    }),
  );
  const after = await identityOf(file);
  if (sha256 === undefined || !after || !sameIdentity(identity, after)) throw changing(path);
  const content = Buffer.concat(blocks);
  const head = content.subarray(0, HEAD_BYTES);
  return { path, size, identity, sha256, head, ...(keep ? { content } : {}) };
}

/** By another name, too: a hard link to the token or a database. */
async function isOwnSecret({ device, inode }: FileIdentity, { root }: OwnFolders): Promise<boolean> {
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const info = await lstat(join(root, entry.name), { bigint: true }).catch(() => undefined);
    if (info?.dev === device && info.ino === inode) return true;
  }
  return false;
}

function notRegular(path: string): FileRefused {
  return new FileRefused(path, "is no regular file");
}

function changing(path: string): FileError {
  return new FileError(`file: ${path} changed while it was read. Try again.`);
}

function unreadable(path: string, error: unknown): FileError {
  if (error instanceof FileError) return error;
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return new FileError(`file: there is no ${path}.`, { cause: error });
    case "ELOOP":
      return new FileRefused(path, "leads to itself");
    default:
      return new FileRefused(path, "cannot be read");
  }
}
