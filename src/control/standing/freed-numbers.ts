import { type ChatInfo, chatRefOf } from "../../core/types.js";
import type { ControlRecord } from "../chat/record.js";

/**
 * Numbers of chats that were deleted. SimpleX gives such a number to another chat: what was written of the old one, on
 * cards or by a phone that was offline, must not count for the new one. Each is kept with the creation of its chat, since
 * a chat whose deletion failed is still the same.
 */
export class FreedNumbers {
  readonly #record: Pick<ControlRecord, "data" | "save">;
  readonly #freed: Set<string>;

  constructor(record: Pick<ControlRecord, "data" | "save">) {
    this.#record = record;
    this.#freed = new Set(savedIn(record));
  }

  /** Whether another chat had the number of this one before, or may have had it. */
  has(info: ChatInfo): boolean {
    const chat = chatRefOf(info);
    const own = entryOf(info);
    return [...this.#freed].some((entry) => entry !== own && entry.startsWith(`${chat} `));
  }

  /** To be called before a chat is deleted: resolves when it is persisted. */
  async add(info: ChatInfo): Promise<void> {
    const entry = entryOf(info);
    this.#freed.add(entry);
    if (!savedIn(this.#record).includes(entry)) await this.#record.save({ freed: [...this.#freed] });
  }
}

function savedIn({ data: { freed } }: Pick<ControlRecord, "data">): string[] {
  return Array.isArray(freed) ? freed.filter((entry) => typeof entry === "string") : [];
}

function entryOf(info: ChatInfo): string {
  const chat = info.type === "direct" ? info.contact : info.type === "group" ? info.groupInfo : undefined;
  return `${chatRefOf(info)} ${chat?.createdAt}`;
}
