import { describe, expect } from "vitest";
import type { TestAgent } from "../world/agent.js";
import { ERAS, type OpenCall } from "../world/client.js";
import { flow, flowWithNames, simulatedOnly, withSeeds } from "../world/flow-test.js";
import type { Owner } from "../world/owner.js";
import type { Person } from "../world/person.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";
import {
  edits,
  expectCommands,
  localTime,
  message,
  messagesOf,
  posts,
  savesCounter,
  savesFreed,
  textsOf,
  withoutTimes,
} from "./support.js";

/** Seconds: short, because in the real world they go by. */
const IDLE = 2;
const WAIT = 8;

/** A card before and after the decision of Alice. */
function cards(number: number, what: string) {
  return {
    pending: `I want to connect to ${what}\n/'approve ${number}' or /'reject ${number}'`,
    done: `I connected to ${what}\nApproved by Alice.`,
    not: (ending: string) => `I wanted to connect to ${what}\n${ending}`,
  };
}

/** Waits until the call waits for messages only, and lets the time for them go by. */
async function overIn(world: World, call: OpenCall) {
  await call.progressed(/^\d+ messages in/);
  await world.settle();
  await world.pass(WAIT * 1000);
  return await call.result;
}

async function directory(
  world: World,
  { name }: { name?: string } = {},
): Promise<{ bot: Person; link: string }> {
  const bot = await world.person("Directory", { peerType: "bot" });
  const link = await bot.makeAddress({ reply: "Welcome to the directory." });
  if (name !== undefined) await world.giveName(bot, name, link);
  return { bot, link };
}

/** Connects with the approval of the owner, and returns what came of it. */
async function connect(
  { world, agent, owner }: { world: World; agent: TestAgent; owner: Owner },
  input: Record<string, unknown>,
) {
  const client = await agent.client("modern");
  const call = client.call("connect", { idle: IDLE, wait: WAIT, ...input });
  const card = await owner.sees(/^I want to connect/);
  const pending = card.text;
  await owner.says("/approve 1");
  const result = await overIn(world, call);
  await world.settle();
  return { call, pending, done: card.text, result, commands: agent.newCommands() };
}

describe.each(ERAS)("connect to a SimpleX name, by a client of the %s era", (era) => {
  const byName = async ({ world }: { world: World }): Promise<void> => {
    const { agent, owner } = await world.agentWithOwner();
    await directory(world, { name: "directory.testing" });
    const G = agent.controlChat;
    const text = cards(1, "bot Directory (@directory.testing), as myself.");
    const client = await agent.client(era);
    const call = client.call("connect", { target: "@directory.testing", idle: IDLE });
    await call.progressed(/^Action 1 waits for an approver/);
    const card = await owner.sees(text.pending);
    await owner.says("/approve 1");
    const result = await overIn(world, call);
    await owner.sees(text.done);

    const chat = String(result.data?.chat);
    expect(chat).toMatch(/^@\d+$/);
    expect(result.data).toEqual({
      action: 1,
      status: "done",
      chat,
      connected: true,
      messages: [message({ from: { name: "Directory", kind: "bot" }, text: "Welcome to the directory." })],
    });
    expect(result.isError).toBe(false);
    expect(card.versions).toEqual([text.pending, text.done]);
    expect(withoutTimes(call.progress)).toEqual([
      "Action 1 waits for an approver until TIME.",
      "Action 1 waits for the connection until TIME.",
      `1 messages in ${chat}; waiting until TIME.`,
    ]);
    await world.settle();
    const [welcome] = messagesOf(result);
    expectCommands(agent.newCommands(), [
      "/_connect plan 1 @directory.testing",
      savesCounter(G, 2),
      posts(G, text.pending),
      "/_connect plan 1 @directory.testing",
      "/_prepare contact 1 FULL LINK domain=directory.testing DATA",
      `/_connect contact ${chat} incognito=off`,
      [edits(G, text.done), `/_get chat ${chat} count=50`],
      `/_read chat items ${chat} ${welcome?.item}`,
    ]);
    expect((await client.use("list")).data?.actions).toEqual([]);
    expect(agent.logged).toEqual([]);
  };
  flowWithNames("asks the owner, connects, and returns the first messages", byName);
  withSeeds(3, "asks the owner, connects, and returns the first messages", byName);

  flowWithNames("that the agent is connected to already asks nobody", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const { link } = await directory(world, { name: "directory.testing" });
    const hands = await agent.hands();
    const chat = await hands.join(link);
    await world.settle();
    agent.newCommands();
    const client = await agent.client(era);
    expect((await client.use("connect", { target: "@directory.testing" })).data).toEqual({
      status: "known",
      chat,
      kind: "bot",
      name: "Directory",
      connected: true,
    });
    expectCommands(agent.newCommands(), [
      "/_connect plan 1 @directory.testing",
      `/_get chat ${chat} count=0`,
    ]);
    expect((await client.use("list")).data?.actions).toEqual([]);
    expect(owner.cards).toHaveLength(1);
  });

  flowWithNames("that the owner rejects tells the reason and connects nothing", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    await directory(world, { name: "directory.testing" });
    const text = cards(1, "bot Directory (@directory.testing), incognito.");
    const client = await agent.client(era);
    const call = client.call("connect", { target: "@directory.testing", incognito: true });
    const card = await owner.sees(text.pending);
    agent.newCommands();
    await owner.says("/reject 1 ask me next week");
    expect(await call.result).toEqual({
      data: { action: 1, status: "rejected", reason: "ask me next week" },
      text: '{"action":1,"status":"rejected","reason":"ask me next week"}',
      isError: true,
    });
    await owner.sees(text.not("Rejected by Alice: `ask me next week`."));
    expect(card.versions).toHaveLength(2);
    await world.settle();
    expectCommands(agent.newCommands(), [edits(agent.controlChat, card.text)]);
    expect((await client.use("list")).data).toMatchObject({ chats: [], actions: [] });
  });
});

describe("what is done for a link", () => {
  flow("an address without a message is connected to by its link", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const { link } = await directory(world);
    const { result, pending, done, commands } = await connect({ world, agent, owner }, { target: link });
    const text = cards(1, `bot Directory (${link}), as myself.`);
    expect([pending, done]).toEqual([text.pending, text.done]);
    const { chat } = result.data ?? {};
    const [welcome] = messagesOf(result);
    expect(result.data).toMatchObject({
      status: "done",
      connected: true,
      messages: [{ text: "Welcome to the directory." }],
    });
    expectCommands(commands, [
      "/_connect plan 1 LINK",
      savesCounter(agent.controlChat, 2),
      posts(agent.controlChat, text.pending),
      "/_connect plan 1 LINK",
      "/_connect 1 incognito=off FULL LINK",
      [edits(agent.controlChat, text.done), `/_get chat ${chat} count=50`],
      `/_read chat items ${chat} ${welcome?.item}`,
    ]);
  });

  flow(
    "an address with a message is prepared first, and the message goes with the request",
    async ({ world }) => {
      const { agent, owner } = await world.agentWithOwner();
      const bot = await world.person("Echo", { peerType: "bot" });
      const link = await bot.makeAddress();
      const text = cards(1, `bot Echo (${link}), as myself, with the message: \`hello\``);
      const client = await agent.client("modern");
      const call = client.call("connect", { target: link, message: "hello", idle: IDLE });
      const card = await owner.sees(text.pending);
      await owner.says("/approve 1");
      await bot.got("hello");
      // With a message, the first reply is what the idle time counts from.
      await call.progressed(/^0 messages in/);
      await bot.send(await bot.contact("My Agent"), "hello yourself");
      await call.progressed(/^1 messages in/);
      const result = await overIn(world, call);
      await owner.sees(text.done);
      expect(card.versions).toHaveLength(2);
      const { chat } = result.data ?? {};
      expect(result.data).toEqual({
        action: 1,
        status: "done",
        chat,
        connected: true,
        messages: [message({ from: { name: "Echo", kind: "bot" }, text: "hello yourself" })],
      });
      await world.settle();
      const [welcome] = messagesOf(result);
      expectCommands(agent.newCommands().slice(3), [
        "/_connect plan 1 LINK",
        "/_prepare contact 1 FULL LINK DATA",
        `/_connect contact ${chat} incognito=off json {"type":"text","text":"hello"}`,
        [edits(agent.controlChat, text.done), `/_get chat ${chat} count=50`],
        `/_read chat items ${chat} ${welcome?.item}`,
      ]);
    },
  );

  flow("a business is a group of its own, and takes a message", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const shop = await world.person("Ridgeline");
    const link = await shop.makeAddress({ business: true, reply: "Welcome to Ridgeline." });
    const { result, pending, commands } = await connect(
      { world, agent, owner },
      { target: link, message: "Do you rent tents?" },
    );
    expect(pending).toBe(
      cards(1, `business Ridgeline (${link}), as myself, with the message: \`Do you rent tents?\``).pending,
    );
    await shop.got("Do you rent tents?");
    const { chat } = result.data ?? {};
    expect(chat).toMatch(/^#\d+$/);
    expect(result.data).toMatchObject({ status: "done", connected: true });
    expectCommands(commands.slice(4, 6), [
      "/_prepare contact 1 FULL LINK DATA",
      `/_connect group ${chat} incognito=off json {"type":"text","text":"Do you rent tents?"}`,
    ]);
  });

  flow("a group is joined by its link, and its history is returned", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const hazel = await world.person("Hazel");
    const { chat: trail, link } = await hazel.makeGroup("Trail");
    await hazel.send(trail, "Welcome to Trail");
    const client = await agent.client("modern");
    const call = client.call("connect", { target: link, idle: IDLE });
    await owner.sees(cards(1, `group Trail (${link}), as myself.`).pending);
    await owner.says("/approve 1");
    await call.progressed(/^1 messages in/);
    const result = await overIn(world, call);
    const { chat } = result.data ?? {};
    expect(result.data).toEqual({
      action: 1,
      status: "done",
      chat,
      connected: true,
      messages: [
        message({
          from: { member: expect.any(Number), name: "Hazel", kind: "member" },
          text: "Welcome to Trail",
        }),
      ],
    });
    await world.settle();
    expectCommands(agent.newCommands().slice(3, 5), [
      "/_connect plan 1 LINK",
      "/_connect 1 incognito=off FULL LINK",
    ]);
  });

  flow("a one-time link is connected to once", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const bob = await world.person("Bob");
    const link = await bob.makeInvitation();
    const { result, pending } = await connect({ world, agent, owner }, { target: link });
    expect(pending).toBe(cards(1, `contact Bob (${link}), as myself.`).pending);
    expect(result.data).toMatchObject({ status: "done", connected: true, messages: [] });
    const client = await agent.client("modern");
    const again = await client.use("connect", { target: link });
    expect(again.isError).toBe(true);
    expect(owner.cards).toHaveLength(2);
  });

  flow("a link with blanks and line feeds around it is the link", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const link = await (await world.person("Bob")).makeInvitation();
    const { result, pending } = await connect({ world, agent, owner }, { target: ` \n\t${link}\u00A0\r\n` });
    expect(pending).toBe(cards(1, `contact Bob (${link}), as myself.`).pending);
    expect(result.data).toMatchObject({ status: "done", connected: true });
  });

  flow("incognito shows another name than the agent's", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const { bot, link } = await directory(world);
    const { pending, commands } = await connect({ world, agent, owner }, { target: link, incognito: true });
    expect(pending).toBe(cards(1, `bot Directory (${link}), incognito.`).pending);
    expect(commands.some((one) => one.startsWith("/_connect 1 incognito=on "))).toBe(true);
    const event = await bot.waitFor("the agent", ({ type }) => type === "contactConnected");
    expect(JSON.stringify(event.contact)).not.toContain("My Agent");
  });

  flow(
    "a contact that was prepared and never started is connected to as the card says",
    async ({ world }) => {
      const { agent, owner } = await world.agentWithOwner();
      const { link } = await directory(world);
      const hands = await agent.hands();
      const prepared = await hands.prepare(link);
      agent.newCommands();
      const { result, commands } = await connect({ world, agent, owner }, { target: link, message: "hello" });
      expect(result.data).toMatchObject({ status: "done", chat: prepared, connected: true });
      expectCommands(commands.slice(3, 5), [
        "/_connect plan 1 LINK",
        `/_connect contact ${prepared} incognito=off json {"type":"text","text":"hello"}`,
      ]);
    },
  );

  flow("a group that was prepared and never started is joined as the card says", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const hazel = await world.person("Hazel");
    const { link } = await hazel.makeGroup("Trail");
    const prepared = await (await agent.hands()).prepare(link);
    agent.newCommands();
    const { result, commands } = await connect({ world, agent, owner }, { target: link });
    expect(result.data).toMatchObject({ status: "done", chat: prepared, connected: true });
    expectCommands(commands.slice(3, 5), [
      "/_connect plan 1 LINK",
      `/_connect group ${prepared} incognito=off`,
    ]);
  });

  flow(
    "a connection that was started and is not there yet is known, and not started again",
    async ({ world }) => {
      const { agent, owner } = await world.agentWithOwner();
      const shy = await world.person("Shy");
      const link = await shy.makeAddress({ autoAccept: false });
      const chat = await (await agent.hands()).startJoining(link);
      await shy.requested();
      agent.newCommands();
      const client = await agent.client("modern");
      expect((await client.use("connect", { target: link })).data).toEqual({
        status: "known",
        chat,
        kind: "contact",
        name: "Shy",
        connected: false,
      });
      expectCommands(agent.newCommands(), ["/_connect plan 1 LINK", `/_get chat ${chat} count=0`]);
      expect(owner.cards).toHaveLength(1);
    },
  );
});

describe("what stops a connection", () => {
  flowWithNames("a name that leads elsewhere at the approval than on the card", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    await directory(world, { name: "directory.testing" });
    const text = cards(1, "bot Directory (@directory.testing), as myself.");
    const client = await agent.client("modern");
    const call = client.call("connect", { target: "@directory.testing" });
    const card = await owner.sees(text.pending);
    const impostor = await world.person("Directory", { peerType: "bot" });
    await world.giveName(impostor, "directory.testing", await impostor.makeAddress());
    agent.newCommands();
    await owner.says("/approve 1");
    const error = "The target changed after the request. Call connect again to ask for the new one.";
    expect((await call.result).data).toEqual({ action: 1, status: "failed", error });
    await owner.sees(text.not(`Approved by Alice; failed: \`${error}\`.`));
    expect(card.versions).toHaveLength(2);
    await world.settle();
    expectCommands(agent.newCommands(), [
      "/_connect plan 1 @directory.testing",
      edits(agent.controlChat, card.text),
    ]);
    expect(agent.logged).toEqual([`Action 1 failed: ${error}`]);
    expect((await client.use("list")).data).toMatchObject({ chats: [], actions: [] });
  });

  flow("a peer that is not there: the action is done, and not connected", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const shy = await world.person("Shy");
    const link = await shy.makeAddress({ autoAccept: false });
    const text = cards(1, `contact Shy (${link}), as myself.`);
    const client = await agent.client("modern");
    const call = client.call("connect", { target: link, wait: 2 });
    const card = await owner.sees(text.pending);
    await owner.says("/approve 1");
    await call.progressed(/^Action 1 waits for the connection/);
    await shy.requested();
    await world.pass(2000);
    expect((await call.result).data).toEqual({ action: 1, status: "done", connected: false, messages: [] });
    await owner.sees(text.done);
    expect(card.versions).toHaveLength(2);
    // It is asked for, and comes when it comes.
    expect((await client.use("connect", { target: link })).text).toContain("waits for an answer");
  });

  flowWithNames(
    "an error of the core: what was prepared is deleted, and nobody is told",
    async ({ world }) => {
      const { agent, owner } = await world.agentWithOwner();
      await directory(world, { name: "directory.testing" });
      const client = await agent.client("modern");
      const call = client.call("connect", { target: "@directory.testing" });
      const card = await owner.sees(/^I want to connect/);
      agent.newCommands();
      agent.api.failNext(/^\/_connect contact/, {
        type: "errorAgent",
        agentError: { type: "BROKER", brokerAddress: "smp://x@y", brokerErr: { type: "TIMEOUT" } },
      });
      await owner.says("/approve 1");
      const result = await call.result;
      expect(result.data).toEqual({ action: 1, status: "failed", error: expect.any(String) });
      await owner.sees(/^I wanted to connect to bot Directory/);
      const error = String(result.data?.error);
      expect(card.text).toBe(
        `I wanted to connect to bot Directory (@directory.testing), as myself.\nApproved by Alice; failed: \`${error}\`.`,
      );
      await world.settle();
      const commands = agent.newCommands();
      const prepared = /^\/_connect contact (@\d+)/.exec(commands[2] ?? "")?.[1];
      expectCommands(commands, [
        "/_connect plan 1 @directory.testing",
        "/_prepare contact 1 FULL LINK domain=directory.testing DATA",
        `/_connect contact ${prepared} incognito=off`,
        savesFreed(agent.controlChat, 2),
        `/_delete ${prepared} full notify=off`,
        edits(agent.controlChat, card.text),
      ]);
      expect((await client.use("list")).data).toMatchObject({ chats: [], actions: [] });
    },
  );
});

simulatedOnly("times", "the times that the agent is told are those that count", async ({ world }) => {
  const { agent, owner } = await world.agentWithOwner({ expireHours: 2 });
  const bob = await world.person("Bob");
  const link = await bob.makeAddress({ autoAccept: false });
  const client = await agent.client("modern");
  const inTime = (ms: number) => localTime(world.clock.now() + ms, world.clock.now());
  const call = client.call("connect", { target: link, wait: 3600, idle: 300 });
  await call.progressed(`Action 1 waits for an approver until ${inTime(2 * 3_600_000)}.`);
  await owner.sees(/^I want to connect/);
  await world.pass(90 * 60_000);
  // Repeated every 25 seconds: clients give up on calls that are silent.
  const times = 1 + (90 * 60) / 25;
  await until(`${times} notifications`, () => call.notified >= times);
  expect([call.notified, call.progress.length]).toEqual([times, 1]);
  await owner.says("/approve 1");
  await call.progressed(`Action 1 waits for the connection until ${inTime(3_600_000)}.`);
  await world.pass(20 * 60_000);
  await bob.acceptRequest();
  await call.progressed(/^0 messages in @\d+/);
  expect(call.progress.at(-1)).toMatch(new RegExp(`waiting until ${inTime(300_000)}\\.$`));
  await world.pass(200_000);
  await bob.send(await bob.contact("My Agent"), "here I am");
  await call.progressed(/^1 messages in @\d+/);
  expect(call.progress.at(-1)).toMatch(new RegExp(`waiting until ${inTime(300_000)}\\.$`));
  await world.pass(299_000);
  expect(call.settled).toBe(false);
  await world.pass(1000);
  expect((await call.result).data).toMatchObject({ connected: true, messages: [{ text: "here I am" }] });
});

simulatedOnly("times", "with a message, the idle time counts from the first reply on", async ({ world }) => {
  const { agent, owner } = await world.agentWithOwner();
  const bot = await world.person("Echo", { peerType: "bot" });
  const link = await bot.makeAddress({ reply: "Welcome." });
  const client = await agent.client("modern");
  const call = client.call("connect", { target: link, message: "hello", wait: 60, idle: 5 });
  await owner.sees(/^I want to connect/);
  await owner.says("/approve 1");
  await call.progressed(/^1 messages in/);
  await world.pass(30_000);
  expect(call.settled).toBe(false);
  await bot.send(await bot.contact("My Agent"), "hello yourself");
  await call.progressed(/^2 messages in/);
  await world.pass(5000);
  expect(textsOf(await call.result)).toEqual(["Welcome.", "hello yourself"]);
});
