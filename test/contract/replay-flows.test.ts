import { afterAll, describe, expect, it } from "vitest";
import { FLOW_PLANS } from "./flow-plans.js";
import { replay } from "./replay.js";
import { report } from "./report.js";
import { readTranscript, startOf } from "./transcript.js";
import { World } from "./world.js";

describe("the recorded flows, replayed on the simulated network", () => {
  // 00 to 14 are one world, each goes on where the one before ended.
  const world = new World(startOf(readTranscript("00")));
  afterAll(() => world.close());

  for (const [name, plan] of Object.entries(FLOW_PLANS)) {
    const transcript = readTranscript(name);
    it(`${name}: ${transcript.note}`, async () => {
      const own = name >= "15" ? new World(startOf(transcript)) : world;
      const findings = await replay(transcript, plan, own);
      if (own !== world) own.close();
      if (findings.length > 0) expect.fail(report(findings));
    });
  }
});
