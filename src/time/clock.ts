/** Time as the parts see it, so that tests can hold it. Milliseconds since 1970 throughout. */
export interface Clock {
  now(): number;
  /** Calls `fn` once after `ms` milliseconds; the returned function cancels it. Does not keep the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** Node's timers hold at most 2^31 - 1 ms (24.8 days); longer waits fire at once there, so they are clamped. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, Math.min(Math.max(ms, 0), LONGEST_TIMER));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds of the clock. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}
