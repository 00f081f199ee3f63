import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import { invite } from "../world/owners.js";
import type { World } from "../world/world.js";
import { givesAll, meet, type SceneOptions, scene } from "./scenes.js";
import { edits, expectCommands, OWN_CONTACT, posts, savesFreed } from "./support.js";

const REASON = "The owner left this chat.";

/** `/leave` with a message to the chat and the agent's own request to leave it still pending. */
async function leave(world: World, options: SceneOptions & { text: string }): Promise<void> {
  const { text, ...sceneOptions } = options;
  const { agent, owner, client, G, chat, peer } = await scene(world, sceneOptions);
  const elsewhere = await meet(agent, await world.person("Carol"), "contact");
  const isContact = chat.startsWith("@");
  const left = text.replace("CHAT", chat);
  const send = client.call("send", { chat, text: "hello", wait: 0 });
  await owner.sees(/`hello`/);
  const leaving = client.call("leave", { chat });
  await owner.sees(/^I want to (leave|delete)/);
  const other = client.call("send", { chat: elsewhere.chat, text: "other", wait: 0 });
  await owner.sees(/`other`/);
  await world.settle();
  agent.newCommands();
  const printed = agent.printed.length;
  const posted = owner.messages.length;

  await owner.says(`/leave ${chat}`);
  await owner.sees(left);
  for (const call of [send, leaving]) {
    expect(await call.result).toMatchObject({
      isError: true,
      data: { status: "rejected", reason: REASON, chat },
    });
  }
  await owner.sees(new RegExp(`^I wanted to send .*\`hello\`\\nRejected by Alice: \`${REASON}\`\\.$`));
  await owner.sees(new RegExp(`^I wanted to (leave|delete) .*\\nRejected by Alice: \`${REASON}\`\\.$`));
  expect(agent.printed.slice(printed)).toEqual([left]);
  // One reply; the cards changed.
  await world.settle();
  expect(owner.messages.slice(posted).map((message) => message.text)).toEqual([left]);
  const commands = agent.newCommands();
  expectCommands(commands.slice(0, isContact ? 4 : 5), [
    `/_get chat ${chat} count=0`,
    `/_get chat ${chat} count=0`,
    savesFreed(G, 4),
    ...(isContact ? [] : [`/_leave ${chat}`]),
    `/_delete ${chat} full notify=on`,
  ]);
  expectCommands(commands.slice(isContact ? 4 : 5), [
    [
      edits(G, owner.cards.find((card) => /`hello`/.test(card)) ?? ""),
      edits(G, owner.cards.find((card) => /^I wanted to (leave|delete)/.test(card)) ?? ""),
      posts(G, left),
    ],
  ]);
  await peer.waitFor(
    "the end",
    ({ type }) => type === (isContact ? "contactDeletedByContact" : "leftMember"),
  );
  expect((await client.use("list")).data?.chats).toEqual([expect.objectContaining({ name: "Carol" })]);
  expect(other.settled).toBe(false);
  expect(await owner.answerTo(`/leave ${chat}`)).toBe(`I have no chat \`${chat}\`. /list`);
  expect(agent.logged).toEqual([]);
}

describe.each(ERAS)("/leave, with calls of the %s era", (era) => {
  flow("leaves a business, and what was pending for it is rejected", ({ world }) =>
    leave(world, { kind: "business", era, text: "Left business Ridgeline (CHAT), requested by Alice." }),
  );
  flow("deletes a bot", ({ world }) =>
    leave(world, { kind: "bot", era, text: "Deleted bot Echo (CHAT), requested by Alice." }),
  );
});
withSeeds(4, "/leave leaves a group", ({ world }) =>
  leave(world, { kind: "group", text: "Left group Trail (CHAT), requested by Alice." }),
);

describe("/leave", () => {
  flow("acts at once in mode host, too", async ({ world }) => {
    const { agent, owner, chat } = await scene(world, { kind: "contact", approve: "host" });
    const left = `Deleted contact Bob (${chat}), requested by Alice.`;
    expect(await owner.answerTo(`/leave ${chat}`)).toBe(left);
    expect(agent.printed.at(-1)).toBe(left);
  });

  flow("is for owners, and for chats that the agent has", async ({ world }) => {
    const { agent, owner, G, chat } = await scene(world);
    const bob = await invite(agent, owner, await world.person("Bob"));
    expect(await bob.answerTo(`/leave ${chat}`)).toBe("Only the owners of this chat can do this.");
    await owner.sees("Only the owners of this chat can do this.");
    for (const other of [G, "#99", "@99", OWN_CONTACT]) {
      expect(await owner.answerTo(`/leave ${other}`)).toBe(`I have no chat \`${other}\`. /list`);
    }
    expect(await owner.answerTo("/leave")).toBe("Write `/leave CHAT`. /help");
    expect(await owner.answerTo("/leave Ridgeline")).toBe("Write `/leave CHAT`. /help");
    expect(await owner.answerTo("/list")).toBe(`1 chat:\nbusiness Ridgeline (${chat})`);
  });

  flow("leaves no open card of what was asked for the chat at that moment", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const counting = agent.api.holdNext(/^\/_set custom .*nextAction/);
    const call = client.call("send", { chat, text: "late", wait: 0 });
    const { release } = await counting;
    await owner.says(`/leave ${chat}`);
    await world.settle();
    release();
    await owner.sees(`Deleted contact Bob (${chat}), requested by Alice.`);
    expect((await call.result).data).toMatchObject({
      action: 1,
      status: "rejected",
      reason: "The owner left this chat.",
    });
    await world.settle();
    expect(owner.cards.join("\n")).not.toContain("I want to send");
  });

  flow("says so when it failed, and what is pending stays", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, text: "hello", wait: 0 });
    await owner.sees(/`hello`/);
    agent.api.failNext(/^\/_delete/, {
      type: "error",
      errorType: { type: "internalError", message: "no" },
    });
    const answer = await owner.answerTo(`/leave ${chat}`);
    expect(answer).toMatch(new RegExp(`^Deleting contact Bob \\(${chat}\\) failed: \`.*\`\\.$`));
    expect(call.settled).toBe(false);
    expect(await owner.answerTo(`/leave ${chat}`)).toBe(`Deleted contact Bob (${chat}), requested by Alice.`);
    expect((await call.result).data).toMatchObject({ status: "rejected", reason: REASON });
  });

  flow("ends a contact that deleted the agent, and a group that is no more", async ({ world }) => {
    const { agent, owner, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    const hazel = await world.person("Hazel");
    const group = await meet(agent, hazel, "group");
    await peer.deleteChat(peerChat);
    await hazel.deleteChat(group.peerChat);
    await world.settle();
    expect(await owner.answerTo(`/leave ${chat}`)).toBe(`Deleted contact Bob (${chat}), requested by Alice.`);
    expect(await owner.answerTo(`/leave ${group.chat}`)).toBe(
      `Left group Trail (${group.chat}), requested by Alice.`,
    );
    expect(await owner.answerTo("/list")).toBe("No chats.");
  });

  flow("ends a connection that is being made; its call ends at its wait", async ({ world }) => {
    const { owner, client } = await scene(world);
    const bob = await world.person("Bob");
    const target = await bob.makeAddress();
    await bob.goOffline();
    const call = client.call("connect", { target, message: "hi", wait: 20 });
    await owner.sees(/^I want to connect/);
    await owner.says("/approve 1");
    await call.progressed(/^Action 1 waits for the connection until/);
    const [, chat] = /contact Bob \((@\d+)\)/.exec(await owner.answerTo("/list")) ?? [];
    expect(await owner.answerTo(`/leave ${chat}`)).toBe(`Deleted contact Bob (${chat}), requested by Alice.`);
    await bob.goOnline();
    await world.pass(25_000);
    await call.result;
    expect((await client.use("list")).data?.chats).toEqual([expect.objectContaining({ name: "Ridgeline" })]);
  });

  flow("ends a call that waits for messages of the chat, and of no other", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "group" });
    const oak = await world.person("Oak");
    const other = await meet(agent, oak, "contact");
    await world.settle();
    const call = client.call("receive", { chat, wait: 3600 });
    const all = client.call("receive", { wait: 3600 });
    await Promise.all([call.progressed(/^No new messages in/), all.progressed(/^No new messages;/)]);
    await owner.says(`/leave ${chat}`);
    expect(await call.result).toEqual({
      data: undefined,
      isError: true,
      text: `There is no chat ${chat}. list shows the chats.`,
    });
    expect(all.settled).toBe(false);
    await oak.send(other.peerChat, "hello");
    expect((await all.result).data).toMatchObject({ messages: [{ text: "hello" }] });
  });

  flow("takes the chat from under a call that waits for replies", async ({ world }) => {
    const { agent, owner, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    await givesAll(world, agent, chat);
    const call = client.call("send", { chat, text: "hello", wait: 30, idle: 30 });
    await peer.got("hello");
    await peer.send(peerChat, "hi there");
    await call.progressed(/^1 messages/);
    expect(await owner.answerTo(`/leave ${chat}`)).toMatch(/Deleted contact Bob/);
    // Nothing more can come: the call does not wait for its end.
    expect((await call.result).data).toMatchObject({
      status: "done",
      responses: [expect.objectContaining({ text: "hi there" })],
    });
    await world.settle();
    expect(agent.logged).toEqual([]);
  });

  simulatedOnly(
    "ids of deleted chats come again there as in the core, if nothing else takes them",
    "ends the standing approval: the next chat of that id asks again",
    async ({ world }) => {
      const { agent, owner, client, chat } = await scene(world, { kind: "group" });
      await givesAll(world, agent, chat);
      await owner.answerTo(`/leave ${chat}`);
      const next = await meet(agent, await world.person("Ivy"), "group");
      expect(next.chat).toBe(chat);
      await world.settle();
      client.call("send", { chat, text: "hello", wait: 0 });
      await owner.sees(/^I want to send .*`hello`/);
    },
  );
});
