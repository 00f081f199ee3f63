import { describe, expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import type { SimulatedWorld } from "../world/simulated.js";
import { type Scene, scene } from "./scenes.js";

const CANCELLED = "Cancelled: the server stopped.";
const ONE = "Cancelled 1 action.";
const waits = (seconds: number, cards = "1 cancelled card") =>
  `Stopping: sending ${cards}, up to ${seconds} s. Ctrl-C to stop now.`;

const wanted = (chat: ChatRef, number: number) =>
  `I want to send a message to contact Bob: \`text ${number}\`\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`;
const cancelled = (number: number) =>
  `I wanted to send a message to contact Bob: \`text ${number}\`\n${CANCELLED}`;

/** An agent with so many pending messages. */
async function pendingScene(world: SimulatedWorld, stopWaitSeconds: number, count = 1): Promise<Scene> {
  const set = await scene(world, { kind: "contact", stopWaitSeconds });
  const { agent, owner, client, chat } = set;
  for (let number = 1; number <= count; number += 1) {
    client.call("send", { chat, text: `text ${number}` });
    await owner.sees(wanted(chat, number));
  }
  await world.settle();
  agent.newCommands();
  agent.printed.length = 0;
  return set;
}

/** A stop that runs. */
function stopping({ agent }: Scene): { ended: boolean; end: Promise<void> } {
  const stop = {
    ended: false,
    end: agent.stop().then(() => {
      stop.ended = true;
    }),
  };
  return stop;
}

/** Starts again with the network, and waits until Alice sees what could not leave before. */
async function seenAtNextStart(world: SimulatedWorld, { agent, owner }: Scene): Promise<void> {
  world.network.faults.networkDown(false);
  await agent.start();
  await owner.sees(cancelled(1));
}

const NETWORK = "faults of the network, and time";

describe("--stop-wait", () => {
  simulatedOnly(NETWORK, "ends as soon as the cards have left", async ({ world }) => {
    const set = await pendingScene(world, 10, 2);
    const { agent, owner } = set;
    world.network.faults.networkDown(true);
    const stop = stopping(set);
    await world.pass(5000);
    expect(stop.ended).toBe(false);
    expect(agent.printed).toEqual(["Cancelled 2 actions.", waits(10, "2 cancelled cards")]);
    expect(owner.cards.slice(1)).toEqual([wanted(set.chat, 1), wanted(set.chat, 2)]);
    world.network.faults.networkDown(false);
    await world.pass(200);
    await stop.end;
    expect(agent.printed.slice(2)).toEqual(["Stopped."]);
    // Without another start of the server.
    await owner.sees(cancelled(1));
    await owner.sees(cancelled(2));
    expect(agent.logged).toEqual([]);
  });

  simulatedOnly(NETWORK, "ends when the time is up, not before, with the network down", async ({ world }) => {
    const set = await pendingScene(world, 10);
    const { agent, owner, chat } = set;
    world.network.faults.networkDown(true);
    const stop = stopping(set);
    await world.pass(9900);
    expect(stop.ended).toBe(false);
    await world.pass(200);
    await stop.end;
    expect(agent.printed).toEqual([ONE, waits(10), "Stopped."]);
    const asked = agent.newCommands().filter((one) => one.startsWith("/sql agent SELECT count(1)"));
    expect(asked).toHaveLength(100);
    expect(owner.cards.at(-1)).toBe(wanted(chat, 1));
    expect(agent.logged).toEqual([]);
    await seenAtNextStart(world, set);
  });

  simulatedOnly(NETWORK, "of 60 seconds is that long", async ({ world }) => {
    const set = await pendingScene(world, 60);
    world.network.faults.networkDown(true);
    const stop = stopping(set);
    await world.pass(59_900);
    expect(stop.ended).toBe(false);
    await world.pass(200);
    await stop.end;
    expect(set.agent.printed).toEqual([ONE, waits(60), "Stopped."]);
  });

  simulatedOnly(NETWORK, "ends at a second signal", async ({ world }) => {
    const set = await pendingScene(world, 60);
    const { agent } = set;
    const { server } = agent;
    world.network.faults.networkDown(true);
    const stop = stopping(set);
    await world.pass(3000);
    expect(stop.ended).toBe(false);
    server.stopNow();
    await stop.end;
    expect(agent.printed).toEqual([ONE, waits(60), "Stopped."]);
    expect(world.clock.timers).toBe(0);
    await seenAtNextStart(world, set);
  });

  simulatedOnly(NETWORK, "waits for no card when the second signal is first", async ({ world }) => {
    const set = await pendingScene(world, 60);
    const { agent } = set;
    world.network.faults.networkDown(true);
    agent.server.stopNow();
    await agent.stop();
    expect(agent.printed).toEqual([ONE, waits(60), "Stopped."]);
    await seenAtNextStart(world, set);
  });

  simulatedOnly(NETWORK, "0 waits for nothing", async ({ world }) => {
    const set = await pendingScene(world, 0);
    const { agent } = set;
    world.network.faults.networkDown(true);
    await agent.stop();
    expect(agent.printed).toEqual([ONE, "Stopped."]);
    expect(agent.newCommands().filter((one) => !one.startsWith("/_update item"))).toEqual([]);
    await seenAtNextStart(world, set);
  });

  simulatedOnly(NETWORK, "does not wait for messages that are none of the owners'", async ({ world }) => {
    const set = await pendingScene(world, 10);
    const { agent, owner, chat, peer } = set;
    // Bob's app is off: what is for him leaves all the same, for his server.
    await peer.goOffline();
    await (await agent.hands()).send(chat, "for Bob");
    const stop = stopping(set);
    await world.pass(300);
    await stop.end;
    expect(agent.printed).toEqual([ONE, waits(10), "Stopped."]);
    await owner.sees(cancelled(1));
  });

  flow("that cannot ask the core is over, with a line on stderr", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact", stopWaitSeconds: 10 });
    client.call("send", { chat, text: "text 1" });
    await owner.sees(wanted(chat, 1));
    agent.api.failNext(/^\/sql agent SELECT count/, {
      type: "error",
      errorType: { type: "commandError", message: "no" },
    });
    await agent.stop();
    expect(agent.printed.slice(-3)).toEqual([ONE, waits(10), "Stopped."]);
    expect(agent.logged).toEqual([expect.stringMatching(/^Waiting for the last cards: /)]);
  });
});

simulatedOnly(
  NETWORK,
  "while the stop waits, the listener is gone and its lock is not",
  async ({ world }) => {
    const set = await pendingScene(world, 10);
    const { agent, client, chat } = set;
    const { server } = agent;
    world.network.faults.networkDown(true);
    const stop = stopping(set);
    await world.pass(1000);
    await expect(fetch(server.url)).rejects.toThrow("fetch failed");
    await expect(client.use("send", { chat, text: "more" })).rejects.toThrow();
    await expect(agent.start()).rejects.toThrow(/^Agent "my-agent" is already running \(process \d+\)\.$/);
    server.stopNow();
    await stop.end;
    await seenAtNextStart(world, set);
  },
);

flow("the cards are changed beside each other", async ({ world }) => {
  const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
  for (const number of [1, 2, 3]) {
    client.call("send", { chat, text: `text ${number}` });
    await owner.sees(wanted(chat, number));
  }
  await world.settle();
  agent.newCommands();
  const edits = [1, 2, 3].map(() => agent.api.holdNext(/^\/_update item/));
  const end = agent.stop();
  // Each was sent before any was answered.
  const held = await Promise.all(edits);
  for (const { release } of held) release();
  await end;
  await agent.start();
  for (const number of [1, 2, 3]) await owner.sees(cancelled(number));
});

for (const [what, command] of [
  ["the change of a card", /^\/_update item/],
  ["the question for what was delivered", /^\/sql agent/],
] as const) {
  simulatedOnly("time", `a second signal leaves ${what} that the core does not answer`, async ({ world }) => {
    const set = await pendingScene(world, 10);
    const hanging = set.agent.api.holdNext(command);
    const { server } = set.agent;
    const stop = stopping(set);
    await hanging;
    await world.pass(20_000);
    expect(stop.ended).toBe(false);
    server.stopNow();
    await world.pass(1000);
    await stop.end;
    expect(set.agent.printed.at(-1)).toBe("Stopped.");
    // Its lock is given back.
    await set.agent.start();
  });
}
