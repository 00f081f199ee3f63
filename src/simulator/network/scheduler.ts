/**
 * Work of the network in the order it was posted, one task a turn of the event loop, so that promises settled by
 * one task are seen before the next runs. No timers.
 */
export class Scheduler {
  private pending = 0;
  private waiting: Array<() => void> = [];

  post(task: () => void): void {
    this.pending++;
    setImmediate(() => {
      try {
        task();
      } finally {
        this.pending--;
        if (this.pending === 0) this.settle();
      }
    });
  }

  /** Resolves after the tasks posted so far. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.post(resolve));
  }

  /** Resolves when no task is left; at once when none is. */
  empty(): Promise<void> {
    if (this.pending === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  get quiet(): boolean {
    return this.pending === 0;
  }

  private settle(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
