/** Work that nobody waits for, but the stop. */
export class Background {
  readonly #running = new Set<Promise<void>>();

  /** `work` never rejects. */
  run(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
