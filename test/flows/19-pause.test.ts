import { describe, expect } from "vitest";
import { ERAS, type OpenCall } from "../world/client.js";
import { flow, withSeeds } from "../world/flow-test.js";
import { addOwner, giveRole } from "../world/owners.js";
import type { World } from "../world/world.js";
import { fileScene, REPORT } from "./files.js";
import { meet, type Scene, scene } from "./scenes.js";
import { BUSY, textsOf, withoutTimes } from "./support.js";

const SHORT = { wait: 0 };
const PAUSED = "Paused: nothing goes out. /'resume'";
const REFUSED = "Your owner paused this agent. Nothing goes out until it is resumed.";
const BY_ALICE = { by: "Alice", at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) };

/** Commands by which something goes out. */
const OUTWARD = /^\/(?:_send|_connect (?!plan)|_prepare|_leave|_delete|freceive)/;

/** What the agent did since the last look, besides what it said in the control chat. */
function outward({ agent, G }: Pick<Scene, "agent" | "G">): string[] {
  return agent.newCommands().filter((one) => OUTWARD.test(one) && !one.startsWith(`/_send ${G} `));
}

/** What the core keeps with the control chat at this moment. */
async function kept({ agent, G }: Scene): Promise<string> {
  return JSON.stringify(await agent.api.sendChatCmd(`/_get chat ${G} count=0`));
}

/** What `simplex-mcp status` is told. */
async function statusOf({ agent }: Scene): Promise<unknown> {
  const { url, token } = agent.server;
  const response = await fetch(new URL("/status", url), { headers: { Authorization: `Bearer ${token}` } });
  return await response.json();
}

async function failed(call: OpenCall): Promise<void> {
  expect(await call.result).toMatchObject({ isError: true, data: { status: "failed", error: REFUSED } });
}

async function pausing(world: World, era: "modern" | "legacy"): Promise<void> {
  const set = await scene(world, { era, kind: "contact" });
  const { agent, owner, client, chat, peer, peerChat } = set;
  const echo = await world.person("Echo", { peerType: "bot" });
  const target = await echo.makeAddress();
  const sending = client.call("send", { chat, text: "one", ...SHORT });
  const connecting = client.call("connect", { target });
  const leaving = client.call("leave", { chat });
  await owner.sees(/`one`/);
  await owner.sees(/^I want to connect/);
  await owner.sees(/^I want to delete/);
  agent.newCommands();

  expect(await owner.answerTo("/pause")).toBe(PAUSED);
  const reason = "Alice paused the agent.";
  for (const call of [sending, connecting, leaving])
    expect(await call.result).toMatchObject({ isError: true, data: { status: "rejected", reason } });
  await owner.sees(
    "I wanted to send a message to contact Bob: `one`\nRejected by Alice: `Alice paused the agent.`.",
  );
  expect(await owner.answerTo("/pending")).toBe("No pending actions.");

  // Each later call is refused, before anything is looked up for it.
  await world.settle();
  agent.newCommands();
  const calls = {
    send: { chat, text: "two" },
    connect: { target },
    leave: { chat },
    download: { chat, item: 1 },
  };
  for (const [tool, input] of Object.entries(calls)) {
    expect(await client.use(tool, input)).toMatchObject({ isError: true, text: REFUSED, data: undefined });
  }
  expect(agent.newCommands()).toEqual([]);

  // Reading goes on.
  await peer.send(peerChat, "hello");
  await world.settle();
  expect(textsOf(await client.use("receive", { chat }))).toEqual(["hello"]);
  expect((await client.use("list")).data).toMatchObject({ agent: { name: "My Agent", paused: BY_ALICE } });
  const [said] = withoutTimes([await owner.answerTo("/list")]);
  expect(said).toBe(`Paused by Alice since \`TIME\`. /'resume'\n1 chat:\ncontact Bob (${chat})`);
  expect(await statusOf(set)).toMatchObject({ paused: BY_ALICE, pending: 0 });
  expect(outward(set)).toEqual([]);

  expect(await owner.answerTo("/resume")).toBe("Resumed.");
  expect((await client.use("list")).data?.agent).toEqual({ name: "My Agent" });
  expect(await statusOf(set)).not.toHaveProperty("paused");
  const again = client.call("send", { chat, text: "one", ...SHORT });
  await owner.sees(/^I want to send .*`one`/);
  await owner.says("/approve 4");
  expect((await again.result).data).toMatchObject({ action: 4, status: "done" });
  await world.settle();
  expect(peer.inbox.map(({ text }) => text)).toEqual(["one"]);
  expect(agent.logged).toEqual([]);
}

describe.each(ERAS)("/pause, with a client of the %s era,", (era) => {
  flow("rejects what is pending and refuses what comes, until /resume", ({ world }) => pausing(world, era));
  withSeeds(3, "rejects what is pending and refuses what comes, until /resume", ({ world }) =>
    pausing(world, era),
  );
});

describe("/pause, before an approved act is handed to the core,", () => {
  flow("stops a message", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    const call = client.call("send", { chat, text: "late", ...SHORT });
    await owner.sees(/`late`/);
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    await owner.says("/approve 1");
    const perform = await reading;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    perform.release();
    await failed(call);
    await owner.sees(
      `I wanted to send a message to contact Bob: \`late\`\nApproved by Alice; failed: \`${REFUSED}\`.`,
    );
    await world.settle();
    expect([outward(set), peer.inbox]).toEqual([[], []]);
  });

  flow("stops a message with a file, and its copy goes", async ({ world }) => {
    const set = await fileScene(world);
    const { agent, owner, chat, hazel } = set;
    const file = await set.put("report.pdf", REPORT);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, text: "late", file, ...SHORT });
    await owner.sees(/`late`/);
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    await owner.says("/approve 1");
    const perform = await reading;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    perform.release();
    await failed(call);
    await world.settle();
    expect(outward({ agent, G: agent.controlChat })).toEqual([]);
    expect(hazel.inbox).toEqual([]);
  });

  flow("stops a connection, and leaves no chat of it", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client } = set;
    const echo = await world.person("Echo", { peerType: "bot" });
    const call = client.call("connect", { target: await echo.makeAddress(), message: "Hello" });
    await owner.sees(/^I want to connect/);
    const preparing = agent.api.holdNext(/^\/_prepare contact/);
    await owner.says("/approve 1");
    const prepare = await preparing;
    const pause = owner.answerTo("/pause");
    await agent.commands(/^\/_set custom .*"paused"/);
    prepare.release();
    expect(await pause).toBe(PAUSED);
    await failed(call);
    await world.settle();
    expect(agent.newCommands().filter((one) => /^\/_connect (?!plan)/.test(one))).toEqual([]);
    expect((await client.use("list")).data?.chats).toHaveLength(1);
  });

  flow("stops the leaving of a group, and the deletion of its chat", async ({ world }) => {
    const set = await scene(world, { kind: "group" });
    const { agent, owner, client, chat } = set;
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to leave/);
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    await owner.says("/approve 1");
    const perform = await reading;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    perform.release();
    await failed(call);
    await world.settle();
    expect(outward(set)).toEqual([]);
  });

  flow("stops a download", async ({ world }) => {
    const set = await fileScene(world);
    const { agent, owner, chat } = set;
    const { item } = await set.post("report.pdf", REPORT);
    const client = await agent.client("modern");
    const call = client.call("download", { chat, item });
    await owner.sees(/^I want to download/);
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat} count=0`));
    await owner.says(`/receive ${chat} 1`);
    const perform = await reading;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    perform.release();
    await failed(call);
    await world.settle();
    expect(outward({ agent, G: agent.controlChat })).toEqual([]);
  });

  flow("stops what a standing approval let through, and what comes under it", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    const first = client.call("send", { chat, text: "first", ...SHORT });
    await owner.sees(/`first`/);
    await owner.says(`/approve ${chat} all`);
    await owner.sees(/^Approved for /);
    expect((await first.result).data).toMatchObject({ status: "done" });
    await world.settle();
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    const early = client.call("send", { chat, text: "early", ...SHORT });
    const numbering = agent.api.holdNext(/^\/_set custom .*"nextAction":3/);
    (await reading).release();
    const number = await numbering;
    const pause = owner.answerTo("/pause");
    await world.settle();
    number.release();
    expect(await pause).toBe(PAUSED);
    // It had no card yet, and gets none.
    expect((await early.result).data).toMatchObject({
      status: "rejected",
      reason: "Alice paused the agent.",
    });
    expect(await client.use("send", { chat, text: "late", ...SHORT })).toMatchObject({ text: REFUSED });
    await world.settle();
    expect(owner.cards.filter((text) => /early|late/.test(text))).toEqual([]);
    expect(peer.inbox.map(({ text }) => text)).toEqual(["first"]);
    expect(await owner.answerTo("/resume")).toBe("Resumed.");
    expect((await client.use("send", { chat, text: "free", ...SHORT })).data).toMatchObject({
      status: "done",
    });
  });
});

describe("/pause, when an act was handed to the core,", () => {
  flow("is answered only when the core has done it", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat, peer } = set;
    const call = client.call("send", { chat, text: "just", ...SHORT });
    await owner.sees(/`just`/);
    const sending = agent.api.holdNext(new RegExp(`^/_send ${chat}`));
    await owner.says("/approve 1");
    const { release } = await sending;
    await owner.says("/pause");
    await agent.commands(/^\/_set custom .*"paused"/);
    await world.settle();
    expect(owner.cards).not.toContain(PAUSED);
    release();
    expect((await call.result).data).toMatchObject({ status: "done" });
    await owner.sees(PAUSED);
    await peer.got("just");
  });
});

describe("a paused agent", () => {
  flow("stays so over a restart, and in a new control chat", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, chat } = set;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    expect(await kept(set)).toContain('"paused":{"by":"Alice","at":');
    await agent.restart();
    expect(withoutTimes(agent.printed)).toContain(
      "Paused by Alice since TIME: nothing goes out. Write /resume in the agent control chat.",
    );
    const client = await agent.client("modern");
    expect(await client.use("send", { chat, text: "t" })).toMatchObject({ isError: true, text: REFUSED });
    expect(await owner.answerTo("/resume")).toBe("Resumed.");
    expect(await kept({ ...set })).not.toContain("paused");
    await agent.restart();
    const again = await agent.client("modern");
    const call = again.call("send", { chat, text: "t", ...SHORT });
    await owner.sees(/`t`/);
    call.cancel();

    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    await agent.restart({ resetOwners: true });
    const third = await agent.client("modern");
    expect(await third.use("leave", { chat })).toMatchObject({ isError: true, text: REFUSED });
  });

  flow("is told of a pause that was not saved, and keeps to it as long as it runs", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat } = set;
    for (let tries = 0; tries < 4; tries += 1) agent.api.failNext(/^\/_set custom .*paused/, BUSY);
    await owner.says("/pause");
    const saving = owner.sees(
      /^Nothing goes out until the server stops; .* could not be saved: `.*`\. Try again: \/'pause'$/,
    );
    await world.pass(2000);
    await saving;
    expect(await client.use("leave", { chat })).toMatchObject({ isError: true, text: REFUSED });
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    expect(await kept(set)).toContain('"paused":{"by":"Alice"');
  });

  flow("stays paused where its end could not be saved", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat } = set;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    agent.api.failNext(/^\/_set custom /, {
      type: "errorStore",
      storeError: { type: "internalError", message: "disk" },
    });
    expect(await owner.answerTo("/resume")).toMatch(/^That failed: /);
    expect(await client.use("leave", { chat })).toMatchObject({ isError: true, text: REFUSED });
    expect(await owner.answerTo("/resume")).toBe("Resumed.");
  });

  flow("does nothing in mode host either, where an act was on its way", async ({ world }) => {
    const set = await scene(world, { kind: "contact", approve: "host" });
    const { agent, owner, client, chat, peer } = set;
    const numbering = agent.api.holdNext(/^\/_set custom .*"nextAction"/);
    const call = client.call("send", { chat, text: "one", ...SHORT });
    const { release } = await numbering;
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    release();
    const perform = await reading;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    perform.release();
    await failed(call);
    expect(await client.use("send", { chat, text: "two" })).toMatchObject({ isError: true, text: REFUSED });
    expect(await client.use("leave", { chat })).toMatchObject({ isError: true, text: REFUSED });
    await world.settle();
    expect(peer.inbox).toEqual([]);
    expect(await owner.answerTo("/resume")).toBe("Resumed.");
    expect((await client.use("send", { chat, text: "one", ...SHORT })).data).toMatchObject({
      status: "done",
    });
  });

  flow("gives a lost call its rejection", async ({ world }) => {
    const { owner, client, chat } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, text: "lost", ...SHORT });
    await owner.sees(/`lost`/);
    call.cut();
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    const back = await client.use("send", { chat, text: "lost", ...SHORT });
    expect(back.data).toMatchObject({ action: 1, status: "rejected", reason: "Alice paused the agent." });
    expect(await client.use("send", { chat, text: "lost", ...SHORT })).toMatchObject({ text: REFUSED });
  });

  flow("still leaves a chat for its owner, who is not paused", async ({ world }) => {
    const set = await scene(world, { kind: "group" });
    const { owner, chat } = set;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    expect(await owner.answerTo(`/leave ${chat}`)).toBe(`Left group Trail (${chat}), requested by Alice.`);
    expect(outward(set)).toEqual([`/_leave ${chat}`, `/_delete ${chat} full notify=on`]);
  });

  flow("is paused and let on by any owner, and by nobody else", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat } = set;
    const bob = await addOwner(agent, owner, await world.person("Rob"));
    expect(await bob.answerTo("/pause")).toBe(PAUSED);
    expect(await owner.answerTo("/'pause'")).toBe(PAUSED);
    expect((await client.use("list")).data?.agent).toMatchObject({ paused: { by: "Rob" } });
    await giveRole(agent, owner, "Rob", "member");
    expect(await bob.answerTo("/resume")).toBe("Only the owners of this chat can do this.");
    expect(await client.use("leave", { chat })).toMatchObject({ isError: true, text: REFUSED });
    expect(await owner.answerTo("/resume")).toBe("Resumed.");
    expect(await owner.answerTo("/pause 5")).toBe("Write `/pause`. /help");
    const { chat: other } = await meet(agent, await world.person("Carol"), "contact");
    const call = client.call("leave", { chat: other });
    await owner.sees(/^I want to delete contact Carol/);
    call.cancel();
  });

  flow("leaves those who ask to be let in waiting", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const link = /https:\S+|simplex:\S+/.exec(await owner.answerTo("/address"))?.[0] ?? "";
    const carol = await world.person("Carol");
    await carol.startJoining(link);
    await owner.sees(/^contact Carol asks to connect to me\.\n\/'approve 1'/);
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    expect(await owner.answerTo("/approve 1")).toBe(PAUSED);
    const dave = await world.person("Dave");
    await dave.startJoining(link);
    await owner.sees(/^contact Dave asks to connect to me\./);
    expect(await owner.answerTo("/pending")).toMatch(/^2 pending actions:/);
    await owner.says("/reject 2");
    await owner.sees("contact Dave asked to connect to me.\nRejected by Alice.");
    expect(await owner.answerTo("/resume")).toBe("Resumed.");
    const accepting = agent.api.holdNext(/^\/_get chat /);
    await owner.says("/approve 1");
    const { release } = await accepting;
    expect(await owner.answerTo("/pause")).toBe(PAUSED);
    release();
    await owner.sees(`contact Carol asked to connect to me.\nApproved by Alice; failed: \`${REFUSED}\`.`);
    expect(await owner.answerTo("/resume")).toBe("Resumed.");
    await owner.says("/requests");
    await owner.sees(/^contact Carol asks to connect to me\.\n\/'approve 3'/);
    await owner.says("/approve 3");
    await owner.sees(/^contact Carol is connected to me/);
    await carol.contact("My Agent");
  });

  flow(
    "lets nobody in by an address that lets in everybody, over a restart, and then those who wait",
    async ({ world }) => {
      const { agent, owner } = await world.agentWithOwner();
      const link = /https:\S+|simplex:\S+/.exec(await owner.answerTo("/address"))?.[0] ?? "";
      await owner.answerTo("/address auto");
      agent.newCommands();
      expect(await owner.answerTo("/pause")).toBe(PAUSED);
      await agent.restart();
      const carol = await world.person("Carol");
      await carol.startJoining(link);
      await owner.sees(/^contact Carol asks to connect to me\./);
      expect(agent.newCommands().filter((one) => one.startsWith("/_accept"))).toEqual([]);
      expect(await owner.answerTo("/address")).toContain("I ask you about each.");
      await owner.says("/resume");
      await owner.sees("Resumed.");
      await owner.sees(/^contact Carol is connected to me: contact @\d+\.\nApproved by Alice\.$/);
      await (await world.person("Dave")).join(link);
      await owner.sees(/^Dave is connected to me by my address: contact @\d+\.$/);
    },
  );

  flow("leaves the address as an owner sets it meanwhile", async ({ world }) => {
    const { owner } = await world.agentWithOwner();
    await owner.answerTo("/address auto");
    await owner.answerTo("/pause");
    await owner.answerTo("/address ask");
    await owner.answerTo("/resume");
    expect(await owner.answerTo("/address")).toContain("I ask you about each.");
  });
});
