/**
 * A path that the agent gave -> a file that it may send, known by its identity and content. It is opened once: whatever
 * is known of it, and shown of it, comes from the bytes that are hashed here.
 */
import { type FileHandle, lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import { errorCode, FileError, FileRefused, fileWork } from "../disk/file-error.js";
import { agentFolderOf, isSecretOf } from "./agent-folders.js";
import { type FileIdentity, identityOf, isAtPath, openToRead, readAll, sameIdentity } from "./opened-file.js";
import { absolutePath, isOwnDownload, type OwnFolders, refusalOf } from "./path-rules.js";
import { PrivateKeys } from "./private-keys.js";

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
}

/** Takes the content block by block, in order. A block is written over afterwards. */
export type TakeBlock = (block: Buffer) => Promise<void> | void;

export interface FileRules {
  own: OwnFolders;
  /** The home folder, for `~`. */
  home: string;
  /** Who wants the content of the file, which is at this path without links and has so many bytes. */
  reader?: (path: string, size: number) => TakeBlock | undefined;
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

/** The path without links. Whether a forbidden file is there is not told. */
async function allowedPath(named: string, own: OwnFolders): Promise<string> {
  const atOnce = refusalOf(named, own);
  if (atOnce !== undefined) throw new FileRefused(named, atOnce);
  const { path, error } = await resolved(named);
  const why = await refusal(path, own);
  if (why !== undefined) {
    throw new FileRefused(named, path === named ? why : `leads to ${path}, which ${why}`);
  }
  if (error !== undefined) throw unreadable(named, error);
  return path;
}

async function refusal(path: string, own: OwnFolders): Promise<string | undefined> {
  if (isOwnDownload(path, own)) return undefined;
  const why = refusalOf(path, own);
  if (why !== undefined) return why;
  const folder = await agentFolderOf(path);
  return folder === undefined ? undefined : `is in the data folder of an agent (${folder})`;
}

/** Where the path leads, or would lead if all of it were there, and then what is wrong with it. */
async function resolved(named: string): Promise<{ path: string; error?: unknown }> {
  try {
    return { path: await realpath(named) };
  } catch (error) {
    const above = dirname(named);
    if (above === named) return { path: named, error };
    return { path: join((await resolved(above)).path, basename(named)), error };
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

async function read(file: FileHandle, path: string, { own, reader }: FileRules): Promise<CheckedFile> {
  const identity = await identityOf(file);
  if (!identity) throw notRegular(path);
  if (!(await isAtPath(file, path, identity).catch(() => false))) throw changing(path);
  if (await isSecretOf(own, identity)) throw new FileRefused(path, "is in the agent's data folder");
  if (identity.size > MOST_BYTES) throw new FileRefused(path, "is larger than 1 GiB");
  // The core sends one, and the other side's drops the message that it came with.
  if (identity.size === 0n) throw new FileError(`file: ${path} is empty. SimpleX delivers no empty files.`);
  const size = Number(identity.size);
  const take = reader?.(path, size);
  const keys = new PrivateKeys();
  const sha256 = await fileWork(`file: ${path} cannot be read`, () =>
    readAll(file, size, async (block) => {
      keys.add(block);
      await take?.(block);
    }),
  );
  if (keys.found) throw new FileRefused(path, "holds a private key");
  const after = await identityOf(file);
  if (sha256 === undefined || !after || !sameIdentity(identity, after)) throw changing(path);
  return { path, size, identity, sha256 };
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
