/** What a peer's app may write that no app should: it fails nothing but itself, and is passed by. */
import { describe, expect } from "vitest";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import { simulatedOnly } from "../world/flow-test.js";
import { at } from "../world/json.js";
import { type Changeable, changeable } from "../world/peer-json.js";
import type { SimulatedWorld } from "../world/simulated.js";
import { scene } from "./scenes.js";
import { message, messagesOf, textsOf } from "./support.js";
import { contactOf, trail } from "./trail.js";

const WHY = "apps that write what they like";

/** Reactions that no app shows; the core gives them back as they were written. */
const REACTIONS = [
  { type: "emoji", emoji: 5 },
  { type: "x", y: [] },
  {},
  { type: null, emoji: { type: "emoji" } },
  { type: "emoji", emoji: "a\u202Eb\u{E0041} and more than that" },
];

/** Changes whole items: what `match` finds is told as `changed` makes of it. */
function changeItems(told: Changeable, match: string, changed: (item: object) => object): void {
  const walk = (json: unknown): unknown => {
    if (Array.isArray(json)) return json.map(walk);
    if (typeof json !== "object" || json === null) return json;
    if (at(json, "meta", "itemText") === match) return changed(json);
    return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, walk(part)]));
  };
  told.change = (json) => ({ ...(walk(json) as CoreJson) });
}

async function changed(world: SimulatedWorld) {
  let told: Changeable | undefined;
  const set = await trail(world, {
    onOpen: (api) => {
      told = changeable(api);
    },
  });
  if (!told) throw new Error("the core was not opened");
  return { ...set, told, client: await set.agent.client("modern") };
}

describe("a reaction that no app makes", () => {
  simulatedOnly(WHY, "fails nothing, now and after a restart", async ({ world }) => {
    const { agent, owner, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const hands = await agent.hands();
    const mine = await hands.send(chat, "from the agent");
    const theirs = (await peer.got("from the agent")).item;
    for (const [index, reaction] of REACTIONS.entries()) {
      // Three of one's own on an item are the most.
      const item = index < 3 ? theirs : await peer.send(peerChat, `${index}`);
      world.network.faults.reactAs(reaction);
      await peer.react(peerChat, item, index % 2 === 0 ? "👍" : "🚀");
      await world.settle();
      if (index === 1) await peer.run(`/_reaction ${peerChat} ${item} off {"type":"emoji","emoji":"👍"}`);
    }
    await peer.send(peerChat, "last");
    await hands.got("last");
    for (const start of ["first", "second"]) {
      if (start === "second") await agent.restart();
      const client = await agent.client("modern");
      const { messages } = (await client.use("history", { chat, limit: 100 })).data ?? {};
      expect(messages).toEqual(
        expect.arrayContaining([
          message({ item: mine, text: "from the agent", from: expect.anything(), own: true }),
          message({ text: "3", from: expect.anything() }),
          message({
            text: "4",
            from: expect.anything(),
            reactions: [{ emoji: "a\\u{202E}b\\u{E0041} …", count: 1 }],
          }),
        ]),
      );
      expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, last: { text: "last" } }] });
      const received = textsOf(await client.use("receive"));
      expect(received).toEqual(start === "first" ? ["3", "4", "last"] : []);
      expect(await owner.answerTo("/list")).toMatch(/^1 chat:\n/);
    }
    expect(agent.logged).toEqual([]);
  });
});

describe("a file of a size that no disk has", () => {
  simulatedOnly(WHY, "comes with its message, and has the largest size", async ({ world }) => {
    const { told, client, switchback, switchbacks, chat } = await changed(world);
    const file = { fileId: 7, fileName: "x", fileStatus: { type: "rcvInvitation" }, fileProtocol: "xftp" };
    const fileSize = Number(`1${"0".repeat(400)}`);
    changeItems(told, "huge", (item) => ({ ...item, file: { ...file, fileSize } }));
    const waiting = client.call("receive", { wait: 600 });
    await waiting.progressed(/^No new messages/);
    await switchback.send(switchbacks, "huge");
    expect((await waiting.result).data).toMatchObject({
      messages: [
        { chat, text: "huge", file: { name: "x", size: Number.MAX_SAFE_INTEGER, state: "offered" } },
      ],
    });
  });
});

describe("an item that cannot be read", () => {
  simulatedOnly(WHY, "is an event that says so, and is marked as read", async ({ world }) => {
    const { agent, told, client, switchback, switchbacks, chat } = await changed(world);
    changeItems(told, "odd", (item) => ({
      ...item,
      meta: { ...(at(item, "meta") as object), itemForwarded: 5 },
    }));
    const waiting = client.call("receive", { wait: 600 });
    await waiting.progressed(/^No new messages/);
    await switchback.send(switchbacks, "odd");
    const unreadable = { kind: "event", text: "unreadable", from: { name: "Switchback" } };
    expect((await waiting.result).data).toMatchObject({ messages: [{ chat, ...unreadable }], more: 0 });
    for (const text of ["odd", "fine"]) await switchback.send(switchbacks, text);
    await world.settle();
    const received = await client.use("receive");
    expect(received.data).toMatchObject({ messages: [unreadable, { text: "fine" }] });
    const got = messagesOf(received);
    await world.settle();
    const read = agent.newCommands().filter((one) => one.startsWith("/_read"));
    expect(read.at(-1)).toBe(`/_read chat items ${chat} ${got.map(({ item }) => item).join(",")}`);
    expect((await client.use("receive")).data).toMatchObject({ messages: [], more: 0 });
    expect((await client.use("history", { chat, limit: 3 })).data).toMatchObject({
      messages: [unreadable, unreadable, { text: "fine" }],
    });
    const quote = await client.use("send", { chat, text: "t", reply_to: got[0]?.item });
    expect(quote.text).toBe(
      `There is no message ${got[0]?.item} in ${chat} to reply to. history shows its messages.`,
    );
  });
});

describe("a chat that cannot be read", () => {
  simulatedOnly(WHY, "is passed over, told of on stderr, and counted", async ({ world }) => {
    const { agent, owner, told, client, switchback, switchbacks, chat } = await changed(world);
    const bob = await contactOf(world, agent, "Bob");
    const oddInfo = (json: unknown): unknown => {
      if (Array.isArray(json)) return json.map(oddInfo);
      if (typeof json !== "object" || json === null) return json;
      const parts = Object.entries(json).map(([key, part]) => [key, oddInfo(part)]);
      const isBob =
        at(json, "contactId") === Number(bob.chat.slice(1)) && at(json, "contactStatus") !== undefined;
      return { ...Object.fromEntries(parts), ...(isBob ? { contactStatus: 5 } : {}) };
    };
    told.change = (json) => ({ ...(oddInfo(json) as CoreJson) });
    for (const text of ["one", "two"]) await bob.person.send(bob.theirs, text);
    await switchback.send(switchbacks, "hello");
    await world.settle();

    const list = await client.use("list");
    expect(list.data).toMatchObject({ chats: [{ chat }], more: 1 });
    expect((await client.use("list", { search: "Bob" })).data).toMatchObject({ chats: [], more: 1 });
    expect((await client.use("receive")).data).toMatchObject({
      messages: [{ text: "hello", chat }],
      more: 2,
    });
    expect(await owner.answerTo("/list")).toBe(`2 chats:\ngroup Trail (${chat})\nand 1 more`);
    expect(agent.logged).toContain(
      `The chat ${bob.chat} cannot be read, and is passed over. Update the server if this stays.`,
    );
    const history = await client.use("history", { chat: bob.chat });
    expect(history).toMatchObject({ isError: true, text: expect.stringContaining("could not be read at") });
  });
});
