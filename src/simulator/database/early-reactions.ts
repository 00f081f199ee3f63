import type { Reaction } from "../data/item-rows.js";

/** Reactions to messages that are not here yet: they will have them. */
export class EarlyReactions {
  private readonly byMessage = new Map<string, Reaction[]>();

  change(chat: string, sharedMsgId: string, change: (early: readonly Reaction[]) => Reaction[]): void {
    const key = `${chat}|${sharedMsgId}`;
    this.byMessage.set(key, change(this.byMessage.get(key) ?? []));
  }

  take(chat: string, sharedMsgId: string): Reaction[] | undefined {
    const key = `${chat}|${sharedMsgId}`;
    const early = this.byMessage.get(key);
    this.byMessage.delete(key);
    return early;
  }

  toJSON(): SavedReactions {
    return [...this.byMessage];
  }

  load(saved: SavedReactions): void {
    for (const [key, reactions] of saved) this.byMessage.set(key, [...reactions]);
  }
}

export type SavedReactions = ReadonlyArray<readonly [string, readonly Reaction[]]>;
