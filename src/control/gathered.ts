import type { ChatRef } from "../actions/action.js";
import type { Clock } from "../time/clock.js";
import { gathered } from "./texts/gather.js";
import { textTooLong } from "./texts/size.js";

export interface GatheredOptions {
  /** Posts a message in the control chat; never rejects. `what` begins the operator's line where it cannot be posted. */
  say: (text: string, options: { what: string }) => Promise<void>;
  clock: Clock;
}

/** What comes within so many milliseconds of the last message about its chat is gathered in the next one. */
export const GATHER_MS = 3000;

interface Outcome {
  text: string;
  shown: () => void;
}

/**
 * Outcomes that owners did not decide one by one. The first of a chat is told at once, those that follow within seconds
 * together: many acts make few messages.
 */
export class GatheredOutcomes {
  readonly #options: GatheredOptions;
  /** What waits, of chats that were told of a moment ago. */
  readonly #waiting = new Map<ChatRef, Outcome[]>();
  #isOver = false;

  constructor(options: GatheredOptions) {
    this.#options = options;
  }

  /** Resolves when it is posted. `number`: of its action. */
  async show(chat: ChatRef, text: string, number: number): Promise<void> {
    const { say } = this.#options;
    const waiting = this.#waiting.get(chat);
    if (!waiting || this.#isOver) {
      if (!this.#isOver) this.#open(chat);
      await say(text, { what: `The outcome of action ${number}` });
      return;
    }
    await new Promise<void>((shown) => waiting.push({ text, shown }));
  }

  /** The server stops: what waits is told now, and what comes at once. Returns how many waited. */
  stop(): number {
    this.#isOver = true;
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const [chat, waiting] of all) void this.#tell(chat, waiting);
    return all.flatMap(([, waiting]) => waiting).length;
  }

  #open(chat: ChatRef): void {
    const waiting: Outcome[] = [];
    this.#waiting.set(chat, waiting);
    this.#options.clock.after(GATHER_MS, () => {
      if (this.#waiting.get(chat) !== waiting) return;
      this.#waiting.delete(chat);
      if (waiting.length === 0) return;
      this.#open(chat);
      void this.#tell(chat, waiting);
    });
  }

  async #tell(chat: ChatRef, outcomes: readonly Outcome[]): Promise<void> {
    const texts = outcomes.map(({ text }) => text);
    for (const message of gathered(texts, (text) => textTooLong(text, false) <= 0))
      await this.#options.say(message, { what: `What was done in ${chat}` });
    for (const { shown } of outcomes) shown();
  }
}
