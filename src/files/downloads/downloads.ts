import { rm } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { explain } from "../../core/errors/explain.js";
import type { AChatItem, ChatEvent, ChatItem, ChatRef } from "../../core/types.js";
import type { Clock } from "../../time/clock.js";
import { Turns } from "../../time/turns.js";
import { fileSize, freeBytes, isFile, makePrivate, moveFile } from "../disk/disk.js";
import { FileError, fileWork } from "../disk/file-error.js";
import type { ChatFolders, Place } from "./chat-folders.js";
import { Download, type DownloadCore } from "./download.js";
import { type FileRef, fileRef, readItem } from "./offered-file.js";
import type { FileServers } from "./servers.js";

export interface DownloadsOptions {
  core: DownloadCore;
  clock: Clock;
  folders: ChatFolders;
  servers: FileServers;
  log: (line: string) => void;
}

export interface NewDownload {
  place: Place;
  /** Also from servers that are not in the agent's list. */
  approvedRelays: boolean;
  /** The core as the one who wants the file may use it. */
  core?: DownloadCore;
}

const GONE_HERE = "The file was received and was deleted here since. Ask for it to be sent again.";
/** The core had put it elsewhere, and where it went in an earlier run is not known. */
const LOST_HERE = "The file was received and cannot be found here any more. Ask for it to be sent again.";

/**
 * Files on their way here and files that are here: one download a file, shared by the agent and its owners. A file is
 * known by its item: when a message is gone, the core gives the number of its file to a later one.
 */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #running = new Map<number, Download>();
  /** Those of them that room on the disk was found for. */
  readonly #withRoom = new Set<Download>();
  /** Where files were put in this run. */
  readonly #places = new Map<number, string>();
  /** Those of them that the agent got. */
  readonly #taken = new Set<number>();
  /** What is done with one file, by item. */
  readonly #turns = new Turns<number>();

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  onEvent(event: ChatEvent): void {
    switch (event.type) {
      case "rcvFileProgressXFTP":
        this.#about(event.chatItem_, event.rcvFileTransfer)?.progressed(event.receivedSize, event.totalSize);
        break;
      case "rcvFileComplete":
        if (!this.#hint(event.chatItem.chatItem)) void this.#adopt(event.chatItem);
        break;
      case "rcvFileAccepted":
      case "rcvFileStart":
      case "chatItemUpdated":
        this.#hint(event.chatItem.chatItem);
        break;
      case "rcvFileDescrReady":
      case "rcvFileSndCancelled":
        this.#hint(event.chatItem.chatItem);
        break;
      case "rcvFileError":
        this.#about(event.chatItem_, event.rcvFileTransfer)?.hint();
        break;
      case "chatItemsDeleted":
        for (const { deletedChatItem } of event.chatItemDeletions) this.#hint(deletedChatItem.chatItem);
        break;
      default:
    }
  }

  /** The download of the file: the one that runs, or a new one. */
  start(file: FileRef, { place, approvedRelays, core = this.#options.core }: NewDownload): Download {
    const running = this.#running.get(file.item);
    if (running) return running;
    const { clock, servers, log, folders } = this.#options;
    const download: Download = new Download({
      core,
      clock,
      file,
      newPath: () => this.#roomFor(download, place),
      discard: async (path) => {
        if (folders.isIn("files", path) || folders.isIn("forwarded", path)) await rm(path, { force: true });
      },
      approvedRelays,
      onRefused: (refused) => servers.noteRefusal(file.item, refused),
      log,
    });
    this.#running.set(file.item, download);
    const over = (): void => {
      this.#running.delete(file.item);
      this.#withRoom.delete(download);
    };
    download.finished.then(over, over);
    return download;
  }

  /** The received file, moved to where the agent may have it. Resolves with its path. */
  take(file: FileRef): Promise<string> {
    return this.#turns.run(file.item, async () => {
      const found = await this.#find(file);
      const path = await this.#moved(file, found);
      this.#taken.add(file.item);
      return path;
    });
  }

  /** Gives the received file to `use`; it is not moved meanwhile. */
  lend<Result>(file: FileRef, use: (path: string) => Promise<Result>): Promise<Result> {
    return this.#turns.run(file.item, async () => await use(await this.#find(file)));
  }

  /** Where the agent got the file of the item in this run. */
  takenTo(item: number): string | undefined {
    return this.#taken.has(item) ? this.#places.get(item) : undefined;
  }

  /** Where the file is that the agent was given before; undefined when it was not, or the file is gone. */
  async given(file: FileRef, item: ChatItem): Promise<string | undefined> {
    const path = item.file?.fileSource?.filePath;
    const isComplete = item.file?.fileStatus.type === "rcvComplete";
    const own =
      isComplete && path !== undefined && this.#options.folders.isIn("files", path) ? path : undefined;
    for (const candidate of [this.takenTo(file.item), own]) {
      if (candidate !== undefined && (await isFile(candidate))) return candidate;
    }
    return undefined;
  }

  /** Ends the downloads of the chat; resolves when they are over. */
  async cancelOf(chat: ChatRef, why: string): Promise<void> {
    const downloads = [...this.#running.values()].filter((download) => download.file.chat === chat);
    for (const download of downloads) download.cancel(why);
    await Promise.allSettled(downloads.map(({ finished }) => finished));
  }

  /** The chat was left: its downloads are looked at. */
  hintOf(chat: ChatRef): void {
    for (const download of this.#running.values()) if (download.file.chat === chat) download.hint();
  }

  /** Follows no download any more; the core goes on with them by itself. */
  close(): void {
    for (const download of this.#running.values()) download.close();
  }

  #hint({ meta }: ChatItem): boolean {
    const download = this.#running.get(meta.itemId);
    download?.hint();
    return download !== undefined;
  }

  /** The download that an event tells of. Where it comes without an item, the newest of its number is meant. */
  #about(item: AChatItem | undefined, { fileId }: { fileId: number }): Download | undefined {
    if (item) return this.#running.get(item.chatItem.meta.itemId);
    return [...this.#running.values()].findLast(({ file }) => file.fileId === fileId);
  }

  /** A file that the core received without being asked for it goes to the files of its chat. */
  async #adopt({ chatInfo, chatItem }: AChatItem): Promise<void> {
    const { folders, log } = this.#options;
    const chat = chatOf(chatInfo);
    const file = chat && fileRef(chat, chatItem);
    const path = chatItem.file?.fileSource?.filePath;
    if (!file || path === undefined || folders.isIn("files", path) || folders.isIn("forwarded", path)) return;
    try {
      await this.#turns.run(file.item, async () => {
        // Of a transfer that another run began, only the whole file is taken.
        if (isAbsolute(path) && (await fileSize(path)) === file.size) await this.#moved(file, path);
      });
    } catch (error) {
      log(
        `The file of item ${file.item} in ${file.chat} was not moved to the chat's files: ${explain(error)}`,
      );
    }
  }

  /** A path for a new file, where the disk has room for it beside the others that are on their way. */
  async #roomFor(download: Download, place: Place): Promise<string> {
    const { folders } = this.#options;
    const { file } = download;
    return await fileWork("The file cannot be stored", async () => {
      const path = await folders.newPath(place, file);
      const free = await freeBytes(folders.folder(place, file.chat));
      // Nothing is waited for from here on: of two that ask at once, the second sees the first.
      this.#withRoom.delete(download);
      const promised = [...this.#withRoom].reduce((sum, { bytesToWrite }) => sum + bytesToWrite, 0);
      if (free - promised < download.bytesToWrite) {
        throw new FileError("The file cannot be stored: the disk has too little room for it.");
      }
      this.#withRoom.add(download);
      return path;
    });
  }

  /** Where the received file is: where the core has put it, or where it was moved to. */
  async #find(file: FileRef): Promise<string> {
    const { core, folders } = this.#options;
    const known = this.#places.get(file.item);
    if (known !== undefined && (await isFile(known))) return known;
    const item = await readItem(core, file.chat, file.item);
    const path = item?.chatItem.file?.fileSource?.filePath;
    if (path === undefined || !isAbsolute(path)) throw new FileError(LOST_HERE);
    if (await isFile(path)) return path;
    const laterPaths = folders.laterPaths(file.chat, path);
    for (const later of laterPaths) {
      // The agent may have put another file there.
      if ((await fileSize(later)) === file.size) return later;
    }
    throw new FileError(laterPaths.length > 0 ? GONE_HERE : LOST_HERE);
  }

  async #moved(file: FileRef, path: string): Promise<string> {
    const { folders } = this.#options;
    const place = await fileWork("The file was received and cannot be stored", async () => {
      if (folders.isIn("files", path)) {
        await makePrivate(path);
        return path;
      }
      const target = await folders.movePath(file, path);
      await moveFile(path, target);
      return target;
    });
    this.#places.set(file.item, place);
    return place;
  }
}

/** The chat whose folder the file belongs to: of a support chat, its group. */
function chatOf(info: AChatItem["chatInfo"]): ChatRef | undefined {
  if (info.type === "direct") return `@${info.contact.contactId}`;
  return info.type === "group" ? `#${info.groupInfo.groupId}` : undefined;
}
