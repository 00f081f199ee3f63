import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventReader } from "../../../src/bridge/sse.js";

/** Reads `text` in pieces that end where `cuts` say. */
function readIn(text: string, cuts: readonly number[]): string[] {
  const reader = new EventReader();
  const ends = [...cuts, text.length].map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b);
  let start = 0;
  return ends.flatMap((end) => {
    const piece = text.slice(start, end);
    start = end;
    return reader.read(piece);
  });
}

describe("server-sent events", () => {
  it("give their data, comments and names nothing", () => {
    const text =
      ": keepalive\n\nevent: message\ndata: {}\nid: 1\n\ndata:one\r\ndata: two\r\n\r\n\n\ndata: open\n";
    expect(new EventReader().read(text)).toEqual(["{}", "one\ntwo"]);
  });

  it("give the same however they are cut", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, " "));
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(fc.nat(400)),
        fc.constantFrom("\n", "\r\n"),
        (lines, cuts, end) => {
          const text = lines.map(
            (one) => `event: message${end}data: ${one}${end}${end}: keepalive${end}${end}`,
          );
          expect(readIn(text.join(""), cuts)).toEqual(lines);
        },
      ),
    );
  });
});
