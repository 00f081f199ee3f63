import { describe, expect } from "vitest";
import type { OwnersPolicy } from "../../src/control/owners/owners-list.js";
import type { TestAgent } from "../world/agent.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import { Owner } from "../world/owner.js";
import type { Person } from "../world/person.js";
import type { RecordedApi } from "../world/recorded-api.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";

const GREETING = /^I'm your agent/;
const WAITING = "Waiting for the owner to join. The link works once.";
const SETUP: OwnersPolicy = { kind: "setup" };

/** Somebody who comes by the link while the server does not run: the link is still at its server. */
async function joinsMeanwhile(agent: TestAgent, person: Person): Promise<Owner> {
  const link = await agent.ownerLink();
  await agent.stop();
  return new Owner(person, await person.startJoining(link));
}

async function isRemoved(person: Person): Promise<void> {
  await person.waitFor("the removal", ({ type }) => type === "deletedMemberUser");
}

const joined = (name: string) => new RegExp(`^${name} joined \\(member \\d+\\) and is now an owner\\.`);
const late = (name: string) =>
  new RegExp(`^${name} joined by the same link and was removed \\(member \\d+\\)\\.$`);

/** Two are at the link at the same moment; resolves with the first of them and the other one. */
async function race(world: World, agent: TestAgent): Promise<[Owner, Owner]> {
  const link = await agent.ownerLink();
  const [alice, bob] = await Promise.all([world.person("Alice"), world.person("Bob")]);
  // Both are in before the link is deleted.
  const deletion = agent.api.holdNext(/^\/_delete link/);
  const [one, other] = await Promise.all([Owner.join(alice, link), Owner.join(bob, link)]);
  (await deletion).release();
  const first = await agent.prints(/^(Alice|Bob) joined \(member \d+\)/);
  return first.startsWith("Alice") ? [one, other] : [other, one];
}

async function raceOfObservers({ world }: { world: World }): Promise<void> {
  const agent = await world.startAgent({ owners: SETUP });
  const [first, second] = await race(world, agent);
  const line = await agent.prints(late(second.person.name));
  await isRemoved(second.person);
  await first.sees(line);
  await first.sees(/Restart the server with `--owners \d+:(Alice|Bob)`$/);
  await world.settle();
  expect(agent.printed.filter((one) => / joined /.test(one))).toHaveLength(2);
}

describe("two who use the link at the same moment", () => {
  flow("in the set-up of a list are told apart: the first stays", raceOfObservers);
  withSeeds(6, "in the set-up of a list are told apart: the first stays", raceOfObservers);

  withSeeds(6, "make one owner, also when the first one leaves at once", async ({ world }) => {
    const agent = await world.startAgent();
    const link = await agent.ownerLink();
    const [alice, bob] = await Promise.all([world.person("Alice"), world.person("Bob")]);
    const handling = agent.api.holdNext(/^\/_members/);
    const first = await Owner.join(alice, link);
    const { release } = await handling;
    await Owner.join(bob, link);
    // Alice is an owner and gone before Bob's join is looked at.
    const greeting = agent.api.holdNext(/^\/_send/);
    release();
    const held = await greeting;
    await alice.waitFor("the role", ({ type }) => type === "memberRole");
    await alice.leave(first.chat);
    await world.settle();
    held.release();
    await agent.prints(late("Bob"));
    await isRemoved(bob);
    await agent.prints("No owner is left: nobody can approve actions. Restart the server to invite one.");
    await agent.restart();
    await agent.prints(WAITING);
  });
});

describe("somebody who joins while the server does not run", () => {
  async function ownerMeanwhile({ world }: { world: World }): Promise<void> {
    const agent = await world.startAgent();
    const alice = await joinsMeanwhile(agent, await world.person("Alice"));
    await agent.start();
    await alice.person.connected(alice.chat);
    await agent.prints(joined("Alice"));
    await alice.sees(GREETING);
    await world.settle();
    expect(await alice.answerTo("/pending")).toBe("No pending actions.");
    expect(agent.printed.filter((line) => /Alice/.test(line))).toHaveLength(1);
    // Whatever link a start showed is dead.
    const bob = await world.person("Bob");
    for (const link of agent.printed.filter((line) => /^(https|simplex):/.test(line))) {
      await expect(bob.join(link)).rejects.toThrow();
    }
  }
  flow("becomes the owner", ownerMeanwhile);
  withSeeds(12, "becomes the owner", ownerMeanwhile);

  async function observerMeanwhile({ world }: { world: World }): Promise<void> {
    const agent = await world.startAgent({ owners: SETUP });
    const alice = await joinsMeanwhile(agent, await world.person("Alice"));
    agent.printed.length = 0;
    await agent.start();
    await alice.person.connected(alice.chat);
    await agent.prints(/^Alice joined \(member \d+\)\. Restart the server with --owners \d+:Alice$/);
    await world.settle();
    expect(agent.printed.filter((line) => /Alice/.test(line))).toHaveLength(1);
    expect(alice.person.events.filter(({ type }) => type === "deletedMemberUser")).toEqual([]);
  }
  flow("is the first one of a list", observerMeanwhile);
  withSeeds(12, "is the first one of a list", observerMeanwhile);

  /** Starts the server; its own work waits until somebody is in, of which the core tells before the server listens. */
  async function startsLate(agent: TestAgent, owner: Owner): Promise<void> {
    let opened: (api: RecordedApi) => void = () => undefined;
    const core = new Promise<RecordedApi>((resolve) => {
      opened = resolve;
    });
    const start = agent.start({ onOpen: (api) => opened(api) });
    const api = await core;
    let isIn = false;
    api.onAny(({ type }) => {
      if (type === "joinedGroupMember") isIn = true;
    });
    const { release } = await api.holdNext(/^\/_groups/);
    await owner.person.connected(owner.chat);
    // The host hears of it a moment later.
    await until("the join, to the agent", () => isIn);
    release();
    await start;
  }

  flow("before the server looks becomes the owner, and stays in", async ({ world }) => {
    const agent = await world.startAgent();
    const alice = await joinsMeanwhile(agent, await world.person("Alice"));
    agent.printed.length = 0;
    await startsLate(agent, alice);
    await agent.prints(joined("Alice"));
    await alice.sees(GREETING);
    await world.settle();
    expect(await alice.answerTo("/pending")).toBe("No pending actions.");
    await world.settle();
    expect(agent.printed.filter((line) => /Alice/.test(line))).toHaveLength(1);
    expect(agent.printed).not.toContain(WAITING);
  });

  flow("before the server looks is the first one of a list, and stays in", async ({ world }) => {
    const agent = await world.startAgent({ owners: SETUP });
    const alice = await joinsMeanwhile(agent, await world.person("Alice"));
    agent.printed.length = 0;
    await startsLate(agent, alice);
    await alice.sees(/Restart the server with `--owners \d+:Alice`$/);
    await world.settle();
    expect(agent.printed.filter((line) => /Alice/.test(line))).toHaveLength(1);
    expect(agent.printed).not.toContain(WAITING);
    expect(alice.person.events.filter(({ type }) => type === "deletedMemberUser")).toEqual([]);
  });

  withSeeds(8, "together with another is the only owner", async ({ world }) => {
    const agent = await world.startAgent();
    const [alice, bob] = await Promise.all([world.person("Alice"), world.person("Bob")]);
    const link = await agent.ownerLink();
    await agent.stop();
    await Promise.all([alice.startJoining(link), bob.startJoining(link)]);
    await agent.start();
    const line = await agent.prints(/ and is now an owner\./);
    const [first, second] = line.startsWith("Alice") ? [alice, bob] : [bob, alice];
    await agent.prints(late(second.name));
    await isRemoved(second);
    await world.settle();
    expect(agent.printed.filter((one) => /now an owner/.test(one))).toEqual([line]);
    await first.got(GREETING);
  });

  simulatedOnly(
    "the clock",
    "of whom the core hears a moment after its start becomes the owner",
    async ({ world }) => {
      const agent = await world.startAgent({ lateJoinersMs: 3000 });
      const link = await agent.ownerLink();
      await agent.stop();
      agent.printed.length = 0;
      const { timers } = world.clock;
      const start = agent.start();
      await until("its wait", () => world.clock.timers > timers);
      const alice = await Owner.join(await world.person("Alice"), link);
      await world.pass(2999);
      expect(agent.newCommands().filter((one) => one.startsWith("/_delete link"))).toEqual([]);
      await world.pass(1);
      await start;
      await agent.prints(joined("Alice"));
      await alice.sees(GREETING);
      expect(agent.printed).not.toContain(WAITING);
    },
  );

  flow("and whose way in never ends keeps nobody else out", async ({ world }) => {
    const agent = await world.startAgent();
    const ghost = await world.person("Ghost");
    const link = await agent.ownerLink();
    await ghost.startJoining(link);
    await ghost.goOffline();
    await world.settle();
    await agent.restart();
    const alice = await Owner.join(await world.person("Alice"), await agent.ownerLink());
    await agent.prints(joined("Alice"));
    await ghost.goOnline();
    await agent.prints(late("Ghost"));
    await isRemoved(ghost);
    await alice.sees(late("Ghost"));
    expect(await alice.answerTo("/pending")).toBe("No pending actions.");
  });
});

describe("a crash", () => {
  const MOMENTS: [string, RegExp][] = [
    ["before the members are read", /^\/_members/],
    ["before the link is deleted", /^\/_delete link/],
    ["before the role is given", /^\/_member role/],
    ["before the greeting", /^\/_send/],
  ];
  for (const [moment, command] of MOMENTS) {
    withSeeds(3, `${moment} leaves the next start with one owner`, async ({ world }) => {
      const agent = await world.startAgent();
      const link = await agent.ownerLink();
      const crash = agent.api.holdNext(command);
      const [alice, bob] = await Promise.all([world.person("Alice"), world.person("Bob")]);
      await Promise.all([Owner.join(alice, link), Owner.join(bob, link)]);
      const { release } = await crash;
      await world.settle();
      await agent.api.close();
      release();
      await agent.restart();
      const hands = await agent.hands();
      await world.settle();
      const members = await hands.run(`/_members ${agent.controlChat}`);
      const owners = JSON.stringify(members).match(/"memberRole":"owner"/g) ?? [];
      // The agent, and one of the two.
      expect(owners).toHaveLength(2);
      const removed = [alice, bob].filter(({ events }) =>
        events.some(({ type }) => type === "deletedMemberUser"),
      );
      expect(removed.map(({ name }) => name)).toHaveLength(1);
    });
  }
});
