import type { ChatInfo, ChatItem, ChatRef } from "../core/types.js";
import type { Clock } from "../time/clock.js";
import type { Subscribe } from "../time/wait.js";
import { isLive, isUnread } from "./items.js";

/** A received message with its chat, as of its newest event. */
export interface Arrived {
  chat: ChatRef;
  info: ChatInfo;
  item: ChatItem;
}

export interface CollectOptions {
  /** How many messages are kept; the rest is counted. 100 unless told. */
  max?: number;
  /** Only these messages. */
  from?: (arrived: Arrived) => boolean;
}

const MOST_KEPT = 100;

/** The messages that one waiting call has got so far. */
export class Collected {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #from: (arrived: Arrived) => boolean;
  readonly #onStop: () => void;
  readonly #kept = new Map<number, Arrived>();
  readonly #listeners = new Set<() => void>();
  #above = 0;
  /** Items that were not kept: each is counted once, however often it is told of. */
  readonly #overflow = new Set<number>();
  /** Items that are gone: an event that comes again does not bring them back. */
  readonly #dropped = new Set<number>();
  #lastArrival: number | undefined;
  #ended = false;

  constructor(clock: Clock, { max = MOST_KEPT, from = () => true }: CollectOptions, onStop: () => void) {
    this.#clock = clock;
    this.#max = max;
    this.#from = from;
    this.#onStop = onStop;
  }

  /** In order of arrival, live ones included; the newest version of each. */
  get arrived(): Arrived[] {
    return [...this.#kept.values()];
  }

  /** The messages whose text is final. */
  get final(): Arrived[] {
    return this.arrived.filter(({ item }) => !isLive(item));
  }

  /** Whether a message is still being typed. */
  get typing(): boolean {
    return this.arrived.some(({ item }) => isLive(item));
  }

  /** Messages that arrived and were not kept. */
  get overflow(): number {
    return this.#overflow.size;
  }

  /** When the last message arrived or was typed at, by `clock.elapsed`; undefined before the first. */
  get lastArrival(): number | undefined {
    return this.#lastArrival;
  }

  /** Calls `listener` after every change; the returned function ends it. */
  readonly onChange: Subscribe = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Forgets the messages up to this item, and takes none of them any more: they came before the act. */
  dropUpTo(itemId: number): void {
    this.#above = itemId;
    for (const id of this.#kept.keys()) if (id <= itemId) this.#kept.delete(id);
    for (const id of this.#overflow) if (id <= itemId) this.#overflow.delete(id);
    if (this.#kept.size === 0 && this.overflow === 0) this.#lastArrival = undefined;
    this.#changed();
  }

  /** The chat is gone: nothing more comes. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The chat was left. */
  end(): void {
    this.#ended = true;
    this.#onStop();
    this.#changed();
  }

  /** Collects no more; what is here stays. */
  stop(): void {
    this.#onStop();
    this.#listeners.clear();
  }

  /** A new message. One that was told of before is as it became since. */
  arrive(arrived: Arrived): void {
    const { itemId } = arrived.item.meta;
    if (itemId <= this.#above || this.#isKnown(itemId) || !this.#from(arrived)) return;
    if (this.#kept.size < this.#max) this.#kept.set(itemId, arrived);
    else this.#overflow.add(itemId);
    this.#lastArrival = this.#clock.elapsed();
    this.#changed();
  }

  /** A new version of a message, or one that was never seen: the core tells some only so. */
  update(arrived: Arrived): void {
    const before = this.#kept.get(arrived.item.meta.itemId);
    if (!before) {
      if (isUnread(arrived.item)) this.arrive(arrived);
      return;
    }
    this.#kept.set(arrived.item.meta.itemId, arrived);
    if (isLive(before.item)) this.#lastArrival = this.#clock.elapsed();
    this.#changed();
  }

  /** A message was deleted and stays, marked so. */
  mark(arrived: Arrived): void {
    if (!this.#kept.has(arrived.item.meta.itemId)) return;
    this.#kept.set(arrived.item.meta.itemId, arrived);
    this.#changed();
  }

  /** A message was deleted and is gone. */
  drop(arrived: Arrived): void {
    const { itemId } = arrived.item.meta;
    this.#dropped.add(itemId);
    const wasThere = this.#kept.delete(itemId) || this.#overflow.delete(itemId);
    if (wasThere) this.#changed();
  }

  #isKnown(itemId: number): boolean {
    return this.#kept.has(itemId) || this.#overflow.has(itemId) || this.#dropped.has(itemId);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
