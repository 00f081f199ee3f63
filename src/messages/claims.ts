import { Turns } from "../time/turns.js";
import { Changes } from "../time/wait.js";

/** How many items are remembered as given, or as read: far more than can wait to be told of. */
const MOST_REMEMBERED = 10_000;

/** Items that a call is about to return, so that no other call reads them as unread meanwhile, or has returned. */
export class Claims {
  readonly #counts = new Map<number, number>();
  /** The items with the number of the giving, the oldest first. */
  readonly #given = new Map<number, number>();
  #givings = 0;
  readonly #marked = new Set<number>();
  readonly #returned = new Changes();
  #returns = 0;
  readonly #reading = new Turns<"unread">();

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
    return this.#reading.run("unread", read);
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
    this.#givings += 1;
    for (const id of itemIds) if (!this.#given.has(id)) this.#given.set(id, this.#givings);
    forgetOldest(this.#given);
  }

  /** Those that were not marked as read yet: of many calls that returned one message, the first marks it. */
  unmarked(itemIds: readonly number[]): number[] {
    return itemIds.filter((id) => !this.#marked.has(id));
  }

  /** They are marked as read. */
  mark(itemIds: readonly number[]): void {
    for (const id of itemIds) this.#marked.add(id);
    forgetOldest(this.#marked);
  }

  wasGiven(itemId: number): boolean {
    return this.#given.has(itemId);
  }

  /** Which items the agent has by now, whatever it gets later. */
  givenByNow(): (itemId: number) => boolean {
    const last = this.#givings;
    return (id) => (this.#given.get(id) ?? Number.POSITIVE_INFINITY) <= last;
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

function forgetOldest(ids: Set<number> | Map<number, number>): void {
  for (const id of ids.keys()) {
    if (ids.size <= MOST_REMEMBERED) break;
    ids.delete(id);
  }
}
