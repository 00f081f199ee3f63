/** Does what concerns one thing one after the other; what concerns others goes on beside it. */
export class Turns<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Resolves or rejects as `work` does. */
  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    const over = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(over, over);
    return turn;
  }
}
