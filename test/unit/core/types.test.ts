import { describe, expect, it } from "vitest";
import type { CoreJson } from "../../../src/core/api/chat-api.js";
import { CoreError } from "../../../src/core/errors/errors.js";
import {
  ChatInfo,
  ChatItem,
  chatRefOf,
  ListedChat,
  parseChatRef,
  readEvent,
} from "../../../src/core/types.js";
import { readTranscript } from "../../contract/transcript.js";

const ITEM = {
  chatDir: { type: "directRcv" },
  meta: {
    itemId: 5,
    itemTs: "2026-11-30T15:00:00Z",
    itemText: "hi",
    itemStatus: { type: "rcvNew" },
    createdAt: "2026-11-30T15:00:00Z",
  },
  content: { type: "rcvMsgContent", msgContent: { type: "text", text: "hi" } },
};

describe("what newer cores and odd peers send", () => {
  it("is tolerated in every variant of an item", () => {
    const item = ChatItem.parse({
      ...ITEM,
      chatDir: { type: "relayRcv", relay: 1 },
      meta: { ...ITEM.meta, itemStatus: { type: "rcvSeen" }, itemDeleted: { type: "archived" } },
      content: { type: "rcvPoll", poll: {} },
      file: {
        fileId: 1,
        fileName: "x",
        fileSize: 1,
        fileStatus: { type: "rcvPaused" },
        fileProtocol: "torrent",
      },
      quotedItem: { chatDir: { type: "new" }, sentAt: "T", content: { type: "poll" } },
      reactions: [{ reaction: { type: "sticker" }, userReacted: false, totalReacted: 1 }],
    });
    expect(item.chatDir).toEqual({ type: "unknown", tag: "relayRcv" });
    expect(item.content).toEqual({ type: "unknown", tag: "rcvPoll" });
    expect(item.meta.itemStatus.type).toBe("rcvSeen");
    expect(item.quotedItem?.content).toEqual({ type: "poll", text: "" });
  });

  it("may be a message of an unknown type with anything in it", () => {
    for (const content of [{ type: "poll", text: 5, image: {}, duration: "long" }, { type: "poll" }]) {
      const item = ChatItem.parse({ ...ITEM, content: { type: "rcvMsgContent", msgContent: content } });
      expect(item.content).toEqual({ type: "rcvMsgContent", msgContent: { type: "poll", text: "" } });
    }
  });

  it("is an item that cannot be read, where the core's own part has the wrong shape", () => {
    for (const odd of [
      { chatDir: { type: "groupRcv", groupMember: 5 } },
      { content: { type: "rcvMsgContent", msgContent: {} }, meta: { ...ITEM.meta, itemLive: "yes" } },
      { meta: { ...ITEM.meta, itemForwarded: 1 } },
      { meta: { ...ITEM.meta, itemEdited: null } },
    ]) {
      expect(ChatItem.parse({ ...ITEM, ...odd })).toMatchObject({
        meta: { itemId: 5, itemText: "unreadable", itemStatus: { type: "rcvNew" } },
        content: { type: "unreadable", tag: "rcvMsgContent" },
      });
    }
    expect(ChatItem.safeParse({ ...ITEM, meta: { itemTs: "T" } }).success).toBe(false);
  });

  it("is refused where a chat has the wrong shape, but for one of a list, which is passed over", () => {
    expect(ChatInfo.safeParse({ type: "direct" }).success).toBe(false);
    expect(ChatInfo.safeParse({}).success).toBe(false);
    const chatInfo = { type: "group", groupInfo: { groupId: 15, chatTs: "T" } };
    expect(ListedChat.parse({ chatInfo, chatItems: [], chatStats: { unreadCount: 3 } })).toMatchObject({
      chatInfo: { type: "unreadable", chat: "#15", time: "T" },
      chatStats: { unreadCount: 3 },
    });
    expect(
      ListedChat.parse({ chatInfo: { type: "direct", contact: { contactId: 4 } } }).chatInfo,
    ).toMatchObject({
      type: "unreadable",
      chat: "@4",
    });
    const support = { ...chatInfo, groupChatScope: 1 };
    for (const json of [
      null,
      5,
      [],
      { chatInfo: 5 },
      { chatInfo: support },
      { chatInfo: { type: "direct" } },
    ]) {
      expect(ListedChat.parse(json).chatInfo).toMatchObject({ type: "unreadable", chat: undefined });
    }
  });

  it("keeps mentions whose names are names of JavaScript", () => {
    const mentions = { constructor: { memberId: "x" }, toString: { memberId: "y" } };
    expect(ChatItem.parse({ ...ITEM, mentions }).mentions).toEqual(mentions);
  });
});

describe("an event", () => {
  it("is undefined when nothing reads its type", () => {
    expect(readEvent({ type: "hostConnected" })).toBe(undefined);
    expect(readEvent({ type: "constructor" })).toBe(undefined);
  });

  it("is refused when its shape is wrong, with the place and without its content", () => {
    const raw: CoreJson = {
      type: "chatItemUpdated",
      chatItem: { chatInfo: { type: "local" }, chatItem: "secret" },
    };
    expect(() => readEvent(raw)).toThrow(CoreError);
    expect(() => readEvent(raw)).toThrow(
      /^SimpleX core: event chatItemUpdated could not be read at chatItem\.chatItem$/,
    );
  });

  it("has what can be read of it, where one thing of several cannot", () => {
    const chatItems = [5, { chatInfo: { type: "local" }, chatItem: ITEM }, { chatInfo: {}, chatItem: ITEM }];
    expect(readEvent({ type: "newChatItems", chatItems })).toMatchObject({
      chatItems: [
        { chatInfo: { type: "local" }, chatItem: { meta: { itemId: 5 } } },
        { chatInfo: { type: "unreadable" }, chatItem: { meta: { itemId: 5 } } },
      ],
    });
  });

  it("may hold no items", () => {
    expect(readEvent({ type: "newChatItems", chatItems: [] })).toEqual({
      type: "newChatItems",
      chatItems: [],
    });
  });
});

describe("a chat reference", () => {
  it("is @ or # with the id", () => {
    expect(parseChatRef("@4")).toBe("@4");
    expect(parseChatRef("#15")).toBe("#15");
    for (const text of [
      "4",
      "@",
      "#0",
      "@04",
      "#1.5",
      "@4 ",
      " @4",
      "#3(_support)",
      "*1",
      "@-1",
      "#1e3",
      "#9".repeat(20),
    ]) {
      expect(parseChatRef(text), text).toBe(undefined);
    }
  });

  it("names a contact or a group, and never a support chat of a group", () => {
    const { lines } = readTranscript("19");
    const refs = new Set<string>();
    for (const { event } of lines) {
      const read = event && readEvent(event);
      if (read?.type !== "newChatItems") continue;
      for (const { chatInfo } of read.chatItems) {
        const scoped = chatInfo.type === "group" && chatInfo.groupChatScope !== undefined;
        refs.add(`${scoped ? "support " : ""}${chatRefOf(chatInfo)}`);
      }
    }
    expect(refs).toContain("support undefined");
    expect([...refs].filter((ref) => /^support [@#]/.test(ref))).toEqual([]);
    expect(refs).toContain("#1");
  });
});
