import type { CoreJson } from "./api/chat-api.js";
import { CoreError } from "./errors/errors.js";
import { type ChatEvent, readEvent } from "./types.js";

/**
 * The core's events, one at a time in the order of their arrival. Held until `open`, so that nothing is handled
 * before the parts that handle it exist, and nothing is lost before either.
 */
export class EventQueue {
  readonly #handler: (event: ChatEvent) => Promise<void> | void;
  readonly #logError: (error: unknown) => void;
  #waiting: CoreJson[] = [];
  #state: "held" | "open" | "closed" = "held";
  #working = false;
  #idle: (() => void)[] = [];

  /** What `handler` throws goes to `logError`, and the next event is handled. */
  constructor(handler: (event: ChatEvent) => Promise<void> | void, logError: (error: unknown) => void) {
    this.#handler = handler;
    this.#logError = logError;
  }

  /** Takes an event and returns at once: the library waits for it before it reads the next. */
  push(raw: CoreJson): void {
    if (this.#state === "closed") return;
    this.#waiting.push(raw);
    void this.#work();
  }

  open(): void {
    if (this.#state !== "held") return;
    this.#state = "open";
    void this.#work();
  }

  /** Drops what waits; the event being handled ends by itself. */
  close(): void {
    this.#state = "closed";
    this.#waiting = [];
  }

  /** Resolves when everything pushed so far, and meanwhile, was handled. */
  async idle(): Promise<void> {
    if (!this.#working && (this.#waiting.length === 0 || this.#state !== "open")) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #work(): Promise<void> {
    if (this.#working || this.#state !== "open") return;
    this.#working = true;
    // The caller of `push` gets its turn back before the first event is handled.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      for (const raw of batch) {
        if (this.#stopped()) break;
        await this.#handle(raw);
      }
    }
    this.#working = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #stopped(): boolean {
    return this.#state === "closed";
  }

  async #handle(raw: CoreJson): Promise<void> {
    try {
      const event = readEvent(raw);
      if (!event) return;
      const unread = unreadElements(raw, event);
      if (unread > 0) {
        const name = `event ${raw.type}`;
        this.#logError(new CoreError(name, `${unread} of what ${name} is about could not be read`));
      }
      await this.#handler(event);
    } catch (error) {
      this.#logError(error);
    }
  }
}

/** How many elements of the event's lists were passed over. */
function unreadElements(raw: CoreJson, event: ChatEvent): number {
  const lists = Object.entries(event).map(([key, read]) => [raw[key], read]);
  return lists.reduce(
    (sum, [all, read]) => sum + (Array.isArray(all) && Array.isArray(read) ? all.length - read.length : 0),
    0,
  );
}
