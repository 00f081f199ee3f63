import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ChatRef } from "../core/types.js";

/** The name of a chat's folder: `group-15`, `contact-4`. */
export function chatFolder(chat: ChatRef): string {
  return `${chat.startsWith("@") ? "contact" : "group"}-${chat.slice(1)}`;
}

/** Files of chats on this computer. */
export class ChatFiles {
  /** `forwarded`: the folder of files that owners looked at, absolute. */
  constructor(readonly forwarded: string) {}

  /** Deletes what an owner of the agent looked at with `/forward`. */
  async forgetForwarded(chat: ChatRef): Promise<void> {
    await rm(join(this.forwarded, chatFolder(chat)), { recursive: true, force: true });
  }
}
