import { expect, it } from "vitest";
import { read } from "./sources.js";

it("names in each row of the faults a test that there is", async () => {
  const rows = (await read("spec/reliability.md")).split("\n").filter((line) => line.startsWith("| "));
  const faults = rows.slice(1);
  expect(faults.length).toBeGreaterThan(5);
  for (const row of faults) {
    const [, file = "", title = ""] = /`([\w-]+\.test\.ts)`: (.+) \|$/.exec(row) ?? [];
    expect(file, row).not.toBe("");
    expect(await read(`test/flows/${file}`), row).toContain(`"${title}"`);
  }
});
