import { ActionRefused } from "./open-action.js";

const MINUTE_MS = 60_000;

/** Keeps an agent from flooding owners and others: at most so many of a thing in any minute. Times by `clock.elapsed`. */
export class Rate {
  readonly #perMinute: number;
  readonly #what: string;
  #times: number[] = [];

  /** `what`: the things by their name, as in `Too many new requests`. */
  constructor(perMinute: number, what: string) {
    this.#perMinute = perMinute;
    this.#what = what;
  }

  /** Throws `ActionRefused`, with the seconds to wait, when one more would be one too many. */
  check(now: number): void {
    this.#times = this.#times.filter((time) => now - time < MINUTE_MS);
    // Those that were only added may be more than the limit: all but so many have to be past.
    const blocking = this.#times.at(-this.#perMinute);
    if (blocking === undefined || this.#times.length < this.#perMinute) return;
    const seconds = Math.ceil((blocking + MINUTE_MS - now) / 1000);
    throw new ActionRefused(
      `Too many ${this.#what}: at most ${this.#perMinute} a minute. Try again in ${seconds} s.`,
    );
  }

  /** Counts one. Throws as `check` does, and then does not count it. */
  count(now: number): void {
    this.check(now);
    this.#times.push(now);
  }

  /** Counts one that nothing keeps back. */
  add(now: number): void {
    this.#times.push(now);
  }
}
