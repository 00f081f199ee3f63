import { constants } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { explain } from "../../core/errors/explain.js";
import type { ChatEvent, ChatInfo, ChatRef } from "../../core/types.js";
import { makeFolder, makePrivate } from "../disk/disk.js";
import { fileWork } from "../disk/file-error.js";
import { safeFileName } from "../disk/names.js";

export interface SentCopiesOptions {
  /** `files/sent`, absolute. */
  folder: string;
  log: (line: string) => void;
  /** A file did not leave, although its message did. `chat` is of the message, where the core tells it. */
  onNotSent: (failure: { chat: ChatInfo | undefined; name: string; error: string }) => void;
}

/** Private copies of files that the core is sending, each in a folder of its own, until it is done with them. */
export class SentCopies {
  readonly #options: SentCopiesOptions;
  readonly #chats = new Map<string, ChatRef>();
  #lastFailed: string | undefined;

  constructor(options: SentCopiesOptions) {
    this.#options = options;
  }

  /** A new folder that only this send has. */
  async newFolder(): Promise<string> {
    const { folder } = this.#options;
    await makeFolder(folder);
    return await mkdtemp(join(folder, "send-"));
  }

  /** A copy of a received file under its sender's name, made safe. */
  async copyOf(path: string, senderName: string): Promise<string> {
    return await fileWork("The file cannot be copied", async () => {
      const folder = await this.newFolder();
      try {
        const copy = join(folder, safeFileName(senderName));
        await copyFile(path, copy, constants.COPYFILE_EXCL);
        await makePrivate(copy);
        return copy;
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    });
  }

  /** The copy is for this chat. */
  assign(path: string, chat: ChatRef): void {
    this.#chats.set(path, chat);
  }

  /** Deletes the copies for the chat: the core tells nothing any more of uploads for a chat that is gone. */
  async removeOf(chat: ChatRef): Promise<void> {
    const copies = [...this.#chats].filter(([, of]) => of === chat);
    await Promise.all(copies.map(([path]) => this.remove(path)));
  }

  /** Deletes the copy with its folder; any other path stays. Never rejects. */
  async remove(path: string): Promise<void> {
    this.#chats.delete(path);
    const folder = dirname(path);
    if (dirname(folder) !== this.#options.folder) return;
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      this.#options.log(`The copy of a sent file was not deleted: ${explain(error)}`);
    }
  }

  /** The core tells the path it was given, so that it makes no difference whether its answer was seen before. */
  onEvent(event: ChatEvent): void {
    if (event.type === "sndFileCompleteXFTP") void this.remove(event.fileTransferMeta.filePath);
    if (event.type !== "sndFileError") return;
    const { fileName: name, filePath } = event.fileTransferMeta;
    void this.remove(filePath);
    // An event may come twice. Each copy has a path of its own.
    if (filePath === this.#lastFailed) return;
    this.#lastFailed = filePath;
    this.#options.onNotSent({ chat: event.chatItem_?.chatInfo, name, error: event.errorMessage });
  }
}
