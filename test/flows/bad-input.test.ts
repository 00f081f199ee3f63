/** What an agent must not ask for: arguments, chats, items and members that are none. */
import { describe, expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import type { TestAgent } from "../world/agent.js";
import { ERAS, type TestClient } from "../world/client.js";
import { flow, flowWithNames, simulatedOnly } from "../world/flow-test.js";
import { RawCall } from "../world/raw-call.js";
import type { World } from "../world/world.js";
import { effects, refuses } from "./bad.js";
import { listedActions, withAction } from "./listed.js";
import { scene } from "./scenes.js";
import { messagesOf } from "./support.js";
import { contactOf, trail } from "./trail.js";

type Arguments = readonly [tool: string, input: Record<string, unknown>];

const CHAT_FORM = "chat: a chat is @4 (contact) or #15 (group), as list gives it";

/** Arguments of a tool that are out of range, and what is said about them. */
const OUT_OF_RANGE: readonly (readonly [...Arguments, string])[] = [
  ["send", { text: "t" }, "chat: Invalid input: expected string, received undefined"],
  ["send", { chat: 2, text: "t" }, "chat: Invalid input: expected string, received number"],
  ["send", { chat: "#2", text: 5 }, "text: Invalid input: expected string, received number"],
  ["send", { chat: null, text: "t" }, "chat: Invalid input: expected string, received null"],
  ["send", { chat: "#2", text: "t", wait: -1 }, "wait: Too small: expected number to be >=0"],
  ["send", { chat: "#2", text: "t", wait: 86_401 }, "wait: Too big: expected number to be <=86400"],
  ["send", { chat: "#2", text: "t", wait: "five" }, "wait: Invalid input: expected number, received string"],
  ["send", { chat: "#2", text: "t", idle: 0.5 }, "idle: Too small: expected number to be >=1"],
  ["send", { chat: "#2", text: "t", idle: 3601 }, "idle: Too big: expected number to be <=3600"],
  ["send", { chat: "#2", text: "t", limit: 0 }, "limit: Too small: expected number to be >=1"],
  ["send", { chat: "#2", text: "t", limit: 101 }, "limit: Too big: expected number to be <=100"],
  ["send", { chat: "#2", text: "t", limit: 1.5 }, "limit: Invalid input: expected int, received number"],
  ["send", { chat: "#2", text: "t", reply_to: 0 }, "reply_to: Too small: expected number to be >0"],
  [
    "send",
    { chat: "#2", text: "t", reply_to: 1.5 },
    "reply_to: Invalid input: expected int, received number",
  ],
  [
    "send",
    { chat: "#2", text: "t", reply_to: 2 ** 53 },
    "reply_to: Too big: expected int to be <=9007199254740991",
  ],
  [
    "send",
    { chat: "#2", text: "t", mention: [1, 2, 3, 4] },
    "mention: Too big: expected array to have <=3 items",
  ],
  ["send", { chat: "#2", text: "t", mention: [0] }, "mention.0: Too small: expected number to be >0"],
  ["send", { chat: "#2", text: "t", mention: 5 }, "mention: Invalid input: expected array, received number"],
  ["send", { chat: "#2", text: "t", as: "image" }, 'as: Invalid input: expected "file"'],
  ["send", { chat: "#2", file: "" }, "file: Too small: expected string to have >=1 characters"],
  [
    "send",
    { chat: "#2", file: "x".repeat(4097) },
    "file: Too big: expected string to have <=4096 characters",
  ],
  ["receive", { wait: -1 }, "wait: Too small: expected number to be >=0"],
  ["receive", { wait: 86_401 }, "wait: Too big: expected number to be <=86400"],
  ["receive", { limit: 0 }, "limit: Too small: expected number to be >=1"],
  ["receive", { limit: 101 }, "limit: Too big: expected number to be <=100"],
  ["history", {}, "chat: Invalid input: expected string, received undefined"],
  ["history", { chat: "#2", before: 0 }, "before: Too small: expected number to be >0"],
  ["history", { chat: "#2", after: -1 }, "after: Too small: expected number to be >0"],
  ["history", { chat: "#2", around: "five" }, "around: Invalid input: expected number, received string"],
  ["history", { chat: "#2", limit: 101 }, "limit: Too big: expected number to be <=100"],
  ["history", { chat: "#2", search: "" }, "search: Too small: expected string to have >=1 characters"],
  [
    "history",
    { chat: "#2", search: "x".repeat(1001) },
    "search: Too big: expected string to have <=1000 characters",
  ],
  ["list", { limit: 0 }, "limit: Too small: expected number to be >=1"],
  ["list", { limit: 101 }, "limit: Too big: expected number to be <=100"],
  ["list", { search: "" }, "search: Too small: expected string to have >=1 characters"],
  ["list", { search: "x".repeat(101) }, "search: Too big: expected string to have <=100 characters"],
  ["members", { chat: "#2", limit: "101" }, "limit: Too big: expected number to be <=100"],
  ["members", { chat: "#2", after: 0 }, "after: Too small: expected number to be >0"],
  ["members", { chat: "#2", search: "" }, "search: Too small: expected string to have >=1 characters"],
  ["members", { chat: null }, "chat: Invalid input: expected string, received null"],
  ["members", {}, "chat: Invalid input: expected string, received undefined"],
  ["leave", {}, "chat: Invalid input: expected string, received undefined"],
  ["download", { chat: "#2" }, "item: Invalid input: expected number, received undefined"],
  ["download", { chat: "#2", item: 0 }, "item: Too small: expected number to be >0"],
  ["download", { chat: "#2", item: 1, wait: 86_401 }, "wait: Too big: expected number to be <=86400"],
  ["connect", {}, "target: Invalid input: expected string, received undefined"],
  ["connect", { target: "" }, "target: Too small: expected string to have >=1 characters"],
  [
    "connect",
    { target: "@a.simplex", incognito: "yes" },
    "incognito: Invalid input: expected boolean, received string",
  ],
  [
    "connect",
    { target: "@a.simplex", message: 5 },
    "message: Invalid input: expected string, received number",
  ],
  ["connect", { target: "@a.simplex", wait: 86_401 }, "wait: Too big: expected number to be <=86400"],
  ["connect", { target: "@a.simplex", idle: 0 }, "idle: Too small: expected number to be >=1"],
];

/** What is wrong beyond the form of an argument. */
const NOT_TOGETHER: readonly (readonly [...Arguments, string])[] = [
  ["send", { chat: "#2" }, "The text is empty. Give a text to send."],
  ["send", { chat: "#2", text: "t", as: "file" }, "as goes with a file. Give its path as file."],
  ["history", { chat: "#2", before: 5, after: 5 }, "Give only one of before, after and around."],
  ["history", { chat: "#2", search: "a\nb" }, "search takes one line."],
  [
    "history",
    { chat: "#2", search: "a\ud800" },
    "The search is no valid Unicode: it has half of a surrogate pair. Send whole characters.",
  ],
  [
    "list",
    { search: "\udc00" },
    "The search is no valid Unicode: it has half of a surrogate pair. Send whole characters.",
  ],
];

/** Every tool with a chat. */
const WITH_CHAT: readonly ((chat: string) => Arguments)[] = [
  (chat) => ["send", { chat, text: "t" }],
  (chat) => ["receive", { chat }],
  (chat) => ["receive", { chat, wait: 3600 }],
  (chat) => ["download", { chat, item: 1 }],
  (chat) => ["leave", { chat }],
  (chat) => ["members", { chat }],
  (chat) => ["history", { chat }],
  (chat) => ["history", { chat, search: "agent" }],
  (chat) => ["list", { before: chat }],
];

describe.each(ERAS)("a client of the %s era", (era) => {
  flow("may send null for what it leaves out, and numbers as text", async ({ world }) => {
    const { agent, client, peer, chat, peerChat } = await scene(world, { kind: "contact", era });
    for (const text of ["one", "two"]) await peer.send(peerChat, text);
    await (await agent.hands()).got("two");
    const got = await client.use("receive", { chat: null, wait: null, limit: "1" });
    expect(got.data).toMatchObject({ messages: [{ text: "one", chat }], more: 1 });
    expect((await client.use("list", { search: null, limit: null, before: null })).data).toMatchObject({
      chats: [{ chat }],
    });
    await (await RawCall.open(agent, era, "list", null)).resultBegan();
  });

  flow("is told which argument is out of its range", async ({ world }) => {
    const { agent } = await world.agentWithOwner();
    const client = await agent.client(era);
    for (const [tool, input, text] of OUT_OF_RANGE) {
      const error = `Input validation error: Invalid arguments for tool ${tool}: ${text}`;
      await refuses({ agent, client }, [tool, input], error);
    }
    for (const [tool, input, text] of NOT_TOGETHER) await refuses({ agent, client }, [tool, input], text);
    await expect(client.use("nosuch", {})).rejects.toMatchObject({
      code: -32602,
      message: "Tool nosuch not found",
    });
    expect(await listedActions(client)).toEqual([]);
  });

  flow("finds the control chat no more than a chat that is not there", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const G = agent.controlChat;
    await owner.says("a message of the owner");
    await (await agent.hands()).got("a message of the owner");
    const client = await agent.client(era);
    for (const call of WITH_CHAT) {
      for (const ref of ["#99", "@99", "#999999999999999", G]) {
        await refuses({ agent, client }, call(ref), `There is no chat ${ref}. list shows the chats.`);
      }
      const spelled = [
        `#0${G.slice(1)}`,
        `# ${G.slice(1)}`,
        ` ${G}`,
        `${G} `,
        `${G}\n`,
        `${G}\0`,
        `##${G.slice(1)}`,
      ];
      const notRefs = [
        ...spelled,
        "#+1",
        "#1.0",
        "#1e0",
        "#0x1",
        "#１",
        "#",
        "",
        "1",
        "*1",
        "Trail",
        "My Agent",
        "#9999999999999999",
      ];
      for (const ref of notRefs) {
        const args = call(ref);
        const error = `Input validation error: Invalid arguments for tool ${args[0]}: ${args[0] === "list" ? CHAT_FORM.replace("chat", "before") : CHAT_FORM}`;
        await refuses({ agent, client }, args, error);
      }
    }
    for (const input of [{}, { search: "My Agent" }, { search: "agent" }]) {
      expect((await client.use("list", input)).data).toMatchObject({ chats: [] });
    }
    expect((await client.use("receive")).data).toEqual({ messages: [], more: 0 });
  });
});

flow("the control chat is not reached by its link either", async ({ world }) => {
  const { agent } = await world.agentWithOwner();
  const G = agent.controlChat;
  const made = await agent.api.sendChatCmd(`/_create link ${G} member`);
  const link = /"connShortLink":"([^"]+)"/.exec(JSON.stringify(made))?.[1];
  const client = await agent.client("modern");
  await refuses(
    { agent, client },
    ["connect", { target: link }],
    `There is no chat ${G}. list shows the chats.`,
  );
  expect(await listedActions(client)).toEqual([]);
});

describe("a target", () => {
  flow("that is no link is refused", async ({ world }) => {
    const { agent } = await world.agentWithOwner();
    const client = await agent.client("modern");
    const bot = await world.person("Echo", { peerType: "bot" });
    const link = await bot.makeAddress();
    const invitation = await bot.makeInvitation();
    const no = "This is not a SimpleX link or name: check that it is complete.";
    const targets: [string, string][] = [
      ...[
        " ",
        "hello",
        "http://example.com",
        "https://example.com/a#b",
        "mailto:a@b.c",
        "simplex:/contact#/?v=2",
      ].map((target): [string, string] => [target, no]),
      ...["a\nb", "a b", "a\0b", `${link}\n/_send #1`, "\n\t", "@4", "x".repeat(5000)].map(
        (target): [string, string] => [target, no],
      ),
      // Its server and port stay: else the network is asked.
      [link.replace(/(#[^?]{8})[^?]*/, "$1"), no],
      ["\ud800", "The target is no valid Unicode: it has half of a surrogate pair. Send whole characters."],
    ];
    for (const [target, text] of targets) await refuses({ agent, client }, ["connect", { target }], text);
    const own = await (await agent.hands()).makeAddress();
    await refuses({ agent, client }, ["connect", { target: own }], "This is the agent's own address.");
    await bot.run(`/_delete_address ${bot.userId}`);
    await bot.waitFor("the end of its address", ({ type }) => type === "agentConnsDeleted");
    const gone = "The link is gone: it was deleted or used already, so ask for a new one.";
    await refuses({ agent, client }, ["connect", { target: link }], gone);
    await (await world.person("Bob")).join(invitation);
    await refuses({ agent, client }, ["connect", { target: invitation }], gone);
    expect(await listedActions(client)).toEqual([]);
  });

  flowWithNames("that is no name is refused", async ({ world }) => {
    const { agent } = await world.agentWithOwner();
    const client = await agent.client("modern");
    const noName = "No such SimpleX name: check its spelling or ask for a link.";
    for (const target of ["#1", "@nobody.simplex", "@nobody.testing"])
      await refuses({ agent, client }, ["connect", { target }], noName);
    expect(await listedActions(client)).toEqual([]);
  });

  flow("of a group takes no message, and an empty message is none", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const client = await agent.client("modern");
    const { link } = await (await world.person("Hazel")).makeGroup("Trail");
    const error = "A group takes no message with the request: connect without message.";
    await refuses({ agent, client }, ["connect", { target: link, message: "hello" }], error);
    const call = client.call("connect", { target: link, message: " \n" });
    await owner.sees(`I want to connect to group Trail (${link}), as myself.\n/'approve 1' or /'reject 1'`);
    const same = client.call("connect", { target: link });
    await same.progressed(/^Action 1 waits/);
    for (const one of [call, same]) one.cut();
  });
});

describe("an item", () => {
  /** Items of every kind, as the agent numbers them. */
  async function items(world: World) {
    const set = await trail(world);
    const { agent, chat, hazel, hazels } = set;
    const { person: bob, chat: bobs, theirs } = await contactOf(world, agent, "Bob");
    const hands = await agent.hands();
    await bob.send(theirs, "to the agent alone");
    const elsewhere = (await hands.got("to the agent alone")).item;
    const sent = await hazel.send(hazels, "to be deleted");
    const deleted = (await hands.got("to be deleted")).item;
    await hazel.deleteMessage(hazels, sent);
    await hands.waitFor("the deletion", ({ type }) => type === "chatItemsDeleted");
    await hazel.send(hazels, "just a text");
    const text = (await hands.got("just a text")).item;
    const client = await agent.client("modern");
    const events = (await client.use("history", { chat })).data?.messages as {
      item: number;
      kind?: string;
    }[];
    const event = events.find(({ kind }) => kind === "event")?.item ?? 0;
    expect(event).toBeGreaterThan(0);
    return { ...set, client, bobs, event, deleted, elsewhere, text };
  }

  flow("that is no message of the chat is neither quoted nor downloaded", async ({ world }) => {
    const { agent, client, chat, bobs, event, deleted, elsewhere, text } = await items(world);
    const noReply = (id: number, where: ChatRef = chat) =>
      `There is no message ${id} in ${where} to reply to. history shows its messages.`;
    for (const id of [9999, Number.MAX_SAFE_INTEGER, event, deleted, elsewhere]) {
      await refuses({ agent, client }, ["send", { chat, text: "t", reply_to: id }], noReply(id));
    }
    await refuses(
      { agent, client },
      ["send", { chat: bobs, text: "t", reply_to: text }],
      noReply(text, bobs),
    );

    const none = (id: number) => `There is no message ${id} in ${chat}. history shows its messages.`;
    const noFile = (id: number) =>
      `Message ${id} in ${chat} has no file. history shows which messages have one.`;
    for (const id of [9999, deleted, elsewhere]) {
      await refuses({ agent, client }, ["download", { chat, item: id }], none(id));
    }
    for (const id of [text, event])
      await refuses({ agent, client }, ["download", { chat, item: id }], noFile(id));

    for (const anchor of ["before", "after", "around"]) {
      for (const id of [9999, elsewhere]) {
        await refuses(
          { agent, client },
          ["history", { chat, [anchor]: id }],
          `There is no item ${id} in ${chat}.`,
        );
      }
    }
    expect(await listedActions(client)).toEqual([]);
  });
});

describe("a member", () => {
  flow("that is not in the group is not mentioned", async ({ world }) => {
    const { agent, owner, chat, switchback, switchbacks } = await trail(world);
    const hands = await agent.hands();
    const { chat: bobs } = await contactOf(world, agent, "Bob");
    const control = await hands.member(agent.controlChat, "Alice");
    const hazel = await hands.member(chat, "Hazel");
    const left = await hands.member(chat, "Switchback");
    await switchback.leave(switchbacks);
    await hands.waitFor("Switchback leaving", ({ type }) => type === "leftMember");
    const client = await agent.client("modern");
    const none = (id: number) => `There is no member ${id} in ${chat}. members shows who is there.`;
    for (const id of [9999, left, control]) {
      await refuses({ agent, client }, ["send", { chat, text: "t", mention: [id] }], none(id));
      await refuses({ agent, client }, ["send", { chat, text: "t", mention: [hazel, id] }], none(id));
    }
    await refuses(
      { agent, client },
      ["send", { chat: bobs, text: "t", mention: [hazel] }],
      `${bobs} is a contact: only members of a group can be mentioned.`,
    );
    await refuses(
      { agent, client },
      ["members", { chat: bobs }],
      `${bobs} is a contact, it has no members. members takes a group, such as #15.`,
    );
    expect(await listedActions(client)).toEqual([]);
    // Twice the same is once.
    client.call("send", { chat, text: "t", mention: [hazel, hazel] });
    await owner.sees(/^I want to send a message to group Trail: `@Hazel t` mentioning @Hazel\n/);
  });
});

describe("a chat", () => {
  const notConnected = (chat: ChatRef) => `The agent is not connected to ${chat}. list tells when it is.`;

  flow("that is not connected takes no message", async ({ world }) => {
    const { agent, hazel, hazels, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    const sends = (to: ChatRef): Arguments => ["send", { chat: to, text: "t" }];

    const shy = await world.person("Shy");
    const prepared = await hands.prepare(await shy.makeAddress({ autoAccept: false }));
    await refuses({ agent, client }, sends(prepared), notConnected(prepared));
    const waiting = await hands.startJoining(
      await (await world.person("Slow")).makeAddress({ autoAccept: false }),
    );
    await refuses({ agent, client }, sends(waiting), notConnected(waiting));

    const { person: bob, chat: bobs, theirs } = await contactOf(world, agent, "Bob");
    await bob.deleteChat(theirs);
    await hands.waitFor("the deletion", ({ type }) => type === "contactDeletedByContact");
    await refuses({ agent, client }, sends(bobs), notConnected(bobs));

    await hazel.setRole(hazels, "My Agent", "observer");
    await hands.waitFor("the role", ({ type }) => type === "memberRole");
    await refuses(
      { agent, client },
      sends(chat),
      `The agent is observer in ${chat} and may not write there. Ask an admin for another role.`,
    );
    await hazel.remove(hazels, "My Agent");
    await hands.waitFor("the removal", ({ type }) => type === "deletedMemberUser");
    await refuses({ agent, client }, sends(chat), notConnected(chat));
    expect(await listedActions(client)).toEqual([]);
  });

  flow("that was left or deleted is not there, or not connected", async ({ world }) => {
    const { agent, chat } = await trail(world);
    const hands = await agent.hands();
    const client = await agent.client("modern");
    const ivy = await world.person("Ivy");
    const { chat: ivys, link } = await ivy.makeGroup("Creek");
    const creek = await hands.join(link);
    await ivy.waitFor("the agent", ({ type }) => type === "joinedGroupMember");
    await ivy.deleteChat(ivys);
    await hands.waitFor("the end of Creek", ({ type }) => type === "groupDeleted");
    await refuses({ agent, client }, ["send", { chat: creek, text: "t" }], notConnected(creek));

    await hands.leave(chat);
    await refuses({ agent, client }, ["send", { chat, text: "t" }], notConnected(chat));
    await hands.run(`/_delete ${chat} full notify=off`);
    for (const call of WITH_CHAT) {
      await refuses({ agent, client }, call(chat), `There is no chat ${chat}. list shows the chats.`);
    }
    expect(await listedActions(client)).toEqual([]);
  });
});

describe("too much", () => {
  const TOO_MANY = "50 actions are pending already. Wait for your owner to decide some of them.";
  const tooFast = (seconds: number) =>
    `Too many new requests: at most 10 a minute. Try again in ${seconds} s.`;

  async function asks(client: TestClient, chat: ChatRef, number: number): Promise<void> {
    const call = client.call("send", { chat, text: `${number}`, wait: 0 });
    await call.progressed(new RegExp(`^Action ${number} waits`));
    call.cut();
  }

  simulatedOnly(
    "the clock is moved",
    "is eleven new cards a minute, and fifty that wait",
    async ({ world }) => {
      const { agent, owner, chat } = await trail(world);
      const client = await agent.client("modern");
      let number = 0;
      for (let minute = 0; minute < 5; minute += 1) {
        await asks(client, chat, ++number);
        await world.pass(20_000);
        for (let count = 0; count < 9; count += 1) await asks(client, chat, ++number);
        if (minute === 4) break;
        await refuses({ agent, client }, ["send", { chat, text: "more" }], tooFast(40));
        await refuses({ agent, client }, ["leave", { chat }], tooFast(40));
        await world.pass(39_500);
        await refuses({ agent, client }, ["send", { chat, text: "more" }], tooFast(1));
        // A call that attaches asks for no new card.
        await asks(client, chat, number);
        await world.pass(20_500);
      }
      await world.pass(60_000);
      await refuses({ agent, client }, ["send", { chat, text: "more" }], TOO_MANY);
      await refuses({ agent, client }, ["leave", { chat }], TOO_MANY);
      await asks(client, chat, 7);
      // One decided makes room for one.
      await owner.says("/reject 7");
      await withAction(client, { action: 7, state: "rejected" });
      await asks(client, chat, ++number);
      await refuses({ agent, client }, ["send", { chat, text: "more" }], TOO_MANY);
      expect(owner.cards.filter((card) => card.startsWith("I want to send"))).toHaveLength(50);
    },
  );
});

describe("without an approving owner", () => {
  const NOBODY =
    "The agent has no approving owner. Ask the person who runs the server to let one join by the link it shows.";
  const NO_LINK =
    "The agent has no approving owner. Ask the person who runs the server to restart it, and to let one join by the link it shows then.";
  const NO_LIST =
    "The agent has no approving owner. Ask the person who runs the server to restart it with the --owners list it prints.";

  async function asksNobody(agent: TestAgent, text: string, chat: ChatRef, target: string): Promise<void> {
    const client = await agent.client("modern");
    const calls: Arguments[] = [
      ["connect", { target }],
      ["send", { chat, text: "t" }],
      ["leave", { chat }],
    ];
    for (const call of calls) await refuses({ agent, client }, call, text);
    expect(await listedActions(client)).toEqual([]);
    // What asks nobody works.
    expect(messagesOf(await client.use("receive", { chat }))).toEqual([]);
  }

  flow("nothing can be asked for", async ({ world }) => {
    const { agent, owner, chat } = await trail(world);
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    await owner.person.leave(owner.chat);
    await agent.prints("No owner is left: nobody can approve actions. Restart the server to invite one.");
    await asksNobody(agent, NO_LINK, chat, target);
    await agent.restart();
    await asksNobody(agent, NOBODY, chat, target);
    await agent.restart({ owners: { kind: "setup" } });
    await asksNobody(agent, NO_LIST, chat, target);
    effects(agent);
  });
});
