import { describe, expect, test } from "vitest";
import {
  Line,
  MOST_CARDS,
  NOTICE_AFTER_MS,
  NOTICE_EVERY_MS,
  type RequestId,
} from "../../../src/incoming/line.js";

const request = (number: number, made = "2026-12-01T00:00:00Z"): RequestId => ({ chat: `@${number}`, made });
const requests = (count: number) => Array.from({ length: count }, (_, index) => request(index + 1));

/** Gives cards to all that get one. */
function cards(line: Line): string[] {
  const given: string[] = [];
  for (let next = line.next(); next; next = line.next()) given.push(next.chat);
  return given;
}

describe("the line of those who ask", () => {
  test("gives cards in the order of arrival, so many at once", () => {
    const line = new Line();
    for (const id of requests(MOST_CARDS + 3)) expect(line.arrived(id)).toBe(true);
    expect(cards(line)).toEqual(requests(MOST_CARDS).map(({ chat }) => chat));
    expect([line.cards, line.length]).toEqual([MOST_CARDS, 3]);
    line.ended(request(5), { waits: false });
    line.ended(request(6), { waits: true });
    expect(cards(line)).toEqual(["@21", "@22"]);
  });

  test("knows who asks again while waiting, wherever they stand, and lets others of the same number in", () => {
    const line = new Line();
    line.arrived(request(4));
    expect(line.arrived(request(4))).toBe(false);
    line.next();
    expect(line.arrived(request(4))).toBe(false);
    line.ended(request(4), { waits: true });
    expect(line.arrived(request(4))).toBe(false);
    expect(line.arrived(request(4, "2026-12-02T00:00:00Z"))).toBe(true);
    line.ended(request(4), { waits: false });
    expect(line.arrived(request(4))).toBe(true);
  });

  test("gives no card by itself to those from before, and one to each that is asked for", () => {
    const line = new Line();
    line.setAside(requests(3));
    expect(cards(line)).toEqual([]);
    expect(line.askAll([request(2), request(7)])).toBe(2);
    expect(cards(line)).toEqual(["@2", "@7"]);
    // Those that are not there any more are forgotten.
    expect(line.arrived(request(3))).toBe(true);
  });

  test("asks for none that has its card", () => {
    const line = new Line();
    line.arrived(request(4));
    line.next();
    expect(line.askAll([request(4)])).toBe(0);
    expect(line.cards).toBe(1);
  });

  test("puts whose card could not be posted in front again", () => {
    const line = new Line();
    for (const id of requests(3)) line.arrived(id);
    const first = line.next();
    if (first) line.back(first);
    expect(line.cards).toBe(0);
    expect(cards(line)).toEqual(["@1", "@2", "@3"]);
  });
});

describe("owners are told of the line", () => {
  const full = () => {
    const line = new Line();
    for (const id of requests(MOST_CARDS + 1)) line.arrived(id);
    cards(line);
    return line;
  };

  test("some time after somebody came to it, and not of an empty one", () => {
    const line = new Line();
    line.arrived(request(1));
    cards(line);
    expect(line.noticeAt(5)).toBeUndefined();
    expect(full().noticeAt(5)).toBe(5 + NOTICE_AFTER_MS);
  });

  test("once an hour at most, and only of news", () => {
    const line = full();
    line.told(1000);
    expect(line.noticeAt(2000)).toBeUndefined();
    line.arrived(request(99));
    expect(line.noticeAt(2000)).toBe(1000 + NOTICE_EVERY_MS);
    expect(line.noticeAt(1000 + NOTICE_EVERY_MS)).toBe(1000 + NOTICE_EVERY_MS + NOTICE_AFTER_MS);
  });
});
