import { oneLine } from "../text/one-line.js";

/** What the program writes: lines for a person on stdout, all else on stderr with a time. */

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A line on stderr, with the time. Texts of others in it can neither end it nor move the cursor. */
export function logLine(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${oneLine(line)}\n`);
}

/** One line says why and what to do; the stack only where `DEBUG` asks for it. */
export function logError(error: unknown): void {
  logLine(error instanceof Error ? error.message : String(error));
  if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
