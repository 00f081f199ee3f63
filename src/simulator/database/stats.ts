import type { Json } from "../data/rows.js";
import { type ChatStats, EMPTY_STATS } from "../text/pagination.js";
import type { ChatIndex } from "./chat-index.js";

/** `ChatStats` with zeros where nothing is given. */
export function statsJson(stats: {
  unreadCount?: number;
  unreadMentions?: number;
  minUnreadItemId?: number;
  unreadChat?: boolean;
}): Json {
  return {
    unreadCount: stats.unreadCount ?? 0,
    unreadMentions: stats.unreadMentions ?? 0,
    reportsCount: 0,
    minUnreadItemId: stats.minUnreadItemId ?? 0,
    unreadChat: stats.unreadChat ?? false,
  };
}

export const emptyStats = (): Json => statsJson({});

/** The numbers of a chat in the list of chats, where the smallest unread id counts. */
export function listStats(index: ChatIndex, unreadChat: boolean): Json {
  const [minUnreadItemId] = index.unread;
  return statsJson({
    unreadCount: index.unread.size,
    unreadMentions: index.unreadMentions.size,
    ...(minUnreadItemId !== undefined && { minUnreadItemId }),
    unreadChat,
  });
}

/** The numbers of a chat with a page of it, where the first unread in reading order counts. */
export function pageStats(index: ChatIndex): ChatStats {
  return {
    ...EMPTY_STATS,
    unreadCount: index.unread.size,
    unreadMentions: index.unreadMentions.size,
    minUnreadItemId: index.order[index.firstUnread()]?.itemId ?? 0,
  };
}
