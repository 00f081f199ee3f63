/** First in, first out, without moving what waits. */
export class Fifo<T> {
  private items: T[] = [];
  private head = 0;

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    const item = this.items[this.head];
    if (this.head < this.items.length) this.head++;
    if (this.head > 1024 && this.head * 2 > this.items.length) this.compact();
    return item;
  }

  clear(): void {
    this.items = [];
    this.head = 0;
  }

  get size(): number {
    return this.items.length - this.head;
  }

  values(): T[] {
    return this.items.slice(this.head);
  }

  toJSON(): T[] {
    return this.values();
  }

  private compact(): void {
    this.items = this.items.slice(this.head);
    this.head = 0;
  }
}
