import { describe, expect, it } from "vitest";
import { EDGE_PLANS } from "./edge-plans.js";
import { replay } from "./replay.js";
import { report } from "./report.js";
import { readTranscript, startOf } from "./transcript.js";
import { World } from "./world.js";

describe("the recorded edges, replayed on the simulated network", () => {
  for (const [name, plan] of Object.entries(EDGE_PLANS)) {
    const transcript = readTranscript(name);
    it(`${name}: ${transcript.note}`, async () => {
      const world = new World(startOf(transcript));
      const findings = await replay(transcript, plan, world);
      world.close();
      if (findings.length > 0) expect.fail(report(findings));
    });
  }
});
