import { describe, expect } from "vitest";
import { flow } from "../world/flow-test.js";
import { linkIn } from "./reachable.js";
import { scene } from "./scenes.js";
import { expectCommands, posts, withoutLinks } from "./support.js";

const ASKED =
  "My address: LINK\nWhoever has it can ask to connect; I ask you about each. /'address auto' or /'address off'";
const LET_IN = "Whoever has my address is connected without asking. /'address ask' or /'address off'";

describe("the agent's address", () => {
  flow("is made at the first /address, shown at the next, and deleted by /address off", async ({ world }) => {
    const { agent, owner, G } = await scene(world);
    const first = await owner.answerTo("/address");
    expect(withoutLinks(first)).toBe(ASKED);
    expect(withoutLinks(await owner.answerTo("/address"))).toBe(ASKED);
    expect(owner.cards.at(-1)).toBe(first);
    expectCommands(agent.newCommands(), [
      "/_show_address 1",
      "/_address 1",
      '/_address_settings 1 {"businessAddress":false}',
      posts(G, ASKED),
      "/_show_address 1",
      posts(G, ASKED),
    ]);

    const deleted = "My address is deleted. Contacts stay; a new one will be another link.";
    expect(await owner.answerTo("/address off")).toBe(deleted);
    expect(await owner.answerTo("/address off")).toBe("I have no address. /address makes one.");
    expectCommands(agent.newCommands(), [
      "/_delete_address 1",
      posts(G, deleted),
      "/_delete_address 1",
      posts(G, "I have no address. /address makes one."),
    ]);
    const next = await owner.answerTo("/address");
    expect(linkIn(next)).not.toBe(linkIn(first));
  });

  flow("under auto lets in whoever asks, those who wait too, and tells of each", async ({ world }) => {
    const { agent, owner } = await scene(world);
    const link = linkIn(await owner.answerTo("/address"));
    const bob = await world.person("Bob");
    await bob.startJoining(link, "Hello from Bob");
    await owner.sees(/^contact Bob asks to connect to me/);
    agent.newCommands();
    expect(await owner.answerTo("/address auto")).toBe(LET_IN);
    await owner.sees(/^contact Bob is connected to me: contact @\d+\.\nApproved by Alice\.$/);

    const carol = await world.person("Carol");
    await carol.join(link);
    await owner.sees(/^Carol is connected to me by my address: contact @\d+\.$/);
    expect(withoutLinks(await owner.answerTo("/address"))).toBe(`My address: LINK\n${LET_IN}`);

    expect(withoutLinks(await owner.answerTo("/address ask"))).toBe(ASKED);
    const dan = await world.person("Dan");
    await dan.startJoining(link);
    await owner.sees("contact Dan asks to connect to me.\n/'approve 2' or /'reject 2'");
    expectCommands(
      agent.newCommands().filter((one) => /^\/_(address|accept|reject)/.test(one)),
      [
        '/_address_settings 1 {"businessAddress":false,"autoAccept":{"acceptIncognito":false}}',
        "/_accept 1",
        '/_address_settings 1 {"businessAddress":false}',
      ],
    );
  });

  flow("is made by /address auto, too, and keeps what else is set of it", async ({ world }) => {
    const { agent, owner } = await scene(world);
    expect(await owner.answerTo("/address auto")).toBe(LET_IN);
    const hello = { type: "text", text: "Hello" };
    const settings = { businessAddress: false, autoAccept: { acceptIncognito: false }, autoReply: hello };
    await (await agent.hands()).run(`/_address_settings 1 ${JSON.stringify(settings)}`);
    agent.newCommands();
    expect(withoutLinks(await owner.answerTo("/address ask"))).toBe(ASKED);
    // There is nothing to change any more.
    expect(withoutLinks(await owner.answerTo("/address ask"))).toBe(ASKED);
    const set = agent.newCommands().filter((one) => one.startsWith("/_address_settings"));
    expect(set.map((one) => JSON.parse(one.slice("/_address_settings 1 ".length)))).toEqual([
      { businessAddress: false, autoReply: hello },
    ]);
  });

  flow("is told by list, and not before it is there", async ({ world }) => {
    const { owner, client } = await scene(world);
    expect((await client.use("list")).data?.agent).toEqual({ name: "My Agent" });
    const link = linkIn(await owner.answerTo("/address"));
    expect((await client.use("list")).data?.agent).toEqual({ name: "My Agent", address: link });
  });
});

describe("one-time links", () => {
  flow("are made by /invite, and who uses one is told of", async ({ world }) => {
    const { agent, owner, client, G } = await scene(world);
    const text = "One-time link, for one person: LINK\n/'invite off' deletes the unused ones.";
    const said = await owner.answerTo("/invite");
    expect(withoutLinks(said)).toBe(text);
    expectCommands(agent.newCommands(), ["/_connect 1 incognito=off", posts(G, text)]);

    const bob = await world.person("Bob");
    const chat = await bob.join(linkIn(said));
    const { text: told } = await owner.sees(/^Bob is connected to me by a one-time link: contact @\d+\.$/);
    const ref = /@\d+/.exec(told)?.[0];
    await bob.send(chat, "Hi");
    await world.settle();
    const { data } = await client.use("receive", { wait: 60 });
    expect(data?.messages).toMatchObject([{ chat: ref, chat_name: "Bob", text: "Hi" }]);
  });

  flow("are deleted by /invite off while unused", async ({ world }) => {
    const { agent, owner, G } = await scene(world);
    expect(await owner.answerTo("/invite off")).toBe("No unused links.");
    const used = linkIn(await owner.answerTo("/invite"));
    const unused = [linkIn(await owner.answerTo("/invite")), linkIn(await owner.answerTo("/invite"))];
    await (await world.person("Bob")).join(used);
    await owner.sees(/^Bob is connected to me by a one-time link/);
    agent.newCommands();
    expect(await owner.answerTo("/invite off")).toBe("Deleted 2 unused links.");
    const [listed, ...deletions] = agent.newCommands();
    expect(listed).toBe("/_get chats 1 pcc=on");
    expect(deletions).toEqual([
      expect.stringMatching(/^\/_delete :\d+$/),
      expect.stringMatching(/^\/_delete :\d+$/),
      posts(G, "Deleted 2 unused links."),
    ]);
    const carol = await world.person("Carol");
    for (const link of unused) await expect(carol.prepare(link)).rejects.toThrow();
    expect(await owner.answerTo("/invite off")).toBe("No unused links.");
  });
});
