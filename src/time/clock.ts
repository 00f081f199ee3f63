import { formatTime } from "../text/format.js";

/** Time as the parts see it, so that tests can hold it. Milliseconds throughout. */
export interface Clock {
  /**
   * Since 1970. For times that people read, and that hold over restarts: it can be set, forward and back, while the
   * program runs.
   */
  now(): number;
  /**
   * For durations: since some moment, only ever forward, whatever the wall clock does. Counted is the time that this
   * process was awake, since nothing can come while its computer sleeps.
   */
  elapsed(): number;
  /** Calls `fn` once after `ms` of `elapsed`; the returned function cancels it. Does not keep the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** Resolves after `ms` milliseconds of the clock. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

/** A moment of `elapsed`, as people read it: `14:05`, with the date when it is not today. */
export function timeText(clock: Clock, at: number): string {
  const now = clock.now();
  return formatTime(now + at - clock.elapsed(), now);
}
