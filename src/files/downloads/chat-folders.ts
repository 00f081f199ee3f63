import { rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { ChatRef } from "../../core/types.js";
import { type FolderContent, folderContent, freeName, makeFolder } from "../disk/disk.js";
import { chatFolder, receivedName } from "../disk/names.js";

/** `files`: what the agent may have. `forwarded`: what an owner looked at first. */
export type Place = "files" | "forwarded";

/** What a file is called here follows from these. */
export interface ReceivedFile {
  chat: ChatRef;
  fileId: number;
  /** The sender's name for it, unfiltered. */
  name: string;
}

/** The folders of chats on this computer: `files/group-15`, `forwarded/group-15`. */
export class ChatFolders {
  readonly #places: Record<Place, string>;

  /** Absolute paths. */
  constructor(places: Record<Place, string>) {
    this.#places = places;
  }

  folder(place: Place, chat: ChatRef): string {
    return join(this.#places[place], chatFolder(chat));
  }

  /**
   * A path to receive the file to, in a folder that is there. What is here is never overwritten, and the name is new
   * in both places of the chat: it stays the file's own when it moves from one to the other.
   */
  async newPath(place: Place, { chat, fileId, name }: ReceivedFile): Promise<string> {
    const folder = this.folder(place, chat);
    await makeFolder(folder);
    // In the order in which files move, so that one that moves meanwhile is seen.
    const places = [this.folder("forwarded", chat), this.folder("files", chat)];
    return join(folder, await freeName(places, receivedName(fileId, name)));
  }

  /** A path in `files` for the file that is at `path`: under the name that it has, where an owner looked at it. */
  async movePath(file: ReceivedFile, path: string): Promise<string> {
    if (!this.isIn("forwarded", path)) return await this.newPath("files", file);
    const folder = this.folder("files", file.chat);
    await makeFolder(folder);
    return join(folder, await freeName([folder], basename(path)));
  }

  /** Where a file of the chat may be that was received to `path`: it was moved since, or the data folder was. */
  laterPaths(chat: ChatRef, path: string): string[] {
    const folder = dirname(path);
    const names = Object.values(this.#places).map((place) => basename(place));
    if (basename(folder) !== chatFolder(chat) || !names.includes(basename(dirname(folder)))) return [];
    return (["files", "forwarded"] as const).map((place) => join(this.folder(place, chat), basename(path)));
  }

  isIn(place: Place, path: string): boolean {
    const inner = relative(this.#places[place], path);
    return isAbsolute(path) && inner !== "" && !/^\.\.(?:[/\\]|$)/.test(inner) && !isAbsolute(inner);
  }

  /** What is kept of the chat for the agent, and where. */
  async kept(chat: ChatRef): Promise<FolderContent & { folder: string }> {
    const folder = this.folder("files", chat);
    return { folder, ...(await folderContent(folder)) };
  }

  /** Deletes what owners looked at with `/forward`. */
  async deleteForwarded(chat: ChatRef): Promise<void> {
    await deleteFolder(this.folder("forwarded", chat));
  }

  /** Deletes all files of the chat, and tells how many there were. */
  async deleteAll(chat: ChatRef): Promise<FolderContent> {
    let deleted: FolderContent = { files: 0, bytes: 0 };
    for (const place of ["files", "forwarded"] as const) {
      const { files, bytes } = await folderContent(this.folder(place, chat));
      await deleteFolder(this.folder(place, chat));
      deleted = { files: deleted.files + files, bytes: deleted.bytes + bytes };
    }
    return deleted;
  }
}

async function deleteFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
