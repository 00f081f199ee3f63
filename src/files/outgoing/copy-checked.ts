/** Private copies of the very content that was checked before. */
import { type FileHandle, open, realpath, writeFile } from "node:fs/promises";
import { FileError } from "../disk/file-error.js";
import { bareAnimation } from "../pictures/animations.js";
import { ImageError } from "../pictures/image-error.js";
import { rewritten } from "../pictures/images.js";
import type { CheckedFile } from "./check-file.js";
import { identityOf, openToRead, readAll, sameIdentity } from "./opened-file.js";
import type { ImageForm } from "./outgoing-preview.js";

export type CheckedContent = Pick<CheckedFile, "path" | "size" | "identity" | "sha256">;

/** `copy` must not exist; it is there in part while this runs, and after a rejection. */
export async function copyBytes(checked: CheckedContent, copy: string): Promise<void> {
  const target = await open(copy, "wx", 0o600);
  try {
    await readChecked(checked, (block) => target.writeFile(block));
  } finally {
    await target.close();
  }
}

/** The image in the file, without its metadata, as its preview shows it. */
export async function copyImage(checked: CheckedContent, form: ImageForm, copy: string): Promise<void> {
  const blocks: Buffer[] = [];
  await readChecked(checked, (block) => {
    blocks.push(Buffer.from(block));
  });
  const image = await prepared(Buffer.concat(blocks), form).catch((cause: unknown) => {
    throw cause instanceof ImageError
      ? new FileError(`file: ${checked.path} ${cause.message}.`, { cause })
      : cause;
  });
  await writeFile(copy, image, { flag: "wx", mode: 0o600 });
}

async function prepared(image: Buffer, form: ImageForm): Promise<Buffer> {
  return form.animated ? bareAnimation(image, form.format) : await rewritten(image, form.format);
}

/** Reads the file. Rejects when it is another one, has other content, or is being written. */
async function readChecked(
  checked: CheckedContent,
  take: (block: Buffer) => Promise<void> | void,
): Promise<void> {
  const file = await opened(checked);
  try {
    const before = await identityOf(file);
    if (!before || !sameIdentity(before, checked.identity)) throw changed(checked);
    // Times of change have grains: within one, only the content tells.
    if ((await readAll(file, checked.size, take)) !== checked.sha256) throw changed(checked);
    const after = await identityOf(file);
    if (!after || !sameIdentity(after, checked.identity)) throw changed(checked);
  } finally {
    await file.close();
  }
}

async function opened(checked: CheckedContent): Promise<FileHandle> {
  try {
    if ((await realpath(checked.path)) === checked.path) return await openToRead(checked.path);
  } catch (cause) {
    throw changed(checked, cause);
  }
  throw changed(checked);
}

function changed({ path }: CheckedContent, cause?: unknown): FileError {
  return new FileError(`file: ${path} changed after the request.`, { cause });
}
