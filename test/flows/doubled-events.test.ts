/** A core may tell of one thing twice: nothing is done twice, counted twice or taken back. */
import { expect } from "vitest";
import { doubled } from "../world/doubled.js";
import { flow } from "../world/flow-test.js";
import { invite } from "../world/owners.js";
import { effects } from "./bad.js";
import { meet } from "./scenes.js";
import { textsOf } from "./support.js";
import { approve } from "./trail.js";

flow(
  "an owner joins, approves, is answered and leaves a chat with every event told twice",
  async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner({ onOpen: doubled });
    // The join came twice, and the owner is still there.
    expect(await owner.answerTo("/pending")).toBe("No pending actions.");
    expect(agent.printed.filter((line) => line.includes("joined"))).toEqual([
      expect.stringMatching(/^Alice joined \(member \d+\) and is now an owner\. The link is deleted\.$/),
    ]);
    await invite(agent, owner, await world.person("Carol"));
    expect(await owner.answerTo("/pending")).toBe("No pending actions.");

    const peer = await world.person("Bob");
    const { chat, peerChat } = await meet(agent, peer, "contact");
    const client = await agent.client("modern");
    await world.settle();
    effects(agent);

    // One act, one reply, one count.
    const call = client.call("send", { chat, text: "Hi", wait: 60, idle: 1, limit: 1 });
    await approve(owner, 1);
    await peer.got("Hi");
    await peer.send(peerChat, "one");
    await peer.send(peerChat, "two");
    await (await agent.hands()).got("two");
    await world.settle();
    await world.pass(2000);
    const { data } = await call.result;
    expect(data).toMatchObject({ status: "done", responses: [{ text: "one" }] });
    expect([0, 1]).toContain(data?.more);
    expect(textsOf(await client.use("receive", { chat }))).toEqual(["two"]);
    expect(peer.inbox.filter(({ text }) => text === "Hi")).toHaveLength(1);
    expect(effects(agent).filter((command) => command.startsWith(`/_send ${chat} `))).toHaveLength(1);

    // An owner's word counts once.
    const next = client.call("send", { chat, text: "Again", wait: 0 });
    await owner.sees(/`Again`/);
    expect(await owner.answerTo(`/approve ${chat} all`)).toBe(
      `Approved for contact Bob (${chat}) by Alice. /'revoke ${chat}'`,
    );
    expect((await next.result).data).toMatchObject({ status: "done" });
    expect(await owner.answerTo(`/leave ${chat}`)).toBe(`Deleted contact Bob (${chat}), requested by Alice.`);
    await world.settle();
    expect(owner.cards.filter((text) => text.startsWith("Approved for"))).toHaveLength(1);
    expect(owner.cards.filter((text) => text.includes("is not pending"))).toEqual([]);
    expect(owner.cards.filter((text) => text.startsWith("I have no chat"))).toEqual([]);
    expect(agent.logged).toEqual([]);
  },
);
