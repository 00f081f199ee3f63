import { describe, expect } from "vitest";
import { z } from "zod";
import type { TestAgent } from "../world/agent.js";
import { ERAS, type TestClient } from "../world/client.js";
import { flow } from "../world/flow-test.js";
import { scene } from "./scenes.js";
import { expectCommands, message, messagesOf, textsOf } from "./support.js";
import { approve, contactOf, trail } from "./trail.js";

/** Nothing was marked as read: no command for it, and the chat is as unread as before. */
async function expectUnread(agent: TestAgent, client: TestClient, chat: string, unread: number) {
  expect((await client.use("list", { limit: 100 })).data).toMatchObject({
    chats: expect.arrayContaining([expect.objectContaining({ chat, unread })]),
  });
  expect(agent.newCommands().filter((one) => one.startsWith("/_read"))).toEqual([]);
}

describe.each(ERAS)("history, by a client of the %s era", (era) => {
  flow("gives pages before, after and around an item, and marks nothing as read", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    const hands = await agent.hands();
    const texts = ["one", "two", "three", "four", "five", "six"];
    for (const text of texts) await peer.send(peerChat, text);
    await hands.got("six");
    const [first, three] = [(await hands.got("one")).item, (await hands.got("three")).item];
    await world.settle();
    await expectUnread(agent, client, chat, 6);
    const page = async (input: Record<string, unknown>) => {
      const result = await client.use("history", { chat, ...input });
      return [textsOf(result), result.data?.more];
    };
    expect(await page({ limit: 2 })).toEqual([["five", "six"], true]);
    expect(await page({ before: three, limit: 1 })).toEqual([["two"], true]);
    expect(await page({ after: three, limit: 2 })).toEqual([["four", "five"], true]);
    expect(await page({ after: three, limit: 3 })).toEqual([["four", "five", "six"], false]);
    expect(await page({ around: three, limit: 3 })).toEqual([["two", "three", "four"], true]);
    expect(await page({ around: three, limit: 1 })).toEqual([["three"], true]);
    expect(await page({ search: "o", limit: 2 })).toEqual([["two", "four"], true]);
    expect(await page({ search: "FIVE" })).toEqual([["five"], false]);
    expect(await page({ search: "seven" })).toEqual([[], false]);
    await world.settle();
    const read = `/_get chat ${chat} count=0`;
    expectCommands(agent.newCommands(), [
      ...[
        "count=3",
        `before=${three} count=2`,
        `after=${three} count=3`,
        `after=${three} count=4`,
        `around=${three} count=1`,
        `around=${three} count=0`,
        "count=3 search=o",
        "count=21 search=FIVE",
        "count=21 search=seven",
      ].flatMap((words) => [read, `/_get chat ${chat} ${words}`]),
    ]);
    await expectUnread(agent, client, chat, 6);
    expect((await client.use("history", { chat, before: first, limit: 100 })).data).toMatchObject({
      more: false,
    });
  });

  flow("finds % and _ as they are, which the core takes for any text", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    const texts = ["one_two", "oneXtwo", "100%", "oneYtwo", "1000", "ONE_TWO", "oneZtwo"];
    for (const text of texts) await peer.send(peerChat, text);
    const { item } = await (await agent.hands()).got("oneYtwo");
    await (await agent.hands()).got("oneZtwo");
    await world.settle();
    const page = async (input: Record<string, unknown>) => {
      const result = await client.use("history", { chat, ...input });
      return [textsOf(result), result.data?.more];
    };
    expect(await page({ search: "one_two" })).toEqual([["one_two", "ONE_TWO"], false]);
    expect(await page({ search: "one_two", limit: 1 })).toEqual([["ONE_TWO"], true]);
    expect(await page({ search: "one_two", limit: 1, before: item })).toEqual([["one_two"], false]);
    expect(await page({ search: "one_two", limit: 1, after: item })).toEqual([["ONE_TWO"], false]);
    expect(await page({ search: "0%" })).toEqual([["100%"], false]);
    expect(await page({ search: "one_two", around: item, limit: 5 })).toEqual([
      ["one_two", "oneYtwo", "ONE_TWO"],
      expect.any(Boolean),
    ]);
  });

  flow("says what is wrong with a page that cannot be", async ({ world }) => {
    const { client, chat } = await scene(world, { kind: "contact", era });
    for (const [input, text] of [
      [{ before: 9999 }, `There is no item 9999 in ${chat}.`],
      [{ after: 9999 }, `There is no item 9999 in ${chat}.`],
      [{ around: 9999 }, `There is no item 9999 in ${chat}.`],
      [{ before: 1, around: 2 }, "Give only one of before, after and around."],
      [{ search: "a\nb" }, "search takes one line."],
    ] as const) {
      expect(await client.use("history", { chat, ...input })).toEqual({
        data: undefined,
        text,
        isError: true,
      });
    }
  });
});

describe("history", () => {
  flow("shows all that a chat has, as it reads now", async ({ world }) => {
    const { agent, hazel, hazels, switchback, switchbacks, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    await client.use("receive", { chat });
    await world.settle();
    const [hazelsId, switchbacksId] = [
      await hands.member(chat, "Hazel"),
      await hands.member(chat, "Switchback"),
    ];
    const hazelAs = { member: hazelsId, name: "Hazel", kind: "member" };
    const switchbackAs = { member: switchbacksId, name: "Switchback", kind: "member" };
    const [last] = messagesOf(await client.use("history", { chat, limit: 1 }));

    const grate = await switchback.send(switchbacks, "Grate!");
    const seen = await hazel.got("Grate!");
    await hands.got("Grate!");
    await switchback.edit(switchbacks, grate, "Great!");
    await hands.got("Great!");
    await hazel.react(hazels, seen.item, "👍");
    await hands.waitFor("the reaction", ({ type }) => type === "chatItemReaction");
    const secret = await switchback.send(switchbacks, "my secret");
    await hands.got("my secret");
    await switchback.deleteMessage(switchbacks, secret);
    await hands.waitFor("the deletion", ({ type }) => type === "chatItemsDeleted");
    await hazel.setRole(hazels, "My Agent", "admin");
    await hands.waitFor("the role", (event) => event.type === "memberRole");
    const mine = await hands.send(chat, "I am here");
    const own = await hazel.got("I am here");
    const name = await hazel.member(hazels, "My Agent");
    await world.nextSecond();
    await hazel.send(hazels, "Hello @'My Agent'", { replyTo: own.item, mentions: { "My Agent": name } });
    await hands.got(/^Hello/);
    // Not final yet.
    await switchback.sendLive(switchbacks, "I ty");
    await hands.got("I ty");
    await world.settle();
    agent.newCommands();

    const { data } = await client.use("history", { chat, after: last?.item });
    const me = { name: "My Agent", kind: "agent" };
    expect(data).toEqual({
      chat,
      messages: [
        message({
          from: switchbackAs,
          text: "Great!",
          edited: true,
          reactions: [{ emoji: "👍", count: 1 }],
        }),
        message({ from: switchbackAs, text: "", deleted: true }),
        message({ from: hazelAs, kind: "event", text: "changed your role to admin" }),
        message({ item: mine, from: me, own: true, text: "I am here" }),
        message({
          from: hazelAs,
          text: "Hello @'My Agent'",
          mentions_me: true,
          reply_to: { item: mine, from: me, text: "I am here" },
        }),
      ],
      more: false,
    });
    await expectUnread(agent, client, chat, 5);
  });
});

const Page = z.object({ members: z.array(z.object({ member: z.number() })), more: z.number() });

describe("members", () => {
  flow("are those of a group but the agent, with their roles", async ({ world }) => {
    const { agent, hazel, hazels, switchback, switchbacks, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    const [hazelsId, switchbacksId] = [
      await hands.member(chat, "Hazel"),
      await hands.member(chat, "Switchback"),
    ];
    await hazel.setRole(hazels, "Switchback", "moderator");
    await hands.waitFor("the role", ({ type }) => type === "memberRole");
    await world.settle();
    agent.newCommands();
    const hazelAs = { member: hazelsId, name: "Hazel", kind: "member", role: "owner", status: "connected" };
    expect((await client.use("members", { chat })).data).toEqual({
      chat,
      members: [
        hazelAs,
        { member: switchbacksId, name: "Switchback", kind: "member", role: "moderator", status: "connected" },
      ],
      more: 0,
    });
    expectCommands(agent.newCommands(), [`/_get chat ${chat} count=0`, `/_members ${chat}`]);
    await switchback.leave(switchbacks);
    await hands.waitFor("the leave", ({ type }) => type === "leftMember");
    expect((await client.use("members", { chat })).data).toEqual({ chat, members: [hazelAs], more: 0 });
  });

  flow("come in pages, and can be searched", async ({ world }) => {
    const { agent, hazels, hazel, switchbacks, switchback, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    const byName = new Map<string, number>();
    for (const name of ["Hazel", "Switchback"]) byName.set(name, await hands.member(chat, name));
    const [first = 0, last = 0] = [...byName.values()].sort((one, other) => one - other);
    const page = async (input: Record<string, unknown>) => {
      const { members, more } = Page.parse((await client.use("members", { chat, ...input })).data);
      return [members.map(({ member }) => member), more];
    };
    expect(await page({})).toEqual([[first, last], 0]);
    expect(await page({ limit: 1 })).toEqual([[first], 1]);
    expect(await page({ limit: 1, after: first })).toEqual([[last], 0]);
    expect(await page({ after: last })).toEqual([[], 0]);
    expect(await page({ search: "aZE" })).toEqual([[byName.get("Hazel")], 0]);
    expect(await page({ search: "nobody" })).toEqual([[], 0]);
    // A page goes on after a member that has left.
    const leaver = first === byName.get("Hazel") ? hazel : switchback;
    await leaver.leave(leaver === hazel ? hazels : switchbacks);
    await hands.waitFor("the leave", ({ type }) => type === "leftMember");
    expect(await page({ after: first })).toEqual([[last], 0]);
  });

  flow("of a contact there are none", async ({ world }) => {
    const { client, chat } = await scene(world, { kind: "contact" });
    expect(await client.use("members", { chat })).toEqual({
      data: undefined,
      text: `${chat} is a contact, it has no members. members takes a group, such as #15.`,
      isError: true,
    });
  });
});

describe.each(ERAS)("list, by a client of the %s era", (era) => {
  flow("has every chat of the agent, latest first, and its actions", async ({ world }) => {
    const { agent, owner, hazel, hazels, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client(era);
    // Times of their own for what happens.
    const later = async () => {
      await world.settle();
      await world.pass(1000);
    };
    await later();
    const ridgeline = await world.person("Ridgeline");
    const address = await ridgeline.makeAddress({ business: true });
    const business = await hands.join(address);
    await later();
    const echo = await contactOf(world, agent, "Echo", "bot");
    await later();
    const bob = await contactOf(world, agent, "Bob");
    await client.use("receive", { limit: 100 });
    await later();
    await hazel.send(hazels, "second");
    await hands.got("second");
    await later();
    await bob.person.send(bob.theirs, "third");
    await hands.got("third");
    const call = client.call("send", { chat: bob.chat, text: "Hello", wait: 0 });
    await owner.sees(/^I want to send a message to contact Bob/);
    await owner.says(`/approve ${bob.chat} all`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    await later();
    const pending = client.call("leave", { chat: echo.chat });
    await pending.progressed(/^Action 2 waits/);
    await world.settle();
    agent.newCommands();

    const link = expect.stringMatching(/^(https|simplex):/);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const event = expect.objectContaining({ kind: "event" });
    const bobs = {
      chat: bob.chat,
      kind: "contact",
      name: "Bob",
      address: link,
      connected: true,
      unread: 1,
      approved: { by: "Alice", at: time },
      last: message({ from: { name: "My Agent", kind: "agent" }, own: true, text: "Hello" }),
    };
    const trails = {
      chat,
      kind: "group",
      name: "Trail",
      address: link,
      connected: true,
      role: "member",
      unread: 1,
      last: message({
        from: { member: await hands.member(chat, "Hazel"), name: "Hazel", kind: "member" },
        text: "second",
      }),
    };
    const echos = {
      chat: echo.chat,
      kind: "bot",
      name: "Echo",
      address: link,
      connected: true,
      unread: 0,
      last: event,
    };
    const ridgelines = {
      chat: business,
      kind: "business",
      name: "Ridgeline",
      address,
      connected: true,
      role: "member",
      unread: 0,
      last: event,
    };
    const actions = [
      {
        action: 2,
        tool: "leave",
        input: { chat: echo.chat },
        state: "pending",
        created: time,
        expires: time,
        open: true,
      },
    ];
    const whole = { agent: { name: "My Agent" }, actions };
    agent.newCommands();
    expect((await client.use("list")).data).toEqual({
      ...whole,
      chats: [bobs, trails, echos, ridgelines],
    });
    expect(agent.newCommands()).toEqual([
      expect.stringMatching(/^\/_get chats \d+ count=24$/),
      expect.stringMatching(/^\/_show_address \d+$/),
    ]);
    const chats = async (input: Record<string, unknown>) => (await client.use("list", input)).data?.chats;
    expect(await chats({ limit: 2 })).toEqual([bobs, trails]);
    expect(await chats({ limit: 2, before: chat })).toEqual([echos, ridgelines]);
    expect(await chats({ before: business })).toEqual([]);
    expect(await chats({ search: "rid" })).toEqual([ridgelines]);
    expect(await chats({ search: "My Agent" })).toEqual([]);
    await expectUnread(agent, client, chat, 1);

    await approve(owner, 2);
    expect((await pending.result).data).toMatchObject({ status: "done" });
    await world.settle();
    expect((await client.use("list")).data).toEqual({
      agent: { name: "My Agent" },
      chats: [bobs, trails, ridgelines],
      actions: [],
    });
  });

  flow("shows no message that is still typed", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    const hands = await agent.hands();
    const typed = await peer.sendLive(peerChat, "half a tho");
    await hands.got("half a tho");
    const [shown] = z
      .array(z.object({ chat: z.string() }).loose())
      .parse((await client.use("list")).data?.chats);
    expect(shown).toMatchObject({ chat, unread: 1 });
    expect(shown).not.toHaveProperty("last");
    await peer.type(peerChat, typed, "half a thought", { final: true });
    await hands.got("half a thought");
    expect((await client.use("list")).data).toMatchObject({ chats: [{ last: { text: "half a thought" } }] });
  });

  flow("goes on only after a chat that the search finds", async ({ world }) => {
    const { agent, client, chat } = await scene(world, { kind: "contact", era });
    for (const name of ["Zed A", "Zed B", "Zed C"]) await contactOf(world, agent, name);
    const found = (await client.use("list", { search: "Zed", limit: 2 })).data?.chats;
    expect(found).toMatchObject([{ name: "Zed C" }, { name: "Zed B" }]);
    const [, last] = z.array(z.object({ chat: z.string() })).parse(found);
    const next = await client.use("list", { search: "Zed", limit: 2, before: last?.chat });
    expect(next.data).toMatchObject({ chats: [{ name: "Zed A" }] });
    expect(await client.use("list", { search: "Zed", limit: 2, before: chat })).toEqual({
      data: undefined,
      text: `${chat} is not among the chats that this search finds. Give the last chat of the page before, or leave before out.`,
      isError: true,
    });
  });

  flow("of an agent that knows nobody is empty", async ({ world }) => {
    const { agent } = await world.agentWithOwner();
    const client = await agent.client(era);
    expect((await client.use("list")).data).toEqual({
      agent: { name: "My Agent" },
      chats: [],
      actions: [],
    });
  });
});
