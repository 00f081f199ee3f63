import { describe, expect } from "vitest";
import { z } from "zod";
import type { ChatRef } from "../../src/core/types.js";
import type { TestAgent } from "../world/agent.js";
import { ERAS, type TestClient } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import type { Owner } from "../world/owner.js";
import type { World } from "../world/world.js";
import { givesAll, meet, type Scene, type SceneOptions, scene } from "./scenes.js";
import {
  expectCommands,
  message,
  messagesOf,
  posts,
  savesCounter,
  savesFreed,
  withoutTimes,
} from "./support.js";

const NO_REPLIES = { wait: 0 };
const NOT_HERE = "In mode host nothing is approved here: the agent's program asks its user.";
const GREETING = "I'm your agent. I ask here before I connect, send, download a file or leave a chat.";

const hostScene = (world: World, options: SceneOptions = {}): Promise<Scene> =>
  scene(world, { approve: "host", ...options });

/** The line on stdout for an action of mode host. */
const performed = (number: number) => `Action ${number}: performed without approval (mode host).`;

const sent = (what: string) => `I sent a message to ${what}\nPerformed without approval (mode host).`;

const WAITS = "Waits for the owner's approval first, which may take hours.";
const AT_ONCE = "It is performed without an owner's approval: the client asks its user first.";

/** What the tools tell the client about themselves, besides their schemas. */
async function metaOfTools(client: TestClient): Promise<Record<string, unknown>> {
  const Meta = z.record(z.string(), z.unknown()).optional();
  const { tools } = await client.sdk.listTools();
  return Object.fromEntries(tools.map(({ name, _meta }) => [name, Meta.parse(_meta)]));
}

/** What each tool says of approvals, where it says something. */
async function approvalsOfTools(client: TestClient): Promise<Record<string, string | undefined>> {
  const { tools } = await client.sdk.listTools();
  return Object.fromEntries(
    tools.map(({ name, description = "" }) => [name, /[^.]*\bapproval\b.*$/.exec(description)?.[0].trim()]),
  );
}

/** The actions on stdout. */
const linesOf = (agent: TestAgent) => agent.printed.filter((line) => line.startsWith("Action "));

/** Gives Alice's standing approval to a chat in mode requests, and starts again in mode host. */
async function standingThenHost(world: World, options: SceneOptions = {}): Promise<Scene> {
  const set = await scene(world, options);
  const { agent, owner, chat } = set;
  await givesAll(world, agent, chat);
  await owner.sees(/^I'm your agent/);
  await agent.restart({ approve: "host" });
  const client = await agent.client(options.era ?? "modern");
  await world.settle();
  agent.newCommands();
  return { ...set, client };
}

async function customData(agent: TestAgent, chat: ChatRef): Promise<string> {
  return JSON.stringify(await agent.api.sendChatCmd(`/_get chat ${chat} count=0`));
}

/** No card ever asked for anything: none was changed, and none has a command to approve. */
function expectNoCards(owner: Owner): void {
  for (const { versions } of owner.messages) {
    expect(versions).toHaveLength(1);
    expect(versions[0]).not.toMatch(/I want to|\/'(?:approve|reject)/);
  }
}

describe.each(ERAS)("in mode host, for a client of the %s era,", (era) => {
  flow("only connect, send, download, leave and invite ask for the user", async ({ world }) => {
    const { agent } = await world.agentWithOwner({ approve: "host" });
    const asks = { "anthropic/requiresUserInteraction": true };
    expect(await metaOfTools(await agent.client(era))).toEqual({
      connect: asks,
      send: asks,
      receive: undefined,
      download: asks,
      leave: asks,
      invite: asks,
      list: undefined,
      members: undefined,
      history: undefined,
    });
    await agent.restart({ approve: "requests" });
    expect(Object.values(await metaOfTools(await agent.client(era))).filter(Boolean)).toEqual([]);
  });

  flow("no tool says that an owner is asked, nor do the instructions", async ({ world }) => {
    const { agent } = await world.agentWithOwner({ approve: "host" });
    const says = (what: string) => ({
      connect: what,
      send: what,
      receive: undefined,
      download: what,
      leave: what,
      invite: what,
      list: undefined,
      members: undefined,
      history: undefined,
    });
    const host = await agent.client(era);
    expect(await approvalsOfTools(host)).toEqual(says(AT_ONCE));
    expect(host.sdk.getInstructions()).not.toContain("ask a human owner");
    await agent.restart({ approve: "requests" });
    const requests = await agent.client(era);
    expect(await approvalsOfTools(requests)).toEqual(says(WAITS));
    expect(requests.sdk.getInstructions()).toContain("ask a human owner");
  });

  const sending = async ({ world }: { world: World }): Promise<void> => {
    const { agent, owner, client, G, peer, chat, peerChat } = await hostScene(world, { kind: "bot", era });
    expect(agent.printed).toContain("Approval mode: host");
    const call = client.call("send", { chat, text: "text", wait: 12, idle: 2 });
    await peer.got("text");
    await owner.sees(sent("bot Echo: `text`"));
    await peer.send(peerChat, "text back");
    await call.progressed(/^1 messages/);
    await world.settle();
    await world.pass(2000);
    const result = await call.result;
    const [reply] = messagesOf(result);
    expect(result.isError).toBe(false);
    const from = { name: "Echo", kind: "bot" };
    expect(result.data).toEqual({
      action: 1,
      status: "done",
      chat,
      item: expect.any(Number),
      responses: [message({ from, text: "text back" })],
      more: 0,
    });
    expect(withoutTimes(call.progress).at(-1)).toBe(`1 messages in ${chat}; waiting until TIME.`);
    expect(linesOf(agent)).toEqual([performed(1)]);
    expect(owner.cards).toEqual([GREETING, sent("bot Echo: `text`")]);
    expectNoCards(owner);
    await world.settle();
    expectCommands(agent.newCommands(), [
      `/_get chat ${chat} count=0`,
      savesCounter(G, 2),
      `/_get chat ${chat} count=0`,
      posts(chat, "text"),
      posts(G, sent("bot Echo: `text`")),
      `/_read chat items ${chat} ${reply?.item}`,
    ]);
    expect((await client.use("list")).data).toMatchObject({ actions: [] });
    expect(agent.logged).toEqual([]);
  };
  flow("a message is sent at once, with a line and a post, and no card", sending);
  withSeeds(3, "a message is sent at once, with a line and a post, and no card", sending);

  flow("leave leaves a group at once", async ({ world }) => {
    const { agent, owner, client, G, peer, chat } = await hostScene(world, { kind: "group", era });
    expect((await client.use("leave", { chat })).data).toEqual({ action: 1, status: "done", chat });
    const left = `I left group Trail (${chat}).\nPerformed without approval (mode host).`;
    await owner.sees(left);
    await peer.waitFor("the agent leaving", ({ type }) => type === "leftMember");
    await world.settle();
    expectCommands(agent.newCommands(), [
      `/_get chat ${chat} count=0`,
      savesCounter(G, 2),
      `/_get chat ${chat} count=0`,
      savesFreed(G, 2),
      `/_leave ${chat}`,
      `/_delete ${chat} full notify=on`,
      posts(G, left),
    ]);
    expect(linesOf(agent)).toEqual([performed(1)]);
    expectNoCards(owner);
  });

  flow("connect connects at once, and the connected chat is known then", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner({ approve: "host" });
    const G = agent.controlChat;
    const bot = await world.person("Directory", { peerType: "bot" });
    const target = await bot.makeAddress({ reply: "Welcome to the directory." });
    const client = await agent.client(era);
    const call = client.call("connect", { target, idle: 1, wait: 6 });
    await call.progressed(/^1 messages in/);
    await world.settle();
    await world.pass(1000);
    const result = await call.result;
    const chat = String(result.data?.chat);
    const from = { name: "Directory", kind: "bot" };
    const [welcome] = messagesOf(result);
    expect(result.data).toEqual({
      action: 1,
      status: "done",
      chat,
      connected: true,
      messages: [message({ from, text: "Welcome to the directory." })],
    });
    const connected = await owner.sees(/^I connected to bot Directory \(.+\), as myself\.\n.+$/);
    expect(connected.text.split("\n")[1]).toBe("Performed without approval (mode host).");
    await world.settle();
    expectCommands(agent.newCommands(), [
      `/_connect plan 1 ${target}`,
      savesCounter(G, 2),
      `/_connect plan 1 ${target}`,
      "/_connect 1 incognito=off FULL LINK",
      [posts(G, connected.text), `/_get chat ${chat} count=50`],
      `/_read chat items ${chat} ${welcome?.item}`,
    ]);
    expect(linesOf(agent)).toEqual([performed(1)]);
    expectNoCards(owner);
    const known = { status: "known", chat, kind: "bot", name: "Directory", connected: true };
    expect((await client.use("connect", { target })).data).toEqual(known);
  });

  flow("every outward tool is refused while nobody approves", async ({ world }) => {
    const agent = await world.startAgent({ approve: "host" });
    const { chat } = await meet(agent, await world.person("Bob"), "contact");
    const target = await (await world.person("Carol")).makeAddress();
    const client = await agent.client(era);
    await world.settle();
    agent.newCommands();
    const calls = { send: { chat, text: "t", ...NO_REPLIES }, leave: { chat }, connect: { target } };
    for (const [tool, input] of Object.entries(calls)) {
      expect(await client.use(tool, input)).toEqual({
        data: undefined,
        text: "The agent has no approving owner. Ask the person who runs the server to let one join by the link it shows.",
        isError: true,
      });
    }
    await world.settle();
    expectCommands(agent.newCommands(), [
      `/_get chat ${chat} count=0`,
      `/_get chat ${chat} count=0`,
      `/_connect plan 1 ${target}`,
    ]);
    expect(linesOf(agent)).toEqual([]);
  });
});

describe("in mode host", () => {
  flow("standing approvals do not count, and are there again in mode requests", async ({ world }) => {
    const { agent, owner, client, chat } = await standingThenHost(world);
    const result = await client.use("send", { chat, text: "one", ...NO_REPLIES });
    expect(result.data).toMatchObject({ action: 1, status: "done" });
    await owner.sees(sent("business Ridgeline: `one`"));
    expect(linesOf(agent)).toEqual([performed(1)]);
    const [listed] = z.array(z.record(z.string(), z.unknown())).parse((await client.use("list")).data?.chats);
    expect(listed).toMatchObject({ chat });
    expect(listed).not.toHaveProperty("approved");
    expect(await owner.answerTo("/list")).toBe(`1 chat:\nbusiness Ridgeline (${chat})`);

    await agent.restart({ approve: "requests" });
    expect(await owner.answerTo("/list")).toContain(`messages approved by Alice /'revoke ${chat}'`);
    const requests = await agent.client("modern");
    await requests.use("send", { chat, text: "two", ...NO_REPLIES });
    await owner.sees(
      `I sent a message to business Ridgeline: \`two\`\nApproved for this chat by Alice. /'revoke ${chat}'`,
    );
    expect(linesOf(agent)).toEqual([]);
  });

  flow("a standing approval is not given, and can be ended", async ({ world }) => {
    const { agent, owner, G, chat } = await standingThenHost(world);
    const before = await customData(agent, chat);
    expect(before).toContain("approvedBy");
    agent.newCommands();
    expect(await owner.answerTo(`/approve ${chat} all`)).toBe(NOT_HERE);
    await world.settle();
    expectCommands(agent.newCommands(), [posts(G, NOT_HERE)]);
    expect(await customData(agent, chat)).toBe(before);
    const ended = `Messages to business Ridgeline (${chat}) need approval again.`;
    expect(await owner.answerTo(`/revoke ${chat}`)).toBe(ended);
    expect(await customData(agent, chat)).not.toContain("approvedBy");
  });

  flow("/approve CHAT all stores nothing", async ({ world }) => {
    const { agent, owner, chat } = await hostScene(world);
    expect(await owner.answerTo(`/approve ${chat} all`)).toBe(NOT_HERE);
    expect(await owner.answerTo("/approve #99 all")).toBe(NOT_HERE);
    expect(agent.newCommands().filter((one) => one.startsWith("/_set custom"))).toEqual([]);
    expect(await customData(agent, chat)).not.toContain("approvedBy");
  });

  flow("an action is not pending: the owner cannot decide it", async ({ world }) => {
    const { agent, owner, client, chat } = await hostScene(world);
    const sending = agent.api.holdNext(new RegExp(`^/_send ${chat} `));
    const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
    const { release } = await sending;
    expect(await owner.answerTo("/approve 1")).toBe("Action 1 is not pending.");
    expect(await owner.answerTo(`/reject ${chat} 1`)).toBe("Action 1 is not pending.");
    expect(await owner.answerTo("/pending")).toBe("No pending actions.");
    release();
    expect((await call.result).data).toMatchObject({ action: 1, status: "done" });
    await owner.sees(sent("business Ridgeline: `t`"));
  });

  flow("the owner sees what failed", async ({ world }) => {
    const { agent, owner, client, peer, chat } = await hostScene(world, { kind: "contact" });
    agent.api.failNext(new RegExp(`^/_send ${chat} `), {
      type: "error",
      errorType: { type: "commandError", message: "no" },
    });
    const result = await client.use("send", { chat, text: "t", ...NO_REPLIES });
    expect(result).toMatchObject({ isError: true, data: { action: 1, status: "failed", chat } });
    const error = String(result.data?.error);
    await owner.sees(
      `I wanted to send a message to contact Bob: \`t\`\nPerformed without approval (mode host); failed: \`${error}\`.`,
    );
    expect(agent.logged).toEqual([`Action 1 failed: ${error}`]);
    expect(peer.inbox).toEqual([]);
  });

  flow("a lost call is resumed, and the message is sent once", async ({ world }) => {
    const { agent, owner, client, peer, chat } = await hostScene(world, { kind: "contact" });
    const sending = agent.api.holdNext(new RegExp(`^/_send ${chat} `));
    const call = client.call("send", { chat, text: "t", ...NO_REPLIES });
    const { release } = await sending;
    call.cut();
    await expect
      .poll(async () => (await client.use("list")).data?.actions, { timeout: 25_000, interval: 2 })
      .toEqual([expect.objectContaining({ action: 1, state: "performing", open: false })]);
    release();
    await owner.sees(sent("contact Bob: `t`"));
    const again = await client.use("send", { chat, text: "t", ...NO_REPLIES });
    expect(again.data).toMatchObject({ action: 1, status: "done" });
    await world.settle();
    expect(peer.inbox).toHaveLength(1);
    expect(owner.cards).toHaveLength(2);
  });

  simulatedOnly("time", "no limit of cards holds, since there are none", async ({ world }) => {
    const limits = { pending: 50, cardsPerMinute: 2 };
    const { agent, client, chat, peer } = await hostScene(world, { kind: "contact", limits });
    for (const text of ["1", "2", "3", "4"]) {
      expect((await client.use("send", { chat, text, ...NO_REPLIES })).data).toMatchObject({
        status: "done",
      });
    }
    await world.settle();
    expect(peer.inbox.map(({ text }) => text)).toEqual(["1", "2", "3", "4"]);
    expect(linesOf(agent)).toEqual([1, 2, 3, 4].map(performed));
  });
});
