import fc from "fast-check";
import { expect, test } from "vitest";
import { chatFolder, extensionOf, receivedName, safeFileName } from "../../../src/files/disk/names.js";

test("chats have a folder each, named by their kind and number", () => {
  expect([chatFolder("#15"), chatFolder("@4")]).toEqual(["group-15", "contact-4"]);
});

test.each([
  ["report.pdf", ".pdf"],
  ["REPORT.PDF", ".pdf"],
  ["a.tar.gz", ".gz"],
  [".bashrc", ".bashrc"],
  ["a.", ""],
  ["a.b/c", ""],
  ["a.toolongext", ""],
  ["a.p df", ""],
  ["a.ехе", ""],
  ["", ""],
])("of %j only a plain extension is kept", (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});

test("a received file is named by its number, whatever its sender wrote", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      expect(receivedName(7, name)).toMatch(/^7(\.[a-z0-9]{1,8})?$/);
    }),
  );
});

test.each([
  ["report.pdf", "report.pdf"],
  ["/home/alice/trail map.jpg", "trail map.jpg"],
  ["..\\..\\boot.ini", "boot.ini"],
  ["a\nb.txt", "ab.txt"],
  ["rtl\u202Etxt.exe", "rtltxt.exe"],
  ["../..", "file"],
  [".ssh", "ssh"],
  ["nul", "_nul"],
  ["COM1.txt", "_COM1.txt"],
  ["a:b?.txt", "a_b_.txt"],
  ["ends with dots...", "ends with dots"],
  ["Ünïcödé 漢字.png", "Ünïcödé 漢字.png"],
  // Persian and Malayalam words, a family, a flag of tags: what joins them is part of them.
  ["می\u200Cخواهم.pdf", "می\u200Cخواهم.pdf"],
  ["ക്\u200Dഷ.txt", "ക്\u200Dഷ.txt"],
  ["👨‍👩‍👧.png", "👨‍👩‍👧.png"],
  ["👨🏽‍👩🏽‍👧.png", "👨🏽‍👩🏽‍👧.png"],
  [
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}.png",
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}.png",
  ],
  ["report\u200D.pdf", "report.pdf"],
  ["\u200Creport\u200C\u200C2.pdf", "report2.pdf"],
  ["a\u200D\u202Eb.txt", "ab.txt"],
  ["📄\u200C📄.txt", "📄📄.txt"],
  ["tags\u{E0041}.txt", "tags.txt"],
  ["", "file"],
])("a copy of %j is called %j", (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});

test("no name leaves its folder, hides, or is too long for a file system", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), (name) => {
      const safe = safeFileName(name);
      const joined = safe.replace(/(?<=[\p{L}\p{M}\p{Emoji}])[\u200C\u200D](?=[\p{L}\p{M}\p{Emoji}])/gu, "");
      expect(joined).not.toMatch(/[/\\\p{C}]|^\.|^\s|[.\s]$/u);
      expect(safe).not.toBe("");
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
    }),
  );
  expect(safeFileName(`${"x".repeat(188)}👨‍👩‍👧.jpeg`)).toBe(`${"x".repeat(188)}.jpeg`);
  expect(safeFileName(`${"x".repeat(500)}.jpeg`)).toBe(`${"x".repeat(195)}.jpeg`);
  expect(safeFileName(`${"x".repeat(199)}. ${"x".repeat(500)}`)).toBe("x".repeat(199));
});
