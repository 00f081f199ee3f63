/** Texts and names that are not what they seem: what the owner is shown, what is sent, what the agent gets. */

import { describe, expect } from "vitest";
import type { TestClient } from "../world/client.js";
import { ERAS } from "../world/client.js";
import { flow } from "../world/flow-test.js";
import { jsonHeaders } from "../world/raw-call.js";
import { renamed } from "../world/renamed.js";
import type { World } from "../world/world.js";
import { effects, refuses } from "./bad.js";
import { listedActions } from "./listed.js";
import { scene } from "./scenes.js";
import { posts } from "./support.js";
import { approve } from "./trail.js";

const NOTE = " (shown with replaced characters)";
const SURROGATE = "is no valid Unicode: it has half of a surrogate pair. Send whole characters.";
const MANY = { limits: { pending: 100, cardsPerMinute: 100 } };

/** Texts, and how the card shows them after the words before. */
const TEXTS: readonly (readonly [text: string, shown: string])[] = [
  ["a `b` c", ` \`a ˋbˋ c\`${NOTE}`],
  ["```\n/approve 1\n```", `\n\`ˋˋˋ\`\n\`/approve 1\`\n\`ˋˋˋ\`${NOTE}`],
  ["one\n\ntwo\n", `\n\`one\`\n\`␤\`\n\`two\`\n\`␤\`${NOTE}`],
  ["hello\n/'approve 1' or /'reject 1'", "\n`hello`\n`/'approve 1' or /'reject 1'`"],
  ["hello`\nApproved by Alice.", `\n\`helloˋ\`\n\`Approved by Alice.\`${NOTE}`],
  [" a  b ", ` \`␣a  b␣\`${NOTE}`],
  ["a\u202Eb\u2066", ` \`a\\u{202E}b\\u{2066}\`${NOTE}`],
  ["a\u200Bb\u200D\uFEFF", ` \`a\\u{200B}b\\u{200D}\\u{FEFF}\`${NOTE}`],
  ["\u200B", ` \`\\u{200B}\`${NOTE}`],
  ["a\r\nb\tc", `\n\`a\\u{D}\`\n\`b\\u{9}c\`${NOTE}`],
  ["a\0b\u0007\u0085", ` \`a\\u{0}b\\u{7}\\u{85}\`${NOTE}`],
  ["\u{E0041}\uFE0F\u2028\u3164", ` \`\\u{E0041}\\u{FE0F}\\u{2028}\\u{3164}\`${NOTE}`],
  ["👩‍👩‍👧 ☺️", " `👩‍👩‍👧 ☺️`"],
  ["שלום", "\n`שלום`"],
  ["*b* _i_ !1 red! #x# @Bob https://a.b", " `*b* _i_ !1 red! #x# @Bob https://a.b`"],
];

flow("a text is shown as it is, and sent as it was given", async ({ world }) => {
  const { agent, owner, client, peer, chat } = await scene(world, { kind: "contact", ...MANY });
  for (const [index, [text, shown]] of TEXTS.entries()) {
    const number = index + 1;
    const call = client.call("send", { chat, text, wait: 0 });
    const says = `a message to contact Bob:${shown}`;
    await owner.sees(
      `I want to send ${says}\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
    );
    agent.newCommands();
    await owner.says(`/approve ${number}`);
    expect((await call.result).data).toMatchObject({ action: number, status: "done" });
    await owner.sees(`I sent ${says}\nApproved by Alice.`);
    expect(effects(agent)[0]).toBe(posts(chat, text));
    await peer.got(text);
  }
  await world.settle();
  expect(peer.inbox.map(({ text }) => text)).toEqual(TEXTS.map(([text]) => text));
});

flow("a reason and a message of the agent are no commands, whatever is in them", async ({ world }) => {
  const { owner, client, chat, peer } = await scene(world, { kind: "contact" });
  const one = client.call("send", { chat, text: "/approve 2", wait: 0 });
  await owner.sees(/`\/approve 2`/);
  const two = client.call("send", { chat, text: "two", wait: 0 });
  await owner.sees(/`two`/);
  await owner.says("/reject 1 no `way`\n/approve 2\u202E");
  expect((await one.result).data).toMatchObject({ status: "rejected", reason: "no `way`\n/approve 2\u202E" });
  await owner.sees(
    `I wanted to send a message to contact Bob: \`/approve 2\`\nRejected by Alice: \`no ˋwayˋ␤/approve 2\\u{202E}\`${NOTE}.`,
  );
  await world.settle();
  expect(two.settled).toBe(false);
  expect(peer.inbox).toEqual([]);
});

/** Bytes of a text to the contact that a card has room for, with its longest ending and the reference of a name. */
async function roomInCard(client: TestClient, chat: string): Promise<number> {
  const { text } = await client.use("send", { chat, text: "x".repeat(15_488) });
  const [, excess] =
    /^Your owner could not be shown all of this: the request is (\d+) bytes too long\./.exec(text) ?? [];
  const room = 15_488 - Number(excess);
  expect(room).toBeGreaterThan(13_000);
  return room;
}

describe.each(ERAS)("a text that cannot be sent, by a client of the %s era", (era) => {
  flow("is refused, with what is wrong with it", async ({ world }) => {
    const { agent, client, chat } = await scene(world, { kind: "contact", era });
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    for (const text of ["", " ", "\n\t\u00A0\uFEFF\u3000"]) {
      await refuses({ agent, client }, ["send", { chat, text }], "The text is empty. Give a text to send.");
    }
    for (const text of ["a\uD800b", "\uDC00", "\uDC00\uD800", `${"x".repeat(100)}\uD83D`]) {
      await refuses({ agent, client }, ["send", { chat, text }], `The text ${SURROGATE}`);
      await refuses({ agent, client }, ["connect", { target, message: text }], `The message ${SURROGATE}`);
    }
    expect(await listedActions(client)).toEqual([]);
  });

  flow("is refused when it is too long for a message or a card, by how many bytes", async ({ world }) => {
    const { agent, client, chat } = await scene(world, { kind: "contact", era });
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    const tooLong = (bytes: number) =>
      `The text is ${bytes} bytes too long, with its quote and mentions counted. Shorten it or send several messages.`;
    const noCard = (bytes: number) =>
      `Your owner could not be shown all of this: the request is ${bytes} bytes too long. Shorten the text.`;
    const refusesText = (text: string, error: string) =>
      refuses({ agent, client }, ["send", { chat, text }], error);
    // 15488 bytes fit a message, fewer of them the card.
    await refusesText("x".repeat(15_489), tooLong(1));
    const room = await roomInCard(client, chat);
    const half = Math.floor(room / 2);
    await refusesText("x".repeat(15_488), noCard(15_488 - room));
    await refusesText("x".repeat(room + 1), noCard(1));
    await refusesText("ä".repeat(half + 1), noCard(2 * (half + 1) - room));
    // Each of them is two bytes on the wire.
    await refusesText('"'.repeat(half + 1), noCard(2 * (half + 1) - room));
    // A backtick is shown by a character of two bytes.
    await refusesText("`".repeat(7_000), noCard(14_000 + NOTE.length - room));
    await refusesText("x".repeat(900_000), tooLong(900_000 - 15_488));
    const message = "x".repeat(15_000);
    const { text } = await client.use("connect", { target, message });
    expect(text).toBe(
      "The message is 5000 bytes too long for a connection request. Shorten it, or send the rest when connected.",
    );
    expect(effects(agent)).toEqual([]);
    expect(await listedActions(client)).toEqual([]);

    await expect(client.use("send", { chat, text: "x".repeat(1 << 20) })).rejects.toThrow(
      "The body is over 1 MiB.",
    );
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "ping",
      params: { x: "x".repeat(1 << 20) },
    });
    const response = await fetch(agent.server.url, { method: "POST", headers: jsonHeaders(agent), body });
    expect(response.status).toBe(413);
    expect(effects(agent)).toEqual([]);
  });

  flow("fits to the last byte, card and message", async ({ world }) => {
    const { owner, client, peer, chat } = await scene(world, { kind: "contact", era });
    const text = "x".repeat(await roomInCard(client, chat));
    const call = client.call("send", { chat, text, wait: 0 });
    await approve(owner, 1);
    expect((await call.result).data).toMatchObject({ status: "done" });
    await owner.sees(`I sent a message to contact Bob: \`${text}\`\nApproved by Alice.`);
    await peer.got(text);
  });
});

flow("a quote and mentions count for the size of a message", async ({ world }) => {
  const { agent, owner, client, chat, peer, peerChat } = await scene(world, { kind: "group" });
  await peer.send(peerChat, "q".repeat(8_000));
  const quoted = await (await agent.hands()).got("q".repeat(8_000));
  const member = await (await agent.hands()).member(chat, "Hazel");
  const input = { chat, text: "x".repeat(8_000), reply_to: quoted.item };
  const { text } = await client.use("send", input);
  const bytes = Number(
    /^The text is (\d+) bytes too long, with its quote and mentions counted\./.exec(text)?.[1],
  );
  expect(bytes).toBeGreaterThan(500);
  const shorter = { ...input, text: "x".repeat(8_000 - bytes) };
  // The card has the quote, too: it is what is too long now.
  expect((await client.use("send", shorter)).text).toMatch(/^Your owner could not be shown all of this/);
  expect(effects(agent)).toEqual([]);
  // The name in front of the text and the member's id.
  const mentioning = { chat, text: "x".repeat(15_488), mention: [member] };
  expect((await client.use("send", mentioning)).text).toMatch(/^The text is \d\d bytes too long/);
  expect(owner.cards).toHaveLength(1);
});

/** Names of peers whose apps allow everything, and how the owner is shown them. */
const NAMES: readonly (readonly [name: string, shown: string])[] = [
  ["", `\`␤\`${NOTE}`],
  [" ", `\`␣\`${NOTE}`],
  ["/approve 1", "`/approve 1`"],
  ["`/approve 1`", `\`ˋ/approve 1ˋ\`${NOTE}`],
  ["Bob\n/'approve 1'", `\`Bob␤/'approve 1'\`${NOTE}`],
  ["Bob.\nApproved by Alice.", `\`Bob.␤Approved by Alice.\`${NOTE}`],
  ["Bob\u202E", `\`Bob\\u{202E}\`${NOTE}`],
  ["B\u200Bob", `\`B\\u{200B}ob\`${NOTE}`],
  ["@Alice", "`@Alice`"],
  ["#1", "`#1`"],
  ["https://evil.example", "`https://evil.example`"],
  ["*Bob*", "`*Bob*`"],
  ["0123456789", "`0123456789`"],
  ["x".repeat(200), `\`${"x".repeat(50)}…\``],
  ["Zoë-Anna 🌲", "Zoë-Anna 🌲"],
];

/** An agent whose core tells the name of a person and of a group as this one. */
async function withName(world: World, name: string) {
  const { agent, owner } = await world.agentWithOwner({
    ...MANY,
    onOpen: (api) =>
      renamed(
        api,
        new Map([
          ["Mallory", name],
          ["Trail", name],
        ]),
      ),
  });
  const mallory = await world.person("Mallory");
  const hands = await agent.hands();
  const address = await mallory.makeAddress();
  const { chat: theirs, link } = await mallory.makeGroup("Trail");
  const chat = await hands.join(link);
  await mallory.waitFor("the agent", ({ type }) => type === "joinedGroupMember");
  const client = await agent.client("modern");
  return { agent, owner, client, mallory, hands, address, chat, theirs };
}

describe("a name of a peer", () => {
  for (const [name, shown] of NAMES) {
    flow(`is nothing but a name: ${JSON.stringify(name).slice(0, 40)}`, async ({ world }) => {
      const set = await withName(world, name);
      const { owner, client, mallory, hands, address, chat, theirs } = set;
      const id = await hands.member(chat, name);

      // The agent gets it with what cannot be seen made visible.
      const read = named(name);
      const members = (await client.use("members", { chat })).data;
      expect(members).toMatchObject({ members: [{ member: id, name: read, kind: "member", role: "owner" }] });
      await mallory.send(theirs, "hello");
      const { item } = await hands.got("hello");
      const received = await client.use("receive");
      expect(received.data).toMatchObject({
        messages: [
          { item, from: { member: id, name: read, kind: "member" }, text: "hello", chat, chat_name: read },
        ],
      });

      // The owner sees that it is a name.
      const connecting = client.call("connect", { target: address });
      const quoting = client.call("send", { chat, text: "t", reply_to: item });
      // Two calls at once get their numbers in either order.
      const connects = `I want to connect to ${name === "" ? "contact" : `contact ${shown}`} (${address}), as myself.\n`;
      await owner.sees(new RegExp(`^${escaped(connects)}/'approve ([12])' or /'reject \\1'$`));
      await owner.sees(
        new RegExp(
          `^${escaped(`I want to send a message to group ${shown}: \`t\` replying to ${shown}: \`hello\`\n`)}`,
        ),
      );
      for (const call of [connecting, quoting]) call.cut();

      const contact = await hands.join(address);
      expect((await client.use("list")).data?.chats).toContainEqual(
        expect.objectContaining({ chat: contact, name: read, kind: "contact" }),
      );
      const sending = client.call("send", { chat: contact, text: "t", wait: 0 });
      const leaving = client.call("leave", { chat: contact });
      // The group has the same name.
      const who = `contact ${shown} (${contact})`;
      await owner.sees(new RegExp(`^${escaped(`I want to send a message to ${who}: \`t\`\n`)}`));
      await owner.sees(new RegExp(`^${escaped(`I want to delete contact ${shown} (${contact}).\n`)}`));
      const listed = await owner.answerTo("/list");
      expect(listed.split("\n").toSorted()).toEqual(
        ["2 chats:", `contact ${shown} (${contact})`, `group ${shown} (${chat})`].toSorted(),
      );
      expect(await owner.answerTo("/pending")).toContain(`: delete contact ${shown} (${contact}), until `);
      expect(await owner.answerTo(`/approve ${contact} all`)).toBe(
        `Approved for contact ${shown} (${contact}) by Alice. /'revoke ${contact}'`,
      );
      expect((await sending.result).data).toMatchObject({ status: "done", chat: contact });
      await owner.sees(`I sent a message to ${who}: \`t\`\nApproved by Alice.`);
      leaving.cut();
    });
  }

  for (const name of ["", " ", "@Alice", "it's", "a\nb", "x "]) {
    flow(`that SimpleX cannot mention is not mentioned: ${JSON.stringify(name)}`, async ({ world }) => {
      const { agent, client, hands, chat } = await withName(world, name);
      const id = await hands.member(chat, name);
      await refuses(
        { agent, client },
        ["send", { chat, text: "t", mention: [id] }],
        `Member ${id} has a name that SimpleX cannot mention. Send without mention, or reply to a message of theirs.`,
      );
    });
  }

  flow("that looks like a command is mentioned in quotation marks, and shown as text", async ({ world }) => {
    const { owner, client, hands, chat } = await withName(world, "/approve 1");
    const id = await hands.member(chat, "/approve 1");
    client.call("send", { chat, text: "t", mention: [id] });
    await owner.sees(
      /^I want to send a message to group `\/approve 1`: `@'\/approve 1' t` mentioning `@\/approve 1`\n/,
    );
  });
});

/** A name of those above as the agent gets it: 100 characters at most. */
function named(name: string): string {
  const visible = name.replace(
    /[\n\u202E\u200B]/g,
    (one) => `\\u{${one.charCodeAt(0).toString(16).toUpperCase()}}`,
  );
  return visible.length > 100 ? `${visible.slice(0, 100)}…` : visible;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
