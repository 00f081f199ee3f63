import fc from "fast-check";
import { expect, it } from "vitest";
import { LineReader } from "../../../src/bridge/lines.js";

it("lines are the same however their bytes are cut", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", " "));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(400)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(""));
      const reader = new LineReader(10_000);
      const ends = [...cuts, bytes.length].map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
      let start = 0;
      const read = ends.flatMap((end) => {
        const piece = bytes.subarray(start, end);
        start = end;
        return reader.read(piece);
      });
      expect(read).toEqual(lines);
    }),
  );
});

it("a line that is too long is dropped, and the next one is read", () => {
  const reader = new LineReader(4);
  expect(reader.read(Buffer.from("abc"))).toEqual([]);
  expect(reader.read(Buffer.from("de\nabcd\nabcde\n"))).toEqual([undefined, "abcd", undefined]);
  expect(reader.read(Buffer.from("x\n"))).toEqual(["x"]);
});
