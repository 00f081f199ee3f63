import { describe, expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import { ERAS, type OpenCall } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import {
  edits,
  expectCommands,
  localTime,
  message,
  messagesOf,
  posts,
  savesCounter,
  textsOf,
  withoutTimes,
} from "./support.js";
import { approve, contactOf, type Trail, trail } from "./trail.js";

/** Seconds: short, because in the real world they go by. */
const IDLE = 2;
const WAIT = 12;

/** A send card before and after the decision of Alice. */
function cards(chat: ChatRef, number: number, what: string) {
  return {
    pending: `I want to send a message to ${what}\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
    done: `I sent a message to ${what}\nApproved by Alice.`,
    not: (ending: string) => `I wanted to send a message to ${what}\n${ending}`,
  };
}

/** Lets the time for replies go by. */
async function overIn(world: World, call: OpenCall) {
  await world.settle();
  await world.pass(WAIT * 1000);
  return await call.result;
}

/** The item of a message as the agent numbers it. */
async function itemOf({ agent, chat }: Trail, text: string): Promise<number> {
  const client = await agent.client("modern");
  const found = messagesOf(await client.use("history", { chat, limit: 100 })).find(
    (one) => one.text === text,
  );
  if (!found) throw new Error(`the agent has no message ${text}`);
  return found.item;
}

describe.each(ERAS)("send, by a client of the %s era", (era) => {
  const quoting = async ({ world }: { world: World }): Promise<void> => {
    const scene = await trail(world);
    const { agent, owner, hazel, switchback, chat, hazels, switchbacks } = scene;
    const G = agent.controlChat;
    await switchback.send(switchbacks, "Anyone for a walk?");
    await (await agent.hands()).got("Anyone for a walk?");
    const asked = await itemOf(scene, "Anyone for a walk?");
    const member = await (await agent.hands()).member(chat, "Switchback");
    agent.newCommands();

    const client = await agent.client(era);
    const input = { chat, text: "I am in", reply_to: asked, mention: [member], wait: WAIT, idle: IDLE };
    const call = client.call("send", input);
    const what =
      "group Trail: `@Switchback I am in` replying to Switchback: `Anyone for a walk?` mentioning @Switchback";
    const text = cards(chat, 1, what);
    const card = await owner.sees(text.pending);
    await owner.says("/approve 1");
    const seen = await switchback.got("@Switchback I am in");
    expect([seen.quote, seen.mentionsMe, seen.from]).toEqual(["Anyone for a walk?", true, "My Agent"]);
    await call.progressed(/^0 messages/);
    await switchback.send(switchbacks, "Great!", { replyTo: seen.item });
    await call.progressed(/^1 messages/);
    await hazel.send(hazels, "See you both");
    await call.progressed(/^2 messages/);
    const result = await overIn(world, call);
    await owner.sees(text.done);

    const { item } = result.data ?? {};
    const [first, second] = messagesOf(result);
    expect(result.data).toEqual({
      action: 1,
      status: "done",
      chat,
      item: expect.any(Number),
      responses: [
        message({
          from: { member, name: "Switchback", kind: "member" },
          text: "Great!",
          mentions_me: true,
          reply_to: { item, from: { name: "My Agent", kind: "agent" }, text: "@Switchback I am in" },
        }),
        message({
          from: { member: expect.any(Number), name: "Hazel", kind: "member" },
          text: "See you both",
        }),
      ],
      more: 0,
    });
    expect(card.versions).toEqual([text.pending, text.done]);
    expect(withoutTimes(call.progress)).toEqual([
      "Action 1 waits for an approver until TIME.",
      `0 messages in ${chat}; waiting until TIME.`,
      `1 messages in ${chat}; waiting until TIME.`,
      `2 messages in ${chat}; waiting until TIME.`,
    ]);
    const reads = [
      `/_get chat ${chat} count=0`,
      `/_get chat ${chat} around=${asked} count=0`,
      `/_members ${chat}`,
    ];
    const sent = {
      msgContent: { type: "text", text: "@Switchback I am in" },
      mentions: { Switchback: member },
      quotedItemId: asked,
    };
    await world.settle();
    expectCommands(agent.newCommands(), [
      ...reads,
      savesCounter(G, 2),
      posts(G, text.pending),
      ...reads,
      `/_send ${chat} json ${JSON.stringify([sent])}`,
      edits(G, text.done),
      `/_read chat items ${chat} ${first?.item},${second?.item}`,
    ]);
    expect(agent.logged).toEqual([]);
    expect((await client.use("list")).data).toMatchObject({ actions: [] });
  };
  flow("asks the owner, sends what the card said, and returns the replies", quoting);
  withSeeds(3, "asks the owner, sends what the card said, and returns the replies", quoting);

  flow("to a contact, that the owner rejects, sends nothing", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const { person, chat } = await contactOf(world, agent, "Bob");
    const client = await agent.client(era);
    const text = cards(chat, 1, "contact Bob: `hello`");
    const call = client.call("send", { chat, text: "hello" });
    const card = await owner.sees(text.pending);
    agent.newCommands();
    await owner.says(`/reject ${chat} 1`);
    expect(await call.result).toMatchObject({ data: { action: 1, status: "rejected", chat }, isError: true });
    await owner.sees(text.not("Rejected by Alice."));
    await world.settle();
    expectCommands(agent.newCommands(), [edits(agent.controlChat, card.text)]);
    expect(person.inbox.map((one) => one.text)).toEqual([]);
  });

  flow(
    "goes through when the approval comes as the client gives up, and is found by the same call",
    async ({ world }) => {
      const { agent, owner, switchback, switchbacks, chat } = await trail(world);
      const client = await agent.client(era);
      const input = { chat, text: "I am in", wait: WAIT, idle: IDLE };
      const call = client.call("send", input);
      await owner.sees(/^I want to send/);
      const sending = agent.api.holdNext(/"I am in"/);
      await owner.says("/approve 1");
      const held = await sending;
      call.cancel();
      await expect(call.result).rejects.toThrow();
      held.release();
      await switchback.got("I am in");
      await owner.sees(/^I sent a message to group Trail: `I am in`\nApproved by Alice\.$/);
      await switchback.send(switchbacks, "Great!");
      await (await agent.hands()).got("Great!");
      const again = client.call("send", input);
      await again.progressed(/^1 messages/);
      expect((await overIn(world, again)).data).toMatchObject({
        action: 1,
        status: "done",
        responses: [{ text: "Great!" }],
        more: 0,
      });
      await world.settle();
      expect(switchback.inbox.map((one) => one.text)).toEqual(["I am in"]);
      expect((await client.use("list")).data).toMatchObject({ actions: [] });
    },
  );
});

describe("replies", () => {
  flow("that came before the send are not replies, and stay unread", async ({ world }) => {
    const { agent, owner, switchback, switchbacks, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "I am in", wait: WAIT, idle: IDLE });
    await owner.sees(/^I want to send/);
    await switchback.send(switchbacks, "Anyone for a walk?");
    await (await agent.hands()).got("Anyone for a walk?");
    await approve(owner, 1);
    await call.progressed(/^0 messages/);
    expect((await overIn(world, call)).data).toMatchObject({ status: "done", responses: [], more: 0 });
    const { data } = await client.use("receive", { chat });
    expect(data).toMatchObject({ messages: [{ text: "Anyone for a walk?" }], more: 0 });
  });

  flow("that came while it was being sent are not replies either", async ({ world }) => {
    const { agent, owner, switchback, switchbacks, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "I am in", wait: WAIT, idle: IDLE });
    await owner.sees(/^I want to send/);
    const sending = agent.api.holdNext(/^\/_send #\d+ json .*"I am in"/);
    await owner.says("/approve 1");
    const held = await sending;
    await switchback.send(switchbacks, "Anyone for a walk?");
    await (await agent.hands()).got("Anyone for a walk?");
    await world.settle();
    held.release();
    await call.progressed(/^0 messages/);
    expect((await overIn(world, call)).data).toMatchObject({ status: "done", responses: [], more: 0 });
  });

  flow("are returned as they read at the end: edited, or deleted", async ({ world }) => {
    const { agent, owner, switchback, switchbacks, hazel, hazels, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "I am in", wait: WAIT, idle: WAIT });
    await approve(owner, 1);
    await switchback.got("I am in");
    const first = await switchback.send(switchbacks, "Grate!");
    await call.progressed(/^1 messages/);
    const second = await hazel.send(hazels, "my secret");
    await call.progressed(/^2 messages/);
    await switchback.edit(switchbacks, first, "Great!");
    await hazel.deleteMessage(hazels, second);
    const { data } = await overIn(world, call);
    expect(data).toMatchObject({ more: 0 });
    expect(data?.responses).toEqual([
      message({ from: expect.objectContaining({ name: "Switchback" }), text: "Great!", edited: true }),
      message({ from: expect.objectContaining({ name: "Hazel" }), text: "", deleted: true }),
    ]);
  });

  flow("that are still typed are waited for, and returned when they are final", async ({ world }) => {
    const { agent, owner, switchback, switchbacks, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "I am in", wait: 60, idle: IDLE });
    await approve(owner, 1);
    await switchback.got("I am in");
    const typed = await switchback.sendLive(switchbacks, "Gr");
    const hands = await agent.hands();
    await hands.got("Gr");
    await world.settle();
    // Well over the idle time, which does not run while somebody types.
    await world.pass(10 * IDLE * 1000);
    expect(call.settled).toBe(false);
    await switchback.type(switchbacks, typed, "Great");
    await hands.got("Great");
    await switchback.type(switchbacks, typed, "Great!", { final: true });
    await call.progressed(/^1 messages/);
    const { data } = await overIn(world, call);
    expect(data).toMatchObject({ status: "done", responses: [{ text: "Great!" }], more: 0 });
    expect(data?.responses).toEqual([message({ from: expect.anything(), text: "Great!" })]);
  });

  simulatedOnly(
    "times",
    "that are typed longer than the wait are left out, counted, and received later",
    async ({ world }) => {
      const { agent, owner, switchback, switchbacks, chat } = await trail(world);
      const client = await agent.client("modern");
      const call = client.call("send", { chat, text: "I am in", wait: 60, idle: 5 });
      await approve(owner, 1);
      await call.progressed(/^0 messages/);
      const typed = await switchback.sendLive(switchbacks, "Gr");
      await world.pass(60_000);
      expect((await call.result).data).toMatchObject({ status: "done", responses: [], more: 1 });
      expect((await client.use("receive", { chat })).data).toMatchObject({ messages: [], more: 1 });
      await switchback.type(switchbacks, typed, "Great!", { final: true });
      await world.settle();
      expect((await client.use("receive", { chat })).data).toMatchObject({
        messages: [{ text: "Great!" }],
        more: 0,
      });
    },
  );

  flow("above the limit are counted, and stay unread", async ({ world }) => {
    const { agent, owner, switchback, switchbacks, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "Count", wait: WAIT, idle: IDLE, limit: 2 });
    await approve(owner, 1);
    await switchback.got("Count");
    for (const text of ["one", "two", "three"]) await switchback.send(switchbacks, text);
    await call.progressed(/^3 messages/);
    const { data } = await overIn(world, call);
    expect(data).toMatchObject({ responses: [{ text: "one" }, { text: "two" }], more: 1 });
    await world.settle();
    expect((await client.use("receive", { chat })).data).toMatchObject({
      messages: [{ text: "three" }],
      more: 0,
    });
  });

  simulatedOnly("a flood", "above a hundred are counted and stay unread", async ({ world }) => {
    const { agent, owner, switchback, switchbacks, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "Count", wait: 60, idle: 5, limit: 100 });
    await approve(owner, 1);
    await call.progressed(/^0 messages/);
    const texts = Array.from({ length: 105 }, (_, i) => `number ${i}`);
    for (const text of texts) await switchback.send(switchbacks, text);
    await call.progressed(/^105 messages/);
    await world.pass(5000);
    const result = await call.result;
    expect(textsOf(result)).toEqual(texts.slice(0, 100));
    expect(result.data?.more).toBe(5);
    await world.settle();
    expect(textsOf(await client.use("receive", { chat }))).toEqual(texts.slice(100));
  });

  flow("to one of two waiting calls reach both", async ({ world }) => {
    const { agent, owner, switchback, switchbacks, chat } = await trail(world);
    const [one, other] = await Promise.all([agent.client("modern"), agent.client("legacy")]);
    const wait = { wait: WAIT, idle: IDLE };
    const calls = [
      one.call("send", { chat, text: "first", ...wait }),
      other.call("send", { chat, text: "second", ...wait }),
    ];
    await approve(owner, 1);
    await approve(owner, 2);
    await switchback.got("first");
    await switchback.got("second");
    await Promise.all(calls.map((call) => call.progressed(/^0 messages/)));
    await switchback.send(switchbacks, "Great!");
    await Promise.all(calls.map((call) => call.progressed(/^1 messages/)));
    for (const call of calls) {
      expect((await overIn(world, call)).data).toMatchObject({ responses: [{ text: "Great!" }], more: 0 });
    }
  });
});

describe("what changed between the card and the approval", () => {
  const CHANGED = "The chat, the quoted message or a mentioned name changed after the request. Send again.";

  flow("in the chat's name fails the send", async ({ world }) => {
    const { agent, owner, hazel, hazels, switchback, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "I am in" });
    const text = cards(chat, 1, "group Trail: `I am in`");
    await owner.sees(text.pending);
    await hazel.renameGroup(hazels, "Road");
    await (await agent.hands()).waitFor("the new name", ({ type }) => type === "groupUpdated");
    agent.newCommands();
    await owner.says("/approve 1");
    expect((await call.result).data).toEqual({ action: 1, status: "failed", error: CHANGED, chat });
    const failed = text.not(`Approved by Alice; failed: \`${CHANGED}\`.`);
    await owner.sees(failed);
    await world.settle();
    expectCommands(agent.newCommands(), [`/_get chat ${chat} count=0`, edits(agent.controlChat, failed)]);
    expect(agent.logged).toEqual([`Action 1 failed: ${CHANGED}`]);
    expect(switchback.inbox).toEqual([]);
  });

  flow("in the quoted message fails the send", async ({ world }) => {
    const scene = await trail(world);
    const { agent, owner, switchback, switchbacks, chat } = scene;
    const asked = await switchback.send(switchbacks, "Shall I bring cake?");
    const hands = await agent.hands();
    await hands.got("Shall I bring cake?");
    const client = await agent.client("modern");
    const item = await itemOf(scene, "Shall I bring cake?");
    const call = client.call("send", { chat, text: "Yes, do", reply_to: item });
    await owner.sees(/^I want to send/);
    await switchback.edit(switchbacks, asked, "Shall I bring all your money?");
    await hands.got("Shall I bring all your money?");
    await owner.says("/approve 1");
    expect((await call.result).data).toMatchObject({ status: "failed", error: CHANGED });
    await world.settle();
    expect(switchback.inbox).toEqual([]);
  });

  flow("in the agent's role fails the send with what to do", async ({ world }) => {
    const { agent, owner, hazel, hazels, chat } = await trail(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "I am in" });
    await owner.sees(/^I want to send/);
    await hazel.setRole(hazels, "My Agent", "observer");
    await (await agent.hands()).waitFor("the role", ({ type }) => type === "memberRole");
    await owner.says("/approve 1");
    const error = `The agent is observer in ${chat} and may not write there. Ask an admin for another role.`;
    expect((await call.result).data).toEqual({ action: 1, status: "failed", error, chat });
  });
});

flow("a send that the core refuses fails with its words", async ({ world }) => {
  const { agent, owner, chat } = await trail(world);
  const client = await agent.client("modern");
  const call = client.call("send", { chat, text: "I am in" });
  await owner.sees(/^I want to send/);
  agent.api.failNext(/^\/_send #\d+ json .*"I am in"/, {
    type: "errorAgent",
    agentError: { type: "BROKER", brokerAddress: "smp://x@y", brokerErr: { type: "TIMEOUT" } },
  });
  await owner.says("/approve 1");
  const { data, isError } = await call.result;
  expect([data?.status, isError]).toEqual(["failed", true]);
  await owner.sees(
    cards(chat, 1, "group Trail: `I am in`").not(`Approved by Alice; failed: \`${data?.error}\`.`),
  );
});

simulatedOnly("times", "the times that the agent is told are those that count", async ({ world }) => {
  const { agent, owner, switchback, switchbacks, chat } = await trail(world);
  const client = await agent.client("modern");
  const until = (ms: number) => localTime(world.clock.now() + ms, world.clock.now());
  const call = client.call("send", { chat, text: "I am in", wait: 3600, idle: 300 });
  await call.progressed(`Action 1 waits for an approver until ${until(23 * 3_600_000)}.`);
  await owner.sees(/^I want to send/);
  // Waiting for the owner takes nothing from the wait for replies.
  await world.pass(2 * 3_600_000);
  await owner.says("/approve 1");
  await call.progressed(`0 messages in ${chat}; waiting until ${until(3_600_000)}.`);
  await world.pass(3_500_000);
  await switchback.send(switchbacks, "Great!");
  // Whichever is first: the idle time after the reply, or the end of the wait.
  await call.progressed(`1 messages in ${chat}; waiting until ${until(100_000)}.`);
  await world.pass(99_000);
  expect(call.settled).toBe(false);
  await world.pass(1000);
  expect((await call.result).data).toMatchObject({ status: "done", responses: [{ text: "Great!" }] });
});

simulatedOnly("times", "a message of before the send does not start the idle time", async ({ world }) => {
  const { agent, owner, switchback, switchbacks, chat } = await trail(world);
  const client = await agent.client("modern");
  const call = client.call("send", { chat, text: "I am in", wait: 60, idle: 10 });
  await owner.sees(/^I want to send/);
  const sending = agent.api.holdNext(/^\/_send #\d+ json .*"I am in"/);
  await owner.says("/approve 1");
  const held = await sending;
  await switchback.send(switchbacks, "Anyone for a walk?");
  await (await agent.hands()).got("Anyone for a walk?");
  await world.settle();
  held.release();
  const until = localTime(world.clock.now() + 60_000, world.clock.now());
  await call.progressed(`0 messages in ${chat}; waiting until ${until}.`);
  await world.pass(20_000);
  expect(call.settled).toBe(false);
  await switchback.send(switchbacks, "Great!");
  await call.progressed(/^1 messages/);
  await world.settle();
  await world.pass(10_000);
  expect(textsOf(await call.result)).toEqual(["Great!"]);
});
