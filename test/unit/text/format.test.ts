import { describe, expect, test } from "vitest";
import { count, formatSize, formatTime } from "../../../src/text/format.js";

const at = (iso: string) => Date.parse(iso);

describe("a time", () => {
  test("of today has no date", () => {
    expect(formatTime(at("2026-12-01T14:05:59Z"), at("2026-12-01T00:00:00Z"), "UTC")).toBe("14:05");
  });

  test("of another day has one", () => {
    expect(formatTime(at("2026-12-02T00:05:00Z"), at("2026-12-01T23:59:00Z"), "UTC")).toBe(
      "2026-12-02 00:05",
    );
    expect(formatTime(at("2025-12-01T14:05:00Z"), at("2026-12-01T14:05:00Z"), "UTC")).toBe(
      "2025-12-01 14:05",
    );
  });

  test("is the local one", () => {
    const midnight = at("2026-12-01T23:00:00Z");
    expect(formatTime(midnight, midnight, "Europe/Zurich")).toBe("00:00");
    expect(formatTime(midnight, at("2026-12-01T22:00:00Z"), "Europe/Zurich")).toBe("2026-12-02 00:00");
    const local = new Date(2026, 11, 1, 9, 7).getTime();
    expect(formatTime(local, local)).toBe("09:07");
  });
});

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1023, "1023 bytes"],
  [1024, "1 KB"],
  [319_488, "312 KB"],
  [2_516_582, "2.4 MB"],
  [1024 ** 2 - 1, "1.0 MB"],
  [1024 ** 3, "1.0 GB"],
])("a size of %i bytes reads %s", (bytes, expected) => {
  expect(formatSize(bytes)).toBe(expected);
});

test("a count has its noun in singular or plural", () => {
  expect([count(0, "file"), count(1, "file"), count(2, "file")]).toEqual(["0 files", "1 file", "2 files"]);
});
