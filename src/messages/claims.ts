/** Items that a call is about to return, so that no other call reads them as unread meanwhile. */
export class Claims {
  readonly #counts = new Map<number, number>();
  #turn: Promise<void> = Promise.resolve();

  /** Claims the items until the returned function is called: when they were marked as read, or not returned. */
  claim(itemIds: readonly number[]): () => void {
    const claimed = [...itemIds];
    for (const id of claimed) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    return () => {
      for (const id of claimed.splice(0)) this.#release(id);
    };
  }

  /**
   * Runs `read` while no other call reads unread items or marks them as read: what one call has read and not yet
   * claimed cannot be returned by another.
   */
  exclusively<T>(read: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(read);
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  has(itemId: number): boolean {
    return this.#counts.has(itemId);
  }

  #release(id: number): void {
    const count = (this.#counts.get(id) ?? 0) - 1;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }
}
