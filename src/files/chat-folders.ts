import { rm } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import type { ChatRef } from "../core/types.js";
import { type FolderContent, folderContent, freePath, makeFolder } from "./disk.js";
import { chatFolder, receivedName } from "./names.js";

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

  /** Where the file is called as it mostly is. */
  path(place: Place, { chat, fileId, name }: ReceivedFile): string {
    return join(this.folder(place, chat), receivedName(fileId, name));
  }

  /** A path for the file that nothing has yet, in a folder that is there: what is here is never overwritten. */
  async newPath(place: Place, { chat, fileId, name }: ReceivedFile): Promise<string> {
    const folder = this.folder(place, chat);
    await makeFolder(folder);
    return await freePath(folder, receivedName(fileId, name));
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
