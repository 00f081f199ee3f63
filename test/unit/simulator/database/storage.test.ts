import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fifo } from "../../../../src/simulator/data/fifo.js";
import { brokerTime, timestamp } from "../../../../src/simulator/data/time.js";
import { ChatIndex, type Indexed } from "../../../../src/simulator/database/chat-index.js";
import { Table } from "../../../../src/simulator/database/table.js";

describe("a table", () => {
  const insert = (table: Table<number>) => table.insert((id) => id);

  test("gives the id of a deleted last row again, as SQLite does", () => {
    const table = new Table<number>();
    expect([insert(table), insert(table), insert(table)]).toEqual([1, 2, 3]);
    table.delete(2);
    expect(insert(table)).toBe(4);
    table.delete(4);
    table.delete(3);
    expect(insert(table)).toBe(2);
  });

  test("that keeps counting gives no id again", () => {
    const table = new Table<number>(true);
    insert(table);
    table.delete(1);
    expect(insert(table)).toBe(2);
  });

  test("goes on counting after it was saved and loaded", () => {
    const table = new Table<number>(true);
    insert(table);
    table.delete(insert(table));
    const loaded = new Table<number>(true);
    loaded.load(JSON.parse(JSON.stringify(table)));
    expect([...loaded.values()]).toEqual([1]);
    expect(insert(loaded)).toBe(3);
  });

  test("fails for a row that must exist", () => {
    expect(() => new Table<number>().at(7)).toThrow("no row 7");
  });
});

describe("a queue", () => {
  test("is first in, first out, however much was in it", () => {
    const steps = fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 20 });
    fc.assert(
      fc.property(steps, (counts) => {
        const fifo = new Fifo<number>();
        let pushed = 0;
        let shifted = 0;
        for (const count of counts) {
          for (let at = 0; at < count; at++) fifo.push(pushed++);
          for (let at = 0; at > count; at--) {
            expect(fifo.shift()).toBe(shifted < pushed ? shifted++ : undefined);
          }
          expect(fifo.size).toBe(pushed - shifted);
        }
        expect(fifo.values()).toEqual(Array.from({ length: pushed - shifted }, (_, at) => shifted + at));
      }),
      { numRuns: 30 },
    );
  });
});

describe("the index of a chat", () => {
  const items = fc.uniqueArray(
    fc.record({ itemId: fc.integer({ min: 1, max: 50 }), itemTs: fc.integer({ min: 0, max: 20 }) }),
    { selector: ({ itemId }) => itemId },
  );
  const ordered = (given: readonly Indexed[], byTime: boolean): Indexed[] =>
    [...given].sort((a, b) => (byTime ? a.itemTs - b.itemTs : 0) || a.itemId - b.itemId);

  test("keeps a group by time, then id, and other chats by id", () => {
    fc.assert(
      fc.property(items, fc.boolean(), (given, byTime) => {
        const index = new ChatIndex(byTime);
        for (const item of given) index.add(item);
        expect(index.order).toEqual(ordered(given, byTime));
      }),
    );
  });

  test("finds the first unread item in that order, whatever is added, read and removed", () => {
    const step = fc.record({ act: fc.constantFrom("add", "read", "remove"), at: fc.nat({ max: 50 }) });
    fc.assert(
      fc.property(items, fc.array(step, { maxLength: 100 }), (given, steps) => {
        const index = new ChatIndex(true);
        const waiting = [...given];
        const there: Indexed[] = [];
        const unread = new Set<number>();
        for (const { act, at } of steps) {
          const added = act === "add" ? waiting.pop() : undefined;
          if (added) {
            index.add(added);
            index.markUnread(added.itemId, false);
            there.push(added);
            unread.add(added.itemId);
          }
          const item = act === "add" ? undefined : there[at % Math.max(there.length, 1)];
          if (item) {
            unread.delete(item.itemId);
            index.read(item.itemId);
          }
          if (item && act === "remove") {
            index.remove(item);
            there.splice(there.indexOf(item), 1);
          }
          expect(index.firstUnread()).toBe(
            ordered(there, true).findIndex(({ itemId }) => unread.has(itemId)),
          );
        }
      }),
    );
  });
});

describe("times", () => {
  test.each([
    [0, "1970-01-01T00:00:00Z"],
    [1_700_000_000_000, "2023-11-14T22:13:20Z"],
    [1_700_000_000_120, "2023-11-14T22:13:20.12Z"],
    [1_700_000_000_001, "2023-11-14T22:13:20.001Z"],
  ])("of %i ms are written as the core writes them", (ms, text) => {
    expect(timestamp(ms)).toBe(text);
    expect(timestamp(ms)).toBe(text);
  });

  test("of the servers are whole seconds", () => {
    expect(brokerTime(1999)).toBe(1000);
  });
});
