import type { Clock } from "./clock.js";

/** Something that tells its listeners of each change. The returned function ends the listening. */
export type Subscribe = (listener: () => void) => () => void;

/** Why a wait ended. */
export type WaitEnd = "changed" | "time" | "aborted";

/**
 * Waits for the next change, until the time `until` (of `clock.elapsed`; none: for ever) or the abort,
 * whichever comes first. The caller checks its condition before and after: a change is only a hint.
 */
export function nextChange(
  subscribe: Subscribe,
  { clock, until, signal }: { clock: Clock; until?: number; signal?: AbortSignal },
): Promise<WaitEnd> {
  if (signal?.aborted) return Promise.resolve("aborted");
  return new Promise((resolve) => {
    const end = (why: WaitEnd): void => {
      unsubscribe();
      cancelTimer?.();
      signal?.removeEventListener("abort", onAbort);
      resolve(why);
    };
    const onAbort = (): void => end("aborted");
    const unsubscribe = subscribe(() => end("changed"));
    const cancelTimer =
      until === undefined ? undefined : clock.after(Math.max(0, until - clock.elapsed()), () => end("time"));
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Tells of the changes of both. */
export function either(one: Subscribe, other: Subscribe): Subscribe {
  return (listener) => {
    const ends = [one(listener), other(listener)];
    return () => {
      for (const end of ends) end();
    };
  };
}

/** Listeners of one thing that changes. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  readonly subscribe: Subscribe = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  emit(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
