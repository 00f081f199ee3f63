/**
 * What is shown of a file is made of the very bytes that are hashed while it is checked: its path is not opened again,
 * for it may lead elsewhere by then.
 */
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileWork } from "../disk/file-error.js";
import { mediaType, type VideoFormat, videoFormat } from "../pictures/media.js";
import { canShowVideos, type RunProgram } from "../pictures/videos.js";
import type { TakeBlock } from "./check-file.js";
import type { SentCopies } from "./sent-copies.js";

/** Images are read into memory whole. */
const MOST_IMAGE_BYTES = 64 << 20;

export interface ShownContentOptions {
  copies: Pick<SentCopies, "newFolder">;
  run: RunProgram;
}

/** The content of one file: of an image in memory, of a video in a private copy, where there is a program to show it. */
export class ShownContent {
  /** Of a video that is one by its first bytes. */
  videoFormat: VideoFormat | undefined;
  readonly #options: ShownContentOptions;
  #image: Buffer[] | undefined;
  #folder: string | undefined;
  #copy: { path: string; file: FileHandle } | undefined;

  constructor(options: ShownContentOptions) {
    this.#options = options;
  }

  /** What takes the content of the file at this path; undefined where none of it is shown. */
  reader(path: string, size: number): TakeBlock | undefined {
    switch (mediaType(path)) {
      case "file":
        return undefined;
      case "image": {
        if (size > MOST_IMAGE_BYTES) return undefined;
        const blocks: Buffer[] = [];
        this.#image = blocks;
        return (block) => void blocks.push(Buffer.from(block));
      }
      case "video": {
        let isFirst = true;
        return async (block) => {
          if (isFirst) await this.#beginVideo(block);
          isFirst = false;
          await copying(async () => await this.#copy?.file.writeFile(block));
        };
      }
    }
  }

  /** The image, when all of it was taken; undefined where it is too large. */
  get image(): Buffer | undefined {
    return this.#image && Buffer.concat(this.#image);
  }

  /** A path of the video that nobody else has, until `discard`; undefined where it cannot be shown. */
  async videoPath(): Promise<string | undefined> {
    await this.#copy?.file.close();
    return this.#copy?.path;
  }

  /** Deletes the copy. */
  async discard(): Promise<void> {
    await this.#copy?.file.close().catch(() => undefined);
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #beginVideo(head: Buffer): Promise<void> {
    this.videoFormat = videoFormat(head);
    if (!this.videoFormat || !(await canShowVideos(this.#options.run))) return;
    await copying(async () => {
      this.#folder = await this.#options.copies.newFolder();
      const path = join(this.#folder, "video");
      this.#copy = { path, file: await open(path, "wx", 0o600) };
    });
  }
}

async function copying<T>(work: () => Promise<T>): Promise<T> {
  return await fileWork("The file cannot be copied to be shown", work);
}
