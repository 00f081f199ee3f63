import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/simulator/data/random.js";
import { Owner } from "../world/owner.js";
import type { Person } from "../world/person.js";
import { until } from "../world/until.js";
import { type Computer, computer, mcpClient, serve, serveAsBefore, stop } from "./agent.js";
import { CoreHost } from "./core-host.js";
import { SurvivingNetwork } from "./kill-scene.js";
import type { Program } from "./program.js";

const KILLS = 20;
/** Among so many commands of a start, or of a busy time, or milliseconds of a start, the moment is chosen: there are more. */
const MOST = { start: 8, busy: 24, milliseconds: 600 };
/** Messages to each contact in a busy time. */
const MESSAGES = 4;
/** So many messages to Carol are approved beforehand, fewer than are asked for. */
const COUNTED = 3;

const CARD = /^I want to (?:send|connect) .* (\d+)'$/s;
const TEXT = /`(round [^`]+)`/;

/** An agent with its owner and two contacts: Bob, and Carol, for whom so many messages are approved. */
class Scene {
  /** Numbers that the owner was asked for, and texts that she let through. */
  readonly asked = new Set<number>();
  readonly approved = new Set<string>();
  bobs = "";
  carols = "";
  round = 0;

  constructor(
    readonly random: Random,
    readonly network: SurvivingNetwork,
    readonly at: Computer,
    readonly alice: Owner,
    readonly bob: Person,
    readonly carol: Person,
  ) {}

  /** Alice decides at random from now on: she lets through, rejects, or waits. */
  decideAtRandom(): void {
    let seen = this.alice.messages.length;
    this.alice.person.api.onAny(() => {
      const { messages } = this.alice;
      for (; seen < messages.length; seen += 1) this.#decide(messages[seen]?.text ?? "");
    });
  }

  /** Calls that the agent makes at once; what becomes of them is seen by the others. */
  makeBusy(client: Client): void {
    for (let count = 1; count <= MESSAGES; count += 1) {
      for (const [chat, name] of [
        [this.bobs, "Bob"],
        [this.carols, "Carol"],
      ]) {
        const input = { chat, text: `round ${this.round}, ${count} to ${name}`, wait: 0, idle: 1 };
        client.callTool({ name: "send", arguments: input }).catch(() => undefined);
      }
    }
  }

  #decide(text: string): void {
    const number = CARD.exec(text)?.[1];
    if (number === undefined) return;
    this.asked.add(Number(number));
    const chance = this.random.next();
    if (chance < 0.6) this.approved.add(TEXT.exec(text)?.[1] ?? "");
    const command = chance < 0.6 ? "/approve" : chance < 0.8 ? "/reject" : undefined;
    if (command) void this.alice.says(`${command} ${number}`);
  }
}

async function setScene(random: Random): Promise<{ scene: Scene; program: Program }> {
  const network = new SurvivingNetwork({ seed: random.below(1_000_000) });
  const at = await computer(await CoreHost.listen(network));
  const program = await serve(at, "--display-name", "My Agent");
  const alice = await network.person("Alice");
  const owner = await Owner.join(alice, await program.stdout.line(/^https:\/\//));
  await owner.sees(/^I'm your agent/);
  const bob = await network.person("Bob");
  const carol = await network.person("Carol");
  const scene = new Scene(random, network, at, owner, bob, carol);
  const client = await mcpClient(at);
  scene.bobs = await connect(client, owner, bob, 1);
  scene.carols = await connect(client, owner, carol, 2);
  // With unlucky moments nothing else may get through.
  const sending = client.callTool({
    name: "send",
    arguments: { chat: scene.bobs, text: "round 0 to Bob", wait: 0 },
  });
  await owner.sees(/^I want to send .*`round 0 to Bob`/);
  scene.approved.add("round 0 to Bob");
  await owner.says("/approve 3");
  await sending;
  const first = { chat: scene.carols, text: "round 0 to Carol", wait: 0 };
  const call = client.callTool({ name: "send", arguments: first });
  await owner.sees(/^I want to send .*`round 0 to Carol`/);
  await owner.says(`/approve ${scene.carols} all ${COUNTED}`);
  await owner.sees(/^Approved for contact Carol/);
  await call;
  scene.decideAtRandom();
  return { scene, program };
}

async function connect(client: Client, owner: Owner, person: Person, number: number): Promise<string> {
  const target = await person.makeAddress();
  const call = client.callTool({ name: "connect", arguments: { target, wait: 20, idle: 1 } });
  await owner.sees(new RegExp(`^I want to connect .* ${number}'$`, "s"));
  await owner.says(`/approve ${number}`);
  return String(Object((await call).structuredContent).chat);
}

/** The start after a kill is as any other, and nothing waits, whatever the owner answers to it. */
async function expectCleanStart({ at, alice, asked }: Scene, program: Program): Promise<void> {
  await program.stdout.line(/^Listening on /);
  expect(program.stderr.lines).toEqual([]);
  expect(program.stdout.lines).not.toContainEqual(expect.stringMatching(/created|^https:\/\//));
  expect(program.stdout.lines).toContainEqual(expect.stringMatching(/^Owners: .*Alice/));
  const lock = JSON.parse(await readFile(join(at.home, "data/lock"), "utf8"));
  expect(lock).toMatchObject({ pid: program.pid });
  // What Alice had said before is answered first.
  const before = alice.cards.length;
  await alice.says("/pending");
  await until("an answer to /pending", () => alice.cards.slice(before).includes("No pending actions."));
  for (const number of asked) expect(await answerOf(alice, number)).toBe(`Action ${number} is not pending.`);
  asked.clear();
}

const PAUSES = 5;
const PAUSED = "Paused: nothing goes out. /'resume'";

const times = (alice: Owner, text: string) => alice.cards.filter((card) => card === text).length;

/** From the answer to a pause until its end is saved, no message goes to a contact. */
function expectNothingWhilePaused(commands: readonly string[]): void {
  let isPaused = false;
  let pauses = 0;
  let sent = 0;
  for (const command of commands) {
    if (command.startsWith("/_send #") && command.includes(PAUSED)) {
      isPaused = true;
      pauses += 1;
    }
    if (/^\/_set custom .*nextAction/.test(command) && !command.includes('"paused"')) isPaused = false;
    if (!command.startsWith("/_send @")) continue;
    sent += 1;
    expect(isPaused, command).toBe(false);
  }
  expect(pauses).toBe(PAUSES);
  expect(sent).toBeGreaterThan(0);
}

function answerOf(alice: Owner, number: number): Promise<string> {
  return alice.answerTo(`/approve ${number}`);
}

/** Every number is saved before its card is posted, and is on one card only. */
function expectNumbersUsedOnce(commands: readonly string[]): void {
  const saved: number[] = [];
  const posted: number[] = [];
  for (const command of commands) {
    const next = /^\/_set custom .*"nextAction":(\d+)/.exec(command)?.[1];
    if (next !== undefined) saved.push(Number(next));
    const number = /^\/_send #\d+ json .*I want to .* (\d+)'"/.exec(command)?.[1];
    if (number === undefined) continue;
    expect(Number(number)).toBeLessThan(saved.at(-1) ?? 0);
    posted.push(Number(number));
  }
  expect(saved).toEqual(saved.toSorted((one, other) => one - other));
  expect(posted).toEqual([...new Set(posted)]);
  expect(posted.length).toBeGreaterThan(KILLS / 2);
}

/** Texts, each of which came once. */
function cameOnce({ inbox }: Person): string[] {
  const texts = inbox.map(({ text }) => text);
  expect(texts).toEqual([...new Set(texts)]);
  return texts;
}

describe("a program that is killed again and again", () => {
  it("starts clean each time, uses no number twice, and performs nothing again", {
    timeout: 60_000,
  }, async () => {
    const seed = Number(process.env.KILL_SEED ?? 1);
    const random = new Random(seed);
    const moment = () => (random.next() < 0.5 ? "before" : "after");
    const { scene, program: first } = await setScene(new Random(seed + 1));
    const { network, at } = scene;
    first.signal("SIGKILL");
    await first.ended;
    for (let kills = 1; kills < KILLS; kills += 1) {
      scene.round += 1;
      const chance = random.next();
      const program = serveAsBefore(at);
      const kill = () => program.signal("SIGKILL");
      if (chance < 0.15) {
        network.killAt(1 + random.below(MOST.start), moment(), kill);
      } else if (chance < 0.3) {
        setTimeout(kill, random.below(MOST.milliseconds));
      } else {
        await expectCleanStart(scene, program);
        const client = await mcpClient(at);
        network.killAt(4 + random.below(MOST.busy - 3), moment(), kill);
        scene.makeBusy(client);
      }
      expect(await program.ended, `kill ${kills} of seed ${seed}`).toEqual({ code: null, signal: "SIGKILL" });
    }

    const last = serveAsBefore(at);
    await expectCleanStart(scene, last);
    const toBob = cameOnce(scene.bob);
    const toCarol = cameOnce(scene.carol);
    for (const text of toBob) expect(scene.approved).toContain(text);
    // Those that were let through one by one besides.
    const counted = toCarol.filter((text) => !scene.approved.has(text));
    expect(counted.length).toBeLessThanOrEqual(COUNTED);
    expect(counted.length).toBeGreaterThan(0);
    expect([toBob[0], toCarol[0]]).toEqual(["round 0 to Bob", "round 0 to Carol"]);
    expectNumbersUsedOnce(network.done);
    await stop(last);
  });

  it("sends nothing after it said that it is paused, and stays so", { timeout: 60_000 }, async () => {
    const random = new Random(Number(process.env.KILL_SEED ?? 1) + 7);
    const set = await setScene(random);
    const { scene } = set;
    const { network, at, alice } = scene;
    let { program } = set;
    for (scene.round = 1; scene.round <= PAUSES; scene.round += 1) {
      scene.makeBusy(await mcpClient(at));
      const busyUntil = network.done.length + 4 + random.below(MOST.busy);
      await until("a busy time", () => network.done.length >= busyUntil);
      await alice.says("/pause");
      await until("the pause", () => times(alice, PAUSED) === scene.round);
      program.signal("SIGKILL");
      await program.ended;

      program = serveAsBefore(at);
      await program.stdout.line(/^Listening on /);
      expect(program.stdout.lines).toContainEqual(expect.stringMatching(/^Paused by Alice since /));
      const input = { chat: scene.carols, text: "paused", wait: 0, idle: 1 };
      const refused = await (await mcpClient(at)).callTool({ name: "send", arguments: input });
      expect(JSON.stringify(refused)).toContain("Your owner paused this agent.");
      await alice.says("/resume");
      await until("the end of the pause", () => times(alice, "Resumed.") === scene.round);
    }
    expectNothingWhilePaused(network.done);
    await stop(program);
  });
});
