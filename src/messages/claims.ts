import { Changes } from "../wait.js";

/** How many items are remembered as given: far more than can wait to be told of. */
const MOST_GIVEN = 10_000;

/** Items that a call is about to return, so that no other call reads them as unread meanwhile, or has returned. */
export class Claims {
  readonly #counts = new Map<number, number>();
  readonly #given = new Set<number>();
  readonly #returned = new Changes();
  #returns = 0;
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

  /** How often a call gave back what it had claimed. */
  get returns(): number {
    return this.#returns;
  }

  /** Tells when `returns` has grown: what was claimed is unread again. */
  readonly onReturn = this.#returned.subscribe;

  /** What a call had claimed it did not return, and has let go. */
  giveBack(): void {
    this.#returns += 1;
    this.#returned.emit();
  }

  has(itemId: number): boolean {
    return this.#counts.has(itemId);
  }

  /** The agent has these now. */
  give(itemIds: readonly number[]): void {
    for (const id of itemIds) this.#given.add(id);
    // The oldest come first.
    for (const id of this.#given) {
      if (this.#given.size <= MOST_GIVEN) break;
      this.#given.delete(id);
    }
  }

  wasGiven(itemId: number): boolean {
    return this.#given.has(itemId);
  }

  /** Another call returns it, or has returned it. */
  isTaken(itemId: number): boolean {
    return this.has(itemId) || this.wasGiven(itemId);
  }

  #release(id: number): void {
    const count = (this.#counts.get(id) ?? 0) - 1;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }
}
