import { describe, expect, it } from "vitest";
import { onSide, sideWidth, usableWidth } from "../../../src/demo/screen/columns.js";
import { padded, paint, span, widthOf, wrap } from "../../../src/demo/screen/style.js";
import { wantsColour } from "../../../src/demo/screen/terminal.js";

function wrapped(text: string, width: number): string[] {
  return wrap([span(text)], width).map((line) => paint(line, false));
}

describe("a line", () => {
  it("is broken at blanks, which do not begin the next line", () => {
    expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
  });

  it("is broken within words that are longer than the width", () => {
    expect(wrapped("ab abcdefgh", 4)).toEqual(["ab", "abcd", "efgh"]);
  });

  it("keeps blanks at its own beginning and is one empty line when empty", () => {
    expect(wrapped("  in", 10)).toEqual(["  in"]);
    expect(wrapped("", 10)).toEqual([""]);
  });

  it("counts wide characters as two columns, combining ones as none, and emoji as one character", () => {
    expect(widthOf([span("長")])).toBe(2);
    expect(widthOf([span("e\u0301")])).toBe(1);
    expect(widthOf([span("👩‍👩‍👧")])).toBe(2);
    expect(widthOf(padded([span("長")], 5))).toBe(5);
  });
});

describe("two columns", () => {
  it("use the terminal's width within limits", () => {
    expect([undefined, 100, 20, 400].map(usableWidth)).toEqual([100, 100, 50, 120]);
  });

  it("put each line on its side and never go over the width", () => {
    for (const width of [50, 100, 101]) {
      for (const side of ["left", "right"] as const) {
        const lines = onSide(side, [[span("word ".repeat(40)), span("x".repeat(90))]], width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        const rule = lines.map((line) => paint(line, false).indexOf("│"));
        expect(new Set(rule)).toEqual(new Set([sideWidth(width) + 1]));
      }
    }
  });
});

describe("colours", () => {
  it("are for terminals, unless the person does not want them", () => {
    expect(wantsColour({ isTTY: true }, {})).toBe(true);
    expect(wantsColour({}, {})).toBe(false);
    expect(wantsColour({ isTTY: true }, { NO_COLOR: "1" })).toBe(false);
    expect(wantsColour({ isTTY: true }, { NO_COLOR: "" })).toBe(true);
    expect(wantsColour({ isTTY: true }, { TERM: "dumb" })).toBe(false);
  });
});
