import { describe, expect } from "vitest";
import { ERAS, type OpenCall } from "../world/client.js";
import { flow } from "../world/flow-test.js";
import { textAt } from "../world/json.js";
import type { World } from "../world/world.js";
import type { Scene } from "./scenes.js";

/** Seconds: short, because in the real world they go by. The idle time never ends first. */
const WAIT = { wait: 8, idle: 60 };

/** Both are approved before the first one's `start`, a command, is sent. */
async function approvedTogether(
  world: World,
  { agent, owner, client }: Pick<Scene, "agent" | "owner" | "client">,
  start: RegExp,
  [first, second]: [Record<string, unknown>, Record<string, unknown>],
): Promise<[OpenCall, OpenCall]> {
  const one = client.call("connect", first);
  await owner.sees(/\/'approve 1'/);
  const two = client.call("connect", second);
  await owner.sees(/\/'approve 2'/);
  const starting = agent.api.holdNext(start);
  await owner.says("/approve 1");
  const { release } = await starting;
  await owner.says("/approve 2");
  await world.settle();
  release();
  return [one, two];
}

describe.each(ERAS)("two connections that are approved together, by a client of the %s era", (era) => {
  flow("to one group join it once, and the second says that it is being joined", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const hazel = await world.person("Hazel");
    const { chat: hazels, link } = await hazel.makeGroup("Trail");
    const client = await agent.client(era);
    const [one, two] = await approvedTogether(world, { agent, owner, client }, /^\/_connect \d/, [
      { target: link, ...WAIT },
      { target: link, incognito: true, ...WAIT },
    ]);
    const second = await two.result;
    expect(second.data).toMatchObject({ action: 2, status: "failed" });
    expect(second.data?.error).toMatch(
      /^Connected already: #\d+\.$|^The agent (?:is joining|asked to join) by/,
    );
    await one.progressed(/^\d+ messages in/);
    await world.settle();
    await world.pass(WAIT.wait * 1000);
    expect((await one.result).data).toMatchObject({ action: 1, status: "done", connected: true });
    expect(agent.newCommands().filter((one) => /^\/_connect \d/.test(one))).toHaveLength(1);
    await expect(hazel.member(hazels, "My Agent")).resolves.toEqual(expect.any(Number));
    expect((await client.use("list")).data?.chats).toHaveLength(1);
  });

  flow("to one address in two spellings connect once", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const bob = await world.person("Bob");
    const short = await bob.makeAddress();
    const full = textAt(await bob.run("/_show_address 1"), "contactLink", "connLinkContact", "connFullLink");
    const client = await agent.client(era);
    const [one, two] = await approvedTogether(world, { agent, owner, client }, /^\/_connect \d/, [
      { target: short, ...WAIT },
      { target: full, ...WAIT },
    ]);
    expect((await two.result).data).toMatchObject({ action: 2, status: "failed" });
    await world.settle();
    await world.pass(WAIT.wait * 1000);
    expect((await one.result).data).toMatchObject({ action: 1, status: "done", connected: true });
    expect(agent.newCommands().filter((one) => /^\/_connect \d/.test(one))).toHaveLength(1);
  });

  flow(
    "to one address with two messages send the first alone, and leave no second chat",
    async ({ world }) => {
      const { agent, owner } = await world.agentWithOwner();
      const bob = await world.person("Bob");
      const link = await bob.makeAddress();
      const client = await agent.client(era);
      const [one, two] = await approvedTogether(world, { agent, owner, client }, /^\/_prepare contact/, [
        { target: link, message: "first", ...WAIT },
        { target: link, message: "second", ...WAIT },
      ]);
      const second = await two.result;
      await one.progressed(/^\d+ messages in/);
      await world.settle();
      await world.pass(WAIT.wait * 1000);
      const first = await one.result;
      expect(first.data).toMatchObject({ action: 1, status: "done", connected: true });
      expect(second.data).toEqual({
        action: 2,
        status: "failed",
        error: `Connected already: ${first.data?.chat}. The message was not sent: use send.`,
      });
      await bob.got("first");
      expect(bob.inbox.map(({ text }) => text)).not.toContain("second");
      expect((await client.use("list")).data?.chats).toEqual([
        expect.objectContaining({ chat: first.data?.chat, name: "Bob", connected: true }),
      ]);
    },
  );
});

describe("a contact that the core says was connected to already", () => {
  flow("fails the action, whose message was not sent, and stays", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const hands = await agent.hands();
    const bob = await world.person("Bob");
    const client = await agent.client("modern");
    const call = client.call("connect", { target: await bob.makeAddress(), message: "first", ...WAIT });
    await owner.sees(/\/'approve 1'/);
    const starting = agent.api.holdNext(/^\/_connect contact/);
    await owner.says("/approve 1");
    const start = await starting;
    const chat = start.command.split(" ")[2];
    await hands.run(`/_connect contact ${chat} incognito=off`);
    start.release();
    expect((await call.result).data).toEqual({
      action: 1,
      status: "failed",
      error: `Connected already: ${chat}. The message was not sent: use send.`,
    });
    await hands.waitFor("the connection", ({ type }) => type === "contactConnected");
    await world.settle();
    expect((await client.use("list")).data).toMatchObject({
      chats: [{ chat, name: "Bob", connected: true }],
    });
    expect(bob.inbox.map(({ text }) => text)).not.toContain("first");
  });
});
