import type { Readable } from "node:stream";

/** How long a line may take. Milliseconds. */
const PATIENCE = 20_000;

interface Waiting {
  readonly matches: (line: string) => boolean;
  readonly found: (line: string) => void;
  readonly failed: (reason: string) => void;
}

/** What a program printed on one of its streams. */
export class Output {
  text = "";
  #ended = false;
  #waiting: Waiting[] = [];

  constructor(stream: Readable) {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      this.text += chunk;
      this.#look();
    });
    stream.on("close", () => {
      this.#ended = true;
      for (const { failed } of this.#waiting) failed("The program ended");
      this.#waiting = [];
    });
  }

  /** The complete lines. */
  get lines(): string[] {
    return this.text.split("\n").slice(0, -1);
  }

  /** Resolves with the first line that matches; `after` so many lines. */
  line(pattern: string | RegExp, after = 0): Promise<string> {
    const matches = (line: string) => (typeof pattern === "string" ? line === pattern : pattern.test(line));
    const there = this.lines.slice(after).find(matches);
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const failed = (reason: string) => {
        clearTimeout(timer);
        reject(new Error(`${reason} without the line ${pattern}. It printed:\n${this.text}`));
      };
      const timer = setTimeout(failed, PATIENCE, "The program went on");
      const found = (line: string) => {
        clearTimeout(timer);
        resolve(line);
      };
      if (this.#ended) failed("The program had ended");
      else this.#waiting.push({ matches: (line) => matches(line), found, failed });
    });
  }

  #look(): void {
    const { lines } = this;
    this.#waiting = this.#waiting.filter(({ matches, found }) => {
      const line = lines.find(matches);
      if (line !== undefined) found(line);
      return line === undefined;
    });
  }
}
