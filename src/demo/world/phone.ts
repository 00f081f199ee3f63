import type { ChatApiLike } from "../../core/api/chat-api.js";
import { type AChatItem, type ChatEvent, type ChatRef, chatRefOf } from "../../core/types.js";
import type { Clock } from "../../time/clock.js";
import { type Bubble, bubbleOf, type MessageBubble } from "../screen/bubble.js";
import { Person } from "./person.js";

/** The phone of the agent's owner, with the control chat open. */
export class Phone {
  readonly #owner: Person;
  readonly #bubbles: Bubble[] = [];
  readonly #listeners = new Set<(bubble: Bubble) => void>();
  /** How many bubbles `next` has looked at. */
  #seen = 0;
  #chat: ChatRef | undefined;

  private constructor(owner: Person) {
    this.#owner = owner;
    owner.onEvent((event) => this.#onEvent(event));
  }

  static async start(api: ChatApiLike, displayName: string, clock: Clock): Promise<Phone> {
    return new Phone(await Person.start(api, { displayName, fullName: "" }, clock));
  }

  /** Joins the control chat, as by scanning the code that the server shows. */
  async join(link: string): Promise<void> {
    this.#chat = await this.#owner.join(link);
  }

  /** Writes a message in the control chat; tapping a command does the same. */
  async send(text: string): Promise<void> {
    if (!this.#chat) throw new Error("the owner has not joined the control chat");
    this.#show(await this.#owner.say(this.#chat, text));
  }

  /** What was shown so far. */
  get bubbles(): readonly Bubble[] {
    return this.#bubbles;
  }

  onBubble(listener: (bubble: Bubble) => void): void {
    this.#listeners.add(listener);
  }

  /** The first message that fits, after the one that the last call gave; waits for it. */
  async next(fits: (message: MessageBubble) => boolean): Promise<MessageBubble> {
    for (;;) {
      while (this.#seen < this.#bubbles.length) {
        const bubble = this.#bubbles[this.#seen++];
        if (bubble?.kind === "message" && fits(bubble)) return bubble;
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#listeners.delete(wake);
          resolve();
        };
        this.#listeners.add(wake);
      });
    }
  }

  async close(): Promise<void> {
    await this.#owner.close();
  }

  #onEvent(event: ChatEvent): void {
    if (event.type === "newChatItems") for (const item of event.chatItems) this.#show(item);
    else if (event.type === "chatItemUpdated") this.#show(event.chatItem);
  }

  /** The owner has no other chat: what comes is of the control chat. */
  #show(item: AChatItem): void {
    const bubble = chatRefOf(item.chatInfo)?.startsWith("#") ? bubbleOf(item) : undefined;
    if (!bubble) return;
    this.#bubbles.push(bubble);
    for (const listener of [...this.#listeners]) listener(bubble);
  }
}
