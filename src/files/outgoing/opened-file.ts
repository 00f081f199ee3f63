/** One file, read by its descriptor: what was checked is what is read, whatever happens to its path. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";

/** What tells a file, and a state of it, from every other. Times in nanoseconds. */
export interface FileIdentity {
  device: bigint;
  inode: bigint;
  size: bigint;
  modified: bigint;
  changed: bigint;
}

export function sameIdentity(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.device === other.device &&
    one.inode === other.inode &&
    one.size === other.size &&
    one.modified === other.modified &&
    one.changed === other.changed
  );
}

/** Opens for reading: no link at the end of the path, no waiting for the other end of a pipe. */
export async function openToRead(path: string): Promise<FileHandle> {
  // Windows has neither flag.
  return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
}

/** Undefined for what is no regular file. */
export async function identityOf(file: FileHandle): Promise<FileIdentity | undefined> {
  const info = await file.stat({ bigint: true });
  if (!info.isFile()) return undefined;
  return {
    device: info.dev,
    inode: info.ino,
    size: info.size,
    modified: info.mtimeNs,
    changed: info.ctimeNs,
  };
}

/** Whether the open file is the one at this path, with no link on the way: a folder may be swapped meanwhile. */
export async function isAtPath(file: FileHandle, path: string, identity: FileIdentity): Promise<boolean> {
  // Linux tells what a descriptor was opened by.
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (opened !== undefined) return opened === path;
  if ((await realpath(path)) !== path) return false;
  const info = await lstat(path, { bigint: true });
  return info.dev === identity.device && info.ino === identity.inode;
}

const BLOCK_BYTES = 1 << 20;

/**
 * Reads `size` bytes from the start and gives each block to `take`; resolves with their SHA-256. Undefined when the
 * file has not exactly so many.
 */
export async function readAll(
  file: FileHandle,
  size: number,
  take: (block: Buffer) => Promise<void> | void = () => undefined,
): Promise<string | undefined> {
  const hash = createHash("sha256");
  const block = Buffer.allocUnsafe(Math.max(1, Math.min(BLOCK_BYTES, size + 1)));
  let position = 0;
  for (;;) {
    const { bytesRead } = await file.read(block, 0, block.length, position);
    if (bytesRead === 0) return position === size ? hash.digest("base64") : undefined;
    position += bytesRead;
    if (position > size) return undefined;
    const part = block.subarray(0, bytesRead);
    hash.update(part);
    await take(part);
  }
}
