import { allItems } from "../core/all-items.js";
import type { Core } from "../core/core.js";
import { isChatNotFound, isItemNotFound } from "../core/errors/errors.js";
import type { ChatEvent, ChatItem, ChatRef } from "../core/types.js";
import { homeFolder } from "../data-folder/home.js";
import type { Clock } from "../time/clock.js";
import type { FolderContent } from "./disk/disk.js";
import { ChatFolders } from "./downloads/chat-folders.js";
import { Downloads } from "./downloads/downloads.js";
import type { FileRef } from "./downloads/offered-file.js";
import { FileServers } from "./downloads/servers.js";
import { unknownHosts } from "./downloads/unknown-hosts.js";
import { OutgoingFiles } from "./outgoing/outgoing.js";
import { SentCopies, type SentCopiesOptions } from "./outgoing/sent-copies.js";
import type { RunProgram } from "./pictures/videos.js";

export type FilesCore = Pick<Core, "getChat" | "receiveFile" | "cancelFile" | "getItemInfo" | "userServers">;

export interface AgentFilesOptions {
  core: FilesCore;
  userId: number;
  clock: Clock;
  /** Absolute paths of the data folder and of folders in it. */
  paths: { root: string; files: string; sent: string; forwarded: string };
  log: (line: string) => void;
  onNotSent: SentCopiesOptions["onNotSent"];
  /** For tests: the home folder, and what runs ffmpeg. */
  home?: string;
  run?: RunProgram;
}

const UNDER_WAY = ["rcvAccepted", "rcvTransfer", "rcvWarning"];

/** Files of chats: those that come, those that go, and their folders on this computer. */
export class AgentFiles {
  readonly folders: ChatFolders;
  readonly servers = new FileServers();
  readonly downloads: Downloads;
  readonly copies: SentCopies;
  readonly outgoing: OutgoingFiles;
  readonly #core: FilesCore;
  readonly #userId: number;

  constructor({ core, userId, clock, paths, log, onNotSent, home, run }: AgentFilesOptions) {
    this.#core = core;
    this.#userId = userId;
    this.folders = new ChatFolders({ files: paths.files, forwarded: paths.forwarded });
    this.downloads = new Downloads({ core, clock, folders: this.folders, servers: this.servers, log });
    this.copies = new SentCopies({ folder: paths.sent, log, onNotSent });
    this.outgoing = new OutgoingFiles({
      own: paths,
      home: home ?? homeFolder() ?? paths.root,
      copies: this.copies,
      ...(run ? { run } : {}),
    });
  }

  onEvent(event: ChatEvent): void {
    this.servers.onEvent(event);
    this.downloads.onEvent(event);
    this.copies.onEvent(event);
  }

  /** Hosts that the file is on and the agent's list of servers lacks, as far as they are known now. */
  async unknownHosts(file: Pick<FileRef, "chat" | "item">): Promise<string[]> {
    return await unknownHosts({ core: this.#core, userId: this.#userId, servers: this.servers }, file);
  }

  /** The chat was left: what owners looked at goes, and what was being sent; what the agent downloaded stays. */
  async left(chat: ChatRef): Promise<void> {
    this.downloads.hintOf(chat);
    await this.copies.removeOf(chat);
    await this.folders.deleteForwarded(chat);
  }

  /** Ends the downloads of the chat and deletes its files; resolves with what there was. */
  async deleteOf(chat: ChatRef): Promise<FolderContent> {
    await this.downloads.cancelOf(chat, "Your owner deleted the files of this chat.");
    await this.#cancelOthers(chat);
    return await this.folders.deleteAll(chat);
  }

  /** The core goes on with downloads by itself. */
  close(): void {
    this.downloads.close();
  }

  /** Downloads of an earlier run, which only the core knows of. */
  async #cancelOthers(chat: ChatRef): Promise<void> {
    try {
      for await (const item of allItems(this.#core, chat)) await this.#cancel(item);
    } catch (error) {
      // The chat was left, or the page's first message was deleted meanwhile.
      if (!isChatNotFound(error) && !isItemNotFound(error)) throw error;
    }
  }

  async #cancel({ file }: ChatItem): Promise<void> {
    if (!file || !UNDER_WAY.includes(file.fileStatus.type)) return;
    // It may be complete by now; then it is deleted with the folder.
    await this.#core.cancelFile(file.fileId).catch(() => undefined);
  }
}
