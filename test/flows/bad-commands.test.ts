/** What is written in the control chat and approves nothing. */
import { describe, expect } from "vitest";
import { ineffective } from "../../src/control/texts/replies.js";
import { flow } from "../world/flow-test.js";
import { addOwner, invite } from "../world/owners.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";
import { effects } from "./bad.js";
import { listedActions } from "./listed.js";
import { type Scene, scene } from "./scenes.js";
import { posts } from "./support.js";
import { contactOf } from "./trail.js";

const APPROVE = "Write `/approve N`, `/approve CHAT N` or `/approve CHAT all`. /help";
const REJECT = "Write `/reject N` or `/reject CHAT N`, with a reason at the end or without. /help";
const REVOKE = "Write `/revoke CHAT`. /help";
const RECEIVE = "Write `/receive CHAT N`, `/receive CHAT N all` or `/receive CHAT off`. /help";
const UNKNOWN = "Unknown command. /help";
const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

/** Broken commands, with CHAT for the chat of the pending action 1, and their replies. */
const BROKEN: readonly (readonly [reply: string, ...commands: string[]])[] = [
  [
    APPROVE,
    "/approve",
    "/approve one",
    "/approve 0",
    "/approve 01",
    "/approve -1",
    "/approve +1",
    "/approve 1.0",
  ],
  [
    APPROVE,
    "/approve 1e0",
    "/approve 0x1",
    "/approve １",
    "/approve 1.",
    "/approve 1,",
    "/approve #",
    "/approve all",
  ],
  [APPROVE, "/approve 1 2", "/approve 1 1", "/approve 1 please", "/approve CHAT"],
  [
    APPROVE,
    "/approve # 1",
    "/approve 1 CHAT",
    "/approve Trail all",
    "/approve all CHAT",
    "/approve CHAT all 1 2",
  ],
  [
    APPROVE,
    "/approve 99999999999999999999",
    "/approve 1\n/approve 1",
    "/approve\n1",
    "/approve 1\u2028x",
    "/approve '1'",
  ],
  [APPROVE, "/approve \u202E1", "/approve 1\u200B"],
  [REJECT, "/reject", "/reject all", "/reject CHAT", "/reject 0 because", "/reject because 1", "/reject 01"],
  [REVOKE, "/revoke", "/revoke 1", "/revoke CHAT all", "/revoke all"],
  [
    RECEIVE,
    "/receive",
    "/receive 1",
    "/receive CHAT",
    "/receive CHAT all",
    "/receive CHAT 1 off",
    "/receive CHAT 1 all 2 3",
  ],
  ["Write `/forward CHAT N`. /help", "/forward", "/forward 1", "/forward CHAT", "/forward CHAT 1 2"],
  ["Write `/leave CHAT`. /help", "/leave", "/leave 1", "/leave CHAT now", "/leave all"],
  ["Write `/delete CHAT files`. /help", "/delete", "/delete CHAT", "/delete CHAT file", "/delete files"],
  ["Write `/pending`. /help", "/pending 1", "/pending CHAT"],
  ["Write `/list`. /help", "/list all"],
  ["Write `/help`. /help", "/help me"],
  [
    UNKNOWN,
    "/aprove 1",
    "/approve1",
    "/approve:1",
    "/start",
    "/approved 1",
    "/yes",
    "/appr\u00F6ve 1",
    "/approve\u200B 1",
  ],
  [
    "Action 2 is not pending.",
    "/approve 2",
    "/reject 2",
    "/approve CHAT 2",
    "/receive CHAT 2",
    "/forward CHAT 2",
  ],
  ["Action 9007199254740991 is not pending.", "/approve 9007199254740991"],
  ["Action 1 is for contact Bob (CHAT).", "/approve @99 1", "/approve #99 1", "/reject #99 1 because"],
  [
    "Action 1 is a message: /'approve CHAT 1', /'approve CHAT all', /'reject CHAT 1' or /'edit CHAT 1'",
    "/receive CHAT 1",
    "/receive CHAT 1 all",
    "/forward CHAT 1",
  ],
  [
    "I have no chat `#99`. /list",
    "/approve #99 all",
    "/revoke #99",
    "/receive #99 off",
    "/leave #99",
    "/delete #99 files",
  ],
  [
    "I have no chat `CONTROL`. /list",
    "/approve CONTROL all",
    "/revoke CONTROL",
    "/leave CONTROL",
    "/delete CONTROL files",
  ],
];

/** No commands at all. */
const TALK = [
  ...[
    "approve 1",
    "1",
    "yes",
    "ok",
    "👍",
    "please /approve 1",
    "no /approve 1",
    "hello\n/approve 1",
    "/",
    "/ ",
  ],
  ...[
    "//approve 1",
    "/approve/1",
    "/home/alice",
    "-/approve 1",
    "`/approve 1`",
    '"/approve 1"',
    "> /approve 1",
  ],
  ...[
    "./approve 1",
    "\u200Bapprove 1",
    "／home/alice",
    "/1",
    "/foo\nbar",
    "'/approve 1'",
    "/'approve",
    "/''approve 1''",
  ],
];

/** A message to which the app added what its link leads to. */
function withLink(text: string) {
  const preview = { uri: "https://a.b", title: "a", description: "", image: PICTURE };
  return { msgContent: { type: "link", text, preview } };
}

/** Commands that only seem to begin with a slash, or do not begin with what is seen. */
const HIDDEN = [
  "\u200B/approve 1",
  "\u202E/approve 1",
  " \u2060\uFEFF /'approve 1'",
  "/\u200Bapprove 1",
  "\u2800/approve CHAT all",
  "／approve 1",
  "⁄reject 1",
  "∕pending",
  "\u200B/approve",
];

/** An action 1 that waits. */
async function waiting(world: World): Promise<Scene> {
  const set = await scene(world, { kind: "contact" });
  set.client.call("send", { chat: set.chat, text: "t", wait: 0 });
  await set.owner.sees(/^I want to send/);
  effects(set.agent);
  return set;
}

/** Nothing was said or done since the last look but these replies, and the action still waits. */
async function nothingHappened(
  world: World,
  { agent, client, G, peer }: Scene,
  replies: string[],
): Promise<void> {
  await world.settle();
  expect(effects(agent)).toEqual(replies.map((reply) => posts(G, reply)));
  expect(await listedActions(client)).toMatchObject([{ action: 1, state: "pending" }]);
  expect(peer.inbox).toEqual([]);
}

/** The action can still be approved, once. */
async function canBeApproved(
  world: World,
  { agent, owner, chat, peer }: Scene,
  command = "/approve 1",
): Promise<void> {
  await owner.says(command);
  await owner.sees("I sent a message to contact Bob: `t`\nApproved by Alice.");
  await peer.got("t");
  await world.settle();
  expect(effects(agent).filter((one) => one.startsWith(`/_send ${chat}`))).toHaveLength(1);
}

describe("an owner", () => {
  flow("is told the form of a broken command, and nothing is done", async ({ world }) => {
    const set = await waiting(world);
    const { owner, chat, G, agent } = set;
    const named = (text: string) => text.replaceAll("CHAT", chat).replaceAll("CONTROL", G);
    for (const [reply, ...commands] of BROKEN) {
      // The forms name a CHAT, too.
      const expected = reply.startsWith("Write") ? reply : named(reply);
      for (const command of commands) {
        const text = named(command);
        expect([text, await owner.answerTo(text)]).toEqual([text, expected]);
      }
      await nothingHappened(
        world,
        set,
        commands.map(() => expected),
      );
    }
    await canBeApproved(world, set, `  /'APPROVE   ${chat}  1'  `);
    expect(agent.logged).toEqual([]);
  });

  flow("may talk", async ({ world }) => {
    const set = await waiting(world);
    for (const text of TALK) await set.owner.says(text);
    expect(await set.owner.answerTo("/nothing")).toBe(UNKNOWN);
    await nothingHappened(world, set, [UNKNOWN]);
    await canBeApproved(world, set);
  });

  flow(
    "approves by new text messages only: not edited, live, forwarded or with a picture",
    async ({ world }) => {
      const set = await waiting(world);
      const { agent, owner } = set;
      const { person, chat: control } = owner;
      const bob = await person.join(await (await world.person("Carol")).makeAddress());

      const edited = await owner.says("hello");
      await world.pass(1000);
      await person.edit(control, edited, "/approve 1");
      await owner.sees(ineffective.edited);
      const live = await person.sendLive(control, "/approve");
      await person.type(control, live, "/approve 1");
      await person.type(control, live, "/approve 1", { final: true });
      await owner.sees(ineffective.live);
      const own = await person.send(bob, "/approve 1");
      await person.run(`/_forward ${control} ${bob} ${own}`);
      await owner.sees(ineffective.forwarded);
      const picture = { msgContent: { type: "image", text: "/approve 1", image: PICTURE } };
      await person.run(`/_send ${control} json ${JSON.stringify([picture])}`);
      await owner.sees(ineffective.caption);
      await person.run(`/_send ${control} json ${JSON.stringify([withLink("/approve 1")])}`);
      await owner.sees(ineffective.link);
      // What is no command there is none here.
      await person.edit(control, edited, "/home/alice");
      await person.run(`/_send ${control} json ${JSON.stringify([withLink("see https://a.b")])}`);
      const report = (await agent.hands()).inbox;
      expect(await owner.answerTo("/nothing")).toBe(UNKNOWN);
      expect(report.filter(({ text }) => text === "/approve 1").length).toBeGreaterThanOrEqual(3);
      const { edited: ofEdited, live: ofLive, forwarded, caption, link } = ineffective;
      await nothingHappened(world, set, [ofEdited, ofLive, forwarded, caption, link, UNKNOWN]);

      // A reply to something is a new message.
      const { item } = await owner.sees(/^I want to send/);
      await person.send(control, "/approve 1", { replyTo: item });
      await owner.sees(/^I sent/);
    },
  );

  flow("is told of a command that only looks like one", async ({ world }) => {
    const set = await waiting(world);
    for (const command of HIDDEN)
      expect([command, await set.owner.answerTo(command.replace("CHAT", set.chat))]).toEqual([
        command,
        ineffective.hidden,
      ]);
    await nothingHappened(
      world,
      set,
      HIDDEN.map(() => ineffective.hidden),
    );
    await canBeApproved(world, set);
  });

  flow("rejects with a reason that has a link", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { client, chat, owner } = set;
    const call = client.call("send", { chat, text: "t", wait: 0 });
    await owner.sees(/^I want to send/);
    const message = withLink("/reject 1 see https://a.b");
    await owner.person.run(`/_send ${owner.chat} json ${JSON.stringify([message])}`);
    expect((await call.result).data).toMatchObject({ status: "rejected", reason: "see https://a.b" });
    await owner.sees(/\nRejected by Alice: `see https:\/\/a\.b`\.$/);
  });

  flow("approves in the control chat itself only", async ({ world }) => {
    const set = await waiting(world);
    const { agent, owner, client } = set;
    const hands = await agent.hands();
    await invite(agent, owner, await world.person("Bobby"));
    const id = await owner.person.member(owner.chat, "Bobby");
    // In the support chat of a member, and to the agent as a contact.
    const message = [{ msgContent: { type: "text", text: "/approve 1" } }];
    await owner.person.run(`/_send ${owner.chat}(_support:${id}) json ${JSON.stringify(message)}`);
    await hands.waitFor("the support chat", (event) => JSON.stringify(event).includes("/approve 1"));
    await owner.sees(ineffective.support);
    const alices = await hands.join(await owner.person.makeAddress());
    await owner.person.send(await owner.person.contact("My Agent"), "/approve 1 as a contact");
    await owner.person.send(await owner.person.contact("My Agent"), "/approve 1");
    await hands.got("/approve 1 as a contact");
    expect(await owner.answerTo("/nothing")).toBe(UNKNOWN);
    await world.settle();
    expect(effects(agent).filter((one) => one.startsWith("/_send") || one.startsWith("/_update"))).toEqual([
      posts(set.G, ineffective.support),
      posts(set.G, UNKNOWN),
    ]);
    expect(await listedActions(client)).toMatchObject([{ action: 1, state: "pending" }]);
    expect((await client.use("receive", { chat: alices })).data).toMatchObject({
      messages: [{ text: "/approve 1 as a contact" }, { text: "/approve 1" }],
    });
  });

  flow("approves nothing beforehand", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat } = set;
    effects(agent);
    expect(await owner.answerTo("/approve 1")).toBe("Action 1 is not pending.");
    expect(await owner.answerTo(`/approve ${chat} 1`)).toBe("Action 1 is not pending.");
    client.call("send", { chat, text: "t", wait: 0 });
    await owner.sees(/^I want to send/);
    effects(agent);
    await nothingHappened(world, set, []);
    // Not even while the number is being saved.
    const saving = agent.api.holdNext(/^\/_set custom/);
    client.call("send", { chat, text: "second", wait: 0 });
    const { release } = await saving;
    expect(await owner.answerTo("/approve 2")).toBe("Action 2 is not pending.");
    release();
    await owner.sees(/^I want to send .*`second`/);
    await world.settle();
    expect(await listedActions(client)).toMatchObject([{ state: "pending" }, { state: "pending" }]);
  });

  flow("of two decides: the second is told that nothing is pending", async ({ world }) => {
    const set = await waiting(world);
    const { agent, owner, peer } = set;
    const carol = await addOwner(agent, owner, await world.person("Carol"));
    await canBeApproved(world, set);
    expect(await carol.answerTo("/reject 1 no")).toBe("Action 1 is not pending.");
    expect(await carol.answerTo("/approve 1")).toBe("Action 1 is not pending.");
    expect(peer.inbox).toHaveLength(1);
  });
});

describe("somebody else", () => {
  const NO = "Only the owners of this chat can do this.";
  const COMMANDS = [
    "/approve 1",
    "/approve CHAT 1",
    "/approve CHAT all",
    "/reject 1 no",
    "/revoke CHAT",
    "/leave CHAT",
  ];
  const OTHERS = ["/receive CHAT 1", "/forward CHAT 1", "/delete CHAT files", "/pending", "/list", "/help"];

  for (const role of ["observer", "member", "moderator", "admin"]) {
    flow(`in the control chat decides nothing, as ${role}`, async ({ world }) => {
      const set = await waiting(world);
      const { agent, owner, chat } = set;
      const bob = await invite(agent, owner, await world.person("Bobby"));
      if (role !== "member") await owner.person.setRole(owner.chat, "Bobby", role);
      if (role === "observer") {
        await bob.person.waitFor(
          "the role",
          ({ type }) => type === "memberRoleUser" || type === "memberRole",
        );
        await expect(bob.says("/approve 1")).rejects.toThrow();
        effects(agent);
        await nothingHappened(world, set, []);
        return;
      }
      await world.settle();
      effects(agent);
      await bob.says("hello");
      for (const command of [...COMMANDS, ...OTHERS, "/approve", "/nonsense"]) {
        const text = command.replaceAll("CHAT", chat);
        expect([text, await bob.answerTo(text)]).toEqual([text, NO]);
      }
      await nothingHappened(
        world,
        set,
        [...COMMANDS, ...OTHERS, "/approve", "/nonsense"].map(() => NO),
      );
      await canBeApproved(world, set);
    });
  }

  flow("who was an owner decides nothing more", async ({ world }) => {
    const set = await waiting(world);
    const { agent, owner } = set;
    const bob = await addOwner(agent, owner, await world.person("Bobby"));
    expect(await bob.answerTo("/approve 2")).toBe("Action 2 is not pending.");
    await owner.person.setRole(owner.chat, "Bobby", "member");
    await (await agent.hands()).waitFor(
      "the role",
      (event) => event.type === "memberRole" && event.toRole === "member",
    );
    await world.settle();
    effects(agent);
    expect(await bob.answerTo("/approve 1")).toBe(NO);
    await nothingHappened(world, set, [NO]);
  });

  flow("who writes to the agent decides nothing", async ({ world }) => {
    const set = await waiting(world);
    const { agent, peer, peerChat, client } = set;
    const hands = await agent.hands();
    const { person: bot, theirs } = await contactOf(world, agent, "Robot", "bot");
    await peer.send(peerChat, "/approve 1");
    await bot.send(theirs, "/approve 1");
    await until("both messages", () => hands.inbox.filter(({ text }) => text === "/approve 1").length === 2);
    await nothingHappened(world, set, []);
    expect((await client.use("receive")).data).toMatchObject({
      messages: [{ text: "/approve 1" }, { text: "/approve 1" }],
    });
  });
});
