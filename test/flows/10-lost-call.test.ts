import { describe, expect } from "vitest";
import { z } from "zod";
import type { TestAgent } from "../world/agent.js";
import { ERAS, type Era, type TestClient, type ToolResult } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import { RawCall } from "../world/raw-call.js";
import type { World } from "../world/world.js";
import { listedActions, withAction } from "./listed.js";
import { meet, type Scene, scene } from "./scenes.js";
import {
  edits,
  expectCommands,
  isOfList,
  localTime,
  message,
  posts,
  savesCounter,
  textsOf,
} from "./support.js";

/** Seconds: short, because in the real world they go by. The idle time never ends first. */
const WAIT = 2;
const REPLIES = { wait: WAIT, idle: 60 };
const NONE = { wait: 0 };

/** A card of a message to Bob before and after the decision of Alice. */
function card(number: number, chat: string, text = "t") {
  return {
    pending: `I want to send a message to contact Bob: \`${text}\`\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
    done: `I sent a message to contact Bob: \`${text}\`\nApproved by Alice.`,
    not: (ending: string) => `I wanted to send a message to contact Bob: \`${text}\`\n${ending}`,
  };
}

/** A call that somebody waits for, until they are lost. */
interface Losable {
  progressed(text: RegExp): Promise<string>;
  lose(): void;
}

type Opens = (set: Scene, era: Era, tool: string, input: Record<string, unknown>) => Promise<Losable>;

const killed: Opens = async ({ agent }, era, tool, input) => {
  const call = await RawCall.open(agent, era, tool, input);
  return { progressed: (text) => call.progressed(text), lose: () => call.die("resetAndDestroy") };
};

/** How a call is lost. */
const WAYS: Record<string, Opens> = {
  "whose client closes the stream": async ({ client }, _era, tool, input) => {
    const call = client.call(tool, input);
    return { progressed: (text) => call.progressed(text), lose: () => call.cut() };
  },
  "that its client cancels": async ({ client }, _era, tool, input) => {
    const call = client.call(tool, input);
    return { progressed: (text) => call.progressed(text), lose: () => call.cancel() };
  },
  "whose client process ends": async ({ agent }, era, tool, input) => {
    const call = await RawCall.open(agent, era, tool, input);
    return { progressed: (text) => call.progressed(text), lose: () => call.die() };
  },
  "whose client process is killed": killed,
};

const Responses = z.object({ responses: z.array(z.object({ item: z.number() })) });

/** The items of the replies in a result. */
function itemsOf({ data }: ToolResult): number[] {
  return Responses.parse(data).responses.map(({ item }) => item);
}

/** The commands since the last look, without those of `list`. */
const commandsOf = (agent: TestAgent) => agent.newCommands().filter((one) => !isOfList(one));

/** Makes a call, waits for its card, and loses the call. */
async function losesCall(
  { owner, client }: Pick<Scene, "owner" | "client">,
  input: Record<string, unknown>,
  number = 1,
): Promise<void> {
  const call = client.call("send", input);
  await call.progressed(new RegExp(`^Action ${number} waits for an approver`));
  await owner.sees(new RegExp(`^I want to send (.|\n)* ${number}'$`));
  call.cut();
  await withAction(client, { action: number, open: false });
}

/** The result of the same call once the time for replies is over. */
async function resumed(world: World, client: TestClient, input: Record<string, unknown>) {
  const call = client.call("send", input);
  await call.progressed(/^\d+ messages in/);
  await world.pass(Number(input.wait) * 1000);
  return { call, result: await call.result };
}

function resumes(era: Era, opens: Opens) {
  return async ({ world }: { world: World }): Promise<void> => {
    const set = await scene(world, { kind: "contact", era });
    const { agent, owner, client, G, peer, chat, peerChat } = set;
    const input = { chat, text: "t" };
    const text = card(1, chat);
    const lost = await opens(set, era, "send", { ...input, ...REPLIES });
    await lost.progressed(/^Action 1 waits for an approver until .+\.$/);
    const shown = await owner.sees(text.pending);
    lost.lose();

    // The action lives on.
    const listed = await withAction(client, { action: 1, open: false });
    expect(listed).toEqual({
      action: 1,
      tool: "send",
      input,
      state: "pending",
      created: expect.any(String),
      expires: expect.any(String),
      open: false,
    });
    expect(Date.parse(listed.expires) - Date.parse(listed.created)).toBe(23 * 3_600_000);
    expectCommands(commandsOf(agent), [
      `/_get chat ${chat} count=0`,
      savesCounter(G, 2),
      posts(G, text.pending),
    ]);

    // It is performed, and replies are collected.
    await owner.says("/approve 1");
    await peer.got("t");
    for (const reply of ["one", "two"]) await peer.send(peerChat, reply);
    await (await agent.hands()).got("two");
    await owner.sees(text.done);
    await withAction(client, { action: 1, open: false, state: "done" });
    await world.settle();
    expectCommands(commandsOf(agent), [`/_get chat ${chat} count=0`, posts(chat, "t"), edits(G, text.done)]);

    // The same call gets them.
    const { call, result } = await resumed(world, client, { ...input, ...REPLIES });
    expect(result.isError).toBe(false);
    expect(result.data).toEqual({
      action: 1,
      status: "done",
      chat,
      item: expect.any(Number),
      responses: ["one", "two"].map((reply) =>
        message({ from: { name: "Bob", kind: "contact" }, text: reply }),
      ),
      more: 0,
    });
    expect(call.progress).toEqual([expect.stringMatching(`^2 messages in ${chat}; waiting until `)]);
    await world.settle();
    expectCommands(commandsOf(agent), [`/_read chat items ${chat} ${itemsOf(result).join(",")}`]);
    const after = await client.use("list");
    expect(after.data).toMatchObject({ chats: [{ chat, unread: 0 }], actions: [] });
    expect(shown.versions).toEqual([text.pending, text.done]);
    expect(peer.inbox.map((one) => one.text)).toEqual(["t"]);
    expect(agent.logged).toEqual([]);
  };
}

describe.each(ERAS)("a lost call of a client of the %s era", (era) => {
  for (const [way, opens] of Object.entries(WAYS)) {
    flow(`${way} leaves its action, and the same call gets the result`, resumes(era, opens));

    flow(`${way} before its action exists makes none`, async ({ world }) => {
      const set = await scene(world, { kind: "contact", era });
      const { agent, owner, client, chat } = set;
      const reading = agent.api.holdNext(/^\/_get chat /);
      const lost = await opens(set, era, "send", { chat, text: "t", ...NONE });
      const { release } = await reading;
      lost.lose();
      // What the server does next comes after the loss.
      expect(await listedActions(client)).toEqual([]);
      release();
      await world.settle();
      expect(await listedActions(client)).toEqual([]);
      expect(commandsOf(agent)).toEqual([`/_get chat ${chat} count=0`]);
      expect(owner.cards).toHaveLength(1);
    });
  }
  withSeeds(4, `(${era}) leaves its action, and the same call gets the result`, (context) =>
    resumes(era, killed)(context),
  );

  flow("while its number is saved shows no card, and the number is not used again", async ({ world }) => {
    const { agent, owner, client, G, chat } = await scene(world, { kind: "contact", era });
    const saving = agent.api.holdNext(/^\/_set custom/);
    const lost = client.call("send", { chat, text: "t", ...NONE });
    const { release } = await saving;
    lost.cut();
    await withAction(client, { action: 1, open: false });
    release();
    await world.settle();
    expect(await listedActions(client)).toEqual([]);
    expect(commandsOf(agent)).toEqual([`/_get chat ${chat} count=0`, savesCounter(G, 2)]);
    expect(await owner.answerTo("/approve 1")).toBe("Action 1 is not pending.");
    client.call("send", { chat, text: "t", ...NONE });
    await owner.sees(card(2, chat).pending);
  });

  flow("during the wait for replies comes back with those that came meanwhile", async ({ world }) => {
    const set = await scene(world, { kind: "contact", era });
    const { owner, client, peer, chat, peerChat, agent } = set;
    const lost = client.call("send", { chat, text: "t", wait: 3600, idle: 3600 });
    await owner.sees(card(1, chat).pending);
    await owner.says("/approve 1");
    await lost.progressed(/^0 messages in/);
    await peer.send(peerChat, "one");
    await lost.progressed(/^1 messages in/);
    lost.cut();
    await withAction(client, { action: 1, open: false, state: "done" });
    await peer.send(peerChat, "two");
    await (await agent.hands()).got("two");
    const { result } = await resumed(world, client, { chat, text: "t", ...REPLIES });
    expect(result.data).toMatchObject({ action: 1, responses: [{ text: "one" }, { text: "two" }], more: 0 });
  });

  flow("during the wait for replies leaves out those that receive has returned since", async ({ world }) => {
    const set = await scene(world, { kind: "contact", era });
    const { owner, client, peer, chat, peerChat, agent } = set;
    const lost = client.call("send", { chat, text: "t", wait: 3600, idle: 3600 });
    await owner.sees(card(1, chat).pending);
    await owner.says("/approve 1");
    await lost.progressed(/^0 messages in/);
    lost.cut();
    await withAction(client, { action: 1, open: false, state: "done" });
    await peer.send(peerChat, "one");
    await (await agent.hands()).got("one");
    await world.settle();
    expect(textsOf(await client.use("receive", { chat }))).toEqual(["one"]);
    await world.settle();
    await peer.send(peerChat, "two");
    await (await agent.hands()).got("two");
    await world.settle();
    const { result } = await resumed(world, client, { chat, text: "t", ...REPLIES });
    expect(result.data).toMatchObject({ action: 1, status: "done", responses: [{ text: "two" }], more: 0 });
  });

  flow("of a rejected or failed action gives its end to the same call", async ({ world }) => {
    const set = await scene(world, { kind: "contact", era });
    const { agent, owner, client, chat } = set;
    await losesCall(set, { chat, text: "t" }, 1);
    await owner.says("/reject 1 not today");
    await owner.sees(card(1, chat).not("Rejected by Alice: `not today`."));
    expect(await client.use("send", { chat, text: "t" })).toMatchObject({
      isError: true,
      data: { action: 1, status: "rejected", reason: "not today", chat },
    });
    await losesCall(set, { chat, text: "t" }, 2);
    agent.api.failNext(/^\/_send @/, {
      type: "errorAgent",
      agentError: { type: "BROKER", brokerAddress: "smp://x@y", brokerErr: { type: "TIMEOUT" } },
    });
    await owner.says("/approve 2");
    const error = "The SimpleX server cannot be reached: try again later.";
    await owner.sees(card(2, chat).not(`Approved by Alice; failed: \`${error}\`.`));
    expect(await client.use("send", { chat, text: "t" })).toMatchObject({
      isError: true,
      data: { action: 2, status: "failed", error, chat },
    });
    await world.settle();
    expect(await listedActions(client)).toEqual([]);
  });

  flow("that was delivered never comes back: the same call is a new action", async ({ world }) => {
    const set = await scene(world, { kind: "contact", era });
    const { owner, client, peer, chat } = set;
    const first = client.call("send", { chat, text: "t", ...NONE });
    await owner.sees(card(1, chat).pending);
    await owner.says("/approve 1");
    expect((await first.result).data).toMatchObject({ action: 1, status: "done" });
    await world.settle();
    const second = client.call("send", { chat, text: "t", ...NONE });
    await owner.sees(card(2, chat).pending);
    expect(peer.inbox.map((one) => one.text)).toEqual(["t"]);
    await owner.says("/reject 2");
    expect((await second.result).data).toMatchObject({ action: 2, status: "rejected" });
  });

  flow("whose result could not be written keeps it, and its messages stay unread", async ({ world }) => {
    const set = await scene(world, { kind: "contact", era });
    const { agent, owner, client, peer, chat, peerChat } = set;
    // More than the buffers of a connection hold: a quotation mark takes six bytes of the result.
    const long = '"'.repeat(7_400);
    const input = { chat, text: "t", wait: WAIT, idle: 60, limit: 100 };
    await losesCall(set, input);
    await owner.says("/approve 1");
    await peer.got("t");
    for (let count = 1; count <= 100; count += 1) await peer.send(peerChat, `${count} ${long}`);
    await (await agent.hands()).got(`100 ${long}`);
    const lost = await RawCall.open(agent, era, "send", input);
    lost.stallAtResult();
    await lost.progressed(/^100 messages in/);
    await world.pass(WAIT * 1000);
    await lost.resultBegan();
    agent.newCommands();
    lost.die();
    await withAction(client, { action: 1, open: false, state: "done" });
    await world.settle();
    expect(commandsOf(agent)).toEqual([]);
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, unread: 100 }] });

    const { result } = await resumed(world, client, input);
    expect(itemsOf(result)).toHaveLength(100);
    await world.settle();
    expect(agent.newCommands().filter((one) => one.startsWith("/_read"))).toEqual([
      `/_read chat items ${chat} ${itemsOf(result).join(",")}`,
    ]);
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, unread: 0 }], actions: [] });
  });
});

describe("two calls on one action", () => {
  const both = async ({ world }: { world: World }): Promise<void> => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, peer, chat, peerChat } = set;
    const other = await agent.client("legacy");
    const input = { chat, text: "t", ...REPLIES };
    const one = client.call("send", { ...input, limit: 1 });
    await owner.sees(card(1, chat).pending);
    const two = other.call("send", input);
    await two.progressed(/^Action 1 waits/);
    await owner.says("/approve 1");
    await peer.got("t");
    for (const reply of ["one", "two"]) await peer.send(peerChat, reply);
    for (const call of [one, two]) await call.progressed(/^2 messages in/);
    await world.settle();
    await world.pass(WAIT * 1000);
    expect((await one.result).data).toMatchObject({ action: 1, responses: [{ text: "one" }], more: 1 });
    const whole = (await two.result).data;
    expect(whole).toMatchObject({ action: 1, responses: [{ text: "one" }, { text: "two" }], more: 0 });
    await world.settle();
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, unread: 0 }], actions: [] });
    expect(peer.inbox.map((message) => message.text)).toEqual(["t"]);
    expect(owner.cards).toHaveLength(2);
  };
  flow("both get the result, each as it asked for it", both);
  withSeeds(4, "both get the result", both);

  flow("that come at the same time make one", async ({ world }) => {
    const { agent, owner, client, chat, G } = await scene(world, { kind: "contact" });
    const other = await agent.client("legacy");
    const calls = [client, other, client].map((one) => one.call("send", { chat, text: "t", ...NONE }));
    for (const call of calls) await call.progressed(/^Action 1 waits/);
    await owner.says("/approve 1");
    for (const call of calls) expect((await call.result).data).toMatchObject({ action: 1, status: "done" });
    await world.settle();
    expect(await listedActions(client)).toEqual([]);
    const commands = agent.newCommands();
    expect(commands.filter((one) => one.startsWith(`/_send ${chat}`))).toHaveLength(1);
    expect(commands.filter((one) => one.startsWith(`/_send ${G}`))).toHaveLength(1);
  });

  flow("of which one is lost give the result to the other", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const clients = [await agent.client("modern"), client];
    const [lost, kept] = clients.map((one) => one.call("send", { chat, text: "t", ...NONE }));
    for (const call of [lost, kept]) await call?.progressed(/^Action 1 waits/);
    lost?.cut();
    expect(await withAction(client, { action: 1, state: "pending" })).toMatchObject({ open: true });
    await owner.says("/approve 1");
    expect((await kept?.result)?.data).toMatchObject({ action: 1, status: "done" });
    await world.settle();
    expect(await listedActions(client)).toEqual([]);
  });
});

describe("an action is another one", () => {
  flow(
    "with another text, chat, quote, member, or order of members; not with other waits",
    async ({ world }) => {
      const { agent, owner } = await world.agentWithOwner({ limits: { pending: 50, cardsPerMinute: 50 } });
      const hands = await agent.hands();
      const hazel = await world.person("Hazel");
      const carol = await world.person("Carol");
      const bob = await world.person("Bob");
      const trail = await hazel.makeGroup("Trail");
      const chat = await hands.join(trail.link);
      await carol.join(trail.link);
      await hands.waitFor("Carol", (event) => /^(joined|connectedTo)GroupMember$/.test(event.type));
      const contact = await meet(agent, bob, "contact");
      await hazel.send(trail.chat, "to be quoted");
      const quoted = await hands.got("to be quoted");
      const [first, second] = [await hands.member(chat, "Hazel"), await hands.member(chat, "Carol")];
      const client = await agent.client("modern");
      const base = { chat, text: "t" };
      const inputs = [
        base,
        { ...base, text: "t " },
        { chat: contact.chat, text: "t" },
        { ...base, reply_to: quoted.item },
        { ...base, mention: [first] },
        { ...base, mention: [first, second] },
        { ...base, mention: [second, first] },
      ];
      for (const [index, input] of inputs.entries()) await losesCall({ owner, client }, input, index + 1);
      expect((await listedActions(client)).map(({ input }) => input)).toEqual(inputs);
      // Each is resumed by its own call, whatever it waits for.
      for (const [index, input] of inputs.entries()) {
        const call = client.call("send", { ...input, wait: 7, idle: 3, limit: 9 });
        await call.progressed(new RegExp(`^Action ${index + 1} waits`));
        call.cut();
      }
      const same = client.call("send", { ...base, mention: [] });
      await same.progressed(/^Action 1 waits/);
      expect(owner.cards).toHaveLength(1 + inputs.length);
    },
  );
});

describe("a lost call of another tool", () => {
  flow("connect comes back to the connection that was made meanwhile", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const bob = await world.person("Bob");
    const target = await bob.makeAddress({ autoAccept: false });
    const client = await agent.client("modern");
    const lost = client.call("connect", { target, wait: 3600 });
    await owner.sees(/^I want to connect/);
    await owner.says("/approve 1");
    await lost.progressed(/^Action 1 waits for the connection/);
    lost.cut();
    await withAction(client, {
      action: 1,
      tool: "connect",
      input: { target },
      state: "performing",
      open: false,
    });
    await bob.acceptRequest();
    await bob.send(await bob.contact("My Agent"), "here I am");
    await (await agent.hands()).got("here I am");
    await owner.sees(/^I connected to contact Bob/);
    const call = client.call("connect", { target, incognito: false, ...REPLIES });
    await call.progressed(/^1 messages in/);
    await world.pass(WAIT * 1000);
    expect((await call.result).data).toMatchObject({
      action: 1,
      status: "done",
      connected: true,
      messages: [{ text: "here I am" }],
    });
    await world.settle();
    // Delivered, it is a chat like any other.
    expect((await client.use("connect", { target })).data).toMatchObject({
      status: "known",
      connected: true,
    });
    expect(await listedActions(client)).toEqual([]);
  });

  simulatedOnly("time", "connect lengthens the wait for the connection by its own", async ({ world }) => {
    const until = (ms: number) => localTime(world.clock.now() + ms, world.clock.now());
    const { agent, owner } = await world.agentWithOwner();
    const bob = await world.person("Bob");
    const target = await bob.makeAddress({ autoAccept: false });
    const client = await agent.client("modern");
    const short = client.call("connect", { target, wait: 5 });
    await owner.sees(/^I want to connect/);
    await owner.says("/approve 1");
    await short.progressed(/^Action 1 waits for the connection/);
    const long = client.call("connect", { target, wait: 3600 });
    await long.progressed(/^Action 1 waits for the connection/);
    await short.progressed(`Action 1 waits for the connection until ${until(3_600_000)}.`);
    await world.pass(60_000);
    expect([short.settled, long.settled]).toEqual([false, false]);
    await bob.acceptRequest();
    // The wait of the first one is over by now, that of the other is not.
    expect((await short.result).data).toMatchObject({ action: 1, status: "done", connected: true });
    await long.progressed(/^0 messages in/);
    expect(long.settled).toBe(false);
    await world.pass(60_000);
    expect((await long.result).data).toMatchObject({ action: 1, status: "done", connected: true });
  });

  flow("leave finds its action after the chat is gone", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const lost = client.call("leave", { chat });
    await owner.sees(/^I want to delete contact Bob/);
    lost.cut();
    await withAction(client, { action: 1, open: false });
    await owner.says("/approve 1");
    await owner.sees(/^I deleted contact Bob/);
    expect((await client.use("leave", { chat })).data).toEqual({ action: 1, status: "done", chat });
    await world.settle();
    expect(await client.use("leave", { chat })).toEqual({
      data: undefined,
      text: `There is no chat ${chat}. list shows the chats.`,
      isError: true,
    });
    expect(agent.newCommands().filter((one) => one.startsWith("/_delete @"))).toHaveLength(1);
  });
});

describe("with --hold", () => {
  flow("a call comes back pending, and the same call resumes it", async ({ world }) => {
    const { owner, client, peer, chat } = await scene(world, { kind: "contact", holdSeconds: 1 });
    const input = { chat, text: "t", ...NONE };
    const first = client.call("send", input);
    await first.progressed(/^Action 1 waits/);
    const shown = await owner.sees(card(1, chat).pending);
    await world.pass(1000);
    const pending = { data: { action: 1, status: "pending", chat }, isError: false };
    expect(await first.result).toMatchObject(pending);
    await withAction(client, { action: 1, state: "pending", open: false });
    const second = client.call("send", input);
    await second.progressed(/^Action 1 waits/);
    await world.pass(1000);
    expect(await second.result).toMatchObject(pending);
    await owner.says("/approve 1");
    await owner.sees(card(1, chat).done);
    expect((await client.use("send", input)).data).toMatchObject({
      action: 1,
      status: "done",
      responses: [],
    });
    await world.settle();
    expect(await listedActions(client)).toEqual([]);
    expect(shown.versions).toHaveLength(2);
    expect(peer.inbox).toHaveLength(1);
  });

  flow("a call that is decided in time has its result, whatever it waits for then", async ({ world }) => {
    const { owner, client, peer, chat, peerChat } = await scene(world, { kind: "contact", holdSeconds: 20 });
    const call = client.call("send", { chat, text: "t", wait: 30, idle: 30 });
    await owner.sees(card(1, chat).pending);
    await owner.says("/approve 1");
    await call.progressed(/^0 messages in/);
    await world.pass(25_000);
    expect(call.settled).toBe(false);
    await peer.send(peerChat, "late");
    await call.progressed(/^1 messages in/);
    await world.pass(5_000);
    expect((await call.result).data).toMatchObject({ status: "done", responses: [{ text: "late" }] });
  });
});

flow("after a restart an old number is not pending, and the same call is a new action", async ({ world }) => {
  const set = await scene(world, { kind: "contact" });
  const { agent, owner, chat, peer } = set;
  const shown = card(1, chat);
  await losesCall(set, { chat, text: "t" });
  const waiting = set.client.call("send", { chat, text: "t" });
  await waiting.progressed(/^Action 1 waits/);
  await agent.restart();
  await owner.sees(shown.not("Cancelled: the server stopped."));
  expect(await owner.answerTo("/approve 1")).toBe("Action 1 is not pending.");
  expect(await owner.answerTo(`/approve ${chat} 1`)).toBe("Action 1 is not pending.");
  expect(await owner.answerTo("/reject 1")).toBe("Action 1 is not pending.");
  const client = await agent.client("modern");
  expect(await listedActions(client)).toEqual([]);
  const call = client.call("send", { chat, text: "t", ...NONE });
  await owner.sees(card(2, chat).pending);
  expect(await owner.answerTo("/approve 1")).toBe("Action 1 is not pending.");
  await owner.says("/approve 2");
  expect((await call.result).data).toMatchObject({ action: 2, status: "done" });
  await world.settle();
  expect(peer.inbox).toHaveLength(1);
});

simulatedOnly("time", "the same call waits from its own start on", async ({ world }) => {
  const set = await scene(world, { kind: "contact" });
  const { owner, client, chat, peer, peerChat, agent } = set;
  await losesCall(set, { chat, text: "t" });
  await owner.says("/approve 1");
  await owner.sees(card(1, chat).done);
  await world.pass(3_600_000);
  // Nobody answered so far: all of the wait is still to come.
  const call = client.call("send", { chat, text: "t", wait: 30, idle: 10 });
  await call.progressed(/^0 messages in/);
  await world.pass(29_000);
  expect(call.settled).toBe(false);
  await peer.send(peerChat, "one");
  await call.progressed(/^1 messages in/);
  await world.pass(999);
  expect(call.settled).toBe(false);
  call.cut();
  await withAction(client, { action: 1, open: false });
  await world.pass(3_600_000);
  // The idle time after the last reply is long over.
  expect((await client.use("send", { chat, text: "t", wait: 30, idle: 10 })).data).toMatchObject({
    responses: [{ text: "one" }],
    more: 0,
  });
  await world.settle();
  expect(agent.newCommands().filter((one) => one.startsWith("/_read"))).toHaveLength(1);
});

simulatedOnly("the clock", "a resumed call waits for a reply that the agent has not", async ({ world }) => {
  const { agent, owner, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
  const input = { chat, text: "t", wait: 600, idle: 10 };
  const lost = client.call("send", input);
  await owner.sees(/^I want to send/);
  await owner.says("/approve 1");
  await peer.got("t");
  await peer.send(peerChat, "one");
  await lost.progressed(/^1 messages/);
  lost.cut();
  await withAction(client, { action: 1, open: false });
  expect((await client.use("receive", { chat })).data).toMatchObject({ messages: [{ text: "one" }] });
  await world.pass(60_000);
  const again = client.call("send", input);
  await again.progressed(/^0 messages/);
  await world.pass(60_000);
  expect(again.settled).toBe(false);
  await peer.send(peerChat, "two");
  await (await agent.hands()).got("two");
  await again.progressed(/^1 messages/);
  await world.pass(10_000);
  expect((await again.result).data).toMatchObject({ action: 1, responses: [{ text: "two" }], more: 0 });
});
