import type { Core } from "../core/core.js";
import { isItemNotFound } from "../core/errors/errors.js";
import type { AChat, ChatInfo, ChatItem, ChatRef } from "../core/types.js";
import type { Claims } from "./claims.js";
import { isLive, isMessage, isUnread } from "./items.js";

export { Claims } from "./claims.js";

export interface Unread {
  info: ChatInfo;
  /** The first unread messages in the order of the chat, `limit` at most, none of them live or claimed. */
  messages: ChatItem[];
  /**
   * What to mark as read once the messages were returned: they, and before the next one the service items and the
   * messages that the agent has already.
   */
  readIds: number[];
  /** Unread items that stay unread. */
  more: number;
  /** Those of them that were read and are still being typed. */
  typed: number[];
}

const PAGE = 100;

/** Reads again from the start when the item that a page begins at was deleted meanwhile. */
const ATTEMPTS = 3;

/**
 * Reads the unread messages of a chat. A group is ordered by the time of its messages and not by their arrival, so
 * the read begins at the first unread item in that order each time: what came late is not passed over.
 */
export async function readUnread(
  core: Pick<Core, "getChat">,
  chat: ChatRef,
  limit: number,
  claims: Claims,
): Promise<Unread> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(core, chat, limit, claims);
    } catch (error) {
      if (!isItemNotFound(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function readOnce(
  core: Pick<Core, "getChat">,
  chat: ChatRef,
  limit: number,
  claims: Claims,
): Promise<Unread> {
  const { chatInfo: info, chatStats } = (await core.getChat(chat, { initial: 1 })).chat;
  if (chatStats.unreadCount === 0) return { info, messages: [], readIds: [], more: 0, typed: [] };
  const free = (item: ChatItem) => !claims.has(item.meta.itemId);
  // Marking as read failed for what was given and is unread still.
  const isNew = (item: ChatItem) => isMessage(item) && !claims.wasGiven(item.meta.itemId);
  const unread = await readPages(core, chat, chatStats, (items) => {
    return items.filter((item) => free(item) && isNew(item) && !isLive(item)).length > limit;
  });
  const ours = unread.filter(free);
  const { messages, readIds } = choose(ours, limit, isNew);
  const claimed = unread.length - ours.length;
  // Items may have come since the number was read.
  return {
    info,
    messages,
    readIds,
    more: Math.max(chatStats.unreadCount, unread.length) - claimed - readIds.length,
    typed: ours.filter(isLive).map(({ meta }) => meta.itemId),
  };
}

/** The unread items from the first on, until there are enough, or all of them, or the chat ends. */
async function readPages(
  core: Pick<Core, "getChat">,
  chat: ChatRef,
  { minUnreadItemId, unreadCount }: Pick<AChat["chatStats"], "minUnreadItemId" | "unreadCount">,
  isEnough: (unread: ChatItem[]) => boolean,
): Promise<ChatItem[]> {
  const first = (await core.getChat(chat, { around: minUnreadItemId, count: 0 })).chat.chatItems;
  const unread = first.filter(isUnread);
  let last = first.at(-1);
  while (last && !isEnough(unread)) {
    const page = (await core.getChat(chat, { after: last.meta.itemId, count: PAGE })).chat.chatItems;
    const found = page.filter(isUnread);
    unread.push(...found);
    // Where some came meanwhile, others may have come behind them.
    const isAll = found.length === 0 && unread.length >= unreadCount;
    last = isAll || page.length < PAGE ? undefined : page.at(-1);
  }
  return unread;
}

/** The first new messages, with what else is before the one that is not returned. */
function choose(
  unread: ChatItem[],
  limit: number,
  isNew: (item: ChatItem) => boolean,
): { messages: ChatItem[]; readIds: number[] } {
  const messages: ChatItem[] = [];
  const readIds: number[] = [];
  for (const item of unread.filter((candidate) => !isLive(candidate))) {
    if (isNew(item)) {
      if (messages.length === limit) break;
      messages.push(item);
    }
    readIds.push(item.meta.itemId);
  }
  return { messages, readIds };
}
