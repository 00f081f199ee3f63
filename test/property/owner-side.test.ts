import { expect, test } from "vitest";
import { Run } from "./owner-side/run.js";

/** A short run; the full one has `OWNER_SIDE_RUNS=500 OWNER_SIDE_STEPS=200`. A failure tells the seed to begin with. */
const RUNS = Number(process.env.OWNER_SIDE_RUNS ?? 40);
const STEPS = Number(process.env.OWNER_SIDE_STEPS ?? 60);
const SEED = Number(process.env.OWNER_SIDE_SEED ?? 1);

test("whatever owners, agents and peers do in whatever order, only what was approved happens, and once", {
  timeout: 30_000 + RUNS * STEPS * 100,
}, async () => {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
    const run = new Run(seed);
    try {
      await run.play(STEPS);
    } catch (error) {
      failures.push(String(error));
    } finally {
      await run.close();
    }
    for (const [what, count] of Object.entries(run.witness?.counts ?? {})) {
      counts[what] = (counts[what] ?? 0) + count;
    }
  }
  expect(failures.join("\n\n")).toBe("");
  // The runs tried everything.
  if (RUNS >= 40) for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
});
