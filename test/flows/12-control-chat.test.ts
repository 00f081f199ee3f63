import { describe, expect } from "vitest";
import { greeting } from "../../src/control/texts/replies.js";
import type { TestAgent } from "../world/agent.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { at, listAt } from "../world/json.js";
import { Owner } from "../world/owner.js";
import { addOwner, giveRole, invite } from "../world/owners.js";
import type { World } from "../world/world.js";
import { expectCommands, savesCounter } from "./support.js";

const HINT = "Add the agent to Claude Code: npx -y @simplex-chat/mcp register my-agent";
const NOT_AN_OWNER = "Only the owners of this chat can do this.";
const NO_OWNER_LEFT = "No owner is left: nobody can approve actions. Restart the server to invite one.";
const NO_APPROVER =
  "The agent has no approving owner. Ask the person who runs the server to restart it, and to let one join by the link it shows then.";

/** Has the agent ask for something, and an owner refuse it: one number is used. */
async function useNumber(agent: TestAgent, owner: Owner, target: string, number: number): Promise<void> {
  const client = await agent.client("modern");
  const call = client.call("connect", { target });
  await owner.sees(new RegExp(`/'approve ${number}' or /'reject ${number}'$`));
  await owner.says(`/reject ${number}`);
  expect((await call.result).data).toMatchObject({ action: number, status: "rejected" });
}

/** The names of the groups that the agent's core has. */
async function groups(agent: TestAgent): Promise<unknown[]> {
  const answer = await agent.api.sendChatCmd("/_groups 1");
  return listAt(answer, "groups").map((group) => at(group, "groupProfile", "displayName"));
}

async function resetOwner(world: World, agent: TestAgent): Promise<Owner> {
  const owner = await Owner.join(await world.person("Carol"), await agent.ownerLink());
  await owner.sees(/^I'm your agent/);
  return owner;
}

describe("owners without a list", () => {
  flow("are who has the role: promoted, demoted, and named as they are now", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const bob = await invite(agent, alice, await world.person("Bob"));
    expect(await bob.answerTo("/pending")).toBe(NOT_AN_OWNER);
    expect(await bob.answerTo("/nonsense")).toBe(NOT_AN_OWNER);
    await giveRole(agent, alice, "Bob", "owner");
    const printed = agent.printed.length;
    expect(await bob.answerTo("/pending")).toBe("No pending actions.");
    await world.pass(1000);
    await bob.person.rename("Robert");
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    const client = await agent.client("modern");
    const call = client.call("connect", { target });
    await bob.sees(/^I want to connect/);
    await bob.says("/reject 1 not today");
    expect((await call.result).data).toMatchObject({ status: "rejected", reason: "not today" });
    await alice.sees(/\nRejected by Robert: `not today`\.$/);
    await giveRole(agent, alice, "Robert", "moderator");
    expect(await bob.answerTo("/pending")).toBe(NOT_AN_OWNER);
    expect(agent.printed).toHaveLength(printed);
  });

  flow("may all be gone: what they were asked stays, and nothing new is asked", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    const other = await (await world.person("Bob")).makeAddress();
    const client = await agent.client("modern");
    const call = client.call("connect", { target });
    await alice.sees(/^I want to connect/);
    await alice.person.leave(alice.chat);
    await agent.prints(NO_OWNER_LEFT);
    expect(await client.use("connect", { target: other })).toMatchObject({
      isError: true,
      text: NO_APPROVER,
    });
    expect((await client.use("list")).data?.actions).toEqual([expect.objectContaining({ state: "pending" })]);
    expect(call.settled).toBe(false);
    await agent.restart();
    const link = await agent.ownerLink();
    const carol = await Owner.join(await world.person("Carol"), link);
    await agent.prints(HINT);
    await carol.sees(greeting);
    await carol.says("/approve 1");
    await carol.sees("Action 1 is not pending.");
    await useNumber(agent, carol, target, 2);
  });

  flow("leave others behind, who do not approve for them", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const bob = await invite(agent, alice, await world.person("Bob"));
    await alice.person.leave(alice.chat);
    await agent.prints(NO_OWNER_LEFT);
    expect(await bob.answerTo("/pending")).toBe(NOT_AN_OWNER);
    await agent.restart();
    // Bob was invited by Alice, not by the person at the terminal.
    await agent.prints("Waiting for the owner to join. The link works once.");
    expect(await bob.answerTo("/pending")).toBe(NOT_AN_OWNER);
  });
});

describe("a start without an owner", () => {
  flow("makes nobody owner who was demoted", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const bob = await addOwner(agent, alice, await world.person("Bob"));
    await giveRole(agent, bob, "Alice", "member");
    await bob.person.leave(bob.chat);
    await agent.prints(/^No owner is left/);
    const client = await agent.client("modern");
    const bot = await world.person("Echo", { peerType: "bot" });
    expect((await client.use("connect", { target: await bot.makeAddress() })).text).toBe(NO_APPROVER);
    await agent.restart();
    await agent.ownerLink();
    await world.settle();
    expect(agent.printed.join("\n")).not.toContain("is now an owner");
    expect(await alice.answerTo("/pending")).toBe("Only the owners of this chat can do this.");
  });

  flow("makes nobody owner who says that there never was one", async ({ world }) => {
    const { agent, owner: bob } = await world.agentWithOwner({}, "Bob");
    const alice = await addOwner(agent, bob, await world.person("Alice"));
    await giveRole(agent, alice, "Bob", "member");
    await bob.says(greeting);
    await world.settle();
    await alice.person.leave(alice.chat);
    await agent.prints(NO_OWNER_LEFT);
    await agent.restart();
    await agent.ownerLink();
    expect(agent.printed.join("\n")).not.toContain("is now an owner");
  });

  flow("removes nobody who was an owner once", async ({ world }) => {
    const { agent, owner: bob } = await world.agentWithOwner({}, "Bob");
    const alice = await addOwner(agent, bob, await world.person("Alice"));
    await giveRole(agent, alice, "Bob", "member");
    await alice.person.leave(alice.chat);
    await agent.prints(NO_OWNER_LEFT);
    await agent.restart();
    await Owner.join(await world.person("Carol"), await agent.ownerLink());
    await agent.prints(/^Carol joined .* is now an owner/);
    await world.settle();
    await agent.restart();
    await world.settle();
    expect(agent.printed.join("\n")).not.toContain("was removed");
    expect(bob.person.events.filter(({ type }) => type === "deletedMemberUser")).toEqual([]);
  });

  flow("makes nobody owner who was let in as an observer of a list", async ({ world }) => {
    const agent = await world.startAgent({ owners: { kind: "setup" } });
    const mallory = await Owner.join(await world.person("Mallory"), await agent.ownerLink());
    await agent.prints(/^Mallory joined/);
    await agent.restart({ owners: { kind: "any" } });
    await agent.ownerLink();
    await world.settle();
    expect(agent.printed.join("\n")).not.toContain("is now an owner");
    expect(mallory.cards.join("\n")).not.toContain("I'm your agent");
  });
});

describe("--reset-owners", () => {
  flow("ends the control chat for all its members, and the numbers go on in a new one", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const bob = await addOwner(agent, alice, await world.person("Bob"));
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    await useNumber(agent, alice, target, 1);
    const old = agent.controlChat;
    agent.newCommands();
    await agent.restart({ resetOwners: true });
    const G = agent.controlChat;
    const commands = agent.newCommands();
    expectCommands(
      commands.slice(commands.indexOf("/_groups 1") + 1).filter((one) => !one.startsWith("/_group 1 ")),
      [
        savesCounter(G, 2),
        `/_delete ${old} full notify=on`,
        `/_members ${G}`,
        `/_delete link ${G}`,
        `/_create link ${G} member`,
      ],
    );
    expect(agent.printed).toContain('Agent control chat "My Agent" created.');
    for (const { person } of [alice, bob]) {
      await person.waitFor("the end of the chat", ({ type }) => type === "groupDeleted");
    }
    const carol = await resetOwner(world, agent);
    expect(await carol.answerTo("/approve 1")).toBe("Action 1 is not pending.");
    await useNumber(agent, carol, target, 2);
    expect(await groups(agent)).toEqual(["My Agent"]);
  });

  flow("works for an agent that is no owner of the chat any more", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    await useNumber(agent, alice, target, 1);
    const hands = await agent.hands();
    await alice.person.setRole(alice.chat, "My Agent", "member");
    await hands.waitFor("the demotion", ({ type }) => type === "memberRole");
    await agent.restart({ resetOwners: true });
    await alice.person.waitFor("the agent leaving", ({ type }) => type === "leftMember");
    const carol = await resetOwner(world, agent);
    await useNumber(agent, carol, target, 2);
    expect(await groups(agent)).toEqual(["My Agent"]);
  });

  const MOMENTS: [string, RegExp][] = [
    ["before the new chat is made", /^\/_group 1 /],
    ["before it is marked", /^\/_set custom/],
    ["before the old one is deleted", /^\/_delete #/],
    ["before the link is made", /^\/_create link/],
  ];
  for (const [moment, command] of MOMENTS) {
    for (const resetOwners of [true, false]) {
      const next = resetOwners ? "with it" : "without it";
      simulatedOnly(
        "the core is cut off",
        `that crashes ${moment} goes on at the next start, ${next}`,
        async ({ world }) => {
          const { agent, owner: alice } = await world.agentWithOwner();
          const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
          await useNumber(agent, alice, target, 1);
          await agent.stop();
          await crashAt(agent, command, { resetOwners: true });
          await agent.start({ resetOwners });
          await world.settle();
          // Marked, the new chat is the one.
          const isMarked = !["before the new chat is made", "before it is marked"].includes(moment);
          const owner = resetOwners || isMarked ? await resetOwner(world, agent) : alice;
          await useNumber(agent, owner, target, 2);
          expect(await groups(agent)).toEqual(["My Agent"]);
          expect((await (await agent.client("modern")).use("list")).data?.chats).toEqual([]);
        },
      );
    }
  }

  simulatedOnly(
    "the core is cut off",
    "is not needed after a crash of the first start",
    async ({ world }) => {
      const agent = await world.newAgent();
      await crashAt(agent, /^\/_set custom/);
      await agent.start();
      expect(await groups(agent)).toEqual(["My Agent"]);
      const owner = await resetOwner(world, agent);
      const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
      await useNumber(agent, owner, target, 1);
    },
  );
});

/** Starts the server, which gets no further than this command. */
async function crashAt(
  agent: TestAgent,
  command: RegExp,
  options: { resetOwners?: boolean } = {},
): Promise<void> {
  const error = { type: "error", errorType: { type: "internalError", message: "crashed" } };
  const start = agent.start({ ...options, onOpen: (api) => api.failNext(command, error) });
  await expect(start).rejects.toThrow("crashed");
  agent.printed.length = 0;
}
