import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { simulatedOnly } from "../world/flow-test.js";
import { until } from "../world/until.js";
import { scene } from "./scenes.js";
import { BUSY } from "./support.js";
import { contactOf } from "./trail.js";

const WHY = "the order of commands";

/** Copying it takes a moment. Bytes. */
const LARGE = 300 << 20;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "simplex-mcp-large-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function largeFile(): Promise<string> {
  const path = join(folder, "secret.bin");
  const file = await open(path, "w");
  await file.truncate(LARGE);
  await file.close();
  return path;
}

describe("the number of a chat that was left, which another one gets", () => {
  simulatedOnly(WHY, "gets no file that was being copied for the first", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, file: await largeFile(), wait: 0 });
    await owner.sees(/^I want to send/);
    await owner.says("/approve 1");
    const copies = join(agent.folder, "files/sent");
    while ((await readdir(copies)).length === 0) await pause(1);
    await owner.says(`/leave ${chat}`);
    await until("the departure", () => owner.cards.some((text) => text.startsWith("Deleted contact Bob")));
    const zed = await contactOf(world, agent, "Zed");
    expect(zed.chat).toBe(chat);
    expect(call.settled).toBe(false);
    expect((await call.result).data).toMatchObject({
      action: 1,
      status: "failed",
      error: "The chat was left meanwhile.",
    });
    await world.settle();
    expect(zed.person.inbox).toEqual([]);
    expect(await readdir(copies)).toEqual([]);
  });

  simulatedOnly(WHY, "is not deleted by a second try to leave the first", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to delete/);
    agent.api.failNext(/^\/_delete @/, BUSY);
    await owner.says("/approve 1");
    await world.settle();
    // The agent's own try waits for its next one.
    await owner.says(`/leave ${chat}`);
    await world.pass(1000);
    await owner.sees(`Deleted contact Bob (${chat}), requested by Alice.`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    expect(agent.newCommands().filter((one) => one.startsWith("/_delete @"))).toHaveLength(2);
    const zed = await contactOf(world, agent, "Zed");
    expect(zed.chat).toBe(chat);
    await world.pass(10_000);
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, name: "Zed" }] });
  });

  simulatedOnly(WHY, "has no standing approval that was meant for the first", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const leaving = client.call("leave", { chat });
    await owner.sees(/^I want to delete/);
    client.call("send", { chat, text: "for Bob", wait: 0 });
    await owner.sees(/^I want to send .*`for Bob`/);
    const deleting = agent.api.holdNext(/^\/_delete @/);
    await owner.says("/approve 1");
    const { release } = await deleting;
    agent.api.failNext(/^\/_set custom @/, BUSY);
    await owner.says(`/approve ${chat} 2 all`);
    await agent.commands(/^\/_set custom @/);
    release();
    await leaving.result;
    await world.pass(50);
    const zed = await contactOf(world, agent, "Zed");
    expect(zed.chat).toBe(chat);
    // The second try is for Bob, and meets Zed.
    await world.pass(1000);
    const call = client.call("send", { chat, text: "t", wait: 0 });
    await owner.sees(/^I want to send a message to contact Zed/);
    await world.settle();
    expect(zed.person.inbox).toEqual([]);
    expect(call.settled).toBe(false);
  });
});
