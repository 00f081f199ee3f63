import { connectByInvitation } from "./flow-plans.js";
import type { Plan } from "./replay.js";
import { restarts } from "./restarts.js";
import type { World } from "./world.js";

const AGENT = { displayName: "My Agent", fullName: "", peerType: "bot" };

const PREFERENCES = { directMessages: { enable: "on" }, history: { enable: "on" } };

/** Alice makes a group. */
async function makeGroup(
  world: World,
  displayName: string,
  groupPreferences: object = PREFERENCES,
): Promise<void> {
  const profile = { displayName, fullName: "", groupPreferences };
  await world.unrecorded(async () => world.run("Alice", `/_group 1 ${JSON.stringify(profile)}`));
}

/** The groups that Alice made before these lines. */
const groupsBefore = (names: Readonly<Record<number, string>>): NonNullable<Plan["before"]> =>
  Object.fromEntries(
    Object.entries(names).map(([line, name]) => [line, async (world: World) => makeGroup(world, name)]),
  );

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
  "33-group-invitations": {
    leftOut: ["chatItemsStatusesUpdated"],
    interleaved: true,
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Alice", "Bob"]) await world.newUser(who);
      await world.unrecorded(async () => {
        await connectByInvitation(world, "Alice", "agent");
        await world.idle();
        await connectByInvitation(world, "agent", "Bob");
        await world.idle();
        await connectByInvitation(world, "Alice", "Bob");
      });
    },
    before: {
      ...restarts("33"),
      ...groupsBefore({
        2: "Running",
        27: "Stopped",
        29: "Stopped two",
        74: "Refused",
        102: "Leave while invited",
        114: "Twice",
        136: "Withdrawn",
        161: "Deleted",
        224: "Came back",
      }),
      174: async (world) => {
        await makeGroup(world, "Two hosts");
        await world.unrecorded(async () => {
          await world.run("Alice", "/_add #8 5 admin");
          await world.idle();
          await world.run("Bob", "/_join #1");
        });
      },
    },
  },
};
