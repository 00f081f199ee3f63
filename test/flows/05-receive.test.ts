import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";
import { scene } from "./scenes.js";
import { expectCommands, localTime, message, messagesOf, textsOf, withoutTimes } from "./support.js";
import { contactOf, type Trail, trail } from "./trail.js";

/** Seconds: longer than anything takes, in the real world too. */
const WAIT = 60;

describe.each(ERAS)("receive, by a client of the %s era", (era) => {
  const waiting = async ({ world }: { world: World }): Promise<void> => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    const call = client.call("receive", { chat, wait: WAIT, limit: 50 });
    await call.progressed(/^No new messages/);
    await peer.send(peerChat, "here I am");
    const result = await call.result;
    expect(result.data).toEqual({
      chat,
      messages: [message({ from: { name: "Bob", kind: "contact" }, text: "here I am" })],
      more: 0,
    });
    expect(withoutTimes(call.progress)).toEqual([`No new messages in ${chat}; waiting until TIME.`]);
    await world.settle();
    const [item] = messagesOf(result);
    expectCommands(agent.newCommands(), [
      `/_get chat ${chat} count=0`,
      `/_get chat ${chat} initial=1`,
      `/_read chat items ${chat} ${item?.item}`,
    ]);
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, unread: 0 }] });
    expect(agent.logged).toEqual([]);
  };
  flow("with a wait returns the first message that arrives", waiting);
  withSeeds(4, "with a wait returns the first message that arrives", waiting);

  flow("returns what is unread at once, and marks it as read", async ({ world }) => {
    const { agent, hazel, hazels, switchback, switchbacks, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client(era);
    await client.use("receive", { chat });
    await world.settle();
    await switchback.send(switchbacks, "Anyone for a walk?");
    const { item: asked } = await hazel.got("Anyone for a walk?");
    const first = await hands.got("Anyone for a walk?");
    await hazel.send(hazels, "Yes", { replyTo: asked });
    const second = await hands.got("Yes");
    await world.settle();
    agent.newCommands();

    const result = await client.use("receive", { chat, wait: WAIT });
    const from = { member: await hands.member(chat, "Switchback"), name: "Switchback", kind: "member" };
    expect(result.data).toEqual({
      chat,
      messages: [
        message({ item: first.item, from, text: "Anyone for a walk?" }),
        message({
          item: second.item,
          from: { member: await hands.member(chat, "Hazel"), name: "Hazel", kind: "member" },
          text: "Yes",
          reply_to: { item: first.item, from, text: "Anyone for a walk?" },
        }),
      ],
      more: 0,
    });
    await world.settle();
    expectCommands(
      agent.newCommands().filter((one) => !one.startsWith("/_members")),
      [
        `/_get chat ${chat} count=0`,
        `/_get chat ${chat} initial=1`,
        `/_get chat ${chat} around=${first.item} count=0`,
        `/_get chat ${chat} after=${first.item} count=100`,
        `/_read chat items ${chat} ${first.item},${second.item}`,
      ],
    );
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
    await world.settle();
    expectCommands(agent.newCommands(), [`/_get chat ${chat} count=0`, `/_get chat ${chat} initial=1`]);
  });

  simulatedOnly("time", "answers with nothing when the wait is over", async ({ world }) => {
    const { agent, client, chat } = await scene(world, { kind: "contact", era });
    const end = localTime(world.clock.now() + WAIT * 1000, world.clock.now());
    const call = client.call("receive", { chat, wait: WAIT });
    await call.progressed(`No new messages in ${chat}; waiting until ${end}.`);
    await world.pass(WAIT * 1000 - 1);
    expect(call.settled).toBe(false);
    // The same text again, so that the client does not give up.
    await until("the text three times", () => call.notified >= 3 || undefined);
    expect([call.progress.length, call.notified]).toEqual([1, 3]);
    await world.pass(1);
    expect((await call.result).data).toEqual({ chat, messages: [], more: 0 });
    await world.settle();
    expectCommands(agent.newCommands(), [`/_get chat ${chat} count=0`, `/_get chat ${chat} initial=1`]);
  });

  flow("of a chat that is not there, or the owner's, says so", async ({ world }) => {
    const { client, chat, G } = await scene(world, { kind: "contact", era });
    for (const other of [G, "@99", "#99"]) {
      for (const tool of ["receive", "history", "members"]) {
        expect(await client.use(tool, { chat: other })).toEqual({
          data: undefined,
          text: `There is no chat ${other}. list shows the chats.`,
          isError: true,
        });
      }
    }
    expect((await client.use("receive", { chat })).isError).toBe(false);
  });
});

describe("more unread messages than one call returns", () => {
  flow("come in order by the limit, and more counts the rest", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    for (const text of ["one", "two", "three", "four", "five"]) await peer.send(peerChat, text);
    await (await agent.hands()).got("five");
    await world.settle();
    const pages = [];
    for (let page = 0; page < 3; page += 1) {
      const result = await client.use("receive", { chat, limit: 2 });
      pages.push([textsOf(result), result.data?.more]);
      await world.settle();
    }
    expect(pages).toEqual([
      [["one", "two"], 3],
      [["three", "four"], 1],
      [["five"], 0],
    ]);
  });

  simulatedOnly("many messages", "are read page by page of a hundred items", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const texts = Array.from({ length: 230 }, (_, index) => `number ${index}`);
    for (const text of texts) await peer.send(peerChat, text);
    await (await agent.hands()).got("number 229");
    await world.settle();
    const reads = ({ first, pages }: { first: number; pages: number }) => [
      `/_get chat ${chat} count=0`,
      `/_get chat ${chat} initial=1`,
      `/_get chat ${chat} around=${first} count=0`,
      ...Array.from(
        { length: pages },
        (_, page) => `/_get chat ${chat} after=${first + page * 100} count=100`,
      ),
    ];
    for (const { from, more, pages } of [
      // One item, a page of a hundred: one above the limit. At the end a page that is short.
      { from: 0, more: 130, pages: 1 },
      { from: 100, more: 30, pages: 1 },
      { from: 200, more: 0, pages: 1 },
    ]) {
      const result = await client.use("receive", { chat, limit: 100 });
      expect(textsOf(result)).toEqual(texts.slice(from, from + 100));
      expect(result.data?.more).toBe(more);
      await world.settle();
      const items = messagesOf(result).map(({ item }) => item);
      expectCommands(agent.newCommands(), [
        ...reads({ first: items[0] ?? 0, pages }),
        `/_read chat items ${chat} ${items.join(",")}`,
      ]);
    }
  });

  simulatedOnly("many messages", "behind a hundred service items are found", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "group" });
    await client.use("receive", { chat });
    await world.settle();
    for (let count = 0; count < 105; count += 1) {
      await peer.setRole(peerChat, "My Agent", count % 2 === 0 ? "admin" : "member");
    }
    await peer.send(peerChat, "after all that");
    await (await agent.hands()).got("after all that");
    await world.settle();
    agent.newCommands();
    const result = await client.use("receive", { chat });
    expect([textsOf(result), result.data?.more]).toEqual([["after all that"], 0]);
    await world.settle();
    expect(agent.newCommands().filter((one) => one.includes(" after="))).toHaveLength(2);
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, unread: 0 }] });
  });
});

/** Changes the agent's role, which leaves an unread service item with it. */
async function giveRole({ agent, hazel, hazels }: Trail, role: string): Promise<void> {
  await hazel.setRole(hazels, "My Agent", role);
  await (await agent.hands()).waitFor(
    `the role ${role}`,
    (event) => event.type === "memberRole" && event.toRole === role,
  );
}

describe("service items", () => {
  flow("are marked as read with the messages, and are not returned", async ({ world }) => {
    const set = await trail(world);
    const { agent, hazel, hazels, chat } = set;
    const client = await agent.client("modern");
    await client.use("receive", { chat });
    await world.settle();
    await giveRole(set, "admin");
    await hazel.send(hazels, "first");
    await giveRole(set, "moderator");
    await hazel.send(hazels, "second");
    await giveRole(set, "owner");
    await world.settle();
    const unread = async () => (await client.use("list", { search: "Trail" })).data?.chats;
    expect(await unread()).toMatchObject([{ chat, unread: 5 }]);
    const first = await client.use("receive", { chat, limit: 1 });
    expect([textsOf(first), first.data?.more]).toEqual([["first"], 2]);
    await world.settle();
    // What is around the first message is read with it, up to the second.
    expect(await unread()).toMatchObject([{ chat, unread: 2 }]);
    const second = await client.use("receive", { chat });
    expect([textsOf(second), second.data?.more]).toEqual([["second"], 0]);
    await world.settle();
    expect(await unread()).toMatchObject([{ chat, unread: 0 }]);
  });

  flow("alone are marked as read, and do not end a wait", async ({ world }) => {
    const set = await trail(world);
    const { agent, hazel, hazels, chat } = set;
    const client = await agent.client("modern");
    await client.use("receive", { chat });
    await world.settle();
    await giveRole(set, "admin");
    await world.settle();
    const call = client.call("receive", { chat, wait: WAIT });
    await call.progressed(/^No new messages/);
    await giveRole(set, "moderator");
    await world.settle();
    expect(call.settled).toBe(false);
    await hazel.send(hazels, "done");
    const result = await call.result;
    expect([textsOf(result), result.data?.more]).toEqual([["done"], 0]);
    await world.settle();
    // The one that came during the wait is left: only what the call read is marked.
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, unread: 1 }] });
    expect((await client.use("receive", { chat })).data).toEqual({ chat, messages: [], more: 0 });
    await world.settle();
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, unread: 0 }] });
  });
});

describe("of all chats", () => {
  flow("the one that was unread for the longest time comes first", async ({ world }) => {
    const { agent, hazel, hazels, chat } = await trail(world);
    const client = await agent.client("modern");
    const hands = await agent.hands();
    await client.use("receive", { limit: 100 });
    const bob = await contactOf(world, agent, "Bob");
    const echo = await contactOf(world, agent, "Echo", "bot");
    await client.use("receive", { limit: 100 });
    await world.settle();
    for (const [person, to, text] of [
      [echo.person, echo.theirs, "first"],
      [hazel, hazels, "second"],
      [bob.person, bob.theirs, "third"],
      [echo.person, echo.theirs, "fourth"],
    ] as const) {
      await person.send(to, text);
      await hands.got(text);
    }
    await world.settle();
    agent.newCommands();
    const bots = { from: { name: "Echo", kind: "bot" }, chat: echo.chat, chat_name: "Echo" };
    const hazelsMessage = message({
      from: { member: await hands.member(chat, "Hazel"), name: "Hazel", kind: "member" },
      text: "second",
      chat,
      chat_name: "Trail",
    });
    agent.newCommands();
    expect((await client.use("receive", { limit: 3 })).data).toEqual({
      messages: [message({ ...bots, text: "first" }), message({ ...bots, text: "fourth" }), hazelsMessage],
      more: 1,
    });
    await world.settle();
    const commands = agent.newCommands();
    expect(commands[0]).toMatch(/^\/_get chats \d+ /);
    expect(commands.filter((one) => one.startsWith("/_read")).map((one) => one.split(" ")[3])).toEqual([
      echo.chat,
      chat,
    ]);
    expect((await client.use("receive")).data).toEqual({
      messages: [
        message({ from: { name: "Bob", kind: "contact" }, text: "third", chat: bob.chat, chat_name: "Bob" }),
      ],
      more: 0,
    });
    await world.settle();
    expect((await client.use("receive")).data).toEqual({ messages: [], more: 0 });
  });

  simulatedOnly("faults", "one that goes while they are read is left out", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const zed = await contactOf(world, agent, "Zed");
    await peer.send(peerChat, "from Bob");
    await zed.person.send(zed.theirs, "from Zed");
    await (await agent.hands()).got("from Zed");
    await world.settle();
    agent.api.failNext(new RegExp(`^/_get chat ${chat} initial=`), {
      type: "errorStore",
      storeError: { type: "contactNotFound", contactId: Number(chat.slice(1)) },
    });
    expect((await client.use("receive")).data).toMatchObject({
      messages: [{ text: "from Zed", chat: zed.chat }],
      more: 0,
    });
  });

  flow("a wait ends with a message of any but the owner's", async ({ world }) => {
    const { agent, owner, client, peer, chat, peerChat } = await scene(world, { kind: "contact" });
    const call = client.call("receive", { wait: WAIT });
    await call.progressed(/^No new messages; waiting until .+\.$/);
    expect(await owner.answerTo("/pending")).toBe("No pending actions.");
    await world.settle();
    expect(call.settled).toBe(false);
    await peer.send(peerChat, "here I am");
    expect((await call.result).data).toEqual({
      messages: [
        message({ from: { name: "Bob", kind: "contact" }, text: "here I am", chat, chat_name: "Bob" }),
      ],
      more: 0,
    });
    await world.settle();
    expect(agent.newCommands().filter((one) => one.startsWith("/_read"))).toHaveLength(1);
  });
});
