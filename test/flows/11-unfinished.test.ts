import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import { ERAS } from "../world/client.js";
import { flow, withSeeds } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import { listedActions } from "./listed.js";
import { givesAll, type Scene, type SceneOptions, scene } from "./scenes.js";
import { edits, expectCommands, posts, savesCounter } from "./support.js";

const NO_REPLIES = { wait: 0 };
const COUNTER = /^\/_set custom .*nextAction/;
const CANCELLED = "Cancelled: the server stopped.";

function card(number: number, chat: ChatRef, text = "t") {
  return {
    pending: `I want to send a message to contact Bob: \`${text}\`\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
    undone: (ending: string) => `I wanted to send a message to contact Bob: \`${text}\`\n${ending}`,
    done: `I sent a message to contact Bob: \`${text}\`\nApproved by Alice.`,
  };
}

/** Stops the server while a command of the action that a send makes is held; lets it go once the stop runs. */
async function stopDuring(set: Scene, command: RegExp) {
  const { agent, client, chat } = set;
  const holding = agent.api.holdNext(command);
  const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
  const { release } = await holding;
  const lines = agent.printed.length;
  const stopping = agent.stop();
  release();
  await stopping;
  const commands = agent.newCommands();
  return { result: await call.result, printed: agent.printed.slice(lines), commands };
}

/** What was stopped leaves nothing: the next start has no action, and the next one gets a number of its own. */
async function nextStartIsClean(world: World, { agent, owner, chat, peer }: Scene, number: number) {
  await agent.start({ approve: "requests" });
  expect(await owner.answerTo(`/approve ${number - 1}`)).toBe(`Action ${number - 1} is not pending.`);
  const client = await agent.client("modern");
  expect(await listedActions(client)).toEqual([]);
  const call = client.call("send", { chat, text: "next", ...NO_REPLIES });
  await owner.sees(card(number, chat, "next").pending);
  await owner.says(`/approve ${number}`);
  expect((await call.result).data).toMatchObject({ action: number, status: "done" });
  await world.settle();
  expect(peer.inbox.map(({ text }) => text).filter((text) => text === "t")).toEqual([]);
}

describe.each(ERAS)("a stop, for a client of the %s era,", (era) => {
  const options: SceneOptions = { kind: "contact", era, stopWaitSeconds: 10 };
  const cancelled = (action: number, chat: ChatRef) => ({
    isError: true,
    data: { action, status: "cancelled", chat },
  });

  flow("while the number of an action is saved cancels it without a card", async ({ world }) => {
    const set = await scene(world, options);
    const { owner, G, chat } = set;
    const { result, printed, commands } = await stopDuring(set, COUNTER);
    expect(result).toMatchObject(cancelled(1, chat));
    // No owner knows of it: there is no card to wait for.
    expect(printed).toEqual(["Cancelled 1 action.", "Stopped."]);
    expectCommands(commands, [`/_get chat ${chat} count=0`, savesCounter(G, 2)]);
    expect(owner.cards).toHaveLength(1);
    await nextStartIsClean(world, set, 2);
  });

  flow("while the card of an action is posted cancels it on the card", async ({ world }) => {
    const set = await scene(world, { ...options, stopWaitSeconds: 0 });
    const { owner, G, chat } = set;
    const { result, printed, commands } = await stopDuring(set, /^\/_send .*I want to send/);
    expect(result).toMatchObject(cancelled(1, chat));
    expect(printed).toEqual(["Cancelled 1 action.", "Stopped."]);
    const { pending, undone } = card(1, chat);
    expectCommands(commands, [
      `/_get chat ${chat} count=0`,
      savesCounter(G, 2),
      posts(G, pending),
      edits(G, undone(CANCELLED)),
    ]);
    await nextStartIsClean(world, set, 2);
    await owner.sees(undone(CANCELLED));
  });

  flow("while the number of an action of mode host is saved performs nothing", async ({ world }) => {
    const set = await scene(world, { ...options, approve: "host" });
    const { owner, G, chat } = set;
    const { result, printed, commands } = await stopDuring(set, COUNTER);
    expect(result).toMatchObject(cancelled(1, chat));
    expect(printed).toEqual(["Cancelled 1 action.", "Stopped."]);
    expectCommands(commands, [`/_get chat ${chat} count=0`, savesCounter(G, 2)]);
    expect(owner.cards).toHaveLength(1);
    await nextStartIsClean(world, set, 2);
  });

  flow("while the number under a standing approval is saved performs nothing", async ({ world }) => {
    const set = await scene(world, options);
    const { agent, owner, G, chat } = set;
    await givesAll(world, agent, chat);
    await world.settle();
    agent.newCommands();
    const { result, printed, commands } = await stopDuring(set, COUNTER);
    expect(result).toMatchObject(cancelled(1, chat));
    expect(printed).toEqual(["Cancelled 1 action.", "Stopped."]);
    // The approval may be read once more by then; nothing else is done.
    const reads = commands.filter((one) => one !== `/_get chat ${chat} count=0`);
    expectCommands(reads, [savesCounter(G, 2)]);
    expect(owner.cards).toHaveLength(1);
    await agent.start();
    expect(await owner.answerTo(`/revoke ${chat}`)).toMatch(/^Messages to contact Bob/);
    await agent.stop();
    await nextStartIsClean(world, set, 2);
  });

  flow("while a chat that is to be left is read leaves it as it is", async ({ world }) => {
    const set = await scene(world, { kind: "group", era, stopWaitSeconds: 0 });
    const { agent, owner, client, chat } = set;
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to leave/);
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    await owner.says("/approve 1");
    const { release } = await reading;
    const editing = agent.api.holdNext(/^\/_update item/);
    const stopping = agent.stop();
    const edit = await editing;
    release();
    await world.settle();
    edit.release();
    await stopping;
    expect((await call.result).data).toMatchObject({ action: 1, status: "interrupted", chat });
    expect(agent.newCommands().filter((one) => /^\/_(?:leave|delete) /.test(one))).toEqual([]);
    await agent.start();
    await owner.sees(
      /^I wanted to leave group Trail.*\nApproved by Alice; interrupted: the server stopped\.$/,
    );
  });

  flow("while the core does not answer ends all the same", async ({ world }) => {
    const set = await scene(world, options);
    const { agent, owner, client, chat } = set;
    const holding = agent.api.holdNext(COUNTER);
    const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
    await holding;
    const lines = agent.printed.length;
    await agent.stop();
    await expect(call.result).rejects.toThrow("The server stopped.");
    expect(agent.printed.slice(lines)).toEqual(["Cancelled 1 action.", "Stopped."]);
    // Its number was not saved, and nobody saw it: the next action may have it.
    await agent.start();
    (await agent.client("modern")).call("send", { chat, text: "next" });
    await owner.sees(card(1, chat, "next").pending);
    expect(owner.cards).toHaveLength(2);
  });

  flow("in mode host while a message is sent posts that it was interrupted", async ({ world }) => {
    const set = await scene(world, { ...options, approve: "host", stopWaitSeconds: 0 });
    const { agent, owner, client, chat, G } = set;
    const sending = agent.api.holdNext(new RegExp(`^/_send ${chat} `));
    const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
    const { release } = await sending;
    const lines = agent.printed.length;
    const stopping = agent.stop();
    release();
    await stopping;
    expect((await call.result).data).toEqual({ action: 1, status: "interrupted", chat });
    expect(agent.printed.slice(lines)).toEqual([
      "Action 1: performed without approval (mode host).",
      "Cancelled 1 action.",
      "Stopped.",
    ]);
    const text = card(1, chat).undone(
      "Performed without approval (mode host); interrupted: the server stopped.",
    );
    expect(agent.newCommands()).toContain(posts(G, text));
    await agent.start();
    await owner.sees(text);
  });
});

describe("a crash", () => {
  /** The process is gone without a stop: its core ends amid everything, and its lock is left. */
  async function crash({ agent }: Scene): Promise<void> {
    const { server, api } = agent;
    await api.close();
    await server.stop().catch(() => undefined);
    await writeFile(join(agent.folder, "lock"), JSON.stringify({ pid: 2 ** 22 + 1, started: "gone" }));
    agent.printed.length = 0;
    agent.logged.length = 0;
  }

  const clean = async ({ world }: { world: World }): Promise<void> => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    client.call("send", { chat, text: "t" });
    const left = await owner.sees(card(1, chat).pending);
    await world.settle();
    await crash(set);
    await agent.start();
    // The card stays as it was, and its commands do nothing.
    for (const command of ["/approve 1", `/approve ${chat} 1`, `/reject ${chat} 1`]) {
      expect(await owner.answerTo(command)).toBe("Action 1 is not pending.");
    }
    expect(left.versions).toEqual([card(1, chat).pending]);
    const again = await agent.client("modern");
    expect(await listedActions(again)).toEqual([]);
    const call = again.call("send", { chat, text: "t", ...NO_REPLIES });
    await owner.sees(card(2, chat).pending);
    await owner.says("/approve 2");
    expect((await call.result).data).toMatchObject({ action: 2, status: "done" });
    await owner.sees(card(2, chat).done);
    await world.settle();
    expect(peer.inbox.map(({ text }) => text)).toEqual(["t"]);
    expect(left.versions).toHaveLength(1);
    expect(agent.logged).toEqual([]);
  };
  flow("leaves cards whose commands do nothing, and the next start is clean", clean);
  withSeeds(3, "leaves cards whose commands do nothing, and the next start is clean", clean);

  flow("leaves a command that the owner wrote meanwhile without an action", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    client.call("send", { chat, text: "t" });
    await owner.sees(card(1, chat).pending);
    await world.settle();
    await crash(set);
    expect(owner.cards).toHaveLength(2);
    await owner.says(`/approve ${chat} 1`);
    await agent.start();
    await owner.sees("Action 1 is not pending.");
    await world.settle();
    expect(peer.inbox).toEqual([]);
  });
});
