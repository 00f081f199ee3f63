import { realpath, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileWork } from "../disk/file-error.js";
import { safeFileName } from "../disk/names.js";
import { type MediaType, mediaType } from "../pictures/media.js";
import { type RunProgram, runProgram } from "../pictures/videos.js";
import { checkFile } from "./check-file.js";
import { type CheckedContent, copyBytes, copyImage } from "./copy-checked.js";
import { type Media, mediaOf } from "./outgoing-preview.js";
import type { OwnFolders } from "./path-rules.js";
import type { SentCopies } from "./sent-copies.js";
import { ShownContent } from "./shown-content.js";

/** What is known of a file before it is looked into. */
export interface FileFacts {
  /** Without links. */
  path: string;
  /** As the other side sees it: that of the path, made safe. */
  name: string;
  /** Bytes, on this computer. */
  size: number;
  type: MediaType;
}

/** A file that the agent may send: what its card shows, and what tells whether it is still the same. */
export interface OutgoingFile extends FileFacts {
  media: Media;
  checked: CheckedContent;
}

export interface OutgoingOptions {
  /** The agent's folders. */
  own: OwnFolders;
  /** The home folder, for `~`. */
  home: string;
  copies: SentCopies;
  /** For tests: what runs ffmpeg. */
  run?: RunProgram;
}

/** Files from this computer to chats: checked when the agent asks, checked again and copied when they are sent. */
export class OutgoingFiles {
  readonly #options: OutgoingOptions;

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  /**
   * The file at `path`. `room` tells how many characters a preview of it may have. Rejects with `FileRefused` for a
   * file that may not be sent, with `FileError` for one that cannot be.
   */
  async prepare(
    path: string,
    { asFile, room }: { asFile: boolean; room: (facts: FileFacts) => number },
  ): Promise<OutgoingFile> {
    const { home, copies, run = runProgram } = this.#options;
    const content = new ShownContent({ copies, run });
    try {
      const checked = await checkFile(path, {
        own: await this.#ownFolders(),
        home,
        ...(asFile ? {} : { reader: (real, size) => content.reader(real, size) }),
      });
      const facts: FileFacts = {
        path: checked.path,
        name: safeFileName(basename(checked.path)),
        size: checked.size,
        type: asFile ? "file" : mediaType(checked.path),
      };
      const media: Media = asFile
        ? { type: "file" }
        : await mediaOf(checked.path, content, { room: room(facts), run });
      return { ...facts, type: media.type, media, checked };
    } finally {
      await content.discard();
    }
  }

  /**
   * A private copy to send: of the very content that was checked, or of the image in it without its metadata.
   * Resolves with its path, which is the core's to read until it is done with it.
   */
  async copy({ name, media, checked }: OutgoingFile): Promise<string> {
    const { copies } = this.#options;
    return await fileWork("The file cannot be copied for sending", async () => {
      const folder = await copies.newFolder();
      const copy = join(folder, name);
      try {
        if (media.type === "image") await copyImage(checked, media.form, copy);
        else await copyBytes(checked, copy);
        return copy;
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    });
  }

  /** Without links, so that they can be compared with real paths. */
  async #ownFolders(): Promise<OwnFolders> {
    const { root, files, sent } = this.#options.own;
    const real = await realpath(root);
    return {
      root: real,
      files: join(real, basename(files)),
      sent: join(real, basename(files), basename(sent)),
    };
  }
}
