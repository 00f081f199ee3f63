import type { Clock } from "../time/clock.js";

const TICK_MS = 60_000;

/** Calls `work` each minute between `start` and `stop`: nothing runs while there is nothing to wait for. */
export class Tick {
  readonly #clock: Clock;
  readonly #work: () => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, work: () => void) {
    this.#clock = clock;
    this.#work = work;
  }

  start(): void {
    this.#cancel ??= this.#clock.after(TICK_MS, () => {
      this.#cancel = undefined;
      // `work` may stop it.
      this.start();
      this.#work();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
