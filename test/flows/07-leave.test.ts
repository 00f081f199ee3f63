import { describe, expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import type { TestAgent } from "../world/agent.js";
import { ERAS, type Era } from "../world/client.js";
import { flow, withSeeds } from "../world/flow-test.js";
import { at } from "../world/json.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";
import { meet, scene } from "./scenes.js";
import { edits, expectCommands, OWN_CONTACT, posts, savesCounter, savesFreed } from "./support.js";

type Kind = "business" | "contact" | "bot" | "group";

const NAMES = {
  business: "business Ridgeline",
  contact: "contact Bob",
  bot: "bot Echo",
  group: "group Trail",
};

/** Whether the agent's core has the chat. */
async function isThere(agent: TestAgent, chat: ChatRef): Promise<boolean> {
  return await agent.api.sendChatCmd(`/_get chat ${chat} count=0`).then(
    () => true,
    (error: unknown) => {
      expect(at(error, "chatError", "storeError", "type")).toMatch(/^(contact|group)NotFound$/);
      return false;
    },
  );
}

function leaving(kind: Kind, era: Era) {
  return async ({ world }: { world: World }): Promise<void> => {
    const { agent, owner, client, G, chat, peer } = await scene(world, { kind, era });
    const isContact = chat.startsWith("@");
    const call = client.call("leave", { chat });
    const verb = isContact ? "delete" : "leave";
    const card = `I want to ${verb} ${NAMES[kind]} (${chat}).\n/'approve ${chat} 1' or /'reject ${chat} 1'`;
    const { versions } = await owner.sees(card);
    await owner.says(`/approve ${chat} 1`);
    expect(await call.result).toMatchObject({ isError: false, data: { action: 1, status: "done", chat } });
    const done = `I ${isContact ? "deleted" : "left"} ${NAMES[kind]} (${chat}).\nApproved by Alice.`;
    await owner.sees(done);
    expect(versions).toEqual([card, done]);
    await world.settle();
    expectCommands(agent.newCommands(), [
      `/_get chat ${chat} count=0`,
      savesCounter(G, 2),
      posts(G, card),
      `/_get chat ${chat} count=0`,
      savesFreed(G, 2),
      ...(isContact ? [] : [`/_leave ${chat}`]),
      `/_delete ${chat} full notify=on`,
      edits(G, done),
    ]);
    await peer.waitFor(
      "the end",
      ({ type }) => type === (isContact ? "contactDeletedByContact" : "leftMember"),
    );
    expect(await isThere(agent, chat)).toBe(false);
    expect((await client.use("list")).data).toMatchObject({ chats: [], actions: [] });
    expect(await client.use("leave", { chat })).toMatchObject({
      isError: true,
      text: `There is no chat ${chat}. list shows the chats.`,
    });
    expect(agent.logged).toEqual([]);
  };
}

describe.each(ERAS)("for a client of the %s era", (era) => {
  flow("leaves a business, whose chat is a group", leaving("business", era));
  flow("deletes a contact", leaving("contact", era));
  flow("deletes a bot", leaving("bot", era));
  flow("leaves a group", leaving("group", era));
});
withSeeds(4, "leaves a business", leaving("business", "modern"));
withSeeds(4, "deletes a contact", leaving("contact", "modern"));

describe("a chat that is not connected", () => {
  flow("yet, since nothing was sent, is deleted here", async ({ world }) => {
    const { agent, owner, client } = await scene(world);
    const peer = await world.person("Bob");
    const chat = await (await agent.hands()).prepare(await peer.makeAddress());
    await world.settle();
    agent.newCommands();
    const call = client.call("leave", { chat });
    await owner.sees(`I want to delete contact Bob (${chat}).\n/'approve ${chat} 1' or /'reject ${chat} 1'`);
    await owner.says("/approve 1");
    expect((await call.result).data).toMatchObject({ status: "done", chat });
    expect(await isThere(agent, chat)).toBe(false);
  });

  flow("yet, since the other side was not there, is deleted; it cannot connect later", async ({ world }) => {
    const { agent, owner, client } = await scene(world);
    const peer = await world.person("Bob");
    const link = await peer.makeAddress();
    await peer.goOffline();
    const chat = await (await agent.hands()).startJoining(link);
    await world.settle();
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to delete contact Bob/);
    await owner.says("/approve 1");
    expect((await call.result).data).toMatchObject({ status: "done", chat });
    await peer.goOnline();
    await world.settle();
    expect(await isThere(agent, chat)).toBe(false);
    expect((await client.use("list")).data?.chats).toEqual([expect.objectContaining({ name: "Ridgeline" })]);
  });

  flow(
    "yet, a group that is only prepared or joining, is deleted without leaving what it is not in",
    async ({ world }) => {
      const { agent, owner, client } = await scene(world);
      const hazel = await world.person("Hazel");
      const { link } = await hazel.makeGroup("Trail");
      const prepared = await (await agent.hands()).prepare(link);
      await world.settle();
      agent.newCommands();
      const first = client.call("leave", { chat: prepared });
      await owner.sees(
        `I want to leave group Trail (${prepared}).\n/'approve ${prepared} 1' or /'reject ${prepared} 1'`,
      );
      await owner.says("/approve 1");
      expect((await first.result).data).toMatchObject({ status: "done" });
      expect(agent.newCommands()).not.toContain(`/_leave ${prepared}`);
      expect(await isThere(agent, prepared)).toBe(false);

      await hazel.goOffline();
      const joining = await (await agent.hands()).startJoining(link);
      await world.settle();
      const second = client.call("leave", { chat: joining });
      await owner.sees(/^I want to leave group Trail .*\n.* 2'$/);
      await owner.says("/approve 2");
      expect((await second.result).data).toMatchObject({ status: "done" });
      expect(await isThere(agent, joining)).toBe(false);
      await hazel.goOnline();
      await world.settle();
      expect((await client.use("list")).data?.chats).toEqual([
        expect.objectContaining({ name: "Ridgeline" }),
      ]);
    },
  );

  flow("any more, since the contact deleted the agent, is deleted", async ({ world }) => {
    const { agent, owner, client, peer, peerChat, chat } = await scene(world, { kind: "contact" });
    await peer.deleteChat(peerChat);
    await world.settle();
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to delete contact Bob/);
    await owner.says("/approve 1");
    expect((await call.result).data).toMatchObject({ status: "done", chat });
    expect(await isThere(agent, chat)).toBe(false);
  });

  for (const [how, end] of [
    ["was deleted", (peer, chat) => peer.deleteChat(chat)],
    ["removed the agent", (peer, chat) => peer.remove(chat, "My Agent")],
  ] satisfies [string, (peer: Person, chat: ChatRef) => Promise<void>][]) {
    flow(`any more, since the group ${how}, is deleted without leaving it again`, async ({ world }) => {
      const { agent, owner, client, peer, peerChat, chat } = await scene(world, { kind: "group" });
      await end(peer, peerChat);
      await world.settle();
      agent.newCommands();
      const call = client.call("leave", { chat });
      await owner.sees(/^I want to leave group Trail/);
      await owner.says("/approve 1");
      expect((await call.result).data).toMatchObject({ status: "done", chat });
      expect(agent.newCommands()).not.toContain(`/_leave ${chat}`);
      expect(await isThere(agent, chat)).toBe(false);
    });
  }
});

describe("leaving", () => {
  flow("is refused for chats that are not there, the control chat among them", async ({ world }) => {
    const { agent, client, G } = await scene(world);
    for (const chat of ["#99", "@99", OWN_CONTACT, G]) {
      expect(await client.use("leave", { chat })).toEqual({
        data: undefined,
        isError: true,
        text: `There is no chat ${chat}. list shows the chats.`,
      });
    }
    expect((await client.use("list")).data?.actions).toEqual([]);
    expect(agent.newCommands().filter((one) => one.startsWith("/_send"))).toEqual([]);
  });

  flow("is rejected with the owner's reason, and the chat stays", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "group" });
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to leave/);
    expect(await owner.answerTo("/approve @9 1")).toBe(`Action 1 is for group Trail (${chat}).`);
    await owner.says(`/reject ${chat} 1 we need it`);
    expect(await call.result).toMatchObject({
      isError: true,
      data: { action: 1, status: "rejected", reason: "we need it", chat },
    });
    await owner.sees(`I wanted to leave group Trail (${chat}).\nRejected by Alice: \`we need it\`.`);
    expect(await isThere(agent, chat)).toBe(true);
  });

  flow("fails where the chat has another name than on the card", async ({ world }) => {
    const { agent, owner, client, chat, peer, peerChat } = await scene(world, { kind: "group" });
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to leave group Trail/);
    await peer.renameGroup(peerChat, "Another");
    await world.settle();
    await owner.says("/approve 1");
    const error = "The chat has another name than on the card now. Call leave again to ask.";
    expect(await call.result).toMatchObject({ isError: true, data: { status: "failed", error } });
    await owner.sees(`I wanted to leave group Trail (${chat}).\nApproved by Alice; failed: \`${error}\`.`);
    expect(await isThere(agent, chat)).toBe(true);
  });

  flow("is rejected where the owner has the agent leave meanwhile", async ({ world }) => {
    const { owner, client, chat } = await scene(world, { kind: "group" });
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to leave group Trail/);
    await owner.says(`/leave ${chat}`);
    expect((await call.result).data).toMatchObject({
      status: "rejected",
      reason: "The owner left this chat.",
    });
    await owner.sees(`Left group Trail (${chat}), requested by Alice.`);
    expect(await owner.answerTo("/approve 1")).toBe("Action 1 is not pending.");
  });

  describe.each(ERAS)("for a client of the %s era", (era) => {
    flow("is resumed by the same call, though the chat is gone", async ({ world }) => {
      const { agent, owner, client, chat } = await scene(world, { kind: "contact", era });
      const lost = client.call("leave", { chat });
      await owner.sees(/^I want to delete/);
      lost.cut();
      await owner.says("/approve 1");
      await owner.sees(/^I deleted/);
      expect(await isThere(agent, chat)).toBe(false);
      expect((await client.use("leave", { chat })).data).toMatchObject({ action: 1, status: "done", chat });
      expect(await client.use("leave", { chat })).toMatchObject({ isError: true, data: undefined });
    });

    flow("is not what came of another chat with the same number", async ({ world }) => {
      const { agent, owner, client, chat } = await scene(world, { kind: "group", era });
      const sent = client.call("send", { chat, text: "hello", wait: 0 });
      await owner.sees(/`hello`/);
      sent.cut();
      await owner.says("/approve 1");
      await owner.sees(/^I sent/);
      const left = client.call("leave", { chat });
      await owner.sees(/^I want to leave/);
      left.cut();
      await owner.says("/approve 2");
      await owner.sees(/^I left/);
      const oak = await meet(agent, await world.person("Oak"), "group");
      await world.settle();
      // Numbers of groups come again.
      expect(oak.chat).toBe(chat);
      const again = client.call("send", { chat, text: "hello", wait: 0 });
      await owner.sees(new RegExp(`approve ${chat} 3'`));
      await owner.says("/reject 3");
      await owner.sees(/`hello`\nRejected by Alice\.$/);
      expect((await again.result).data).toMatchObject({ action: 3, status: "rejected" });
      const leaving = client.call("leave", { chat });
      await owner.sees(new RegExp(`^I want to leave group Trail \\(${chat}\\)\\.\n.* ${chat} 4'`));
      await owner.says("/reject 4");
      expect((await leaving.result).data).toMatchObject({ action: 4, status: "rejected" });
      expect(await isThere(agent, chat)).toBe(true);
    });
  });

  flow("rejects what else was asked for the chat: it would be for nobody", async ({ world }) => {
    const { owner, client, chat } = await scene(world, { kind: "group" });
    const message = client.call("send", { chat, text: "bye", wait: 0 });
    const call = client.call("leave", { chat });
    await owner.sees(/`bye`/);
    await owner.sees(/^I want to leave/);
    await owner.says("/approve 2");
    expect((await call.result).data).toMatchObject({ action: 2, status: "done" });
    const reason = "The agent left this chat.";
    expect(await message.result).toMatchObject({
      isError: true,
      data: { action: 1, status: "rejected", reason },
    });
    await owner.sees(`I wanted to send a message to group Trail: \`bye\`\nRejected by Alice: \`${reason}\`.`);
  });
});
