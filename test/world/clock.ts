import type { Clock } from "../../src/time/clock.js";

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** A clock that stands still but for `advance`, and can be set as the wall clock of a computer is. */
export class FakeClock implements Clock {
  /** What the wall clock tells beyond `elapsed`. */
  #offset: number;
  #elapsed = 0;
  #timers: Timer[] = [];
  readonly #settle: () => Promise<void>;

  /** `settle`: waits until all that the last timer caused has happened, new timers included. */
  constructor({
    start = Date.UTC(2026, 11, 1, 14, 5),
    settle,
  }: { start?: number; settle: () => Promise<void> }) {
    this.#offset = start;
    this.#settle = settle;
  }

  now(): number {
    return this.#offset + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  /** Somebody sets the wall clock, by so much; or the computer slept for so long. */
  set(ms: number): void {
    this.#offset += ms;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#elapsed + ms, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Lets `ms` milliseconds go by: each timer that comes due fires at its own time, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      await this.#settle();
      const due = this.#nextDue(end);
      if (!due) break;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#elapsed = Math.max(this.#elapsed, due.at);
      due.fn();
    }
    this.#elapsed = end;
  }

  /** The first of those that come due first: timers set together fire in the order they were set. */
  #nextDue(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}
