import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";

export interface TerminalOptions {
  readonly input: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    setRawMode?: ((mode: boolean) => unknown) | undefined;
  };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Shown before what is typed, where somebody types. */
  readonly prompt: string;
}

/** Lines in, lines out; what is printed goes above the line that is being typed. */
export class Terminal {
  /** Somebody types, so that the typed lines stay on the screen. */
  readonly interactive: boolean;
  readonly #output: NodeJS.WritableStream;
  readonly #lines: Interface;
  #prompting = false;

  constructor({ input, output, prompt }: TerminalOptions) {
    this.interactive = input.isTTY === true && output.isTTY === true;
    this.#output = output;
    if (this.interactive) forgiveClosed(input);
    this.#lines = createInterface({ input, output, terminal: this.interactive, prompt });
    // Reading from a terminal that was closed fails: its input is over.
    this.#lines.on("error", () => this.#lines.close());
    this.#lines.pause();
  }

  /** From now on `onLine` gets each line. `onEnd`: Ctrl-C or Ctrl-D, or the end of the input. */
  start({ onLine, onEnd }: { onLine: (line: string) => void; onEnd: () => void }): void {
    this.#lines.on("line", (line) => {
      onLine(line);
      if (this.interactive) this.#lines.prompt();
    });
    this.#lines.on("SIGINT", () => this.#lines.close());
    this.#lines.on("close", () => {
      // What comes now begins a line of its own.
      if (this.#prompting) this.#output.write("\n");
      this.#prompting = false;
      onEnd();
    });
    this.#lines.resume();
    if (!this.interactive) return;
    this.#prompting = true;
    this.#lines.prompt();
  }

  print(lines: readonly string[]): void {
    this.above(() => this.#output.write(lines.map((line) => `${line}\n`).join("")));
  }

  /** Writes whole lines, to whatever shows on the same screen. */
  above(write: () => void): void {
    if (!this.#prompting) {
      write();
      return;
    }
    moveCursor(this.#output, 0, -this.#lines.getCursorPos().rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
    write();
    this.#lines.prompt(true);
  }

  close(): void {
    this.#lines.close();
  }
}

/** A terminal that was closed has no modes to set: `EIO`. Thrown amid an event, it would end the program. */
function forgiveClosed(input: TerminalOptions["input"]): void {
  const { setRawMode } = input;
  if (!setRawMode) return;
  input.setRawMode = (mode) => {
    try {
      setRawMode.call(input, mode);
    } catch {
      // Nobody is there to whom it makes a difference.
    }
    return input;
  };
}

/** Colours only where a person looks, and not against their wish: https://no-color.org */
export function wantsColour(output: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return output.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}
