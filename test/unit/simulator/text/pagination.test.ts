import { describe, expect, it } from "vitest";
import {
  compareTimes,
  likeFilter,
  type PageItem,
  type PageRequest,
  type Pagination,
  readPage,
  statsOf,
} from "../../../../src/simulator/text/pagination.js";
import { readTranscript } from "../../../contract/transcript.js";

interface Item {
  meta: {
    itemId: number;
    itemText: string;
    itemStatus: { type: string };
    userMention: boolean;
    hasLink: boolean;
  };
  content: { type: string; msgContent?: { type: string } };
}

interface ApiChat {
  chat: { chatItems: Item[]; chatStats: object };
  navInfo?: object;
}

function view({ meta, content }: Item): PageItem {
  const status = meta.itemStatus.type;
  return {
    id: meta.itemId,
    text: meta.itemText,
    unread: status === "rcvNew",
    readMessage: status === "rcvRead" && content.type === "rcvMsgContent",
    mention: meta.userMention,
    tag: content.msgContent?.type,
    link: meta.hasLink,
  };
}

const GET_CHAT =
  /^\/_get chat (\S+)(?: content=(\w+))? (?:(count|initial)=(\d+)|(after|before|around)=(\d+) count=(\d+))(?: search=(.*))?$/;

function requestOf(command: string): PageRequest | undefined {
  const match = GET_CHAT.exec(command);
  if (match === null) return undefined;
  const [, , content, whole, number, kind, item, count, search] = match;
  const pagination: Pagination =
    whole === undefined
      ? { kind: kind as "after" | "before" | "around", item: Number(item), count: Number(count) }
      : { kind: whole === "count" ? "last" : "initial", count: Number(number) };
  return { pagination, content, search };
}

describe("pages of a chat", () => {
  // The chat as the recording reads it first, whole; the lines after it add to the group and read messages.
  const { lines } = readTranscript("22");
  const first = lines.find((line) => line.cmd === "/_get chat #1 count=100");
  const items = (first?.resp as ApiChat | undefined)?.chat.chatItems ?? [];
  const last = lines.find(
    (line) => line.cmd === '/_send #1 json [{"msgContent":{"type":"text","text":"edit me"}}]',
  );

  for (const line of lines) {
    const request = line.cmd?.startsWith("/_get chat #1 ") ? requestOf(line.cmd) : undefined;
    if (request === undefined || line.number > (last?.number ?? 0)) continue;
    it(`answers ${line.cmd} as the core does (line ${line.number})`, () => {
      const read = new Set<number>();
      for (const { cmd, number } of lines) {
        if (number > line.number) break;
        const ids = /^\/_read chat items #1 ([\d,]+)$/
          .exec(cmd ?? "")?.[1]
          ?.split(",")
          .map(Number);
        for (const id of ids ?? []) read.add(id);
        if (cmd === "/_read chat #1") for (const { meta } of items) read.add(meta.itemId);
      }
      const now = items.map((item) => (read.has(item.meta.itemId) ? withRead(item) : item));
      const result = readPage(now, request, view);
      if ("error" in result) {
        expect({ type: "errorStore", storeError: result.error }).toEqual(line.error);
        return;
      }
      const { chat, navInfo } = line.resp as unknown as ApiChat;
      expect(result.page.items.map(({ meta }) => meta.itemId)).toEqual(
        chat.chatItems.map(({ meta }) => meta.itemId),
      );
      expect(result.page.stats).toEqual(chat.chatStats);
      expect(result.page.navInfo).toEqual(navInfo);
    });
  }
});

function withRead(item: Item): Item {
  if (item.meta.itemStatus.type !== "rcvNew") return item;
  return { ...item, meta: { ...item.meta, itemStatus: { type: "rcvRead" } } };
}

describe("large chats", () => {
  const many = Array.from({ length: 100_000 }, (_, at): PageItem => {
    const unread = at >= 99_990;
    const text = `message ${at}`;
    return {
      id: at * 2 + 1,
      text,
      unread,
      readMessage: !unread,
      mention: at === 99_995,
      tag: "text",
      link: false,
    };
  });
  const itself = (item: PageItem) => item;

  it("finds the item of a page without reading the chat", () => {
    let looks = 0;
    const counting = (item: PageItem) => {
      looks++;
      return item;
    };
    const result = readPage(many, { pagination: { kind: "after", item: 50_001, count: 3 } }, counting);
    expect("page" in result && result.page.items.map(({ id }) => id)).toEqual([50_003, 50_005, 50_007]);
    expect(looks).toBeLessThan(40);
  });

  it("finds an item whose id is out of order", () => {
    const late: PageItem = {
      id: 900_000,
      text: "late",
      unread: true,
      readMessage: false,
      mention: false,
      link: false,
    };
    const items = [...many.slice(0, 10), late, ...many.slice(10)];
    const result = readPage(items, { pagination: { kind: "before", item: 900_000, count: 2 } }, itself);
    expect("page" in result && result.page.items.map(({ id }) => id)).toEqual([17, 19]);
  });

  it("counts what is unread", () => {
    expect(statsOf(many, itself)).toEqual({
      unreadCount: 10,
      unreadMentions: 1,
      reportsCount: 0,
      minUnreadItemId: 199_981,
      unreadChat: false,
    });
  });
});

describe("search", () => {
  it.each([
    ["alpha", "ALPHA two", true],
    ["привет", "Привет", false],
    ["Привет", "Привет мир", true],
    ["a%o", "alpha two", true],
    ["o%a", "alpha two", false],
    ["a_pha", "alpha", true],
    ["_", "", false],
    ["_", "😀", true],
    ["%", "", true],
    ["a.c", "abc", false],
    ["(", "f(x)", true],
  ])("%j in %j: %j", (search, text, found) => {
    expect(likeFilter(search)(text)).toBe(found);
  });

  it("takes no long time with many wildcards", () => {
    const started = performance.now();
    expect(likeFilter("a%".repeat(100))("a".repeat(99))).toBe(false);
    expect(likeFilter("%_".repeat(1000))("b".repeat(15_000))).toBe(true);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("times", () => {
  it("are ordered with any number of fraction digits", () => {
    const times = ["2026-01-01T00:00:01.5Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:01.123456789Z"];
    expect(times.sort(compareTimes)).toEqual([
      "2026-01-01T00:00:01Z",
      "2026-01-01T00:00:01.123456789Z",
      "2026-01-01T00:00:01.5Z",
    ]);
  });
});
