import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { OwnersListError, type OwnersPolicy, ownersPolicy } from "../../src/control/owners/owners-list.js";
import type { TestAgent } from "../world/agent.js";
import { flow, withSeeds } from "../world/flow-test.js";
import { Owner } from "../world/owner.js";
import { addOwner, giveRole, invite } from "../world/owners.js";
import type { World } from "../world/world.js";
import { meet } from "./scenes.js";
import { expectCommands, posts } from "./support.js";

const HINT = "Add the agent to Claude Code: npx -y @simplex-chat/mcp register my-agent";
const NOT_LISTED = "Only the owners listed in --owners approve actions.";
const NO_LISTED_APPROVER =
  "The agent has no approving owner. Ask the person who runs the server to restart it with the --owners list it prints.";
const SETUP: OwnersPolicy = { kind: "setup" };

const list = (...entries: string[]): OwnersPolicy => ({ kind: "list", entries });

/** The entry of a member, as the agent knows it. */
async function entry(agent: TestAgent, name: string): Promise<string> {
  return `${await (await agent.hands()).member(agent.controlChat, name)}:${name}`;
}

/** An agent that was set up with Alice as the one of its list. */
async function listedAgent(world: World): Promise<{ agent: TestAgent; alice: Owner; entries: string[] }> {
  const agent = await world.startAgent({ owners: SETUP });
  const alice = await Owner.join(await world.person("Alice"), await agent.ownerLink());
  await agent.prints(/^Alice joined/);
  const entries = [await entry(agent, "Alice")];
  await agent.restart({ owners: list(...entries) });
  await world.settle();
  agent.newCommands();
  return { agent, alice, entries };
}

/** What the options of a printed command line are once a shell has read them. */
function afterShell(line: string): string[] {
  const options = line.slice(line.lastIndexOf("--owners "));
  return execFileSync("sh", ["-c", `for word in ${options}; do printf '%s\\0' "$word"; done`])
    .toString()
    .split("\0")
    .slice(0, -1);
}

async function setup({ world }: { world: World }): Promise<void> {
  const agent = await world.startAgent({ owners: SETUP });
  const link = await agent.ownerLink();
  const G = agent.controlChat;
  expectCommands(agent.newCommands().slice(-3), [
    `/_members ${G}`,
    `/_delete link ${G}`,
    `/_create link ${G} observer`,
  ]);
  expect(agent.printed.slice(-5)).toEqual([
    "Paste in the SimpleX app to become the owner of My Agent:",
    link,
    "Waiting for the owner to join. The link works once.",
    "The link adds an observer. Its ID and name are printed when it joins.",
    `Listening on ${agent.server.url}`,
  ]);

  const alice = await Owner.join(await world.person("Alice"), link);
  const id = Number.parseInt(await entry(agent, "Alice"), 10);
  const joined = `Alice joined (member ${id}). Restart the server with`;
  await agent.prints(`${joined} --owners ${id}:Alice`);
  await alice.sees(`${joined} \`--owners ${id}:Alice\``);
  await world.settle();
  expectCommands(
    agent.newCommands().filter((one) => one !== "/user"),
    [
      `/_members ${G}`,
      `/_members ${G}`,
      `/_delete link ${G}`,
      posts(G, `${joined} \`--owners ${id}:Alice\``),
    ],
  );
  expect(agent.printed).not.toContain(HINT);

  // Nobody approves yet.
  const client = await agent.client("modern");
  const echo = await world.person("Echo", { peerType: "bot" });
  const target = await echo.makeAddress();
  expect((await client.use("connect", { target })).text).toBe(NO_LISTED_APPROVER);

  await agent.restart({ owners: ownersPolicy(`${id}:Alice`) });
  await world.settle();
  expectCommands(agent.newCommands().slice(-4), [
    `/_members ${G}`,
    `/_member role ${G} ${id} owner`,
    `/_members ${G}`,
    `/_delete link ${G}`,
  ]);
  expect(agent.printed.slice(-3)).toEqual([`Owners: ${id}:Alice.`, HINT, `Listening on ${agent.server.url}`]);

  // Alice makes Bob an owner.
  const bob = await addOwner(agent, alice, await world.person("Bob"));
  const bobId = Number.parseInt(await entry(agent, "Bob"), 10);
  const promoted = `Bob (member ${bobId}) is now an owner and can't approve actions yet. Restart the server with`;
  await agent.prints(`${promoted} --owners ${id}:Alice,${bobId}:Bob`);
  await alice.sees(`${promoted} \`--owners ${id}:Alice,${bobId}:Bob\``);
  await bob.sees(`${promoted} \`--owners ${id}:Alice,${bobId}:Bob\``);
  const again = await agent.client("modern");
  const call = again.call("connect", { target, wait: 5, idle: 1 });
  await alice.sees(/^I want to connect to bot Echo/);
  await bob.sees(/^I want to connect to bot Echo/);
  expect(await bob.answerTo("/approve 1")).toBe(NOT_LISTED);
  await alice.says("/approve 1");
  await alice.sees(/^I connected to bot Echo .*\nApproved by Alice\.$/);
  await world.pass(10_000);
  expect((await call.result).data).toMatchObject({ action: 1, status: "done" });

  await agent.restart({ owners: list(`${id}:Alice`, `${bobId}:Bob`) });
  expect(agent.printed).toContain(`Owners: ${id}:Alice, ${bobId}:Bob.`);
  expect(await bob.answerTo("/pending")).toBe("No pending actions.");
  expect(agent.logged).toEqual([]);
}

describe("the set-up of a list", () => {
  flow("shows who joined, and its restart makes them the one who approves", setup);
  withSeeds(4, "shows who joined, and its restart makes them the one who approves", setup);
});

describe("a list", () => {
  flow("removes every other person at the start, and leaves their messages", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const bob = await addOwner(agent, alice, await world.person("Bob"));
    const carol = await invite(agent, alice, await world.person("Carol"));
    const entries = [await entry(agent, "Bob")];
    const ids = await Promise.all(
      ["Alice", "Carol"].map(async (name) => Number.parseInt(await entry(agent, name), 10)),
    );
    const G = agent.controlChat;
    agent.newCommands();
    await agent.restart({ owners: list(...entries) });
    expectCommands(agent.newCommands().slice(-5), [
      `/_members ${G}`,
      ...ids.map((id) => `/_remove ${G} ${id}`),
      `/_members ${G}`,
      `/_delete link ${G}`,
    ]);
    expect(agent.printed).toContain(`Owners: ${entries[0]}.`);
    for (const { person } of [alice, carol]) {
      await person.waitFor("the removal", ({ type }) => type === "deletedMemberUser");
    }
    expect(await bob.answerTo("/pending")).toBe("No pending actions.");
  });

  flow("that fits nobody ends the start, and says whom it does not fit", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    await invite(agent, alice, await world.person("Bob"));
    const [a, b] = [await entry(agent, "Alice"), await entry(agent, "Bob")];
    const id = Number.parseInt(a, 10);
    await agent.stop();
    const refused = async (option: string, reason: string) => {
      const start = agent.start({ owners: ownersPolicy(option) });
      await expect(start).rejects.toThrow(new OwnersListError(`--owners: ${reason}`));
      await expect(stat(join(agent.folder, "lock"))).rejects.toThrow("ENOENT");
    };
    await refused(`${id}:alice`, `there is no ${id}:alice; that member is ${a}.`);
    await refused(`${a},99:Mallory`, `there is no 99:Mallory in the control chat. Its members: ${a}, ${b}.`);
    await refused(`${a},${id}:Alice M`, `there is no ${id}:Alice M; that member is ${a}.`);
    // Nothing was changed by it.
    await agent.start();
    expect(agent.printed).toContain(`Owners: ${a}.`);
    expect(await alice.answerTo("/pending")).toBe("No pending actions.");
  });

  flow("does not fit who left, whatever their id and name", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const bob = await addOwner(agent, alice, await world.person("Bob"));
    const entries = [await entry(agent, "Alice"), await entry(agent, "Bob")];
    await bob.person.leave(bob.chat);
    await (await agent.hands()).waitFor("Bob leaving", ({ type }) => type === "leftMember");
    await agent.stop();
    await expect(agent.start({ owners: list(...entries) })).rejects.toThrow(
      `--owners: there is no ${entries[1]} in the control chat. Its members: ${entries[0]}.`,
    );
  });

  flow("lets approve who is promoted again, and not who is demoted", async ({ world }) => {
    const { agent, alice, entries } = await listedAgent(world);
    const bob = await addOwner(agent, alice, await world.person("Bob"));
    await agent.restart({ owners: list(...entries, await entry(agent, "Bob")) });
    expect(await bob.answerTo("/pending")).toBe("No pending actions.");
    await giveRole(agent, alice, "Bob", "admin");
    expect(await bob.answerTo("/pending")).toBe(NOT_LISTED);
    const announced = agent.printed.length;
    await giveRole(agent, alice, "Bob", "owner");
    expect(await bob.answerTo("/pending")).toBe("No pending actions.");
    expect(agent.printed).toHaveLength(announced);
  });

  flow("does not let approve whom an owner invited as one, and says so", async ({ world }) => {
    const { agent, owner: alice } = await world.agentWithOwner();
    const id = await (await agent.hands()).member(agent.controlChat, "Alice");
    await agent.restart({ owners: ownersPolicy(`${id}:Alice`) });
    const bob = await invite(agent, alice, await world.person("Bob"), "owner");
    const member = await (await agent.hands()).member(agent.controlChat, "Bob");
    const words = `Bob (member ${member}) is now an owner and can't approve actions yet. Restart the server with `;
    await agent.prints(`${words}--owners ${id}:Alice,${member}:Bob`);
    await alice.sees(`${words}\`--owners ${id}:Alice,${member}:Bob\``);
    await world.settle();
    expect(await bob.answerTo("/pending")).toBe("Only the owners listed in --owners approve actions.");
    expect(agent.printed.filter((line) => line.startsWith(words))).toHaveLength(1);
  });

  flow("is left by its last one: the line names the way back", async ({ world }) => {
    const { agent, alice, entries } = await listedAgent(world);
    const bob = await addOwner(agent, alice, await world.person("Bob"));
    await bob.sees(/can't approve actions yet/);
    await alice.person.leave(alice.chat);
    const line = `Alice (member ${Number.parseInt(entries[0] ?? "", 10)}) is no longer an owner. No owners remain: restart the server with`;
    await agent.prints(`${line} --reset-owners --owners`);
    await bob.sees(`${line} \`--reset-owners --owners\``);
    const client = await agent.client("modern");
    const target = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    expect((await client.use("connect", { target })).text).toBe(NO_LISTED_APPROVER);
    await agent.stop();
    await expect(agent.start({ owners: list(...entries) })).rejects.toBeInstanceOf(OwnersListError);
    await agent.restart({ owners: SETUP, resetOwners: true });
    await agent.prints("The link adds an observer. Its ID and name are printed when it joins.");
  });

  for (const known of [false, true]) {
    const who = known ? "who is a contact of the agent, too" : "of it";
    flow(`tells how to go on when somebody ${who} takes another name`, async ({ world }) => {
      const { agent, alice, entries } = await listedAgent(world);
      const person = await world.person("Bob");
      if (known) await meet(agent, person, "contact");
      const bob = await addOwner(agent, alice, person);
      await agent.restart({ owners: list(...entries, await entry(agent, "Bob")) });
      await bob.isAnswered("/pending", "No pending actions.");
      await world.pass(1000);
      await bob.person.rename("Robert S");
      await bob.says("hello");
      await world.settle();
      const id = Number.parseInt(await entry(agent, "Robert S"), 10);
      const line = `Robert S (member ${id}) has another name than in --owners and can't approve actions now. Restart the server with --owners '${entries[0]},${id}:Robert S'`;
      await agent.prints(line);
      await bob.sees(line.replace(/(--owners '.*)$/, "`$1`"));
      await bob.isAnswered("/pending", NOT_LISTED);
      await agent.restart({ owners: ownersPolicy(afterShell(line)[1]) });
      await bob.isAnswered("/pending", "No pending actions.");
    });
  }

  flow("whose last one takes another name is not lost", async ({ world }) => {
    const { agent, alice, entries } = await listedAgent(world);
    await world.pass(1000);
    await alice.person.rename("Alice M");
    await alice.says("hello");
    const id = Number.parseInt(entries[0] ?? "", 10);
    await agent.prints(
      `Alice M (member ${id}) has another name than in --owners and can't approve actions now. Restart the server with --owners '${id}:Alice M'`,
    );
    await world.settle();
    expect(agent.printed.filter((line) => line.includes("No owners remain"))).toEqual([]);
    await agent.stop();
    await expect(agent.start({ owners: list(...entries) })).rejects.toThrow(
      `--owners: there is no ${entries[0]}; that member is ${id}:Alice M.`,
    );
  });
});

/** What SimpleX allows; names that it does not allow come from changed programs only. */
const NAMES = ["Alice Smith", "Alice: the owner", "Ålice 🐈", "אליס"];
describe("a name in a list", () => {
  for (const name of NAMES) {
    flow(`is printed so that a shell reads it back: ${name}`, async ({ world }) => {
      const agent = await world.startAgent({ owners: SETUP });
      const owner = await Owner.join(await world.person(name), await agent.ownerLink());
      const line = await agent.prints(/ joined \(member \d+\)\. Restart the server with --owners /);
      const [option, value, ...more] = afterShell(line);
      expect([option, more]).toEqual(["--owners", []]);
      await agent.restart({ owners: ownersPolicy(value) });
      expect(agent.printed).toContain(`Owners: ${value}.`);
      expect(await owner.answerTo("/pending")).toBe("No pending actions.");
    });
  }
});
