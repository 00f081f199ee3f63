/** What an index needs of an item. */
export interface Indexed {
  readonly itemId: number;
  readonly itemTs: number;
}

/**
 * The items of one chat (or of one support chat) in reading order, with those unread. Groups are ordered by
 * (time, id), direct chats and notes by id; new items mostly come last, so that adding one is cheap.
 */
export class ChatIndex {
  readonly order: Indexed[] = [];
  /** Ids of unread items, in the order they came: the first is the smallest. */
  readonly unread = new Set<number>();
  readonly unreadMentions = new Set<number>();
  /** No item before this position is unread. */
  private readUpTo = 0;

  constructor(private readonly byTime: boolean) {}

  add(item: Indexed): void {
    const at = this.position(item);
    if (at === this.order.length) this.order.push(item);
    else this.order.splice(at, 0, item);
    this.readUpTo = Math.min(this.readUpTo, at);
  }

  remove(item: Indexed): void {
    const at = this.indexOf(item);
    if (at < 0) return;
    this.order.splice(at, 1);
    this.read(item.itemId);
    if (at < this.readUpTo) this.readUpTo--;
  }

  /** The position of an item, or -1. */
  indexOf(item: Indexed): number {
    const at = this.position(item);
    return this.order[at]?.itemId === item.itemId ? at : -1;
  }

  markUnread(itemId: number, mention: boolean): void {
    this.unread.add(itemId);
    if (mention) this.unreadMentions.add(itemId);
  }

  /** Whether the item was unread. */
  read(itemId: number): boolean {
    this.unreadMentions.delete(itemId);
    return this.unread.delete(itemId);
  }

  /** The position of the first unread item in reading order, or -1. */
  firstUnread(): number {
    if (this.unread.size === 0) return -1;
    for (let at = this.readUpTo; at < this.order.length; at++) {
      const item = this.order[at];
      if (item && this.unread.has(item.itemId)) {
        this.readUpTo = at;
        return at;
      }
    }
    return -1;
  }

  /** Where the item stands or would stand. */
  private position(item: Indexed): number {
    const last = this.order.at(-1);
    if (!last || this.before(last, item)) return this.order.length;
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.order[middle];
      if (other && this.before(other, item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private before(a: Indexed, b: Indexed): boolean {
    if (this.byTime && a.itemTs !== b.itemTs) return a.itemTs < b.itemTs;
    return a.itemId < b.itemId;
  }
}
