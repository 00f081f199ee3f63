import type { Plan } from "./replay.js";
import { readTranscript } from "./transcript.js";

/** The clean stops and new processes that probes of a recording tell of, each at its line. */
export function restarts(recording: string): NonNullable<Plan["before"]> {
  const steps: NonNullable<Plan["before"]> = {};
  for (const { number, who = "", probe = "" } of readTranscript(recording).lines) {
    if (probe.startsWith("stopped")) {
      steps[number] = async (world) => {
        await world.idle();
        await world.stop(who);
        await world.closeUser(who);
      };
    } else if (probe.startsWith("init on the same database"))
      steps[number] = async (world) => world.open(who);
    else if (probe === "startChat done") steps[number] = async (world) => void (await world.start(who));
  }
  return steps;
}
