import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import type { Held } from "../world/recorded-api.js";
import type { World } from "../world/world.js";
import { type Scene, scene } from "./scenes.js";
import { BUSY, textsOf } from "./support.js";
import { contactOf } from "./trail.js";

/** Seconds: longer than anything takes, in the real world too. */
const WAIT = 60;

/** An owner's command that is being handled until it is released: events wait behind it. */
async function busyWithOwner({ agent, owner }: Scene): Promise<Held> {
  const held = agent.api.holdNext(/^\/_get chats/);
  await owner.says("/list");
  return await held;
}

describe.each(ERAS)(
  "a message whose event waits behind an owner's command, by a client of the %s era",
  (era) => {
    flow("is not given again to a call that waits when the event is handled", async ({ world }) => {
      const set = await scene(world, { kind: "contact", era });
      const { agent, client, peer, chat, peerChat } = set;
      const command = await busyWithOwner(set);
      await peer.send(peerChat, "one");
      await (await agent.hands()).got("one");
      expect(textsOf(await client.use("receive", { chat }))).toEqual(["one"]);
      await world.settle();
      const call = client.call("receive", { chat, wait: WAIT });
      await call.progressed(/^No new messages/);
      command.release();
      await world.settle();
      expect(call.settled).toBe(false);
      await peer.send(peerChat, "two");
      expect((await call.result).data).toMatchObject({ messages: [{ text: "two" }], more: 0 });
    });

    flow("is not given to a second call while the first has it on its way", async ({ world }) => {
      const set = await scene(world, { kind: "contact", era });
      const { agent, client, peer, chat, peerChat } = set;
      const command = await busyWithOwner(set);
      await peer.send(peerChat, "one");
      await (await agent.hands()).got("one");
      const marking = agent.api.holdNext(/^\/_read chat items/);
      expect(textsOf(await client.use("receive", { chat }))).toEqual(["one"]);
      const mark = await marking;
      const call = client.call("receive", { wait: WAIT });
      command.release();
      await world.settle();
      mark.release();
      await call.progressed(/^No new messages/);
      await peer.send(peerChat, "two");
      expect((await call.result).data).toMatchObject({ messages: [{ text: "two" }], more: 0 });
    });
  },
);

describe("messages that were returned and could not be marked as read", () => {
  const BROKEN = { type: "error", errorType: { type: "internalError", message: "no such table" } };

  /** Bob and Zed have written to the agent. */
  async function twoChats(world: World) {
    const set = await scene(world, { kind: "contact" });
    const zed = await contactOf(world, set.agent, "Zed");
    await set.peer.send(set.peerChat, "from Bob");
    await (await set.agent.hands()).got("from Bob");
    await zed.person.send(zed.theirs, "from Zed");
    await (await set.agent.hands()).got("from Zed");
    await world.settle();
    return { ...set, zed };
  }

  simulatedOnly("faults", "while the database is busy are marked a moment later", async ({ world }) => {
    const { agent, client } = await twoChats(world);
    agent.api.failNext(/^\/_read chat items/, BUSY);
    expect(textsOf(await client.use("receive"))).toEqual(["from Bob", "from Zed"]);
    await world.settle();
    await world.pass(100);
    await world.settle();
    expect((await client.use("list")).data).toMatchObject({ chats: [{ unread: 0 }, { unread: 0 }] });
    expect(agent.logged).toEqual([]);
  });

  simulatedOnly("faults", "are not returned again, and marked by the next call", async ({ world }) => {
    const { agent, client, chat, zed } = await twoChats(world);
    agent.api.failNext(/^\/_read chat items/, BROKEN);
    expect(textsOf(await client.use("receive"))).toEqual(["from Bob", "from Zed"]);
    await world.settle();
    expect(agent.logged).toEqual([expect.stringMatching(/^After a result was delivered: /)]);
    const unread = [expect.objectContaining({ chat, unread: 1 }), expect.objectContaining({ unread: 0 })];
    expect((await client.use("list", {})).data?.chats).toEqual(expect.arrayContaining(unread));
    await zed.person.send(zed.theirs, "more from Zed");
    await (await agent.hands()).got("more from Zed");
    const next = await client.use("receive");
    expect([textsOf(next), next.data?.more]).toEqual([["more from Zed"], 0]);
    await world.settle();
    expect((await client.use("list")).data).toMatchObject({ chats: [{ unread: 0 }, { unread: 0 }] });
  });
});

simulatedOnly(
  "the count of commands",
  "a call that is cancelled costs the others that wait nothing",
  async ({ world }) => {
    const { agent, client } = await scene(world, { kind: "contact" });
    const calls = Array.from({ length: 30 }, () => client.call("receive", { wait: WAIT }));
    await Promise.all(calls.map((call) => call.progressed(/^No new messages/)));
    await world.settle();
    agent.newCommands();
    for (const call of calls) {
      call.cancel();
      await world.settle();
    }
    expect(agent.newCommands()).toEqual([]);
  },
);

simulatedOnly(
  "the count of commands",
  "a message that many calls return is marked as read once",
  async ({ world }) => {
    const { agent, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    const calls = Array.from({ length: 30 }, () => client.call("receive", { chat, wait: WAIT }));
    await Promise.all(calls.map((call) => call.progressed(/^No new messages/)));
    await peer.send(peerChat, "one");
    for (const call of calls) expect(textsOf(await call.result)).toEqual(["one"]);
    await world.settle();
    expect(agent.newCommands().filter((one) => one.startsWith("/_read chat items"))).toHaveLength(1);
  },
);
