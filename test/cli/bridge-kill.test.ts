import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";
import type { ChatRef } from "../../src/core/types.js";
import { isRunning } from "../../src/data-folder/process-start.js";
import { Random } from "../../src/simulator/data/random.js";
import { Owner } from "../world/owner.js";
import type { Person } from "../world/person.js";
import { until } from "../world/until.js";
import { type Computer, computer, mcpClient, serve, serveAsBefore, stop } from "./agent.js";
import { appWithoutLibrary } from "./app.js";
import { CoreHost } from "./core-host.js";
import { SurvivingNetwork } from "./kill-scene.js";
import { Program } from "./program.js";

const VICTIMS = ["bridge", "agent", "client"] as const;
const ROUNDS = 12;
/** A round is busy for about so long. */
const MOST_MILLISECONDS = 150;

const Told = z.object({
  bridge: z.number().optional(),
  sent: z.string().optional(),
  isError: z.boolean().optional(),
  received: z.string().optional(),
});

/** What a client has told so far. */
class Listener {
  constructor(readonly program: Program) {}

  static start({ home }: Computer, era: string): Listener {
    const script = fileURLToPath(new URL("bridge-client.mjs", import.meta.url));
    const args = [appWithoutLibrary().executable, `${home}/data`, era];
    return new Listener(Program.start({ app: { folder: "", executable: script }, args, home, input: true }));
  }

  get told(): z.infer<typeof Told>[] {
    return this.program.stdout.lines.map((line) => Told.parse(JSON.parse(line)));
  }

  get bridges(): number[] {
    return this.told.flatMap(({ bridge }) => bridge ?? []);
  }

  get received(): string[] {
    return this.told.flatMap(({ received }) => received ?? []);
  }

  answered(text: string): boolean {
    return this.told.some(({ sent }) => sent === text);
  }

  send(chat: string, text: string): void {
    this.program.type(JSON.stringify({ chat, text }));
  }
}

/** Bob, whose messages Alice approves one by one, and Carol, for whom they are approved. */
async function setScene(random: Random) {
  const network = new SurvivingNetwork({ seed: random.below(1_000_000) });
  const at = await computer(await CoreHost.listen(network));
  const program = await serve(at, "--display-name", "My Agent");
  const alice = await Owner.join(await network.person("Alice"), await program.stdout.line(/^https:\/\//));
  await alice.sees(/^I'm your agent/);
  const client = await mcpClient(at);
  const people: { person: Person; chat: string; theirs: ChatRef }[] = [];
  for (const [number, name] of [
    [1, "Bob"],
    [2, "Carol"],
  ] as const) {
    const person = await network.person(name);
    const target = await person.makeAddress();
    const call = client.callTool({ name: "connect", arguments: { target, wait: 20, idle: 1 } });
    await alice.sees(new RegExp(`^I want to connect .* ${number}'$`, "s"));
    await alice.says(`/approve ${number}`);
    const chat = String(Object((await call).structuredContent).chat);
    people.push({ person, chat, theirs: await person.contact("My Agent") });
  }
  // Without it the limit of cards a minute would refuse some of what is sent.
  const carols = people[1]?.chat;
  const first = client.callTool({ name: "send", arguments: { chat: carols, text: "Hello, Carol", wait: 0 } });
  await alice.sees(/^I want to send .*`Hello, Carol`/);
  await alice.says(`/approve ${carols} all`);
  await alice.sees(/^Approved for contact Carol/);
  await first;
  let seen = alice.messages.length;
  alice.person.api.onAny(() => {
    for (; seen < alice.messages.length; seen += 1) {
      const number = /^I want to send .* (\d+)'$/s.exec(alice.messages[seen]?.text ?? "")?.[1];
      if (number !== undefined) void alice.says(`/approve ${number}`);
    }
  });
  return { at, program, people };
}

/** How often each text is there. */
function counts(texts: readonly string[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const text of texts) all.set(text, (all.get(text) ?? 0) + 1);
  return all;
}

it("bridges, agents and clients that are killed at any moment double nothing and lose nothing", {
  timeout: 120_000,
}, async () => {
  const random = new Random(Number(process.env.KILL_SEED ?? 1));
  const scene = await setScene(random);
  const { at, people } = scene;
  let { program } = scene;
  const clients = [Listener.start(at, "modern")];
  const kills = { bridge: 0, agent: 0, client: 0 };
  const toAgent: string[] = [];
  const surely: { person: Person; text: string }[] = [];

  for (let round = 1; round <= ROUNDS; round += 1) {
    let client = clients.at(-1);
    if (client === undefined) throw new Error("no client");
    const now = client;
    await until("a bridge", () => now.bridges.length > 0);
    const victim = VICTIMS[random.below(VICTIMS.length)] ?? "bridge";
    kills[victim] += 1;
    const texts: string[] = [];
    for (const { person, chat, theirs } of people) {
      for (const count of [1, 2]) {
        const text = `round ${round}, ${count} to ${person.name}`;
        texts.push(text);
        if (victim === "bridge") surely.push({ person, text });
        client.send(chat, text);
        toAgent.push(`round ${round}, ${count} of ${person.name}`);
        void person.send(theirs, `round ${round}, ${count} of ${person.name}`);
      }
    }
    await pause(random.below(MOST_MILLISECONDS));
    const bridge = client.bridges.at(-1) ?? 0;
    if (victim === "bridge") process.kill(bridge, "SIGKILL");
    if (victim === "agent") {
      program.signal("SIGKILL");
      await program.ended;
      program = serveAsBefore(at);
      await program.stdout.line(/^Listening on /);
    }
    if (victim === "client") {
      client.program.signal("SIGKILL");
      await client.program.ended;
      const gone = performance.now();
      while (await isRunning({ pid: bridge, started: "unknown" })) await pause(5);
      expect(performance.now() - gone).toBeLessThan(1000);
      client = Listener.start(at, round % 2 === 0 ? "modern" : "legacy");
      clients.push(client);
      continue;
    }
    await until(`answers in round ${round}, ${victim}`, () => texts.every((text) => now.answered(text)));
  }

  const received = (): string[] => clients.flatMap((one) => one.received);
  const isLost = (text: string): boolean => !received().includes(text);
  // One message at a time is on the way to a client: it may be in the pipe of one that is killed, and nowhere else.
  await until("the messages of the people", () => toAgent.filter(isLost).length <= kills.client);
  const agent = await mcpClient(at);
  for (const { person, chat } of people) {
    const { structuredContent } = await agent.callTool({ name: "history", arguments: { chat, limit: 100 } });
    const history = JSON.stringify(structuredContent);
    for (const text of toAgent.filter((one) => one.endsWith(person.name)))
      expect(history).toContain(`"${text}"`);
  }
  // And it comes again where its bridge, or the agent, was killed before it heard that it arrived.
  const again = [...counts(received())].filter(([, count]) => count > 1);
  expect(again.length).toBeLessThanOrEqual(kills.bridge + kills.agent);
  for (const { person } of people) {
    const inbox = person.inbox.map(({ text }) => text);
    expect([...counts(inbox)].filter(([, count]) => count > 1)).toEqual([]);
  }
  for (const { person, text } of surely) expect(person.inbox.map((one) => one.text)).toContain(text);
  expect(Math.min(...Object.values(kills))).toBeGreaterThan(0);
  for (const { program: one } of clients) one.endInput();
  await stop(program);
});
