import { type AChatItem, type ChatEvent, type ChatInfo, type ChatRef, chatRefOf } from "../core/types.js";
import type { Clock } from "../time/clock.js";
import { type Arrived, Collected, type CollectOptions } from "./collected.js";
import { isReceivedMessage } from "./items.js";

export type { Arrived, Collected, CollectOptions };

/**
 * Collects received messages for waiting calls. Each event costs as much as there are collectors of its chat,
 * however many other chats are waited for.
 */
export class ChatItemsWatch {
  readonly #clock: Clock;
  readonly #isHidden: (chat: ChatRef, info: ChatInfo) => boolean;
  readonly #byChat = new Map<ChatRef | "all", Set<Collected>>();

  /** `isHidden`: chats whose messages no collector gets, such as the control chat. */
  constructor(clock: Clock, isHidden: (chat: ChatRef, info: ChatInfo) => boolean = () => false) {
    this.#clock = clock;
    this.#isHidden = isHidden;
  }

  /** Collects from now on, until `stop`. */
  collect(chat: ChatRef | "all", options: CollectOptions = {}): Collected {
    const collectors = this.#byChat.get(chat) ?? new Set<Collected>();
    this.#byChat.set(chat, collectors);
    const collected = new Collected(this.#clock, options, () => {
      collectors.delete(collected);
      if (collectors.size === 0 && this.#byChat.get(chat) === collectors) this.#byChat.delete(chat);
    });
    collectors.add(collected);
    return collected;
  }

  /** Some call waits for messages of any chat. */
  get waitsForAll(): boolean {
    return this.#byChat.has("all");
  }

  /** The chat was left: what collects of it alone has all. Its number may be another chat's. */
  left(chat: ChatRef): void {
    for (const collected of [...(this.#byChat.get(chat) ?? [])]) collected.end();
  }

  onEvent(event: ChatEvent): void {
    switch (event.type) {
      case "newChatItems":
        for (const item of event.chatItems)
          this.#tell(item, (collected, arrived) => collected.arrive(arrived));
        break;
      case "chatItemUpdated":
        this.#tell(event.chatItem, (collected, arrived) => collected.update(arrived));
        break;
      case "chatItemsDeleted":
        for (const { deletedChatItem, toChatItem } of event.chatItemDeletions) {
          if (toChatItem) this.#tell(toChatItem, (collected, arrived) => collected.mark(arrived));
          else this.#tell(deletedChatItem, (collected, arrived) => collected.drop(arrived));
        }
        break;
      default:
    }
  }

  #tell({ chatInfo, chatItem }: AChatItem, tell: (collected: Collected, arrived: Arrived) => void): void {
    const chat = this.#byChat.size > 0 && isReceivedMessage(chatItem) ? chatRefOf(chatInfo) : undefined;
    if (!chat || this.#isHidden(chat, chatInfo)) return;
    const arrived = { chat, info: chatInfo, item: chatItem };
    for (const key of [chat, "all"] as const) {
      for (const collected of this.#byChat.get(key) ?? []) tell(collected, arrived);
    }
  }
}
