import { describe, expect, it } from "vitest";
import { isBlank, mentionText, withMentions } from "../../../src/tools/call/text.js";

describe("a mention", () => {
  it.each([
    ["Ann", "@Ann"],
    ["Éva_2", "@Éva_2"],
    ["Ann-Marie", "@Ann-Marie"],
    ["Ann Marie", "@'Ann Marie'"],
    ["Ann.", "@'Ann.'"],
    ["🐢", "@'🐢'"],
  ])("of %s is %s", (name, mention) => {
    expect(mentionText(name)).toBe(mention);
  });

  it.each(["", " Ann", "Ann ", "#Ann", "@Ann", "'Ann'", "O'Neill", "Ann\nMarie"])(
    "cannot be made of %j",
    (name) => {
      expect(mentionText(name)).toBeUndefined();
    },
  );
});

describe("mentions in a text", () => {
  it.each([
    ["hello @Ann", "hello @Ann"],
    ["@Ann, hello", "@Ann, hello"],
    ["see you\n@Ann!", "see you\n@Ann!"],
  ])("that are there stay: %j", (text, whole) => {
    expect(withMentions(text, ["@Ann"])).toBe(whole);
  });

  it.each(["hello", "hello Ann", "x@Ann", "@Anna", "@Ann.example", "`code` @Ann", "*bold @Ann", "!1 @Ann"])(
    "that the apps would not read are put in front: %j",
    (text) => {
      expect(withMentions(text, ["@Ann"])).toBe(`@Ann ${text}`);
    },
  );

  it("are put in front in their order, each once", () => {
    expect(withMentions("hi @Bob", ["@Ann", "@Bob", "@'Ann Marie'"])).toBe("@Ann @'Ann Marie' hi @Bob");
  });
});

describe("a blank text", () => {
  it.each(["", " ", "\n\t\r\n", "\u00a0\u2003"])("is %j", (text) => {
    expect(isBlank(text)).toBe(true);
  });

  it("is none with a sign that shows", () => {
    expect(isBlank(" .")).toBe(false);
  });
});
