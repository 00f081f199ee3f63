import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";

/** Generous: what a test waits for comes at once, or after some round trips over a loaded machine. Milliseconds. */
const PATIENCE_MS = process.env.TEST_WORLD === "real" ? 60_000 : 25_000;

/** Looks each turn of the event loop at first, which is when most things come, and then every few milliseconds. */
const TURNS = 200;
const PAUSE_MS = 3;

/** Resolves with the first value of `find` that is neither undefined nor false; `what` says what did not come. */
export async function until<T>(what: string, find: () => T | undefined | false): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (let count = 0; ; count += 1) {
    const found = find();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`This did not come: ${what}`);
    if (count < TURNS) await turn();
    else await pause(PAUSE_MS);
  }
}
