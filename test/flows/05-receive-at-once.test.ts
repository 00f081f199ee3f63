import { describe, expect } from "vitest";
import { ERAS, type TestClient, type ToolResult } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import { RawCall } from "../world/raw-call.js";
import type { World } from "../world/world.js";
import { scene } from "./scenes.js";
import { message, messagesOf, textsOf } from "./support.js";
import { trail } from "./trail.js";

/** Seconds: longer than anything takes, in the real world too. */
const WAIT = 60;

const itemsOf = (result: ToolResult) => messagesOf(result).map(({ item }) => item);

const isRead = (command: string) => command.startsWith("/_read");

describe("two calls", () => {
  const waiting = async ({ world }: { world: World }): Promise<void> => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const other = await agent.client("legacy");
    const calls = [client.call("receive", { chat, wait: WAIT }), other.call("receive", { wait: WAIT })];
    for (const call of calls) await call.progressed(/^No new messages/);
    await peer.send(peerChat, "here I am");
    for (const call of calls) {
      expect((await call.result).data).toMatchObject({ messages: [{ text: "here I am" }], more: 0 });
    }
    await world.settle();
    expect((await client.use("receive")).data).toEqual({ messages: [], more: 0 });
  };
  flow("that wait on one chat both get what arrives", waiting);
  withSeeds(4, "that wait on one chat both get what arrives", waiting);

  const sharing = async ({ world }: { world: World }): Promise<void> => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const other = await agent.client("legacy");
    const texts = ["one", "two", "three", "four", "five"];
    for (const text of texts) await peer.send(peerChat, text);
    await (await agent.hands()).got("five");
    await world.settle();
    const results = await Promise.all([
      client.use("receive", { chat, limit: 2 }),
      other.use("receive", { limit: 2 }),
      client.use("receive", { chat, limit: 2 }),
    ]);
    expect(results.flatMap(textsOf).toSorted()).toEqual(texts.toSorted());
    expect(results.map(({ data }) => data?.more).toSorted()).toEqual([0, 1, 3]);
    await world.settle();
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
  };
  flow("that read at the same time share out what is unread", sharing);
  withSeeds(4, "that read at the same time share out what is unread", sharing);

  flow("of which the second finds nothing left: it waits for the next message", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    await peer.send(peerChat, "one");
    await (await agent.hands()).got("one");
    await world.settle();
    const marking = agent.api.holdNext(/^\/_read chat items/);
    expect(textsOf(await client.use("receive", { chat, wait: WAIT }))).toEqual(["one"]);
    const held = await marking;
    // Delivered, and not yet marked as read.
    const second = client.call("receive", { chat, wait: WAIT });
    await agent.commands(/ count=0$/);
    held.release();
    await second.progressed(/^No new messages/);
    await peer.send(peerChat, "two");
    expect((await second.result).data).toMatchObject({ messages: [{ text: "two" }], more: 0 });
  });

  flow("of which the first reads what came while the second stood behind it", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const reading = agent.api.holdNext(/ initial=1$/);
    const first = client.call("receive", { chat, wait: WAIT });
    const held = await reading;
    const second = client.call("receive", { chat, wait: WAIT });
    await world.settle();
    await peer.send(peerChat, "one");
    await (await agent.hands()).got("one");
    await world.settle();
    const marking = agent.api.holdNext(/^\/_read chat items/);
    held.release();
    expect(textsOf(await first.result)).toEqual(["one"]);
    (await marking).release();
    await second.progressed(/^No new messages/);
    await peer.send(peerChat, "two");
    expect(textsOf(await second.result)).toEqual(["two"]);
  });
});

describe("a message that arrives during the read", () => {
  const during = async ({ world }: { world: World }): Promise<void> => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const hands = await agent.hands();
    await peer.send(peerChat, "one");
    await hands.got("one");
    await world.settle();
    const reading = agent.api.holdNext(/^\/_get chat @\d+ after=/);
    const call = client.call("receive", { chat, wait: WAIT });
    const held = await reading;
    await peer.send(peerChat, "two");
    await hands.got("two");
    held.release();
    const result = await call.result;
    expect([textsOf(result), result.data?.more]).toEqual([["one", "two"], 0]);
    await world.settle();
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
  };
  flow("is returned once, behind what was unread", during);
  withSeeds(4, "is returned once, behind what was unread", during);

  const alone = async ({ world }: { world: World }): Promise<void> => {
    const { client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const [result] = await Promise.all([
      client.use("receive", { chat, wait: WAIT }),
      peer.send(peerChat, "one"),
    ]);
    expect([textsOf(result), result.data?.more]).toEqual([["one"], 0]);
    await world.settle();
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
  };
  flow("is returned once where nothing was unread", alone);
  withSeeds(8, "is returned once where nothing was unread", alone);

  flow("is returned as it reads at the end, edited or deleted", async ({ world }) => {
    const { agent, hazel, hazels, switchback, switchbacks, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    await client.use("receive", { chat });
    await world.settle();
    const reading = agent.api.holdNext(/^\/_get chat #\d+ initial=/);
    const call = client.call("receive", { chat });
    const held = await reading;
    const grate = await switchback.send(switchbacks, "Grate!");
    await hands.got("Grate!");
    const secret = await hazel.send(hazels, "my secret");
    const { item } = await hands.got("my secret");
    await switchback.edit(switchbacks, grate, "Great!");
    await hands.got("Great!");
    await hazel.deleteMessage(hazels, secret);
    await hands.waitFor("the deletion", ({ type }) => type === "chatItemsDeleted");
    held.release();
    expect((await call.result).data).toEqual({
      chat,
      messages: [
        message({ from: expect.objectContaining({ name: "Switchback" }), text: "Great!", edited: true }),
        message({ item, from: expect.objectContaining({ name: "Hazel" }), text: "", deleted: true }),
      ],
      more: 0,
    });
  });
});

describe("a message that is still typed", () => {
  const typing = async ({ world }: { world: World }): Promise<void> => {
    const { agent, hazel, hazels, switchback, switchbacks, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    await client.use("receive", { chat });
    await world.settle();
    const typed = await switchback.sendLive(switchbacks, "Gr");
    await hands.got("Gr");
    await world.settle();
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 1 });
    // It is passed over by what comes after it.
    await hazel.send(hazels, "Well?");
    await hands.got("Well?");
    const passed = await client.use("receive", { chat });
    expect([textsOf(passed), passed.data?.more]).toEqual([["Well?"], 1]);
    await world.settle();
    const call = client.call("receive", { chat, wait: WAIT });
    await call.progressed(/^No new messages/);
    await switchback.type(switchbacks, typed, "Great");
    await hands.got("Great");
    await world.settle();
    expect(call.settled).toBe(false);
    await switchback.type(switchbacks, typed, "Great!", { final: true });
    const result = await call.result;
    expect([textsOf(result), result.data?.more]).toEqual([["Great!"], 0]);
    await world.settle();
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
  };
  flow("is left out until it is final, and ends a wait then", typing);
  withSeeds(4, "is left out until it is final, and ends a wait then", typing);

  flow("while a call waits is counted with the message that ends the wait", async ({ world }) => {
    const { agent, hazel, hazels, switchback, switchbacks, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    await client.use("receive", { chat });
    await world.settle();
    const call = client.call("receive", { chat, wait: WAIT });
    await call.progressed(/^No new messages/);
    const typed = await switchback.sendLive(switchbacks, "Gr");
    await hands.got("Gr");
    await world.settle();
    await hazel.send(hazels, "Well?");
    const result = await call.result;
    expect([textsOf(result), result.data?.more]).toEqual([["Well?"], 1]);
    await switchback.type(switchbacks, typed, "Great!", { final: true });
    await hands.got("Great!");
    await world.settle();
    expect(textsOf(await client.use("receive", { chat }))).toEqual(["Great!"]);
  });

  flow("and is deleted instead is final, and returned as deleted", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const hands = await agent.hands();
    const call = client.call("receive", { chat, wait: WAIT });
    await call.progressed(/^No new messages/);
    const typed = await peer.sendLive(peerChat, "I ha");
    await hands.got("I ha");
    await peer.deleteMessage(peerChat, typed);
    expect((await call.result).data).toEqual({
      chat,
      messages: [message({ from: { name: "Bob", kind: "contact" }, text: "", deleted: true })],
      more: 0,
    });
    await world.settle();
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
  });
});

/** The server has seen what its clients closed before: another request went there and back. */
async function noticed(world: World, client: TestClient): Promise<void> {
  await client.use("list");
  await world.settle();
}

describe.each(ERAS)("a result that is lost, with a client of the %s era", (era) => {
  simulatedOnly(
    "large results",
    "stays unread, is nobody else's until then, and comes again",
    async ({ world }) => {
      const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
      // More than the buffers of a connection hold: a quotation mark takes six bytes of the result.
      const long = '"'.repeat(7_400);
      for (let count = 1; count <= 100; count += 1) await peer.send(peerChat, `${count} ${long}`);
      await (await agent.hands()).got(`100 ${long}`);
      await world.settle();
      const lost = await RawCall.open(agent, era, "receive", { chat, limit: 100 });
      lost.stallAtResult();
      await lost.resultBegan();
      await world.settle();
      // The response is not written yet: nothing is marked, and nobody else gets it.
      expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
      lost.die();
      const first = await expect
        .poll(() => client.use("receive", { chat, limit: 40 }).then(itemsOf), {
          timeout: 25_000,
          interval: 5,
        })
        .not.toEqual([])
        .then(() => agent.newCommands().filter(isRead));
      await world.settle();
      expect([...first, ...agent.newCommands().filter(isRead)]).toHaveLength(1);
      const rest = await client.use("receive", { chat, limit: 100 });
      expect(messagesOf(rest)).toHaveLength(60);
      expect(rest.data?.more).toBe(0);
    },
  );

  simulatedOnly("large results", "goes to a call that waits by then", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    // More than the buffers of a connection hold: a quotation mark takes six bytes of the result.
    const long = '"'.repeat(7_400);
    for (let count = 1; count <= 100; count += 1) await peer.send(peerChat, `${count} ${long}`);
    await (await agent.hands()).got(`100 ${long}`);
    await world.settle();
    const lost = await RawCall.open(agent, era, "receive", { chat, limit: 100 });
    lost.stallAtResult();
    await lost.resultBegan();
    await world.settle();
    const waiting = client.call("receive", { chat, wait: WAIT, limit: 40 });
    await waiting.progressed(/^No new messages/);
    lost.die();
    const result = await waiting.result;
    expect([messagesOf(result)[0]?.text, itemsOf(result).length, result.data?.more]).toEqual([
      `1 ${long}`,
      40,
      60,
    ]);
  });

  flow("before a message came takes none with it", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    const hands = await agent.hands();
    const cut = client.call("receive", { chat, wait: WAIT });
    await cut.progressed(/^No new messages/);
    const cancelled = client.call("receive", { chat, wait: WAIT });
    await cancelled.progressed(/^No new messages/);
    cut.cut();
    cancelled.cancel();
    await expect(cancelled.result).rejects.toThrow();
    await noticed(world, client);
    agent.newCommands();
    await peer.send(peerChat, "anybody there?");
    await hands.got("anybody there?");
    await world.settle();
    expect(agent.newCommands().filter(isRead)).toEqual([]);
    expect(textsOf(await client.use("receive", { chat }))).toEqual(["anybody there?"]);
  });

  flow("while it reads leaves everything unread", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    await peer.send(peerChat, "one");
    await (await agent.hands()).got("one");
    await world.settle();
    agent.newCommands();
    const reading = agent.api.holdNext(/^\/_get chat @\d+ after=/);
    const call = client.call("receive", { chat });
    const held = await reading;
    call.cut();
    await noticed(world, client);
    held.release();
    await world.settle();
    expect(agent.newCommands().filter(isRead)).toEqual([]);
    expect(textsOf(await client.use("receive", { chat }))).toEqual(["one"]);
  });
});
