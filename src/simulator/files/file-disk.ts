import { createCipheriv, createDecipheriv } from "node:crypto";
import { existsSync, readFileSync, type Stats, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { chatError } from "../data/errors.js";
import type { CryptoArgs } from "../data/file-rows.js";
import type { User } from "../user/user.js";

/** Where a path of a command or an item is on this computer. */
export function onDisk(user: User, path: string): string {
  return isAbsolute(path) ? path : join(user.session.folders.files ?? ".", path);
}

/** What is at a path; undefined where nothing can be seen. */
function infoOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Bytes of a regular file; undefined where there is none. */
export function sizeOf(path: string): number | undefined {
  const info = infoOf(path);
  return info?.isFile() ? info.size : undefined;
}

/**
 * Where a received file goes, with an empty file in its place: to `given`, into the folder `given`, or into the files
 * folder, by which the result is then named. Throws as the core does where that cannot be.
 */
export function receivePath(user: User, name: string, given: string | undefined): string {
  const folder = user.session.folders.files;
  if (given === undefined) {
    const path = uniquePath(folder ?? user.session.folders.temp ?? tmpdir(), name);
    makeEmpty(path);
    return folder === undefined ? path : basename(path);
  }
  const path = infoOf(given)?.isDirectory() ? uniquePath(given, name) : given;
  if (existsSync(path)) throw chatError("fileAlreadyExists", { filePath: path });
  makeEmpty(path);
  return path;
}

/** A path in the folder that nothing has: `name.tar.gz`, or else `name_1.tar.gz`, … */
export function uniquePath(folder: string, name: string): string {
  // The core takes the peer's name as it is; nothing of the simulator's should leave the folder.
  const [, stem = "", extensions = ""] = /^([^.]*)(.*)$/s.exec(basename(name)) ?? [];
  for (let number = 0; ; number++) {
    const path = join(folder, `${stem}${number === 0 ? "" : `_${number}`}${extensions}`);
    if (!existsSync(path)) return path;
  }
}

const SYSTEM_ERRORS = new Map([
  ["ENOENT", "does not exist (No such file or directory)"],
  ["EACCES", "permission denied (Permission denied)"],
  ["EPERM", "permission denied (Operation not permitted)"],
  ["ENOTDIR", "inappropriate type (Not a directory)"],
  ["ENAMETOOLONG", "invalid argument (File name too long)"],
]);

function makeEmpty(path: string): void {
  try {
    writeFileSync(path, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = SYSTEM_ERRORS.get(code) ?? code;
    throw chatError("fileWrite", { filePath: path, message: `${path}: withBinaryFile: ${reason}` });
  }
}

/** The content of a file; undefined where none can be read. */
export function readContent(path: string, cryptoArgs: CryptoArgs | undefined): Buffer | undefined {
  try {
    const content = readFileSync(path);
    return cryptoArgs ? decrypted(content, cryptoArgs) : content;
  } catch {
    return undefined;
  }
}

export function writeContent(path: string, content: Buffer, cryptoArgs: CryptoArgs | undefined): void {
  writeFileSync(path, cryptoArgs ? encrypted(content, cryptoArgs) : content);
}

/** Bytes that an encrypted file has more. */
export const TAG_BYTES = 16;
const CIPHER = "chacha20-poly1305";

function keyOf({ fileKey, fileNonce }: CryptoArgs): [key: Buffer, nonce: Buffer] {
  return [Buffer.from(fileKey, "base64url"), Buffer.from(fileNonce, "base64url").subarray(0, 12)];
}

/** Encrypted as with any cipher: which one the core uses is not simulated. */
function encrypted(content: Buffer, args: CryptoArgs): Buffer {
  const cipher = createCipheriv(CIPHER, ...keyOf(args), { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function decrypted(content: Buffer, args: CryptoArgs): Buffer {
  const decipher = createDecipheriv(CIPHER, ...keyOf(args), { authTagLength: TAG_BYTES });
  const end = content.length - TAG_BYTES;
  decipher.setAuthTag(content.subarray(end));
  return Buffer.concat([decipher.update(content.subarray(0, end)), decipher.final()]);
}
