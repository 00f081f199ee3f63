import type { Writable } from "node:stream";

/** The pipe to the client: a message a line. */
export class Output {
  /** Aborted when the client reads no more. */
  readonly closed: AbortSignal;
  readonly #stream: Writable;
  readonly #closed = new AbortController();

  constructor(stream: Writable) {
    this.#stream = stream;
    this.closed = this.#closed.signal;
    stream.on("error", () => this.#closed.abort());
    stream.on("close", () => this.#closed.abort());
  }

  /** True once the pipe has all of it, false when the client is gone. It waits while the client does not read. */
  send(message: object): Promise<boolean> {
    return new Promise((resolve) => {
      this.#stream.write(`${JSON.stringify(message)}\n`, (error) => resolve(!error));
    });
  }
}
