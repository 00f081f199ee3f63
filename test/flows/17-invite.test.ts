import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { linkIn, reachable } from "./reachable.js";
import { edits, expectCommands, posts, savesCounter, withoutLinks } from "./support.js";

const LINK = expect.stringMatching(/^(?:https|simplex):\S+$/);
const ONE_TIME = "a one-time link, by which one person can connect to me";
const ADDRESS = "an address, by which people can ask to connect to me";
const COMMANDS = "/'approve 1' or /'reject 1'";

describe.each(ERAS)("invite, by a client of the %s era", (era) => {
  flow("makes a one-time link that an owner approves, and one person connects by it", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const G = agent.controlChat;
    const client = await agent.client(era);
    const call = client.call("invite", { kind: "one-time", purpose: "Bob's new phone" });
    const pending = `I want to make ${ONE_TIME}, for: \`Bob's new phone\`.\n${COMMANDS}`;
    await owner.sees(pending);
    expect((await client.use("list")).data?.actions).toMatchObject([
      {
        action: 1,
        tool: "invite",
        input: { kind: "one-time", purpose: "Bob's new phone" },
        state: "pending",
      },
    ]);
    agent.newCommands();
    await owner.says("/approve 1");
    const { data } = await call.result;
    expect(data).toEqual({ action: 1, status: "done", link: LINK });
    const done = `I made ${ONE_TIME}, for: \`Bob's new phone\`.\nApproved by Alice.`;
    await owner.sees(done);
    expectCommands(agent.newCommands(), ["/_connect 1 incognito=off", edits(G, done)]);
    await (await world.person("Bob")).join(String(data?.link));
    await owner.sees(/^Bob is connected to me by a one-time link: contact @4\.$/);
  });

  flow("makes the address, and names it without a card where it is there", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const G = agent.controlChat;
    const client = await agent.client(era);
    const call = client.call("invite", { kind: "address" });
    const pending = `I want to have ${ADDRESS}.\n${COMMANDS}`;
    await owner.sees(pending);
    await owner.says("/approve 1");
    const { data } = await call.result;
    expect(data).toEqual({ action: 1, status: "done", link: LINK });
    const done = `I made ${ADDRESS}.\nApproved by Alice.`;
    await owner.sees(done);
    expectCommands(agent.newCommands(), [
      "/_show_address 1",
      savesCounter(G, 2),
      posts(G, pending),
      "/_show_address 1",
      "/_address 1",
      '/_address_settings 1 {"businessAddress":false}',
      edits(G, done),
    ]);
    expect((await client.use("invite", { kind: "address", purpose: "again" })).data).toEqual({
      status: "known",
      link: data?.link,
    });
    expect((await client.use("list")).data?.agent).toEqual({ name: "My Agent", address: data?.link });
    expect(linkIn(await owner.answerTo("/address"))).toBe(data?.link);
  });

  flow("is rejected, and nothing is made", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const client = await agent.client(era);
    const call = client.call("invite", { kind: "address" });
    await owner.sees(/^I want to have an address/);
    agent.newCommands();
    await owner.says("/reject 1 Not yet");
    const { data, isError } = await call.result;
    expect({ data, isError }).toEqual({
      data: { action: 1, status: "rejected", reason: "Not yet" },
      isError: true,
    });
    await owner.sees(`I wanted to have ${ADDRESS}.\nRejected by Alice: \`Not yet\`.`);
    expect(agent.newCommands().filter((one) => one.startsWith("/_address"))).toEqual([]);
  });
});

describe("invite", () => {
  flow("called again after it was lost returns the same link", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const client = await agent.client("modern");
    const lost = client.call("invite", { kind: "one-time" });
    await owner.sees(/^I want to make/);
    lost.cut();
    await world.settle();
    await owner.says("/approve 1");
    await owner.sees(`I made ${ONE_TIME}.\nApproved by Alice.`);
    const again = await client.use("invite", { kind: "one-time" });
    expect(again.data).toEqual({ action: 1, status: "done", link: LINK });
    const next = client.call("invite", { kind: "one-time" });
    await owner.sees(/\/'approve 2' or/);
    next.cancel();
    expect(agent.newCommands().filter((one) => one.startsWith("/_connect"))).toHaveLength(1);
  });

  flow("in mode host needs no card, and says so", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner({ approve: "host" });
    const client = await agent.client("modern");
    const { data } = await client.use("invite", { kind: "one-time" });
    expect(data).toEqual({ action: 1, status: "done", link: LINK });
    await owner.sees(`I made ${ONE_TIME}.\nPerformed without approval (mode host).`);
  });

  flow("takes the address that an owner made while the card waited", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const client = await agent.client("modern");
    const call = client.call("invite", { kind: "address" });
    await owner.sees(/^I want to have an address/);
    const link = linkIn(await owner.answerTo("/address"));
    agent.newCommands();
    await owner.says("/approve 1");
    expect((await call.result).data).toEqual({ action: 1, status: "done", link });
    expect(agent.newCommands().filter((one) => one.startsWith("/_address"))).toEqual([]);
  });

  simulatedOnly(
    "the address appears in between",
    "an address that exists while it is made is taken",
    async ({ world }) => {
      const { agent, owner } = await reachable(world);
      const there = linkIn(await owner.answerTo("/address"));
      agent.api.failNext(/^\/_show_address/, {
        type: "errorStore",
        storeError: { type: "userContactLinkNotFound" },
      });
      agent.newCommands();
      expect(linkIn(await owner.answerTo("/address"))).toBe(there);
      expect(agent.newCommands().map(withoutLinks).slice(0, 3)).toEqual([
        "/_show_address 1",
        "/_address 1",
        "/_show_address 1",
      ]);
    },
  );
});
