import type { Clock } from "./clock.js";

/** What the clock is made of. Milliseconds. */
export interface TimeSource {
  /** Since 1970. */
  wall(): number;
  /** Since some moment, only forward; whether it counts the sleep of the computer differs by system. */
  monotonic(): number;
  /** Node's timers, which do not keep the process alive. */
  timer(ms: number, fn: () => void): () => void;
}

/** Node's timers hold at most 2^31 - 1 ms (24.8 days); longer ones fire at once there. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** While timers wait, one of this length tells whether the process is awake. */
const BEAT_MS = 30_000;

/** A beat that is later than this was held up by the sleep of the computer, or of the process. */
const LATE_MS = 5_000;

/** A clock of real time. Sleep is noticed while timers wait, to the length of a beat; at other times nothing waits for it. */
export class SystemClock implements Clock {
  readonly #source: TimeSource;
  readonly #waiting = new Set<object>();
  #slept = 0;
  /** When the beat is to come, by `elapsed`; none while nothing waits. */
  #beatDue = Number.POSITIVE_INFINITY;
  #cancelBeat: (() => void) | undefined;

  constructor(source: TimeSource = NODE) {
    this.#source = source;
  }

  now(): number {
    return this.#source.wall();
  }

  elapsed(): number {
    const elapsed = this.#source.monotonic() - this.#slept;
    if (elapsed <= this.#beatDue + LATE_MS) return elapsed;
    // Had the process been awake, the beat would have come.
    this.#slept += elapsed - this.#beatDue;
    return this.#beatDue;
  }

  after(ms: number, fn: () => void): () => void {
    const due = this.elapsed() + Math.max(ms, 0);
    const waiting = {};
    this.#waiting.add(waiting);
    if (!this.#cancelBeat) this.#beat();
    let cancelTimer = (): void => undefined;
    const arm = (): void => {
      const left = Math.ceil(due - this.elapsed());
      cancelTimer = this.#source.timer(Math.min(Math.max(left, 0), LONGEST_TIMER), () => {
        // Node's timers may come a part of a millisecond early.
        if (due - this.elapsed() >= 1) return arm();
        this.#end(waiting);
        fn();
      });
    };
    arm();
    return () => {
      cancelTimer();
      this.#end(waiting);
    };
  }

  #beat(): void {
    this.#beatDue = this.elapsed() + BEAT_MS;
    this.#cancelBeat = this.#source.timer(BEAT_MS, () => this.#beat());
  }

  #end(waiting: object): void {
    this.#waiting.delete(waiting);
    if (this.#waiting.size > 0) return;
    // What was slept so far stays so.
    this.elapsed();
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
    this.#beatDue = Number.POSITIVE_INFINITY;
  }
}

const NODE: TimeSource = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  timer(ms, fn) {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const systemClock: Clock = new SystemClock();
