/** Which requests have a card, which wait in line for one, and when owners are told of the line. No I/O. */
import type { ChatRef } from "../core/types.js";

/** So many cards of requests are pending at once. */
export const MOST_CARDS = 20;
/** Owners are told of the line at most so often. Milliseconds. */
export const NOTICE_EVERY_MS = 3_600_000;
/** Requests come in bursts: the first is told of only after so long, with those that came since. Milliseconds. */
export const NOTICE_AFTER_MS = 10_000;

/** A request by the chat that the core made for it, and when it made that: numbers of chats come again. */
export interface RequestId {
  readonly chat: ChatRef;
  readonly made: string;
}

/** `aside`: it waits without a card and gets none by itself, since its card ended or is of an earlier start. */
type Place = "card" | "line" | "aside";

/** All requests that wait. Each costs an entry of two short texts, however many there are. */
export class Line {
  readonly #places = new Map<string, { id: RequestId; place: Place }>();
  /** Those in line, in their order. */
  readonly #line = new Map<string, RequestId>();
  #cards = 0;
  #told = Number.NEGATIVE_INFINITY;
  #hasNews = false;

  /** A request came. Whoever asks again while waiting changes nothing; that is told by `false`. */
  arrived(id: RequestId): boolean {
    if (this.#places.has(keyOf(id))) return false;
    this.#put(id, "line");
    this.#hasNews = true;
    return true;
  }

  /** These wait from before, and had their chance. */
  setAside(ids: readonly RequestId[]): void {
    for (const id of ids) this.#put(id, "aside");
  }

  /** These are all that wait: each without a card goes to the line, others are forgotten. How many went. */
  askAll(ids: readonly RequestId[]): number {
    const waiting = new Map(ids.map((id) => [keyOf(id), id]));
    for (const [key, { place }] of this.#places) if (place !== "card" && !waiting.has(key)) this.#forget(key);
    for (const [key, id] of waiting) if (this.#places.get(key)?.place !== "card") this.#put(id, "line");
    return this.#line.size;
  }

  /** The next that gets a card; none while there are enough of them. */
  next(): RequestId | undefined {
    const [first] = this.#line.values();
    if (!first || this.#cards >= MOST_CARDS) return undefined;
    this.#put(first, "card");
    return first;
  }

  /** Its card ended or came to nothing: it waits on, or it is none any more. */
  ended(id: RequestId, { waits }: { waits: boolean }): void {
    if (waits) this.#put(id, "aside");
    else this.#forget(keyOf(id));
  }

  /** Its card could not be posted: it is the first in line again. */
  back(id: RequestId): void {
    const rest = [...this.#line.values()];
    this.#put(id, "line");
    for (const other of rest) this.#put(other, "line");
  }

  /** It was decided without a card. */
  gone(id: RequestId): void {
    this.#forget(keyOf(id));
  }

  /** How many wait in line. */
  get length(): number {
    return this.#line.size;
  }

  get cards(): number {
    return this.#cards;
  }

  /** When owners are to be told of the line; never while nothing new is in it. Times in milliseconds. */
  noticeAt(now: number): number | undefined {
    if (!this.#hasNews || this.#line.size === 0) return undefined;
    return Math.max(now + NOTICE_AFTER_MS, this.#told + NOTICE_EVERY_MS);
  }

  /** Owners are told now. */
  told(now: number): void {
    this.#told = now;
    this.#hasNews = false;
  }

  #put(id: RequestId, place: Place): void {
    const key = keyOf(id);
    this.#forget(key);
    this.#places.set(key, { id, place });
    if (place === "card") this.#cards += 1;
    if (place === "line") this.#line.set(key, id);
  }

  #forget(key: string): void {
    if (this.#places.get(key)?.place === "card") this.#cards -= 1;
    this.#places.delete(key);
    this.#line.delete(key);
  }
}

/** A request among all that ever were. */
export function keyOf({ chat, made }: RequestId): string {
  return `${chat} ${made}`;
}
