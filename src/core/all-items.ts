import type { Core } from "./core.js";
import type { ChatItem, ChatRef } from "./types.js";

const PAGE = 100;

/** All items of a chat, page by page from the newest page on. Throws `isItemNotFound` when a page's first item goes meanwhile. */
export async function* allItems(core: Pick<Core, "getChat">, chat: ChatRef): AsyncGenerator<ChatItem> {
  let before: number | undefined;
  for (;;) {
    const page = before === undefined ? { count: PAGE } : { before, count: PAGE };
    const { chatItems } = (await core.getChat(chat, page)).chat;
    yield* chatItems;
    before = chatItems[0]?.meta.itemId;
    if (chatItems.length < PAGE || before === undefined) return;
  }
}
