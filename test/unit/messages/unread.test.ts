import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pagination } from "../../../src/core/commands.js";
import type { Core } from "../../../src/core/core.js";
import { CoreError } from "../../../src/core/errors/errors.js";
import type { ChatItem, ChatRef } from "../../../src/core/types.js";
import { Claims, readUnread } from "../../../src/messages/unread.js";
import { storeError } from "../core/fake-chat-api.js";
import { chatItem, chatPage, EVENT, groupInfo, LIVE, READ } from "./make.js";

/** A group in the order of the core: by time, then by id. Takes note of the pages that were asked for. */
class Chat {
  readonly asked: Pagination[] = [];
  items: ChatItem[];
  /** Runs before each page but the first. */
  meanwhile: (page: number) => void = () => {};

  constructor(...items: ChatItem[]) {
    this.items = items;
  }

  readonly core: Pick<Core, "getChat"> = {
    getChat: async (_chat: ChatRef, page: Pagination) => {
      this.asked.push(page);
      if (!("initial" in page)) this.meanwhile(this.asked.length);
      const unread = this.sorted().filter(({ meta }) => meta.itemStatus.type === "rcvNew");
      return { chat: chatPage(groupInfo(3), this.page(page), unread.length, unread[0]?.meta.itemId ?? 0) };
    },
  };

  read(ids: readonly number[]): void {
    this.items = this.items.map((item) =>
      ids.includes(item.meta.itemId) ? { ...item, meta: { ...item.meta, ...READ } } : item,
    );
  }

  private page(page: Pagination): ChatItem[] {
    const sorted = this.sorted();
    if ("initial" in page) return [];
    if ("around" in page) return sorted.slice(this.indexOf(page.around)).slice(0, 1);
    if ("after" in page) return sorted.slice(this.indexOf(page.after) + 1).slice(0, page.count);
    throw new Error("Not a page of an unread read");
  }

  private indexOf(itemId: number): number {
    const index = this.sorted().findIndex(({ meta }) => meta.itemId === itemId);
    if (index < 0) throw CoreError.from("/_get chat", storeError("chatItemNotFound", { itemId }));
    return index;
  }

  private sorted(): ChatItem[] {
    const key = ({ meta }: ChatItem) => `${meta.itemTs} ${String(meta.itemId).padStart(9, "0")}`;
    return [...this.items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }
}

const read = (chat: Chat, limit = 20, claims = new Claims()) => readUnread(chat.core, "#3", limit, claims);
const ids = (items: ChatItem[]) => items.map(({ meta }) => meta.itemId);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const readItem = (itemId: number) => chatItem(itemId, { meta: READ });
const event = (itemId: number) => chatItem(itemId, { content: EVENT });
const live = (itemId: number) => chatItem(itemId, { meta: LIVE });
const at = (itemId: number, itemTs: string) => chatItem(itemId, { meta: { itemTs } });

describe("the unread messages of a chat", () => {
  it("are none, after one look, when nothing is unread", async () => {
    const chat = new Chat(readItem(1));
    expect(await read(chat)).toMatchObject({ messages: [], readIds: [], more: 0, info: { type: "group" } });
    expect(chat.asked).toEqual([{ initial: 1 }]);
  });

  it("are read from the first unread one on", async () => {
    const chat = new Chat(readItem(1), chatItem(2), readItem(3), chatItem(4));
    const unread = await read(chat);
    expect([ids(unread.messages), unread.readIds, unread.more]).toEqual([[2, 4], [2, 4], 0]);
    expect(chat.asked).toEqual([{ initial: 1 }, { around: 2, count: 0 }, { after: 2, count: 100 }]);
  });

  it("that the agent has already are marked as read again, and not returned", async () => {
    const claims = new Claims();
    claims.give([1, 3]);
    const { messages, readIds, more } = await read(
      new Chat(...range(1, 5).map((id) => chatItem(id))),
      2,
      claims,
    );
    expect([ids(messages), readIds, more]).toEqual([[2, 4], [1, 2, 3, 4], 1]);
  });

  it("are no more than asked for; the rest stays unread and is counted", async () => {
    const chat = new Chat(...range(1, 250).map((id) => chatItem(id)));
    const unread = await read(chat, 20);
    expect([ids(unread.messages), unread.readIds, unread.more]).toEqual([range(1, 20), range(1, 20), 230]);
    expect(chat.asked.length).toBe(3);
  });

  it("are looked for beyond read messages and service items, page by page", async () => {
    const chat = new Chat(
      chatItem(1),
      ...range(2, 150).map(event),
      ...range(151, 320).map(readItem),
      chatItem(321),
    );
    const unread = await read(chat, 2);
    expect([ids(unread.messages), unread.more]).toEqual([[1, 321], 0]);
    expect(unread.readIds).toEqual([...range(1, 150), 321]);
    expect(chat.asked.slice(2)).toEqual([1, 101, 201, 301].map((after) => ({ after, count: 100 })));
  });

  it("bring the service items between them, and none behind a message that is not returned", async () => {
    const unread = await read(new Chat(event(1), chatItem(2), event(3), chatItem(4), event(5)), 1);
    expect([ids(unread.messages), unread.readIds, unread.more]).toEqual([[2], [1, 2, 3], 2]);
  });

  it("may be service items alone", async () => {
    const unread = await read(new Chat(event(1), event(2)));
    expect([unread.messages, unread.readIds, unread.more]).toEqual([[], [1, 2], 0]);
  });

  it("leave out what is still being typed, and count it", async () => {
    const unread = await read(new Chat(chatItem(1), live(2), chatItem(3)));
    expect([ids(unread.messages), unread.readIds, unread.more]).toEqual([[1, 3], [1, 3], 1]);
  });

  it("end where all are found: one that is typed for ever does not have all that was read since read again", async () => {
    const chat = new Chat(live(1), ...range(2, 500).map(readItem));
    expect(await read(chat)).toMatchObject({ messages: [], more: 1, typed: [1] });
    expect(chat.asked.slice(2)).toEqual([{ after: 1, count: 100 }]);
  });

  it("are looked for on where some came meanwhile", async () => {
    const chat = new Chat(live(1), ...range(2, 150).map(readItem), chatItem(151));
    chat.meanwhile = (page) => {
      if (page === 3) chat.items.push(...range(152, 300).map((id) => chatItem(id)));
    };
    expect(ids((await read(chat, 100)).messages)).toEqual(range(151, 250));
  });

  it("leave out what another call is about to return", async () => {
    const claims = new Claims();
    const chat = new Chat(...range(1, 5).map((id) => chatItem(id)));
    const release = claims.claim([1, 2]);
    const unread = await read(chat, 2, claims);
    expect([ids(unread.messages), unread.readIds, unread.more]).toEqual([[3, 4], [3, 4], 1]);
    release();
    expect(ids((await read(chat, 2, claims)).messages)).toEqual([1, 2]);
  });

  it("are found where they came late and landed in the middle, as history does", async () => {
    const chat = new Chat(at(1, "2026-11-30T15:00:00Z"), at(2, "2026-11-30T16:00:00Z"));
    chat.read((await read(chat)).readIds);
    chat.items.push(at(3, "2026-11-30T15:30:00Z"), at(4, "2026-11-30T14:00:00Z"));
    expect(ids((await read(chat)).messages)).toEqual([4, 3]);
  });

  it("are read anew when the message that a page begins at is deleted meanwhile", async () => {
    const chat = new Chat(chatItem(1), chatItem(2));
    chat.meanwhile = (page) => {
      if (page === 2) chat.items = [chatItem(2)];
    };
    expect(ids((await read(chat)).messages)).toEqual([2]);
  });

  it("are given up when that never ends", async () => {
    const chat = new Chat(chatItem(1));
    chat.meanwhile = () => {
      const [item] = chat.items;
      chat.items = [chatItem((item?.meta.itemId ?? 0) + 1)];
    };
    await expect(read(chat)).rejects.toThrow("chat item not found");
  });

  it("count what came during the read", async () => {
    const chat = new Chat(chatItem(1));
    chat.meanwhile = (page) => {
      if (page === 3) chat.items.push(chatItem(2), chatItem(3));
    };
    const unread = await read(chat, 1);
    expect([ids(unread.messages), unread.more]).toEqual([[1], 2]);
  });

  it("are each returned once, in whatever order and with whatever times they come", async () => {
    const arrival = fc.record({ time: fc.integer({ min: 10, max: 59 }), isEvent: fc.boolean() });
    const rounds = fc.array(fc.array(arrival, { maxLength: 8 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.integer({ min: 1, max: 5 }), async (arrivals, limit) => {
        const chat = new Chat();
        const returned: number[] = [];
        let id = 0;
        const readOnce = async () => {
          const unread = await read(chat, limit);
          returned.push(...ids(unread.messages));
          chat.read(unread.readIds);
          return unread.more;
        };
        for (const round of arrivals) {
          for (const { time, isEvent } of round) {
            id += 1;
            const meta = { itemTs: `2026-11-30T15:${time}:00Z` };
            chat.items.push(chatItem(id, isEvent ? { meta, content: EVENT } : { meta }));
          }
          await readOnce();
        }
        while ((await readOnce()) > 0);
        const messages = chat.items.filter(({ content }) => content.type === "rcvMsgContent");
        expect([...returned].sort((a, b) => a - b)).toEqual(ids(messages).sort((a, b) => a - b));
        expect(chat.items.every(({ meta }) => meta.itemStatus.type === "rcvRead")).toBe(true);
      }),
    );
  });
});

describe("claims", () => {
  it("hold until the last call that made them lets go", () => {
    const claims = new Claims();
    const [first, second] = [claims.claim([1, 2]), claims.claim([2])];
    expect([claims.has(1), claims.has(2), claims.has(3)]).toEqual([true, true, false]);
    first();
    first();
    expect([claims.has(1), claims.has(2)]).toEqual([false, true]);
    second();
    expect(claims.has(2)).toBe(false);
  });

  it("let one call read at a time, also after a read that failed", async () => {
    const claims = new Claims();
    const order: string[] = [];
    let finish = () => {};
    const first = claims.exclusively(async () => {
      order.push("first");
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      throw new Error("lost");
    });
    const second = claims.exclusively(async () => order.push("second"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(["first"]);
    finish();
    await expect(first).rejects.toThrow("lost");
    expect(await second).toBe(2);
  });
});
