import { describe, expect } from "vitest";
import { GATHER_MS } from "../../src/control/gathered.js";
import type { ChatRef } from "../../src/core/types.js";
import type { TestAgent } from "../world/agent.js";
import { ERAS, type ToolResult } from "../world/client.js";
import { flow, withSeeds } from "../world/flow-test.js";
import { at } from "../world/json.js";
import { Owner } from "../world/owner.js";
import { addOwner, giveRole } from "../world/owners.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";
import { givesAll, meet, type Scene, scene } from "./scenes.js";
import { edits, expectCommands, isOfList, posts, savesCounter } from "./support.js";

const SHORT = { wait: 0 };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What the agent's core keeps with a chat. */
async function customData(agent: TestAgent, chat: ChatRef): Promise<unknown> {
  const answer = await agent.api.sendChatCmd(`/_get chat ${chat} count=0`);
  const info = at(answer, "chat", "chatInfo");
  return at(info, chat.startsWith("#") ? "groupInfo" : "contact", "customData");
}

/** Sends a text, and has Alice let this and all further ones through. */
async function approveAll({ owner, client, chat }: Scene, text = "first"): Promise<void> {
  const call = client.call("send", { chat, text, ...SHORT });
  await owner.sees(new RegExp(`\`${text}\``));
  await owner.says(`/approve ${chat} all`);
  expect((await call.result).data).toMatchObject({ status: "done" });
  await owner.sees(/^Approved for /);
}

/** A send that nobody has to be asked for. */
async function sendsFreely(world: World, { owner, client, chat }: Scene, text: string): Promise<void> {
  const result = await client.use("send", { chat, text, ...SHORT });
  expect(result.data).toMatchObject({ status: "done" });
  const form = new RegExp(`^I sent .*\`${text}\`\\nApproved for this chat by `);
  await world.settle();
  // One that comes within seconds of another waits for them.
  if (!owner.cards.some((card) => form.test(card))) await world.pass(GATHER_MS);
  await owner.sees(form);
}

/** A send that waits for a card; it is rejected, so that the next one is another. */
async function sendsWithCard({ owner, client, chat }: Scene, text: string): Promise<void> {
  const call = client.call("send", { chat, text, ...SHORT });
  const card = await owner.sees(new RegExp(`^I want to send .*\`${text}\`\\n`));
  const number = / (\d+)'$/.exec(card.text)?.[1];
  await owner.says(`/reject ${number}`);
  expect((await call.result).data).toMatchObject({ status: "rejected" });
}

/** The commands since the last look, without those of `list`. */
const commandsOf = (agent: TestAgent) => agent.newCommands().filter((one) => !isOfList(one));

async function standing({ world }: { world: World }): Promise<void> {
  const set = await scene(world);
  const { agent, owner, client, G, peer, chat } = set;
  const member = await (await agent.hands()).member(G, "Alice");
  await agent.api.sendChatCmd(`/_set custom ${chat} {"other":{"kept":true}}`);
  agent.newCommands();

  // The first one asks.
  const first = client.call("send", { chat, text: "Is a tent free?", ...SHORT });
  const card = `I want to send a message to business Ridgeline: \`Is a tent free?\`\n/'approve ${chat} 1', /'approve ${chat} all', /'reject ${chat} 1' or /'edit ${chat} 1'`;
  const { versions } = await owner.sees(card);
  expect((await client.use("list")).data?.chats).toEqual([
    expect.not.objectContaining({ approved: expect.anything() }),
  ]);
  await world.settle();
  expectCommands(commandsOf(agent), [`/_get chat ${chat} count=0`, savesCounter(G, 2), posts(G, card)]);

  // What is pending is let through with the rest, and ends with the plain line.
  await owner.says(`/approve ${chat} all`);
  expect((await first.result).data).toEqual({
    action: 1,
    status: "done",
    chat,
    item: expect.any(Number),
    responses: [],
    more: 0,
  });
  const approved = `Approved for business Ridgeline (${chat}) by Alice. /'revoke ${chat}'`;
  await owner.sees(approved);
  await peer.got("Is a tent free?");
  const done = "I sent a message to business Ridgeline: `Is a tent free?`\nApproved by Alice.";
  await owner.sees(done);
  expect(versions).toEqual([card, done]);
  await world.settle();
  const [read, stored, ...rest] = commandsOf(agent);
  expect(read).toBe(`/_get chat ${chat} count=0`);
  const approval = { approvedBy: "Alice", approvedById: member, approvedAt: expect.stringMatching(ISO) };
  expect(await customData(agent, chat)).toEqual({ other: { kept: true }, simplexMcp: approval });
  // The core gives keys back in an order of its own.
  const [, setCustom, data = ""] = /^(\/_set custom \S+) (.*)$/.exec(stored ?? "") ?? [];
  expect(setCustom).toBe(`/_set custom ${chat}`);
  expect(JSON.parse(data)).toEqual(await customData(agent, chat));
  // The reply and the perform run beside each other.
  const performed = rest.filter((one) => one !== posts(G, approved));
  expect(performed).toHaveLength(rest.length - 1);
  expectCommands(performed, [`/_get chat ${chat} count=0`, posts(chat, "Is a tent free?"), edits(G, done)]);
  const listed = (await client.use("list")).data?.chats;
  expect(listed).toEqual([
    expect.objectContaining({ chat, approved: { by: "Alice", at: approval.approvedAt } }),
  ]);
  expect(await owner.answerTo("/list")).toBe(
    `1 chat:\nbusiness Ridgeline (${chat}), messages approved by Alice /'revoke ${chat}'`,
  );

  // The next one does not ask.
  await world.settle();
  agent.newCommands();
  const second = await client.use("send", { chat, text: "For two", ...SHORT });
  expect(second.data).toMatchObject({ action: 2, status: "done", chat, responses: [], more: 0 });
  const shown = `I sent a message to business Ridgeline: \`For two\`\nApproved for this chat by Alice. /'revoke ${chat}'`;
  expect((await owner.sees(shown)).versions).toEqual([shown]);
  await peer.got("For two");
  await world.settle();
  expectCommands(agent.newCommands(), [
    `/_get chat ${chat} count=0`,
    savesCounter(G, 3),
    // Once the number is saved, and at the perform.
    `/_get chat ${chat} count=0`,
    `/_get chat ${chat} count=0`,
    posts(chat, "For two"),
    posts(G, shown),
  ]);

  // Revoked, messages ask again.
  const ended = `Messages to business Ridgeline (${chat}) need approval again.`;
  expect(await owner.answerTo(`/revoke ${chat}`)).toBe(ended);
  await world.settle();
  expectCommands(agent.newCommands(), [
    `/_get chat ${chat} count=0`,
    `/_set custom ${chat} {"other":{"kept":true}}`,
    posts(G, ended),
  ]);
  expect(await customData(agent, chat)).toEqual({ other: { kept: true } });
  expect((await client.use("list")).data?.chats).toEqual([
    expect.not.objectContaining({ approved: expect.anything() }),
  ]);
  expect(await owner.answerTo("/list")).toBe(`1 chat:\nbusiness Ridgeline (${chat})`);
  await sendsWithCard(set, "For three");
  expect(agent.logged).toEqual([]);
}

describe("a standing approval", () => {
  flow("lets messages of one chat through until it is revoked", standing);
  withSeeds(4, "lets messages of one chat through until it is revoked", standing);

  describe.each(ERAS)("for a client of the %s era", (era) => {
    flow("lets every pending message of the chat through, and nothing else", async ({ world }) => {
      const { agent, owner, client, chat } = await scene(world, { era, kind: "contact" });
      const other = await meet(agent, await world.person("Carol"), "contact");
      const bot = await world.person("Echo", { peerType: "bot" });
      const target = await bot.makeAddress();
      const one = client.call("send", { chat, text: "one", ...SHORT });
      const two = client.call("send", { chat, text: "two", ...SHORT });
      const elsewhere = client.call("send", { chat: other.chat, text: "three", ...SHORT });
      const leaving = client.call("leave", { chat });
      const connecting = client.call("connect", { target });
      await owner.sees(/^I want to connect/);
      await owner.sees(/^I want to delete/);
      await owner.sees(/`two`/);
      await owner.sees(/`three`/);
      await owner.says(`/approve ${chat} all`);
      expect((await one.result).data).toMatchObject({ status: "done", chat });
      expect((await two.result).data).toMatchObject({ status: "done", chat });
      await owner.sees("I sent a message to contact Bob: `two`\nApproved by Alice.");
      await world.settle();
      expect([elsewhere.settled, leaving.settled, connecting.settled]).toEqual([false, false, false]);
      expect(await owner.answerTo("/pending")).toMatch(/^3 pending actions:\n/);
    });

    flow("is for messages only: leaving asks", async ({ world }) => {
      const set = await scene(world, { era, kind: "group" });
      const { owner, client, chat } = set;
      await approveAll(set);
      const leaving = client.call("leave", { chat });
      await owner.sees(`I want to leave group Trail (${chat}).\n/'approve ${chat} 2' or /'reject ${chat} 2'`);
      await owner.says("/reject 2");
      expect((await leaving.result).data).toMatchObject({ status: "rejected" });
    });
  });

  flow(
    "is given with a message that is pending, twice, and revoked where there is none",
    async ({ world }) => {
      const set = await scene(world, { kind: "bot" });
      const { agent, owner, client, chat } = set;
      const approved = `Approved for bot Echo (${chat}) by Alice. /'revoke ${chat}'`;
      const ended = `Messages to bot Echo (${chat}) need approval again.`;
      const nothing = `No message to bot Echo (${chat}) is pending.`;
      expect(await owner.answerTo(`/revoke ${chat}`)).toBe(ended);
      expect(await owner.answerTo(`/approve ${chat} all`)).toBe(nothing);
      const leaving = client.call("leave", { chat });
      await owner.sees(/^I want to delete bot Echo/);
      expect(await owner.answerTo(`/approve ${chat} all`)).toBe(nothing);
      const left = `Action 1 is to leave a chat: /'approve ${chat} 1' or /'reject ${chat} 1'`;
      expect(await owner.answerTo(`/approve ${chat} 1 all`)).toBe(left);
      expect(await owner.answerTo(`/approve ${chat} 9 all`)).toBe("Action 9 is not pending.");
      await owner.says("/reject 1");
      expect((await leaving.result).data).toMatchObject({ status: "rejected" });
      for (const [text, command] of [
        ["zero", `/Approve  ${chat}  ALL`],
        ["one", `/approve ${chat} 4 all`],
      ] as const) {
        const call = client.call("send", { chat, text, ...SHORT });
        await owner.sees(new RegExp(`^I want to send .*\`${text}\``));
        const before = owner.cards.length;
        await owner.says(command);
        expect((await call.result).data).toMatchObject({ status: "done" });
        await until("the answer", () => owner.cards[before] === approved);
        if (text === "one") break;
        await sendsFreely(world, set, "free");
        expect(await owner.answerTo(`/revoke ${chat}`)).toBe(ended);
      }
      expect(await owner.answerTo(`/'revoke ${chat}'`)).toBe(ended);
      expect(await customData(agent, chat)).toBe(undefined);
      await sendsWithCard(set, "two");
    },
  );

  flow("is not for chats that the agent has not, nor for the control chat", async ({ world }) => {
    const { owner, G } = await scene(world);
    for (const chat of ["#99", "@99", G]) {
      expect(await owner.answerTo(`/approve ${chat} all`)).toBe(`I have no chat \`${chat}\`. /list`);
      expect(await owner.answerTo(`/revoke ${chat}`)).toBe(`I have no chat \`${chat}\`. /list`);
    }
  });

  flow("outlives a restart", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, chat } = set;
    await approveAll(set);
    await agent.restart();
    const client = await agent.client("modern");
    await sendsFreely(world, { ...set, client }, "after the restart");
    expect(await owner.answerTo("/list")).toContain("messages approved by Alice");
    expect(await owner.answerTo(`/revoke ${chat}`)).toMatch(/^Messages to contact Bob/);
    await sendsWithCard({ ...set, client }, "after the end");
  });

  flow("counts at the perform: a revocation after the call came is in time", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    await approveAll(set);
    const counter = agent.api.holdNext(/^\/_set custom .*nextAction/);
    const early = client.call("send", { chat, text: "early", ...SHORT });
    const saving = await counter;
    expect(await owner.answerTo(`/revoke ${chat}`)).toMatch(/need approval again/);
    saving.release();
    // Its number was not saved yet: it asks.
    await owner.sees(/^I want to send .*`early`/);
    await owner.says(`/approve ${chat} all`);
    expect((await early.result).data).toMatchObject({ status: "done" });

    const reading = new RegExp(`^/_get chat ${chat}`);
    const again = agent.api.holdNext(/^\/_set custom .*nextAction/);
    const late = client.call("send", { chat, text: "late", ...SHORT });
    const numbering = await again;
    const approving = agent.api.holdNext(reading);
    numbering.release();
    const approved = await approving;
    const performing = agent.api.holdNext(reading);
    approved.release();
    const perform = await performing;
    expect(await owner.answerTo(`/revoke ${chat}`)).toMatch(/need approval again/);
    perform.release();
    const error = "The standing approval of this chat ended. Send again to ask.";
    expect(await late.result).toMatchObject({
      isError: true,
      data: { action: 3, status: "failed", error },
    });
    await owner.sees(
      `I wanted to send a message to contact Bob: \`late\`\nApproved for this chat by Alice; failed: \`${error}\`. /'revoke ${chat}'`,
    );
    await world.settle();
    expect(peer.inbox.map(({ text }) => text)).toEqual(["first", "early"]);
  });
});

/** The item of the one message in a result. */
const itemOf = ({ data }: ToolResult): unknown => at(data, "messages", "0", "item");

describe("a standing approval that is given and revoked while a message is under way", () => {
  flow("does not let it through by what was read before", async ({ world }) => {
    const { agent, owner, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    await givesAll(world, agent, chat);
    await peer.send(peerChat, "question");
    await world.settle();
    const question = itemOf(await client.use("receive", { chat }));
    const counting = agent.api.holdNext(/^\/_set custom .*nextAction/);
    const call = client.call("send", { chat, text: "late", reply_to: question, ...SHORT });
    const saving = await counting;
    const quoting = agent.api.holdNext(new RegExp(`^/_get chat ${chat} around`));
    saving.release();
    const performing = await quoting;
    await owner.answerTo(`/approve ${chat} all`);
    expect(await owner.answerTo(`/revoke ${chat}`)).toMatch(/^Messages to contact Bob/);
    performing.release();
    expect((await call.result).data).toMatchObject({
      status: "failed",
      error: "The standing approval of this chat ended. Send again to ask.",
    });
    await world.settle();
    expect(peer.inbox).toEqual([]);
  });

  flow("lets through what is being prepared while it is stored", async ({ world }) => {
    const { agent, owner, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    await peer.send(peerChat, "question");
    await world.settle();
    const question = itemOf(await client.use("receive", { chat }));
    client.call("send", { chat, text: "p", ...SHORT });
    await owner.sees(/^I want to send .*`p`/);
    const storing = agent.api.holdNext(new RegExp(`^/_set custom ${chat} `));
    await owner.says(`/approve ${chat} all`);
    const store = await storing;
    const quoting = agent.api.holdNext(new RegExp(`^/_get chat ${chat} around`));
    const call = client.call("send", { chat, text: "t", reply_to: question, ...SHORT });
    const { release } = await quoting;
    store.release();
    await owner.sees(/^Approved for /);
    release();
    expect((await call.result).data).toMatchObject({ action: 2, status: "done" });
  });

  flow("lets through what was still being prepared", async ({ world }) => {
    const { agent, owner, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    await peer.send(peerChat, "question");
    await world.settle();
    const question = itemOf(await client.use("receive", { chat }));
    client.call("send", { chat, text: "p", ...SHORT });
    await owner.sees(/^I want to send .*`p`/);
    const quoting = agent.api.holdNext(new RegExp(`^/_get chat ${chat} around`));
    const call = client.call("send", { chat, text: "t", reply_to: question, ...SHORT });
    const { release } = await quoting;
    await owner.says(`/approve ${chat} all`);
    await owner.sees(/^Approved for /);
    release();
    expect((await call.result).data).toMatchObject({ action: 2, status: "done" });
    await owner.sees(/^I sent a message to contact Bob: `t` .*\nApproved for this chat by Alice\./);
  });

  flow("lets through what was about to ask", async ({ world }) => {
    const { agent, owner, client, chat, peer } = await scene(world, { kind: "contact" });
    client.call("send", { chat, text: "p", ...SHORT });
    await owner.sees(/^I want to send .*`p`/);
    const counting = agent.api.holdNext(/^\/_set custom .*nextAction/);
    const call = client.call("send", { chat, text: "t", ...SHORT });
    const { release } = await counting;
    await owner.says(`/approve ${chat} all`);
    await agent.commands(/^\/_set custom @.*approvedBy/);
    release();
    expect((await call.result).data).toMatchObject({ action: 2, status: "done" });
    await owner.sees(/^I sent a message to contact Bob: `t`\nApproved by Alice\.$/);
    await world.settle();
    expect(peer.inbox.map(({ text }) => text)).toEqual(["p", "t"]);
  });
});

describe("a standing approval of somebody who approves no more", () => {
  /** Alice and Bob are owners; Bob gave the standing approval. */
  async function byBob(world: World): Promise<Scene & { bob: Owner }> {
    const set = await scene(world, { kind: "group" });
    const bob = await addOwner(set.agent, set.owner, await world.person("Bob"));
    await givesAll(world, set.agent, set.chat, "Bob");
    await sendsFreely(world, set, "free");
    return { ...set, bob };
  }

  async function isVoid(set: Scene): Promise<void> {
    await sendsWithCard(set, "asked");
    expect(await set.owner.answerTo("/list")).toBe(`1 chat:\ngroup Trail (${set.chat})`);
    expect((await set.client.use("list")).data?.chats).toEqual([
      expect.not.objectContaining({ approved: expect.anything() }),
    ]);
  }

  flow("is void when they left", async ({ world }) => {
    const set = await byBob(world);
    await set.bob.person.leave(set.bob.chat);
    await (await set.agent.hands()).waitFor("Bob leaving", ({ type }) => type === "leftMember");
    await isVoid(set);
  });

  flow("is void when they were removed", async ({ world }) => {
    const set = await byBob(world);
    await set.owner.person.remove(set.owner.chat, "Bob");
    await (await set.agent.hands()).waitFor("the removal", ({ type }) => type === "deletedMember");
    await isVoid(set);
  });

  flow("is void while they are no owner, and counts again when they are", async ({ world }) => {
    const set = await byBob(world);
    await giveRole(set.agent, set.owner, "Bob", "admin");
    await isVoid(set);
    await giveRole(set.agent, set.owner, "Bob", "owner");
    await sendsFreely(world, set, "again");
  });

  flow("is void for a message that waited to be performed", async ({ world }) => {
    const set = await byBob(world);
    const saving = set.agent.api.holdNext(/^\/_set custom .*nextAction/);
    const call = set.client.call("send", { chat: set.chat, text: "late", ...SHORT });
    const { release } = await saving;
    await giveRole(set.agent, set.owner, "Bob", "member");
    release();
    await set.owner.sees(/^I want to send .*`late`/);
    await set.owner.says("/reject 2");
    expect((await call.result).data).toMatchObject({ status: "rejected" });
  });

  flow("is void after a restart with a list without them", async ({ world }) => {
    const set = await byBob(world);
    const { agent } = set;
    const alice = await (await agent.hands()).member(agent.controlChat, "Alice");
    await agent.restart({ owners: { kind: "list", entries: [`${alice}:Alice`] } });
    await set.bob.person.waitFor("the removal", ({ type }) => type === "deletedMemberUser");
    const again = { ...set, client: await agent.client("modern") };
    await isVoid(again);
    await approveAll(again, "and now");
    await sendsFreely(world, again, "now by Alice");
  });

  flow("is void in a list when they have another name now", async ({ world }) => {
    const set = await byBob(world);
    const { agent } = set;
    const hands = await agent.hands();
    const entries = [
      `${await hands.member(agent.controlChat, "Alice")}:Alice`,
      `${await hands.member(agent.controlChat, "Bob")}:Bob`,
    ];
    await agent.restart({ owners: { kind: "list", entries } });
    const again = { ...set, client: await agent.client("modern") };
    await sendsFreely(world, again, "still by Bob");
    await world.pass(1000);
    await set.bob.person.rename("Robert");
    await set.bob.says("hello");
    await set.owner.person.got("hello");
    await world.settle();
    await isVoid(again);
  });

  flow("does not become the next owner's, whose member id may be the same", async ({ world }) => {
    const { agent } = await world.agentWithOwner();
    const echo = await world.person("Echo", { peerType: "bot" });
    const { chat } = await meet(agent, echo, "bot");
    await givesAll(world, agent, chat);
    const at = new Date(world.clock.now()).toISOString();
    await world.pass(1000);
    await agent.restart({ resetOwners: true });
    const carol = await Owner.join(await world.person("Carol"), await agent.ownerLink());
    await carol.sees(/^I'm your agent/);
    const hands = await agent.hands();
    // The core may give the number of a member that is gone to the next one: as if it had done so here.
    const id = await hands.member(agent.controlChat, "Carol");
    const approval = { approvedBy: "Alice", approvedById: id, approvedAt: at };
    await hands.run(`/_set custom ${chat} ${JSON.stringify({ simplexMcp: approval })}`);
    expect(await carol.answerTo("/list")).toBe(`1 chat:\nbot Echo (${chat})`);
    const client = await agent.client("modern");
    await sendsWithCard(
      { agent, owner: carol, client, chat, peer: echo, peerChat: chat, G: agent.controlChat },
      "asked",
    );
  });
});
