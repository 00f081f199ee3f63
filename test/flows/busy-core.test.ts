import { describe, expect } from "vitest";
import type { TestAgent } from "../world/agent.js";
import { simulatedOnly } from "../world/flow-test.js";
import { Owner } from "../world/owner.js";
import { addOwner, giveRole } from "../world/owners.js";
import type { World } from "../world/world.js";
import { givesAll, scene } from "./scenes.js";
import { BUSY } from "./support.js";

const SHORT = { wait: 0, idle: 1 };
const CLOCK = "the clock";

/** More often than a command is tried. */
const FOR_GOOD = 10;

function fail(agent: TestAgent, command: RegExp, times = 1): void {
  for (let count = 0; count < times; count += 1) agent.api.failNext(command, BUSY);
}

/** Lets all pauses between tries pass, one after the other. */
async function allTries(world: World): Promise<void> {
  for (let tries = 0; tries < FOR_GOOD; tries += 1) await world.pass(1000);
  await world.settle();
}

const memberOf = async (agent: TestAgent, name: string): Promise<number> =>
  (await agent.hands()).member(agent.controlChat, name);

describe("while the database is busy for a moment", () => {
  simulatedOnly(CLOCK, "the first owner is made one all the same", async ({ world }) => {
    const agent = await world.startAgent();
    const link = await agent.ownerLink();
    fail(agent, /^\/_delete link/);
    fail(agent, /^\/_member role/);
    const alice = await Owner.join(await world.person("Alice"), link);
    await allTries(world);
    const id = await memberOf(agent, "Alice");
    await agent.prints(`Alice joined (member ${id}) and is now an owner. The link is deleted.`);
    expect(await alice.answerTo("/pending")).toBe("No pending actions.");
    expect(agent.logged).toEqual([]);
  });

  simulatedOnly(CLOCK, "what was done under a standing approval is shown all the same", async ({ world }) => {
    const { agent, owner, client, chat, G } = await scene(world, { kind: "contact" });
    await givesAll(world, agent, chat);
    fail(agent, new RegExp(`^/_send ${G}`));
    await client.use("send", { chat, text: "seen", ...SHORT });
    await allTries(world);
    await owner.sees(/^I sent a message to contact Bob: `seen`\nApproved for this chat by Alice\./);
    expect(agent.logged).toEqual([]);
  });

  simulatedOnly(CLOCK, "a revocation is stored all the same", async ({ world }) => {
    const { agent, owner, chat } = await scene(world, { kind: "contact" });
    await givesAll(world, agent, chat);
    fail(agent, /^\/_set custom @/);
    await owner.says(`/revoke ${chat}`);
    await allTries(world);
    await owner.sees(`Messages to contact Bob (${chat}) need approval again.`);
    await agent.restart();
    expect(await owner.answerTo("/list")).not.toContain("approved");
  });

  simulatedOnly(CLOCK, "a group is left and deleted all the same", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "group" });
    const call = client.call("send", { chat, text: "t", ...SHORT });
    await owner.sees(/^I want to send/);
    fail(agent, /^\/_leave/);
    fail(agent, /^\/_delete #/);
    await owner.says(`/leave ${chat}`);
    await allTries(world);
    await owner.sees(`Left group Trail (${chat}), requested by Alice.`);
    expect((await call.result).data).toMatchObject({
      status: "rejected",
      reason: "The owner left this chat.",
    });
  });
});

describe("when the core goes on failing", () => {
  simulatedOnly(CLOCK, "the person at the terminal is told of an owner who is none", async ({ world }) => {
    const agent = await world.startAgent();
    const link = await agent.ownerLink();
    fail(agent, /^\/_member role/, FOR_GOOD);
    await Owner.join(await world.person("Alice"), link);
    await allTries(world);
    const id = await memberOf(agent, "Alice");
    await agent.prints(
      new RegExp(
        `^Alice joined \\(member ${id}\\) and could not be made owner: .*busy.*\\. Restart the server\\.$`,
      ),
    );
    await agent.restart();
    await agent.prints(`Alice joined (member ${id}) and is now an owner. The link is deleted.`);
  });

  simulatedOnly(CLOCK, "no second link is shown while somebody came by the first", async ({ world }) => {
    const agent = await world.startAgent();
    const link = await agent.ownerLink();
    fail(agent, /^\/_members/, FOR_GOOD);
    fail(agent, /^\/_member role/, FOR_GOOD);
    await Owner.join(await world.person("Alice"), link);
    await allTries(world);
    await allTries(world);
    await agent.prints(/^Alice joined \(member \d+\) and could not be made owner: /);
    expect(agent.printed.filter((line) => line.startsWith("https:"))).toEqual([link]);
  });

  simulatedOnly(CLOCK, "a new owner approves at once", async ({ world }) => {
    const agent = await world.startAgent();
    const link = await agent.ownerLink();
    const giving = agent.api.holdNext(/^\/_member role/);
    const joining = Owner.join(await world.person("Alice"), link);
    const { release } = await giving;
    fail(agent, /^\/_members/, FOR_GOOD);
    release();
    const alice = await joining;
    await allTries(world);
    await agent.prints(/^Alice joined .* is now an owner/);
    const client = await agent.client("modern");
    const bot = await world.person("Echo", { peerType: "bot" });
    client.call("connect", { target: await bot.makeAddress(), ...SHORT });
    await alice.sees(/^I want to connect/);
  });

  simulatedOnly(CLOCK, "nobody is said to be removed who is not", async ({ world }) => {
    const agent = await world.startAgent();
    const link = await agent.ownerLink();
    const [alice, bob] = await Promise.all([world.person("Alice"), world.person("Bob")]);
    fail(agent, /^\/_remove/, FOR_GOOD);
    const [first] = await Promise.all([Owner.join(alice, link), Owner.join(bob, link)]);
    await allTries(world);
    const line = await agent.prints(/could not be removed/);
    expect(line).toMatch(
      /^(Alice|Bob) joined by the link and could not be removed \(member \d+\): .*busy.*\. Remove this member\.$/,
    );
    await first.sees(line);
    expect(agent.printed.join("\n")).not.toContain("was removed");
  });

  simulatedOnly(CLOCK, "somebody who is no owner any more approves nothing", async ({ world }) => {
    const { agent, owner: alice, client, chat, peer } = await scene(world, { kind: "contact" });
    const bob = await addOwner(agent, alice, await world.person("Bob"));
    await givesAll(world, agent, chat, "Bob");
    await world.settle();
    fail(agent, /^\/_members/, FOR_GOOD);
    await giveRole(agent, alice, "Bob", "member");
    await world.settle();
    const call = client.call("send", { chat, text: "late", ...SHORT });
    await alice.sees(/^I want to send/);
    await allTries(world);
    expect(peer.inbox).toEqual([]);
    expect(agent.logged[0]).toMatch(/^The members of the control chat could not be read: .*busy/);
    // Read again at the next command.
    agent.api.failNothing();
    expect(await bob.answerTo(`/approve ${chat} 1`)).toBe("Only the owners of this chat can do this.");
    await alice.says(`/approve ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
  });

  simulatedOnly(CLOCK, "a group that was left is not said to be there still", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "group" });
    const call = client.call("leave", { chat });
    await owner.sees(/^I want to leave/);
    fail(agent, /^\/_delete #/, FOR_GOOD);
    await owner.says("/approve 1");
    await allTries(world);
    expect((await call.result).data).toMatchObject({ status: "done" });
    await owner.sees(/^I left group Trail/);
    agent.api.failNothing();
    expect(agent.logged).toEqual([
      expect.stringMatching(new RegExp(`^${chat} was left, and its chat could not be deleted: .*busy`)),
    ]);
  });

  simulatedOnly(CLOCK, "the operator is told which outcome no owner saw", async ({ world }) => {
    const { agent, owner, client, chat, G } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, text: "t", ...SHORT });
    await owner.sees(/^I want to send/);
    fail(agent, /^\/_update item/, FOR_GOOD);
    fail(agent, new RegExp(`^/_send ${G}`), FOR_GOOD);
    await owner.says("/approve 1");
    await allTries(world);
    expect((await call.result).data).toMatchObject({ action: 1, status: "done" });
    expect(agent.logged).toEqual([expect.stringMatching(/^The outcome of action 1 was not sent: .*busy/)]);
  });
});

simulatedOnly("holds", "an owner who left before being made one lets the next one in", async ({ world }) => {
  const agent = await world.startAgent();
  const link = await agent.ownerLink();
  const deleting = agent.api.holdNext(/^\/_delete link/);
  const alice = await Owner.join(await world.person("Alice"), link);
  const { release } = await deleting;
  const lines = agent.printed.length;
  await alice.person.leave(alice.chat);
  await world.settle();
  release();
  await world.settle();
  const next = agent.printed.slice(lines).find((line) => line.startsWith("https:")) ?? "";
  const bob = await Owner.join(await world.person("Bob"), next);
  await agent.prints(/^Bob joined \(member \d+\) and is now an owner\. The link is deleted\.$/);
  await world.settle();
  expect(await bob.answerTo("/pending")).toBe("No pending actions.");
});
