import { format } from "node:util";
import { oneLine } from "../../text/one-line.js";

/**
 * Sends what is printed with `console.log`, `console.error` and their kin to `write`, a line at a time: the SimpleX
 * library prints so, and stdout belongs to the program's own lines. The returned function undoes it.
 */
export function routeConsoleToStderr(write: (line: string) => void = writeWithTime): () => void {
  const { log, info, debug, warn, error } = console;
  const print = (...args: unknown[]) => {
    // What peers wrote may be in it.
    for (const line of format(...args).split("\n")) write(oneLine(line));
  };
  Object.assign(console, { log: print, info: print, debug: print, warn: print, error: print });
  return () => Object.assign(console, { log, info, debug, warn, error });
}

function writeWithTime(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}
