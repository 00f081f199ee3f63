/** Reading a chat page by page, as `/_get chat` does. Pure over a chat's items in the core's order. */

export type Pagination =
  | { kind: "last"; count: number }
  | { kind: "after" | "before" | "around"; item: number; count: number }
  | { kind: "initial"; count: number };

/** What reading needs to know about an item. */
export interface PageItem {
  id: number;
  /** `meta.itemText`. */
  text: string;
  /** `rcvNew`. */
  unread: boolean;
  /** A received message, not an event item, that was read. */
  readMessage: boolean;
  /** `meta.userMention`. */
  mention: boolean;
  /** The message content's type; undefined for event items. */
  tag?: string;
  /** `meta.hasLink`. */
  link: boolean;
}

export interface ChatStats {
  unreadCount: number;
  unreadMentions: number;
  reportsCount: number;
  minUnreadItemId: number;
  unreadChat: boolean;
}

export interface NavInfo {
  afterUnread: number;
  afterTotal: number;
}

export interface PageRequest {
  pagination: Pagination;
  /** Empty = all. */
  search?: string;
  /** `content=`: a message content type. */
  content?: string;
}

export interface Page<T> {
  items: T[];
  stats: ChatStats;
  navInfo?: NavInfo;
}

/** The `storeError` in place of a page. */
export type PageError =
  | { type: "chatItemNotFound"; itemId: number }
  | { type: "internalError"; message: string };

export type View<T> = (item: T) => PageItem;

export const EMPTY_STATS: ChatStats = {
  unreadCount: 0,
  unreadMentions: 0,
  reportsCount: 0,
  minUnreadItemId: 0,
  unreadChat: false,
};

/** What is unread in a chat; a database that keeps count of it need not look at all items. */
export interface Unread<T> {
  stats: ChatStats;
  has: (item: T) => boolean;
}

/** `items` in the core's order; see `compareTimes`. */
export function readPage<T extends object>(
  items: readonly T[],
  request: PageRequest,
  view: View<T>,
  unread: () => Unread<T> = () => ({ stats: statsOf(items, view), has: (item) => view(item).unread }),
): { page: Page<T> } | { error: PageError } {
  const { pagination, search = "", content } = request;
  const wanted = filterOf(search, content, view);
  if (pagination.kind === "last") {
    return { page: { items: before(items, items.length, pagination.count, wanted), stats: EMPTY_STATS } };
  }
  if (pagination.kind === "initial") {
    if (search !== "") {
      return { error: { type: "internalError", message: "initial chat pagination doesn't support search" } };
    }
    return { page: initialPage(items, pagination.count, wanted, view, unread()) };
  }
  const anchor = positionOf(items, pagination.item, view);
  if (anchor === -1) return { error: { type: "chatItemNotFound", itemId: pagination.item } };
  if (pagination.kind === "around")
    return { page: pageAround(items, anchor, pagination.count, wanted, unread()) };
  const page =
    pagination.kind === "after"
      ? after(items, anchor + 1, pagination.count, wanted)
      : before(items, anchor, pagination.count, wanted);
  return { page: { items: page, stats: EMPTY_STATS } };
}

/** What is unread among all items of a chat; the caller adds `reportsCount` and `unreadChat`. */
export function statsOf<T extends object>(items: readonly T[], view: View<T>): ChatStats {
  const stats = { ...EMPTY_STATS };
  for (const item of items) {
    const { unread, mention, id } = view(item);
    if (!unread) continue;
    stats.unreadCount++;
    if (mention) stats.unreadMentions++;
    // The first in the chat's order, not the smallest id.
    if (stats.minUnreadItemId === 0) stats.minUnreadItemId = id;
  }
  return stats;
}

/** Orders ISO times of any number of fraction digits: as the core's database does, by their text. */
export function compareTimes(a: string, b: string): number {
  const [left, right] = [a.replace("Z", ""), b.replace("Z", "")];
  return left < right ? -1 : left > right ? 1 : 0;
}

type Wanted<T> = (item: T) => boolean;

function initialPage<T extends object>(
  items: readonly T[],
  count: number,
  wanted: Wanted<T>,
  view: View<T>,
  unread: Unread<T>,
): Page<T> {
  const { stats } = unread;
  if (stats.unreadCount === 0) {
    const page = before(items, items.length, count, wanted);
    return { items: page, stats, navInfo: { afterUnread: 0, afterTotal: 0 } };
  }
  // Observed: where a message was read already, the page is around the last read one.
  const lastRead = items.findLastIndex((item) => view(item).readMessage);
  const anchor = lastRead === -1 ? items.findIndex(unread.has) : lastRead;
  return pageAround(items, anchor, count, wanted, unread);
}

/** The anchor is included even when it is not wanted; what comes after is counted without the filters. */
function pageAround<T extends object>(
  items: readonly T[],
  anchor: number,
  count: number,
  wanted: Wanted<T>,
  { stats, has }: Unread<T>,
): Page<T> {
  const following = after(items, anchor + 1, count, wanted);
  const page = [...before(items, anchor, count, wanted), ...items.slice(anchor, anchor + 1), ...following];
  const last = following[following.length - 1];
  const rest = items.slice((last === undefined ? anchor : items.indexOf(last, anchor)) + 1);
  const afterUnread = stats.unreadCount === 0 ? 0 : rest.reduce((sum, item) => sum + Number(has(item)), 0);
  return { items: page, stats, navInfo: { afterUnread, afterTotal: rest.length } };
}

function after<T extends object>(items: readonly T[], from: number, count: number, wanted: Wanted<T>): T[] {
  const page: T[] = [];
  for (let at = from; at < items.length && page.length < count; at++) {
    const item = items[at];
    if (item !== undefined && wanted(item)) page.push(item);
  }
  return page;
}

function before<T extends object>(items: readonly T[], end: number, count: number, wanted: Wanted<T>): T[] {
  const page: T[] = [];
  for (let at = end - 1; at >= 0 && page.length < count; at--) {
    const item = items[at];
    if (item !== undefined && wanted(item)) page.push(item);
  }
  return page.reverse();
}

/** Ids mostly ascend in a chat, so a binary search mostly finds one; late items of a group need a look at all. */
function positionOf<T extends object>(items: readonly T[], id: number, view: View<T>): number {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined) break;
    const found = view(item).id;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return items.findIndex((item) => view(item).id === id);
}

function filterOf<T extends object>(search: string, content: string | undefined, view: View<T>): Wanted<T> {
  const matches = search === "" ? undefined : likeFilter(search);
  if (matches === undefined && content === undefined) return () => true;
  return (item) => {
    const { text, tag, link } = view(item);
    if (content !== undefined && tag !== content && !(content === "link" && link)) return false;
    return matches === undefined || matches(text);
  };
}

/**
 * SQL's `LIKE '%' || search || '%'`: letters of ASCII in either case, `%` any run, `_` any character. The runs
 * between `%` are looked for from left to right, each after the one before, so no pattern takes long.
 */
export function likeFilter(search: string): (text: string) => boolean {
  const runs = lowerAscii(search)
    .split("%")
    .filter((run) => run !== "")
    .map((run) =>
      [...run].map((char) => (char === "_" ? "[^]" : char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"))),
    )
    .map((run) => new RegExp(run.join(""), "gu"));
  return (text) => {
    const lower = lowerAscii(text);
    let at = 0;
    return runs.every((run) => {
      run.lastIndex = at;
      const found = run.test(lower);
      at = run.lastIndex;
      return found;
    });
  };
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
