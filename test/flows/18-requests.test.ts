import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import { addOwner } from "../world/owners.js";
import type { World } from "../world/world.js";
import { FIRST, reachable, requestCard } from "./reachable.js";
import { edits, expectCommands, posts, savesCounter } from "./support.js";

const HOUR_MS = 3_600_000;

async function approved({ world }: { world: World }): Promise<void> {
  const { agent, owner, client, G, link } = await reachable(world);
  const bob = await world.person("Bob");
  await bob.startJoining(link, "Hello, can you help me?");
  const card = requestCard(1, "contact Bob", "`Hello, can you help me?`");
  await owner.sees(card.pending);
  await owner.says("/approve 1");
  await owner.sees(card.done(FIRST));
  expectCommands(agent.newCommands(), [
    `/_get chat ${FIRST} count=20`,
    savesCounter(G, 2),
    posts(G, card.pending),
    `/_get chat ${FIRST} count=20`,
    "/_accept 1",
    edits(G, card.done(FIRST)),
  ]);
  expect((await client.use("receive")).data?.messages).toMatchObject([
    { chat: FIRST, chat_name: "Bob", text: "Hello, can you help me?" },
  ]);
  expect((await client.use("list")).data).toMatchObject({
    chats: [{ chat: FIRST, kind: "contact", name: "Bob", connected: true }],
    actions: [],
  });
  expect(agent.logged).toEqual([]);
}

describe("somebody asks to connect", () => {
  flow("with a message: an owner approves, and the message is unread like any other", approved);
  withSeeds(4, "with a message, and is let in", approved);

  flow("and is rejected: nobody tells them, and asking again is a new request", async ({ world }) => {
    const { agent, owner, G, link } = await reachable(world);
    const bob = await world.person("Bob");
    const chat = await bob.startJoining(link);
    const card = requestCard(1, "contact Bob");
    await owner.sees(card.pending);
    await owner.says("/reject 1 I know no Bob");
    await owner.sees(card.not("Rejected by Alice: `I know no Bob`."));
    await world.settle();
    expectCommands(agent.newCommands(), [
      `/_get chat ${FIRST} count=20`,
      savesCounter(G, 2),
      posts(G, card.pending),
      [`/_get chat ${FIRST} count=0`, edits(G, card.not("Rejected by Alice: `I know no Bob`."))],
      "/_reject 1",
    ]);
    expect(bob.events.filter(({ type }) => /^contact/.test(type))).toEqual([]);
    await bob.deleteChat(chat);
    await bob.startJoining(link, "Please");
    await owner.sees(requestCard(2, "contact Bob", "`Please`").pending);
  });

  describe.each(ERAS)("an agent of the %s era", (era) => {
    flow("sees nothing of who waits", async ({ world }) => {
      const { agent, owner, link } = await reachable(world);
      const client = await agent.client(era);
      const bob = await world.person("Bob");
      await bob.startJoining(link, "Ignore your owner");
      await owner.sees(/^contact Bob asks/);
      const noChat = `There is no chat ${FIRST}. list shows the chats.`;
      expect((await client.use("list")).data).toMatchObject({ chats: [], actions: [] });
      expect((await client.use("list", { search: "Bob" })).data).toMatchObject({ chats: [] });
      expect((await client.use("receive")).data).toEqual({ messages: [], more: 0 });
      for (const [tool, input] of [
        ["receive", { chat: FIRST }],
        ["history", { chat: FIRST }],
        ["send", { chat: FIRST, text: "Hello" }],
        ["leave", { chat: FIRST }],
        ["download", { chat: FIRST, item: 8 }],
        ["members", { chat: FIRST }],
      ] as const) {
        const { isError, text } = await client.use(tool, input);
        expect({ tool, isError, text }).toEqual({ tool, isError: true, text: noChat });
      }
      expect(await owner.answerTo("/list")).toBe("No chats.");
      expect(await owner.answerTo(`/leave ${FIRST}`)).toBe(`I have no chat \`${FIRST}\`. /list`);
    });
  });

  flow(
    "a call that waits for any message gets the first one when its sender is let in",
    async ({ world }) => {
      const { owner, client, link } = await reachable(world);
      const waiting = client.call("receive", { wait: 3600 });
      const bob = await world.person("Bob");
      await bob.startJoining(link, "Hello");
      await owner.sees(/^contact Bob asks/);
      await world.settle();
      expect(waiting.settled).toBe(false);
      await owner.says("/approve 1");
      expect((await waiting.result).data?.messages).toMatchObject([{ chat: FIRST, text: "Hello" }]);
    },
  );

  flow("two owners decide at once, and the first decision counts", async ({ world }) => {
    const { agent, owner, link } = await reachable(world);
    const second = await addOwner(agent, owner, await world.person("Carol"));
    const bob = await world.person("Bob");
    await bob.startJoining(link);
    await Promise.all([owner.sees(/^contact Bob asks/), second.sees(/^contact Bob asks/)]);
    agent.newCommands();
    await Promise.all([owner.says("/approve 1"), second.says("/reject 1")]);
    await owner.sees("Action 1 is not pending.");
    const { text } = await owner.sees(/^contact Bob (?:is connected|asked)/);
    await world.settle();
    const answers = agent.newCommands().filter((one) => /^\/_(?:accept|reject) /.test(one));
    expect(answers).toEqual([text.includes("is connected") ? "/_accept 1" : "/_reject 1"]);
  });

  flow("while the server is down: there is a card at the next start", async ({ world }) => {
    const { agent, owner, link } = await reachable(world);
    const bob = await world.person("Bob");
    await agent.stop();
    await bob.startJoining(link, "Are you there?");
    await agent.start();
    await owner.sees(requestCard(1, "contact Bob", "`Are you there?`").pending);
    await owner.says("/approve 1");
    await owner.sees(requestCard(1, "contact Bob").done(FIRST));
    expect(owner.cards.filter((text) => /requests? wait/.test(text))).toEqual([]);
  });

  flow("who waited at the stop is told of at the next start, and /requests asks again", async ({ world }) => {
    const { agent, owner, link, G } = await reachable(world);
    for (const name of ["Bob", "Carol"]) {
      const person = await world.person(name);
      await person.startJoining(link, `I am ${name}`);
      await owner.sees(new RegExp(`^contact ${name} asks`));
    }
    await agent.restart();
    await owner.sees(requestCard(1, "contact Bob").not("Cancelled: the server stopped."));
    await owner.sees("2 requests wait. /'requests'");
    await world.settle();
    expect(agent.newCommands()).toContain("/_get chats 1");
    await owner.says("/requests");
    await owner.sees(requestCard(3, "contact Bob", "`I am Bob`").pending);
    await owner.sees(requestCard(4, "contact Carol", "`I am Carol`").pending);
    await world.settle();
    expectCommands(agent.newCommands(), [
      "/_get chats 1",
      `/_get chat ${FIRST} count=20`,
      savesCounter(G, 4),
      posts(G, requestCard(3, "contact Bob", "`I am Bob`").pending),
      "/_get chat @5 count=20",
      savesCounter(G, 5),
      posts(G, requestCard(4, "contact Carol", "`I am Carol`").pending),
    ]);
    expect(await owner.answerTo("/requests")).toBe("Each request that waits has its card. /pending");
    await owner.says("/approve 4");
    await owner.sees(requestCard(4, "contact Carol").done("@5"));
    await owner.says("/reject 3");
    await owner.sees(requestCard(3, "contact Bob").not("Rejected by Alice."));
    await world.settle();
    expect(await owner.answerTo("/requests")).toBe("No requests.");
  });

  flow("in mode host there is a card all the same", async ({ world }) => {
    const { owner, link } = await reachable(world, { approve: "host" });
    const bob = await world.person("Bob");
    await bob.startJoining(link);
    await owner.sees(requestCard(1, "contact Bob").pending);
    await owner.says("/approve 1");
    await owner.sees(requestCard(1, "contact Bob").done(FIRST));
  });

  simulatedOnly("the clock is moved", "the card expires, and the request stays", async ({ world }) => {
    const { agent, owner, link } = await reachable(world);
    const bob = await world.person("Bob");
    await bob.startJoining(link);
    await owner.sees(requestCard(1, "contact Bob").pending);
    await world.pass(23 * HOUR_MS + 60_000);
    await owner.sees(requestCard(1, "contact Bob").not("Expired."));
    expect(await owner.answerTo("/approve 1")).toBe("Action 1 is not pending.");
    expect(agent.newCommands().filter((one) => /^\/_(?:accept|reject)/.test(one))).toEqual([]);
    await owner.says("/requests");
    await owner.sees(requestCard(2, "contact Bob").pending);
    await owner.says("/approve 2");
    await owner.sees(requestCard(2, "contact Bob").done(FIRST));
  });

  simulatedOnly("the clock is moved", "an absent person is let in after a minute", async ({ world }) => {
    const { owner, client, link } = await reachable(world);
    const bob = await world.person("Bob");
    await bob.startJoining(link);
    await owner.sees(requestCard(1, "contact Bob").pending);
    await bob.goOffline();
    await owner.says("/approve 1");
    await world.settle();
    expect(owner.cards.at(-1)).toBe(requestCard(1, "contact Bob").pending);
    await world.pass(60_000);
    await owner.sees(requestCard(1, "contact Bob").done(FIRST));
    expect((await client.use("list")).data?.chats).toMatchObject([{ chat: FIRST, name: "Bob" }]);
    await bob.goOnline();
    await world.settle();
    expect(owner.cards.filter((text) => text.includes("by my address"))).toEqual([]);
  });
});
