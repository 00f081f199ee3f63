import { describe, expect } from "vitest";
import { GATHER_MS } from "../../src/control/gathered.js";
import type { ChatRef } from "../../src/core/types.js";
import type { TestAgent } from "../world/agent.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { at } from "../world/json.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";
import { givesAll, type Scene, scene } from "./scenes.js";
import { localTime } from "./support.js";

const SHORT = { wait: 0 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CLOCK = "the clock is moved there";

/** A send that the owner answers with this command, once it is on its card. */
async function sendsAsked({ owner, client, chat }: Scene, text: string, command: string): Promise<void> {
  const call = client.call("send", { chat, text, ...SHORT });
  await owner.sees(new RegExp(`^I want to send .*\`${text}\``));
  await owner.says(command);
  expect((await call.result).data).toMatchObject({ status: "done" });
}

/** A send without a card; resolves with the last line that is shown of it. */
async function sendsFreely(world: World, { owner, client, chat }: Scene, text: string): Promise<string> {
  const result = await client.use("send", { chat, text, ...SHORT });
  expect(result.data).toMatchObject({ status: "done" });
  const form = new RegExp(`^I sent .*\`${text}\`\\nApproved for this chat by `);
  await world.settle();
  // One that comes within seconds of another waits for them.
  if (!owner.cards.some((card) => form.test(card))) await world.pass(GATHER_MS);
  const shown = await owner.sees(form);
  return shown.text.split("\n").at(-1) ?? "";
}

/** A send that waits for a card: the approval is over. */
async function isAsked({ owner, client, chat }: Scene, text: string): Promise<void> {
  const call = client.call("send", { chat, text, ...SHORT });
  const card = await owner.sees(new RegExp(`^I want to send .*\`${text}\`\\n`));
  await owner.says(`/reject ${/ (\d+)'$/.exec(card.text)?.[1]}`);
  expect((await call.result).data).toMatchObject({ status: "rejected" });
}

async function approved({ client, chat }: Scene): Promise<unknown> {
  const chats: unknown = (await client.use("list")).data?.chats;
  return Array.isArray(chats)
    ? at(
        chats.find((one) => at(one, "chat") === chat),
        "approved",
      )
    : undefined;
}

async function customData(agent: TestAgent, chat: ChatRef): Promise<unknown> {
  return at(
    await agent.api.sendChatCmd(`/_get chat ${chat} count=0`),
    "chat",
    "chatInfo",
    "contact",
    "customData",
  );
}

describe("a standing approval that is counted", () => {
  flow(
    "lets so many messages through, the pending one among them, and then asks again",
    async ({ world }) => {
      const set = await scene(world, { kind: "contact" });
      const { agent, owner, chat, peer } = set;
      await sendsAsked(set, "one", `/approve ${chat} all 3`);
      await owner.sees(
        `Approved for contact Bob (${chat}) by Alice for the next 3 messages. /'revoke ${chat}'`,
      );
      await owner.sees("I sent a message to contact Bob: `one`\nApproved by Alice.");
      expect(await approved(set)).toMatchObject({ by: "Alice", left: 2 });
      expect(await customData(agent, chat)).toMatchObject({
        simplexMcp: { approvedBy: "Alice", approvedLeft: 2 },
      });
      expect(await owner.answerTo("/list")).toBe(
        `1 chat:\ncontact Bob (${chat}), messages approved by Alice, 2 more /'revoke ${chat}'`,
      );
      expect(await sendsFreely(world, set, "two")).toBe(
        `Approved for this chat by Alice, 1 more. /'revoke ${chat}'`,
      );
      expect(await sendsFreely(world, set, "three")).toBe("Approved for this chat by Alice, 0 more.");
      expect(await approved(set)).toBe(undefined);
      expect(await customData(agent, chat)).toBe(undefined);
      expect(await owner.answerTo("/list")).toBe(`1 chat:\ncontact Bob (${chat})`);
      await isAsked(set, "four");
      await peer.got("three");
      expect(peer.inbox.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    },
  );

  flow("is not more for messages that come at once, nor for those that wait", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { owner, client, chat, peer } = set;
    const texts = ["one", "two", "three", "four", "five"];
    const waiting = texts.slice(0, 3).map((text) => client.call("send", { chat, text, ...SHORT }));
    for (const text of texts.slice(0, 3)) await owner.sees(new RegExp(`^I want to send .*\`${text}\``));
    await owner.says(`/approve ${chat} all 2`);
    await owner.sees(/for the next 2 messages/);
    await world.settle();
    expect(waiting.filter(({ settled }) => settled)).toHaveLength(2);
    const more = client.call("send", { chat, text: "more", ...SHORT });
    await owner.sees(/^I want to send .*`more`/);
    await owner.says(`/approve ${chat} all 3`);
    await owner.sees(/for the next 3 messages/);
    expect((await more.result).data).toMatchObject({ status: "done" });
    // One is left.
    const late = texts.slice(3).map((text) => client.call("send", { chat, text, ...SHORT }));
    await owner.sees(/^I want to send .*`(?:four|five)`/);
    await world.settle();
    expect(late.filter(({ settled }) => settled)).toHaveLength(1);
    expect(peer.inbox).toHaveLength(5);
  });

  flow("is lowered before the message goes, and holds over a restart", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, chat, peer } = set;
    await sendsAsked(set, "one", `/approve ${chat} all 3`);
    await owner.sees(/^Approved for contact Bob/);
    agent.newCommands();
    await sendsFreely(world, set, "two");
    const done = agent.newCommands();
    const lowered = done.findIndex(
      (one) => one.startsWith(`/_set custom ${chat} `) && /"approvedLeft":1\b/.test(one),
    );
    const sent = done.findIndex((one) => one.startsWith(`/_send ${chat} `));
    expect(lowered).toBeGreaterThan(-1);
    expect(sent).toBeGreaterThan(lowered);
    await agent.restart();
    const again = { ...set, client: await agent.client("modern") };
    expect(await approved(again)).toMatchObject({ left: 1 });
    expect(await sendsFreely(world, again, "three")).toBe("Approved for this chat by Alice, 0 more.");
    await isAsked(again, "four");
    expect(peer.inbox.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  });

  flow("lets nothing through when its count cannot be lowered", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    await sendsAsked(set, "one", `/approve ${chat} all 3`);
    await owner.sees(/^Approved for contact Bob/);
    agent.api.failNext(new RegExp(`^/_set custom ${chat} `), {
      type: "error",
      errorType: { type: "internalError", message: "no" },
    });
    const result = await client.use("send", { chat, text: "two", ...SHORT });
    expect(result.isError).toBe(true);
    expect(await approved(set)).toMatchObject({ left: 2 });
    await peer.got("one");
    expect(peer.inbox).toHaveLength(1);
  });

  flow("ends at once when it is revoked while it is being lowered", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat } = set;
    await sendsAsked(set, "one", `/approve ${chat} all 3`);
    await owner.sees(/^Approved for contact Bob/);
    const lowering = agent.api.holdNext(new RegExp(`^/_set custom ${chat} .*approvedLeft`));
    const call = client.call("send", { chat, text: "two", ...SHORT });
    const { release } = await lowering;
    await owner.says(`/revoke ${chat}`);
    await world.settle();
    release();
    await owner.sees(/need approval again/);
    await owner.sees(/^I want to send .*`two`/);
    expect(call.settled).toBe(false);
    expect(await customData(agent, chat)).toBe(undefined);
  });
});

describe("a standing approval for a time", () => {
  simulatedOnly(CLOCK, "ends with it, and its cards and lists tell until when", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, chat } = set;
    const end = world.clock.now() + 2 * HOUR;
    const time = localTime(end, world.clock.now());
    await sendsAsked(set, "one", `/approve ${chat} all 2h`);
    await owner.sees(`Approved for contact Bob (${chat}) by Alice until ${time}. /'revoke ${chat}'`);
    expect(await approved(set)).toMatchObject({ by: "Alice", until: new Date(end).toISOString() });
    expect(await owner.answerTo("/list")).toContain(
      `messages approved by Alice until ${time} /'revoke ${chat}'`,
    );
    expect(await sendsFreely(world, set, "two")).toBe(
      `Approved for this chat by Alice until ${time}. /'revoke ${chat}'`,
    );
    await world.pass(HOUR);
    await agent.restart();
    const again = { ...set, client: await agent.client("modern") };
    await sendsFreely(world, again, "three");
    await world.pass(HOUR - 1);
    await sendsFreely(world, again, "four");
    await world.pass(1);
    await isAsked(again, "five");
    expect(await approved(again)).toBe(undefined);
    expect(await owner.answerTo("/list")).toBe(`1 chat:\ncontact Bob (${chat})`);
  });

  simulatedOnly(CLOCK, "is not longer when the clock is set back", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { owner, chat } = set;
    await sendsAsked(set, "one", `/approve ${chat} all 2h`);
    await owner.sees(/^Approved for contact Bob/);
    world.clock.set(-5 * HOUR);
    await world.pass(2 * HOUR - 1);
    await sendsFreely(world, set, "two");
    await world.pass(1);
    await isAsked(set, "three");
  });

  simulatedOnly(
    CLOCK,
    "is longer by as much as the clock is set back over a restart, at the most",
    async ({ world }) => {
      const set = await scene(world, { kind: "contact" });
      const { agent, owner, chat } = set;
      await sendsAsked(set, "one", `/approve ${chat} all 2h`);
      await owner.sees(/^Approved for contact Bob/);
      await world.pass(HOUR);
      world.clock.set(-30 * MINUTE);
      await agent.restart();
      const again = { ...set, client: await agent.client("modern") };
      await sendsFreely(world, again, "two");
      // Set back once more while it runs.
      world.clock.set(-3 * HOUR);
      await world.pass(90 * MINUTE - 1);
      await sendsFreely(world, again, "three");
      await world.pass(1);
      await isAsked(again, "four");
    },
  );

  simulatedOnly(
    CLOCK,
    "ends while the computer sleeps, and while a message waits to be performed",
    async ({ world }) => {
      const set = await scene(world, { kind: "contact" });
      const { agent, owner, client, chat, peer } = set;
      await sendsAsked(set, "one", `/approve ${chat} all 1h`);
      await owner.sees(/^Approved for contact Bob/);
      const reading = new RegExp(`^/_get chat ${chat}`);
      const numbering = agent.api.holdNext(/^\/_set custom .*nextAction/);
      const call = client.call("send", { chat, text: "late", ...SHORT });
      const counter = await numbering;
      const taking = agent.api.holdNext(reading);
      counter.release();
      const taken = await taking;
      const performing = agent.api.holdNext(reading);
      taken.release();
      const perform = await performing;
      world.clock.set(HOUR);
      perform.release();
      expect((await call.result).data).toMatchObject({
        status: "failed",
        error: expect.stringContaining("ended"),
      });
      await isAsked(set, "again");
      await peer.got("one");
      expect(peer.inbox).toHaveLength(1);
    },
  );
});

describe("messages under a standing approval", () => {
  simulatedOnly(CLOCK, "are at most 60 a minute, and told in few", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    await givesAll(world, agent, chat);
    const before = owner.messages.length;
    const texts = Array.from({ length: 70 }, (_, index) => `text ${index}`);
    const ends = await Promise.all(texts.map((text) => client.use("send", { chat, text, ...SHORT })));
    const refused = ends.filter(({ isError }) => isError);
    expect(refused.map(({ text }) => text)).toEqual(
      Array(10).fill("Too many acts: at most 60 a minute. Try again in 60 s."),
    );
    await world.pass(GATHER_MS);
    const told = owner.messages.slice(before).map(({ text }) => text);
    expect(told.length).toBeLessThan(5);
    const shown = told.flatMap((text) => text.match(/^I sent a message to contact Bob: `text \d+`$/gm) ?? []);
    const done = peer.inbox.map(({ text }) => `I sent a message to contact Bob: \`${text}\``);
    expect(done).toHaveLength(60);
    expect(shown.toSorted()).toEqual(done.toSorted());
    for (const text of told) expect(text).toMatch(/\nApproved for this chat by Alice\. \/'revoke @\d+'$/);
    await world.pass(MINUTE);
    expect((await client.use("send", { chat, text: "later", ...SHORT })).data).toMatchObject({
      status: "done",
    });
  });

  flow("are told of at the stop, too", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat } = set;
    await givesAll(world, agent, chat);
    for (const text of ["one", "two", "three"]) await client.use("send", { chat, text, ...SHORT });
    await agent.restart();
    const told = () => owner.cards.join("\n").match(/^I sent a message to contact Bob: `\w+`$/gm);
    await until("the outcomes", () => told()?.length === 3);
  });
});
