/** Work on the disk that files of chats need. Errors are the system's. */
import { constants, type Dirent } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./file-error.js";

/** Makes the folder and what is missing above it, readable for its owner only. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** A regular file, not a link to one. */
export async function isFile(path: string): Promise<boolean> {
  return (await fileSize(path)) !== undefined;
}

/** The bytes of a regular file; undefined where there is none. */
export async function fileSize(path: string): Promise<number | undefined> {
  try {
    const info = await lstat(path);
    return info.isFile() ? info.size : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** A name that nothing has in any of the folders: `7.pdf`, or else `7-2.pdf`, `7-3.pdf`, … */
export async function freeName(folders: readonly string[], name: string): Promise<string> {
  const [, stem = name, extension = ""] = /^(.+)(\.[^.]*)$/s.exec(name) ?? [];
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${stem}-${number}${extension}`;
    if (!(await existsInAny(folders, free))) return free;
  }
}

async function existsInAny(folders: readonly string[], name: string): Promise<boolean> {
  for (const folder of folders) if (await exists(join(folder, name))) return true;
  return false;
}

/** Moves the file, to another disk too. Its new name never holds a part of it. Private afterwards. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const part = `${to}.part`;
    try {
      await copyFile(from, part, constants.COPYFILE_EXCL);
      await rename(part, to);
    } catch (failure) {
      await rm(part, { force: true });
      throw failure;
    }
    await rm(from, { force: true });
  }
  await makePrivate(to);
}

export async function makePrivate(path: string): Promise<void> {
  await chmod(path, 0o600);
}

/** Bytes that this user may still write on the disk of the folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export interface FolderContent {
  files: number;
  bytes: number;
}

/** The regular files in the folder and below; none where there is no folder. Follows no links. */
export async function folderContent(folder: string): Promise<FolderContent> {
  const content = { files: 0, bytes: 0 };
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    const inner = entry.isDirectory() ? await folderContent(path) : undefined;
    const bytes = entry.isFile() ? await fileSize(path) : undefined;
    content.files += inner?.files ?? (bytes === undefined ? 0 : 1);
    content.bytes += inner?.bytes ?? bytes ?? 0;
  }
  return content;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
