import { describe, expect, it } from "vitest";
import type { AChatItem, ChatInfo } from "../../../src/core/types.js";
import { ChatItemsWatch, type Collected } from "../../../src/messages/watch.js";
import { contactInfo, EVENT, groupInfo, type ItemFields, itemIn, LIVE, READ } from "./make.js";

const TRAIL = groupInfo(3);

/** A watch whose time the test sets. */
function newWatch(isHidden?: (chat: string) => boolean) {
  const time = { now: 0 };
  const clock = { now: () => time.now, elapsed: () => time.now, after: () => () => {} };
  const watch = new ChatItemsWatch(clock, isHidden);
  const arrive = (...chatItems: AChatItem[]) => watch.onEvent({ type: "newChatItems", chatItems });
  const update = (chatItem: AChatItem) => watch.onEvent({ type: "chatItemUpdated", chatItem });
  const remove = (deletedChatItem: AChatItem, toChatItem?: AChatItem) =>
    watch.onEvent({
      type: "chatItemsDeleted",
      chatItemDeletions: [{ deletedChatItem, toChatItem }],
      byUser: false,
      timed: false,
    });
  return { watch, time, arrive, update, remove };
}

const inTrail = (itemId: number, fields?: ItemFields) => itemIn(TRAIL, itemId, fields);
const ids = (collected: Collected) => collected.arrived.map(({ item }) => item.meta.itemId);
const texts = (collected: Collected) => collected.arrived.map(({ item }) => item.meta.itemText);

describe("a collector", () => {
  it("gets the messages that its chat receives, in their order of arrival", () => {
    const { watch, arrive } = newWatch();
    const collected = watch.collect("#3");
    arrive(inTrail(9), itemIn(contactInfo(3), 10), itemIn(groupInfo(4), 11), inTrail(8));
    expect(ids(collected)).toEqual([9, 8]);
    expect(collected.arrived[0]).toMatchObject({ chat: "#3", info: { type: "group" } });
  });

  it("gets no own messages, no events and nothing of a support chat", () => {
    const { watch, arrive } = newWatch();
    const collectors = [watch.collect("#3"), watch.collect("all")];
    const support = { ...TRAIL, groupChatScope: { type: "memberSupport" } } as ChatInfo;
    const sent = { type: "sndMsgContent", msgContent: { type: "text", text: "mine" } };
    arrive(
      inTrail(1, { content: sent, dir: { type: "groupSnd" } }),
      inTrail(2, { content: EVENT }),
      itemIn(support, 3),
    );
    expect(collectors.map(ids)).toEqual([[], []]);
  });

  it("of all chats gets the messages of each but the hidden ones", () => {
    const { watch, arrive } = newWatch((chat) => chat === "#3");
    const [all, hidden] = [watch.collect("all"), watch.collect("#3")];
    arrive(inTrail(1), itemIn(groupInfo(4), 2), itemIn(contactInfo(4), 3));
    expect(all.arrived.map(({ chat }) => chat)).toEqual(["#4", "@4"]);
    expect(ids(hidden)).toEqual([]);
  });

  it("shares a chat with others: each gets every message", () => {
    const { watch, arrive } = newWatch();
    const collectors = [watch.collect("#3"), watch.collect("#3"), watch.collect("all")];
    arrive(inTrail(1));
    expect(collectors.map(ids)).toEqual([[1], [1], [1]]);
  });

  it("takes only the messages it asks for", () => {
    const { watch, arrive } = newWatch();
    const collected = watch.collect("#3", { from: ({ item }) => item.meta.itemText === "yes" });
    arrive(inTrail(1, { text: "no" }), inTrail(2, { text: "yes" }));
    expect(ids(collected)).toEqual([2]);
  });

  it("keeps a hundred messages and counts the rest", () => {
    const { watch, arrive } = newWatch();
    const collected = watch.collect("#3");
    for (let id = 1; id <= 130; id++) arrive(inTrail(id));
    expect(ids(collected)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(collected.overflow).toBe(30);
  });

  it("gets nothing more once it is stopped, and keeps what it has", () => {
    const { watch, arrive } = newWatch();
    const [collected, other] = [watch.collect("#3"), watch.collect("#3")];
    arrive(inTrail(1));
    collected.stop();
    arrive(inTrail(2));
    expect([ids(collected), ids(other)]).toEqual([[1], [1, 2]]);
    other.stop();
    const later = watch.collect("#3");
    collected.stop();
    arrive(inTrail(3));
    expect(ids(later)).toEqual([3]);
  });

  it("forgets what came before its own act, and does not take it again", () => {
    const { watch, arrive, update } = newWatch();
    const collected = watch.collect("#3", { max: 2 });
    arrive(inTrail(1), inTrail(2), inTrail(3));
    collected.dropUpTo(4);
    expect([ids(collected), collected.overflow]).toEqual([[], 0]);
    update(inTrail(3, { text: "edited" }));
    arrive(inTrail(5));
    expect(ids(collected)).toEqual([5]);
  });

  it("keeps counting what did not fit after its act", () => {
    const { watch, arrive } = newWatch();
    const collected = watch.collect("#3", { max: 1 });
    arrive(inTrail(5), inTrail(6));
    collected.dropUpTo(5);
    expect(collected.overflow).toBe(1);
  });

  it("has no last arrival when all that came was before its act", () => {
    const { watch, arrive } = newWatch();
    const [before, after] = [watch.collect("#3"), watch.collect("#3")];
    arrive(inTrail(5), inTrail(6));
    before.dropUpTo(6);
    after.dropUpTo(5);
    expect([before.lastArrival, after.lastArrival]).toEqual([undefined, 0]);
  });

  it("tells of each change until nobody listens", () => {
    const { watch, arrive, update, remove } = newWatch();
    const collected = watch.collect("#3");
    let changes = 0;
    const end = collected.onChange(() => {
      changes += 1;
    });
    arrive(inTrail(1));
    update(inTrail(1, { text: "edited" }));
    remove(inTrail(1));
    remove(inTrail(1));
    arrive(itemIn(groupInfo(4), 2));
    expect(changes).toBe(3);
    end();
    arrive(inTrail(3));
    expect(changes).toBe(3);
  });
});

describe("a collected message", () => {
  it("is replaced by its edit, without becoming a new arrival", () => {
    const { watch, time, arrive, update } = newWatch();
    const collected = watch.collect("#3");
    time.now = 10;
    arrive(inTrail(1), inTrail(2));
    time.now = 20;
    update(inTrail(1, { text: "edited", meta: { itemEdited: true } }));
    expect(texts(collected)).toEqual(["edited", "text 2"]);
    expect(collected.lastArrival).toBe(10);
  });

  it("that is live has arrived and is not final until its last update; typing counts as arriving", () => {
    const { watch, time, arrive, update } = newWatch();
    const collected = watch.collect("#3");
    expect([collected.lastArrival, collected.typing]).toEqual([undefined, false]);
    time.now = 10;
    arrive(inTrail(1, { text: "hel", meta: LIVE }));
    expect([collected.typing, collected.arrived.length, collected.final.length]).toEqual([true, 1, 0]);
    time.now = 20;
    update(inTrail(1, { text: "hello", meta: LIVE }));
    expect([collected.typing, collected.lastArrival]).toEqual([true, 20]);
    time.now = 30;
    update(inTrail(1, { text: "hello there" }));
    expect([collected.typing, collected.lastArrival]).toEqual([false, 30]);
    expect(collected.final.map(({ item }) => item.meta.itemText)).toEqual(["hello there"]);
  });

  it("is marked when it is deleted and stays, and dropped when it is gone", () => {
    const { watch, arrive, remove } = newWatch();
    const collected = watch.collect("#3");
    arrive(inTrail(1), inTrail(2));
    remove(inTrail(1), inTrail(1, { meta: { itemDeleted: { type: "deleted" } } }));
    remove(inTrail(2));
    expect(collected.arrived.map(({ item }) => [item.meta.itemId, item.meta.itemDeleted])).toEqual([
      [1, { type: "deleted" }],
    ]);
  });

  it("that was never collected is not brought in by its deletion", () => {
    const { watch, remove } = newWatch();
    const collected = watch.collect("#3");
    remove(inTrail(1), inTrail(1, { meta: { itemDeleted: { type: "moderated" } } }));
    expect(ids(collected)).toEqual([]);
  });

  it("may be told first by an update, when it is unread", () => {
    const { watch, update } = newWatch();
    const collected = watch.collect("#3");
    update(inTrail(1, { meta: READ }));
    update(inTrail(2));
    expect(ids(collected)).toEqual([2]);
  });

  it("is not counted twice when a message that did not fit is edited", () => {
    const { watch, arrive, update } = newWatch();
    const collected = watch.collect("#3", { max: 1 });
    arrive(inTrail(1), inTrail(2));
    update(inTrail(2, { text: "edited" }));
    expect([ids(collected), collected.overflow]).toEqual([[1], 1]);
  });
});

describe("an event that comes again", () => {
  it("counts no message twice, be it kept or not", () => {
    const { watch, time, arrive } = newWatch();
    const collected = watch.collect("#3", { max: 1 });
    time.now = 10;
    for (let times = 0; times < 3; times++) arrive(inTrail(1), inTrail(2), inTrail(3));
    time.now = 20;
    arrive(inTrail(2), inTrail(1));
    expect([ids(collected), collected.overflow, collected.lastArrival]).toEqual([[1], 2, 10]);
  });

  it("brings back neither an older version of a message, nor one that is gone", () => {
    const { watch, arrive, update, remove } = newWatch();
    const collected = watch.collect("#3", { max: 2 });
    arrive(inTrail(1), inTrail(2), inTrail(3));
    update(inTrail(1, { text: "edited" }));
    remove(inTrail(2));
    remove(inTrail(3));
    arrive(inTrail(1), inTrail(2), inTrail(3));
    expect([texts(collected), collected.overflow]).toEqual([["edited"], 0]);
  });

  it("counts a message that did not fit and is only then told as an update", () => {
    const { watch, arrive, update } = newWatch();
    const collected = watch.collect("#3", { max: 1 });
    arrive(inTrail(1), inTrail(2));
    for (let times = 0; times < 2; times++) update(inTrail(4));
    expect([ids(collected), collected.overflow]).toEqual([[1], 2]);
  });
});

describe("the cost of a message", () => {
  it("is that of the collectors of its chat alone", () => {
    const { watch, arrive } = newWatch();
    let asked = 0;
    const from = () => {
      asked += 1;
      return true;
    };
    for (let group = 1; group <= 1000; group++) watch.collect(`#${group}`, { from });
    watch.collect("#3", { from });
    arrive(inTrail(1), inTrail(2));
    expect(asked).toBe(4);
  });
});
