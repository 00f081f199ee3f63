const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The signals that stop the program, from now on: the first one asks it to, each further one urges it. */
export class StopSignals {
  /** What a further signal does. */
  onFurther: () => void;
  readonly #asked = new AbortController();
  readonly #listener = (): void => this.#on();

  constructor(onFurther: () => void) {
    this.onFurther = onFurther;
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  /** Aborted by the first signal. */
  get asked(): AbortSignal {
    return this.#asked.signal;
  }

  /** As a first signal does; nothing after one. */
  ask(): void {
    this.#asked.abort();
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener);
  }

  #on(): void {
    if (this.asked.aborted) this.onFurther();
    else this.#asked.abort();
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
