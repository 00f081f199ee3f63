import { FILE_PLANS } from "./file-plans.js";
import { connectByInvitation, receivedText, sendCommand, sendText } from "./flow-plans.js";
import { makeSentFiles } from "./plan-files.js";
import type { Plan } from "./replay.js";
import { REQUEST_PLANS } from "./request-plans.js";
import type { World } from "./world.js";

const AGENT = { displayName: "My Agent", fullName: "", peerType: "bot" };

/** The steps that the recordings of the edges leave out. Each has a world of its own. */
export const EDGE_PLANS: Record<string, Plan> = {
  ...FILE_PLANS,
  ...REQUEST_PLANS,
  "20-join-race": {
    interleaved: true,
    // From here on one person is a member three times, by a command that should not be sent so, and
    // all are introduced to all at once: every name and id is chance.
    skip: [[109, 497]],
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Alice", "Mallory", "Dan", "Eve"]) await world.newUser(who);
      await world.newUser("Robot", { displayName: "Robot", fullName: "", peerType: "bot" });
      for (const who of ["Fay", "Gil"]) await world.newUser(who);
    },
  },
  "22-pagination": {
    // Only the agent's commands and events were recorded.
    observed: ["agent"],
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      await world.newUser("Hazel");
      await world.newUser("Bob");
    },
    before: {
      7: async (world) => {
        for (const text of ["old one", "old two", "old three"])
          await world.run("Hazel", sendCommand("#1", text));
      },
      18: async (world) => connectByInvitation(world, "agent", "Bob"),
      ...texts(23, "Hazel", "#1", [
        "alpha",
        "beta 100%",
        "gamma_delta",
        "ALPHA two",
        "Привет мир",
        "*bold* alpha",
        "see @'My Agent'",
        "https://example.com alpha",
      ]),
    },
  },
  "24-delivery-and-database": {
    setUp: async (world) => {
      // It had a server of its own, to be stopped.
      const port = 7101;
      await world.newUser("agent", AGENT, port);
      for (const who of ["Hazel", "Bob"]) await world.newUser(who, { displayName: who, fullName: "" }, port);
    },
    // The agent's second session in line 221 and after ran in another process.
    observed: ["agent", "agentB", "Hazel", "Bob"],
    before: {
      68: async (world) => world.network.faults.networkDown(true),
      92: async (world) => world.stop("agent"),
      93: async (world) => world.closeUser("agent"),
      94: async (world) => reopen(world, "agent"),
      100: async (world) => world.network.faults.networkDown(false),
      125: async (world) => {
        await world.idle();
        // Sent by a process that ends at once.
        world.network.faults.networkDown(true, "agent");
        await world.run("agent", sendCommand("#1", "exit at once"));
        await world.closeUser("agent");
        world.network.faults.networkDown(false, "agent");
        world.open("agent");
      },
      130: async (world) => void (await world.start("agent")),
      143: async (world) => world.stop("agent"),
      144: async (world) => world.closeUser("agent"),
      145: async (world) => reopen(world, "agent"),
      154: async (world) => world.open("agentB", "agent"),
      155: async (world) => void (await world.start("agentB")),
      184: async (world) => world.closeUser("agentB"),
      200: async (world) => world.closeUser("agent"),
      213: async (world) => reopen(world, "agent"),
      221: async (world) => reopen(world, "other process", "agent"),
    },
  },
  "25-plans": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Bob", "Biz", "Clerk", "Carol"]) await world.newUser(who);
    },
    before: { 226: async (world) => connectByInvitation(world, "Biz", "Clerk") },
  },
  "19-group-admission-and-support": {
    setUp: async (world) => {
      await world.newUser("Hazel");
      await world.newUser("agent", AGENT);
      await world.newUser("Bob");
      await world.newUser("Carol");
    },
  },
  "23-forward-and-timed": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      await world.newUser("Hazel");
      await world.newUser("Bob");
    },
    before: {
      24: async (world) => connectByInvitation(world, "agent", "Bob"),
      117: async (world) => makeSentFiles(world, "23"),
    },
  },
  "27-more": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      await world.newUser("Bob");
      const commands = [{ type: "command", keyword: "help", label: "Help" }];
      await world.newUser("Robot", { ...AGENT, displayName: "Robot", preferences: { commands } });
    },
    before: {
      62: async (world) => connectByInvitation(world, "agent", "Bob"),
    },
    // Later events of Robot were not recorded.
    observed: ["agent", "Bob"],
    // Size probes (test/unit/simulator/sizes.test.ts) and what came of them; 114, 150 and 158 show their items.
    skip: [
      [75, 87],
      ...[
        95, 98, 103, 106, 113, 114, 118, 120, 122, 123, 130, 132, 134, 135, 136, 140, 141, 144, 150, 158,
      ].map((line) => [line, line] as const),
    ],
  },
  "28-address-and-direct": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Bob", "Carol", "Dan"]) await world.newUser(who);
    },
    before: {
      65: async (world) => sendText(world, "agent", "@4", receivedText("28", 66)),
      69: async (world) => sendText(world, "agent", "@4", receivedText("28", 70)),
      73: async (world) => sendText(world, "agent", "@4", receivedText("28", 74)),
    },
  },
  "29-invitation-and-servers": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      await world.newUser("Bob");
      await world.newUser("Eve");
    },
    before: {
      7: async (world) => connectByInvitation(world, "agent", "Bob"),
      18: async (world) => connectByInvitation(world, "agent", "Eve"),
      62: async (world) => connectByInvitation(world, "Bob", "Eve"),
      118: async (world) => makeSentFiles(world, "29"),
    },
  },
};

/** A text before each line from `first` on. */
function texts(first: number, who: string, chat: string, list: readonly string[]): Plan["before"] {
  return Object.fromEntries(
    list.map((text, at) => [
      first + at,
      async (world: World) => void (await world.run(who, sendCommand(chat, text))),
    ]),
  );
}

async function reopen(world: World, who: string, database = who): Promise<void> {
  world.open(who, database);
  await world.start(who);
}
