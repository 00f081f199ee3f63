import type { Clock } from "../../src/time/clock.js";

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** A clock that stands still but for `advance`. */
export class FakeClock implements Clock {
  #now: number;
  #timers: Timer[] = [];
  readonly #settle: () => Promise<void>;

  /** `settle`: waits until all that the last timer caused has happened, new timers included. */
  constructor({
    start = Date.UTC(2026, 11, 1, 14, 5),
    settle,
  }: { start?: number; settle: () => Promise<void> }) {
    this.#now = start;
    this.#settle = settle;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
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
    const end = this.#now + ms;
    for (;;) {
      await this.#settle();
      const due = this.#nextDue(end);
      if (!due) break;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#now = Math.max(this.#now, due.at);
      due.fn();
    }
    this.#now = end;
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
