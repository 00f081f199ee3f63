import { describe, expect, it } from "vitest";
import { validName } from "../../../../src/simulator/text/names.js";
import { readTranscript } from "../../../contract/transcript.js";

describe("display names", () => {
  for (const line of readTranscript("17").lines) {
    if (line.probe !== "group name") continue;
    it(`${line.error === undefined ? "accepts" : "repairs"} ${JSON.stringify(line.name)}`, () => {
      const error = line.error as unknown as { errorType: { validName: string } } | undefined;
      expect(validName(String(line.name))).toBe(error?.errorType.validName ?? line.name);
    });
  }

  it("keeps a repaired name as it is", () => {
    for (const name of ["a -- b", "👍🏽 x", "  x  ", `${"x ".repeat(40)}`, "a(b) [c]"]) {
      expect(validName(validName(name))).toBe(validName(name));
    }
  });
});
