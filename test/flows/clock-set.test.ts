/** The wall clock is set, or the computer sleeps, while something is waited for: durations stay what they are. */
import { describe, expect } from "vitest";
import { simulatedOnly } from "../world/flow-test.js";
import { fileScene, REPORT } from "./files.js";
import { scene } from "./scenes.js";
import { textsOf } from "./support.js";

const HOUR = 3_600_000;

/** NTP, somebody's hand, or three hours in a bag. */
const STEPS = [
  ["is set back an hour", -HOUR],
  ["is set forward an hour", HOUR],
  ["goes on for 3 h while the computer sleeps", 3 * HOUR],
] as const;

describe.each(STEPS)("while the clock %s", (_name, step) => {
  simulatedOnly("time", "send waits for replies as long as it was told", async ({ world }) => {
    const { owner, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, text: "Hi", wait: 60, idle: 10 });
    await owner.sees(/^I want to send/);
    await owner.says("/approve 1");
    await call.progressed(/^0 messages/);
    await world.pass(30_000);
    world.clock.set(step);
    await world.pass(29_000);
    expect(call.settled).toBe(false);
    await peer.send(peerChat, "Hello");
    await call.progressed(/^1 messages/);
    world.clock.set(step);
    await world.pass(900);
    expect(call.settled).toBe(false);
    await world.pass(100);
    expect(textsOf(await call.result)).toEqual(["Hello"]);
  });

  simulatedOnly("time", "the idle time after a reply stays", async ({ world }) => {
    const { owner, client, chat, peer, peerChat } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, text: "Hi", wait: 600, idle: 10 });
    await owner.sees(/^I want to send/);
    await owner.says("/approve 1");
    await call.progressed(/^0 messages/);
    await peer.send(peerChat, "Hello");
    await call.progressed(/^1 messages/);
    world.clock.set(step);
    await world.pass(9_900);
    expect(call.settled).toBe(false);
    await world.pass(100);
    expect(textsOf(await call.result)).toEqual(["Hello"]);
  });

  simulatedOnly("time", "receive waits as long as it was told", async ({ world }) => {
    const { client, chat } = await scene(world, { kind: "contact" });
    const call = client.call("receive", { chat, wait: 60 });
    await call.progressed(/^No new messages/);
    world.clock.set(step);
    await world.pass(59_999);
    expect(call.settled).toBe(false);
    await world.pass(1);
    expect((await call.result).data).toEqual({ chat, messages: [], more: 0 });
  });

  simulatedOnly("time", "connect waits for the other side as long as it was told", async ({ world }) => {
    const { owner, client } = await scene(world, { kind: "contact" });
    const nobody = await world.person("Nobody");
    const link = await nobody.makeAddress({ autoAccept: false });
    const call = client.call("connect", { target: link, wait: 60 });
    await owner.sees(/^I want to connect/);
    await owner.says("/approve 1");
    await call.progressed(/waits for the connection until/);
    world.clock.set(step);
    await world.pass(59_900);
    expect(call.settled).toBe(false);
    await world.pass(100);
    expect((await call.result).data).toMatchObject({ status: "done", connected: false });
  });

  simulatedOnly("time", "a held call comes back when it was to", async ({ world }) => {
    const { owner, client, chat } = await scene(world, { kind: "contact", holdSeconds: 50 });
    const call = client.call("send", { chat, text: "Hi" });
    await owner.sees(/^I want to send/);
    world.clock.set(step);
    await world.pass(49_900);
    expect(call.settled).toBe(false);
    await world.pass(100);
    expect((await call.result).data).toMatchObject({ status: "pending" });
  });

  simulatedOnly("time", "the limit of cards a minute lasts a minute", async ({ world }) => {
    const { owner, client, chat } = await scene(world, { kind: "contact" });
    for (let number = 1; number <= 10; number += 1) {
      client.call("send", { chat, text: `text ${number}` });
      await owner.sees(new RegExp(`text ${number}\``));
    }
    world.clock.set(step);
    const refused = await client.use("send", { chat, text: "one more" });
    expect(refused.text).toContain("Try again in 60 s.");
    await world.pass(60_000);
    client.call("send", { chat, text: "one more" });
    await owner.sees(/one more/);
  });

  simulatedOnly("time", "--stop-wait lasts as long as it was told", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact", stopWaitSeconds: 10 });
    client.call("send", { chat, text: "Hi" });
    await owner.sees(/^I want to send/);
    await world.settle();
    world.network.faults.networkDown(true);
    let ended = false;
    const end = agent.stop().then(() => {
      ended = true;
    });
    await world.pass(1000);
    world.clock.set(step);
    await world.pass(8_800);
    expect(ended).toBe(false);
    await world.pass(300);
    await end;
  });

  simulatedOnly(
    "time",
    "a download goes on, and its call waits as long as it was told",
    async ({ world }) => {
      const { agent, owner, chat, post } = await fileScene(world);
      const { item } = await post("report.pdf", REPORT);
      const downloads = world.network.files.holdDownloads();
      const client = await agent.client("modern");
      const call = client.call("download", { chat, item, wait: 600 });
      await owner.sees(/^I want to download/);
      await owner.says(`/receive ${chat} 1`);
      await agent.commands(/^\/freceive/);
      await world.settle();
      world.clock.set(step);
      await world.pass(599_900);
      expect(call.settled).toBe(false);
      await world.pass(100);
      expect((await call.result).data).toMatchObject({ status: "performing" });
      const again = client.call("download", { chat, item, wait: 600 });
      await world.settle();
      downloads.release();
      expect((await again.result).data).toMatchObject({ status: "done" });
      expect(agent.api.commands.filter((one) => one.startsWith("/fcancel"))).toEqual([]);
    },
  );

  simulatedOnly("time", "an action expires by whichever clock is first", async ({ world }) => {
    const { owner, client, chat } = await scene(world, { kind: "contact", expireHours: 4 });
    const call = client.call("send", { chat, text: "Hi" });
    await owner.sees(/^I want to send/);
    await world.pass(30 * 60_000);
    world.clock.set(step);
    // What is left by the clock that is ahead, and the next check of it.
    const left = 4 * HOUR - 30 * 60_000 - Math.max(step, 0);
    await world.pass(left - 60_000);
    expect(call.settled).toBe(false);
    await world.pass(120_000);
    expect((await call.result).data).toMatchObject({ status: "expired" });
  });
});
