import { connectByInvitation } from "./flow-plans.js";
import { holding, makeSentFiles } from "./plan-files.js";
import type { Plan } from "./replay.js";
import type { World } from "./world.js";

const AGENT = { displayName: "My Agent", fullName: "", peerType: "bot" };

/** The steps that recordings of files on their way, and of restarts meanwhile, leave out. */
export const FILE_PLANS: Record<string, Plan> = {
  "21-file-errors": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      await world.newUser("Bob");
      makeSentFiles(world, "21");
      world.makeFolder("/world/Bob.files/adir");
      world.makeFolder("/world/in/sub");
      world.file("/world/in/exists.pdf", 1);
    },
    before: {
      6: async (world) => connectByInvitation(world, "agent", "Bob"),
      139: async (world) => void world.network.files.remove("g.bin"),
      // A download is cancelled after its first chunk, and the last one is left there.
      ...holding("Downloads", "agent", 62, 70, 1),
      ...holding("Downloads", "agent", 263, 268, 1),
      266: async (world) => world.stop("agent"),
      267: async (world) => world.closeUser("agent"),
      // Messages of small files came before the descriptors of others.
      ...holding("Uploads", "Bob", 185, 192),
      ...holding("Uploads", "Bob", 205, 212),
    },
  },
  "26-restart": {
    // Bob's events were not recorded. The agent ran in processes of its own, which were stopped or killed.
    observed: ["agent"],
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      await world.newUser("Bob");
      makeSentFiles(world, "26", { agent: AGENT.displayName });
      world.makeFolder("/world/in");
    },
    before: {
      5: async (world) => connectByInvitation(world, "agent", "Bob"),
      10: restarting,
      12: async (world) => void (await world.start("agent")),
      ...holding("Downloads", "agent", 16, 27, 1),
      21: async (world) => {
        await world.stop("agent");
        await world.closeUser("agent");
        world.open("agent");
      },
      23: async (world) => void (await world.start("agent")),
      ...holding("Downloads", "agent", 54, 63, 1),
      58: async (world) => killed(world),
      60: async (world) => void (await world.start("agent")),
      ...holding("Uploads", "Bob", 88, 95),
      91: async (world) => killed(world),
      93: async (world) => void (await world.start("agent")),
      // What the agent sent had left when it was killed, and what it was told of that was lost.
      108: async (world) => world.stop("Bob"),
      109: async (world) => {
        await world.idle();
        await killed(world);
      },
      112: async (world) => {
        await world.start("agent");
        await world.start("Bob");
      },
      117: async (world) => {
        await world.idle();
        await world.stop("Bob");
      },
      123: async (world) => {
        await world.idle();
        world.network.faults.networkDown(true, "agent");
      },
      138: async (world) => killed(world),
      140: async (world) => void (await world.start("agent")),
      142: async (world) => {
        world.network.faults.networkDown(false, "agent");
        await world.start("Bob");
      },
      176: async (world) => {
        const held = world.network.files.holdUploads("agent");
        held.pass(2);
      },
      181: async (world) => killed(world),
      183: async (world) => void (await world.start("agent")),
      186: async (world) => world.network.files.releaseAll(),
      211: async (world) => {
        await world.idle();
        await world.stop("Bob");
        world.network.files.holdUploads("agent");
      },
      212: async (world) => {
        await world.idle();
        await killed(world);
        world.deleteFile("/world/My Agent.files/up2.bin");
      },
      214: async (world) => {
        world.network.files.releaseAll();
        await world.start("agent");
      },
      217: async (world) => void (await world.start("Bob")),
      218: async (world) => {
        await world.idle();
        await world.closeUser("agent");
      },
      223: async (world) => world.open("agent"),
      225: async (world) => void (await world.start("agent")),
    },
  },
};

/** The agent's process ends and another opens its database. */
async function restarting(world: World): Promise<void> {
  await world.idle();
  await world.closeUser("agent");
  world.open("agent");
}

/** As `restarting`, but what it was told and did not hear yet is lost. */
async function killed(world: World): Promise<void> {
  await world.kill("agent");
  world.open("agent");
}
