import { setImmediate as turn } from "node:timers/promises";
import { describe, expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import type { TestAgent } from "../world/agent.js";
import { ERAS } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";
import { listedActions } from "./listed.js";
import { type Scene, type SceneOptions, scene } from "./scenes.js";
import { edits, expectCommands, isOfList, posts, savesCounter } from "./support.js";

const NO_REPLIES = { wait: 0 };
const STOP_WAIT = 10;
const CANCELLED = "Cancelled: the server stopped.";

const waitLine = (cards: string) => `Stopping: sending ${cards}, up to ${STOP_WAIT} s. Ctrl-C to stop now.`;

/** A card of a message to Bob before and after the stop. */
function card(number: number, chat: ChatRef, text = "t") {
  return {
    pending: `I want to send a message to contact Bob: \`${text}\`\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
    after: (ending: string) => `I wanted to send a message to contact Bob: \`${text}\`\n${ending}`,
  };
}

/** An agent in touch with Bob, whose stop waits for the last cards. */
const waitingScene = (world: World, options: SceneOptions = {}): Promise<Scene> =>
  scene(world, { kind: "contact", stopWaitSeconds: STOP_WAIT, ...options });

/** Stops the server, letting so much time go by that it may look twice whether the cards have left. */
async function stop(world: World, agent: TestAgent): Promise<string[]> {
  const printed = agent.printed.length;
  const stopping = agent.stop();
  await world.settle();
  await world.pass(250);
  await stopping;
  return agent.printed.slice(printed);
}

/** The commands without the questions whether the cards have left, of which there may be several. */
const withoutQuestions = (commands: readonly string[]) =>
  commands.filter((one) => !one.startsWith("/sql agent SELECT count(1) FROM snd_message_deliveries"));

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

describe.each(ERAS)("the stop, with calls of a client of the %s era", (era) => {
  const whole = async ({ world }: { world: World }): Promise<void> => {
    const { agent, owner, client, G, chat, peer } = await waitingScene(world, { era });
    // One that waits for its connection: it is performed.
    const target = await (await world.person("Carol")).makeAddress({ autoAccept: false });
    const connecting = client.call("connect", { target, wait: 3600 });
    const connect = await owner.sees(/^I want to connect to contact Carol/);
    await owner.says("/approve 1");
    await connecting.progressed(/^Action 1 waits for the connection/);
    // And one that waits for the owner.
    const sending = client.call("send", { chat, text: "t" });
    const send = await owner.sees(card(2, chat).pending);
    await world.settle();
    agent.newCommands();

    const lines = await stop(world, agent);
    expect(lines).toEqual(["Cancelled 2 actions.", waitLine("2 cancelled cards"), "Stopped."]);
    expect(await connecting.result).toMatchObject({
      isError: true,
      data: { action: 1, status: "interrupted" },
    });
    expect(await sending.result).toEqual({
      isError: true,
      data: { action: 2, status: "cancelled", chat },
      text: JSON.stringify({ action: 2, status: "cancelled", chat }),
    });
    const cancelled = card(2, chat).after(CANCELLED);
    await owner.sees(cancelled);
    const interrupted = connect.versions[0]
      ?.replace("I want to", "I wanted to")
      .replace(/\n.*$/, "\nApproved by Alice; interrupted: the server stopped.");
    await owner.sees(interrupted ?? "");
    expect(connect.versions.at(-1)).toBe(interrupted);
    expect(send.versions).toEqual([card(2, chat).pending, cancelled]);
    const commands = agent.newCommands();
    expect(commands.length).toBeGreaterThan(withoutQuestions(commands).length);
    expectCommands(withoutQuestions(commands), [
      [edits(G, interrupted ?? ""), edits(G, cancelled)],
      `/_members ${G}`,
    ]);
    expect(agent.logged).toEqual([]);

    // The next start goes on counting, and knows nothing of what was.
    await agent.start({ port: undefined });
    for (const [command, number] of [
      ["/approve 1", 1],
      ["/approve 2", 2],
      [`/approve ${chat} 2`, 2],
      [`/reject ${chat} 2`, 2],
    ] as const) {
      expect(await owner.answerTo(command)).toBe(`Action ${number} is not pending.`);
    }
    const after = await agent.client(era);
    expect(await listedActions(after)).toEqual([]);
    await world.settle();
    agent.newCommands();
    const again = after.call("send", { chat, text: "t", ...NO_REPLIES });
    await owner.sees(card(3, chat).pending);
    await world.settle();
    expectCommands(
      agent.newCommands().filter((one) => !isOfList(one)),
      [`/_get chat ${chat} count=0`, savesCounter(G, 4), posts(G, card(3, chat).pending)],
    );
    await owner.says("/approve 3");
    expect((await again.result).data).toMatchObject({ action: 3, status: "done" });
    await world.settle();
    expect(peer.inbox.map(({ text }) => text)).toEqual(["t"]);
  };
  flow("cancels what is pending, interrupts what is performed, and tells both sides", whole);
  withSeeds(4, "cancels what is pending, interrupts what is performed, and tells both sides", whole);

  flow("interrupts a message that is being sent: it may have left", async ({ world }) => {
    const { agent, owner, client, chat } = await waitingScene(world, { era, stopWaitSeconds: 0 });
    const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
    await owner.sees(card(1, chat).pending);
    const sending = agent.api.holdNext(new RegExp(`^/_send ${chat} `));
    await owner.says("/approve 1");
    const { release } = await sending;
    const stopping = agent.stop();
    release();
    await stopping;
    expect(await call.result).toMatchObject({
      isError: true,
      data: { action: 1, status: "interrupted", chat },
    });
    await agent.start();
    await owner.sees(card(1, chat).after("Approved by Alice; interrupted: the server stopped."));
    expect(agent.logged).toEqual([]);
  });

  flow("refuses a call that only now would make an action", async ({ world }) => {
    const { agent, client, chat, owner } = await waitingScene(world, { era });
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
    const { release } = await reading;
    agent.newCommands();
    const lines = agent.printed.length;
    const stopping = agent.stop();
    release();
    await stopping;
    expect(await call.result).toEqual({
      data: undefined,
      text: "The server is stopping. Call again when it runs.",
      isError: true,
    });
    expect(agent.newCommands()).toEqual([]);
    expect(agent.printed.slice(lines)).toEqual(["Stopped."]);
    expect(owner.cards).toHaveLength(1);
  });
});

flow("the stop with nothing to cancel is one line", async ({ world }) => {
  const { agent, owner, client, chat } = await waitingScene(world);
  const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
  const shown = await owner.sees(card(1, chat).pending);
  await owner.says("/reject 1");
  expect((await call.result).data).toMatchObject({ status: "rejected" });
  await owner.sees(card(1, chat).after("Rejected by Alice."));
  await world.settle();
  agent.newCommands();
  const lines = agent.printed.length;
  await agent.stop();
  expect(agent.printed.slice(lines)).toEqual(["Stopped."]);
  expect(agent.newCommands()).toEqual([]);
  await agent.start();
  expect(shown.versions).toHaveLength(2);
});

flow("a stop that is asked for twice is one", async ({ world }) => {
  const { agent, owner, client, chat } = await waitingScene(world, { stopWaitSeconds: 0 });
  const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
  const shown = await owner.sees(card(1, chat).pending);
  const { server } = agent;
  await Promise.all([server.stop(), server.stop(), agent.stop()]);
  await server.stop();
  expect(agent.printed.slice(-2)).toEqual(["Cancelled 1 action.", "Stopped."]);
  expect((await call.result).data).toMatchObject({ status: "cancelled" });
  await agent.start();
  await owner.sees(card(1, chat).after(CANCELLED));
  expect(shown.versions).toHaveLength(2);
});

flow("an owner who answers while the server stops is too late", async ({ world }) => {
  const { agent, owner, client, chat, peer } = await waitingScene(world);
  const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
  const shown = await owner.sees(card(1, chat).pending);
  const editing = agent.api.holdNext(/^\/_update item/);
  const stopping = stop(world, agent);
  const { release } = await editing;
  await owner.says("/approve 1");
  await (await agent.hands()).got("/approve 1");
  release();
  await stopping;
  expect((await call.result).data).toMatchObject({ status: "cancelled" });
  await owner.sees(card(1, chat).after(CANCELLED));
  expect(shown.versions).toHaveLength(2);
  await agent.start();
  await world.settle();
  // The card says it: no answer, nor anything sent.
  expect(owner.cards).toHaveLength(2);
  expect(peer.inbox).toEqual([]);
});

simulatedOnly(
  "the clock",
  "the stop waits 5 s at most for a command that the core never answers",
  async ({ world }) => {
    const { agent, owner } = await waitingScene(world, { stopWaitSeconds: 0 });
    const answering = agent.api.holdNext(/^\/_send .*No pending actions/);
    await owner.says("/pending");
    await answering;
    const lines = agent.printed.length;
    const { timers } = world.clock;
    const stopping = agent.stop();
    await until("its wait", () => world.clock.timers > timers);
    await world.pass(4_999);
    expect(agent.printed.slice(lines)).toEqual([]);
    await world.pass(1);
    await stopping;
    expect(agent.printed.slice(lines)).toEqual(["Stopped."]);
  },
);

flow("what an owner asked for last is answered before the core is closed", async ({ world }) => {
  const { agent, owner } = await waitingScene(world, { stopWaitSeconds: 0 });
  const answering = agent.api.holdNext(/^\/_send .*No pending actions/);
  await owner.says("/pending");
  const { release } = await answering;
  const { url } = agent.server;
  const stopping = agent.stop();
  // The listener is gone: were the answer not waited for, the core would be next.
  while (await answers(url)) await turn();
  release();
  await stopping;
  expect(agent.logged).toEqual([]);
  await agent.start();
  await owner.sees("No pending actions.");
});
