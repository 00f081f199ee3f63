import { ActionRefused } from "./open-action.js";

const MINUTE_MS = 60_000;

/** Keeps an agent from flooding its owners: at most so many new cards in any minute. */
export class CardRate {
  readonly #perMinute: number;
  #times: number[] = [];

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a card at `now`, by `clock.elapsed`. Throws `ActionRefused` when it is one too many. */
  count(now: number): void {
    this.#times = this.#times.filter((time) => now - time < MINUTE_MS);
    const oldest = this.#times[0];
    if (oldest !== undefined && this.#times.length >= this.#perMinute) {
      const seconds = Math.ceil((oldest + MINUTE_MS - now) / 1000);
      throw new ActionRefused(
        `Too many new requests: at most ${this.#perMinute} a minute. Try again in ${seconds} s.`,
      );
    }
    this.#times.push(now);
  }
}
