import type { Plan } from "./replay.js";
import { restarts } from "./restarts.js";

const AGENT = { displayName: "My Agent", fullName: "", peerType: "bot" };

/** The steps that the recordings of people who come to the agent leave out. Each has a world of its own. */
export const REQUEST_PLANS: Record<string, Plan> = {
  "31-requests-over-restarts": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of [
        "pBob",
        "pCarol",
        "Dan",
        "pEve",
        "Fay",
        "pGus",
        "Hal",
        "pIvy",
        "Jon",
        "pKim",
        "Quin",
        "pLea",
        "Max",
        "Oli",
        "pNed",
        "Pat",
      ])
        await world.newUser(who);
    },
    before: {
      ...restarts("31"),
      // Its process had ended when the agent had the request.
      164: async (world) => world.network.faults.networkDown(true, "agent"),
      165: async (world) => {
        await world.idle();
        await world.closeUser("Hal");
        world.network.faults.networkDown(false, "agent");
      },
    },
  },
  "32-one-time-links": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Bob", "Carol", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy"]) await world.newUser(who);
    },
    before: restarts("32"),
  },
};
