import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { GATHER_MS } from "../../../src/control/gathered.js";
import type { ChatRef } from "../../../src/core/types.js";
import { Random } from "../../../src/simulator/data/random.js";
import { at } from "../../world/json.js";
import type { Person } from "../../world/person.js";
import { SimulatedWorld } from "../../world/simulated.js";
import { until } from "../../world/until.js";
import { BareAgent, type Call, type Request } from "./agent.js";
import type { Ask } from "./asks.js";
import { Witness } from "./witness.js";

const EXPIRE_HOURS = 1;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A person who may be in the control chat. */
interface Guest {
  readonly person: Person;
  name: string;
  chat: ChatRef | undefined;
  /** Events of the person that were looked through for an invitation. */
  seen: number;
  /** As Alice numbers the contact. */
  contact: ChatRef | undefined;
}

/** The simulated world of one run, whose agent is watched by a witness. */
class WitnessedWorld extends SimulatedWorld {
  witness: Witness | undefined;

  override async settle(): Promise<void> {
    for (;;) {
      const before = this.witness?.noted;
      await super.settle();
      if (this.witness?.noted === before) return;
    }
  }
}

/** An agent, its owners and its peers, and random steps of all of them. */
export class Run {
  readonly steps: string[] = [];
  readonly random: Random;
  readonly world: WitnessedWorld;
  agent: BareAgent | undefined;
  witness: Witness | undefined;
  #folder = "";
  #guests: Guest[] = [];
  #peers: Person[] = [];
  #targets: string[] = [];
  #chats: ChatRef[] = [];
  #texts = 0;
  /** Who comes to the agent, with the chat in which they asked last. */
  #strangers: { person: Person; chat: ChatRef | undefined }[] = [];

  constructor(readonly seed: number) {
    this.random = new Random(seed);
    this.world = new WitnessedWorld({ seed });
  }

  async play(steps: number): Promise<void> {
    await this.#setUp();
    for (let count = 0; count < steps; count += 1) {
      await this.#step();
      for (let turns = this.random.below(25); turns > 0; turns -= 1) await turn();
      if (this.random.next() < 0.2) await this.#settle();
      this.#check();
    }
    await this.#settle();
    await this.#stop();
    this.#check();
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.agent?.core.close().catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #setUp(): Promise<void> {
    const { world } = this;
    this.#folder = await mkdtemp(join(tmpdir(), "simplex-mcp-owner-side-"));
    const options = {
      now: () => world.clock.now(),
      delay: () => (this.random.next() < 0.2 ? this.random.below(200) : 0),
      expireHours: EXPIRE_HOURS,
    };
    const witness = new Witness(world.network.open("agent"), options);
    this.witness = witness;
    world.witness = witness;
    const agent = await this.#boot();
    const link = agent.printed.find((line) => /^https:/.test(line)) ?? "";
    for (const name of ["Alice", "Bob", "Carol", "Dave"]) {
      const person = await world.person(name);
      this.#guests.push({ person, name, chat: undefined, seen: 0, contact: undefined });
    }
    const [alice, ...others] = this.#guests;
    if (!alice) throw new Error("there is nobody");
    alice.chat = await alice.person.join(link);
    for (const guest of others) {
      guest.contact = await alice.person.join(await guest.person.makeAddress());
    }
    for (const name of ["Erin", "Echo", "Hazel"]) this.#peers.push(await world.person(name));
    for (const peer of this.#peers.slice(0, 2)) this.#targets.push(await peer.makeAddress());
    const [, , hazel] = this.#peers;
    if (hazel) this.#targets.push((await hazel.makeGroup("Trail")).link);
    await this.#settle();
    for (const target of this.#targets) this.#call({ tool: "connect", input: { target, wait: 60, idle: 1 } });
    await this.#settle();
    for (const { number } of this.#asks()) await alice.person.send(alice.chat, `/approve ${number}`);
    await this.world.pass(MINUTE_MS);
    await this.#settle();
    for (const guest of others.slice(0, 2)) await this.#invite(guest);
    await this.#settle();
    for (const guest of others) await this.#accept(guest);
    await this.#settle();
    await this.#attempt(() => alice.person.setRole(alice.chat ?? "#0", "Bob", "owner"));
    await alice.person.send(alice.chat, "/address");
    await this.#settle();
    this.#check();
  }

  async #boot(): Promise<BareAgent> {
    if (!this.witness) throw new Error("there is no witness");
    const { clock } = this.world;
    this.agent = await BareAgent.boot(this.witness, {
      folder: this.#folder,
      clock,
      expireHours: EXPIRE_HOURS,
    });
    return this.agent;
  }

  async #step(): Promise<void> {
    const chance = this.random.next();
    if (chance < 0.24) return this.#callSomething();
    if (chance < 0.28) return this.#abortSomething();
    if (chance < 0.64) return await this.#saySomething();
    if (chance < 0.7) return await this.#saySomethingElse();
    if (chance < 0.79) return await this.#changePeople();
    if (chance < 0.83) return await this.#changePeers();
    if (chance < 0.94) return await this.#come();
    if (chance < 0.985) return await this.#pass();
    await this.#restart();
  }

  // The agent

  #callSomething(): void {
    const chance = this.random.next();
    const again = this.#pick(this.agent?.calls ?? []);
    const chat = this.#pick(this.#chats);
    if (chance < 0.15 && again) return void this.#call(again.request);
    if (chance < 0.3)
      return void this.#call({
        tool: "connect",
        input: { target: this.#pick(this.#targets), wait: 60 * this.random.below(2), idle: 1 },
      });
    if (!chat) return;
    if (chance < 0.34) {
      this.#texts += 1;
      return void this.#call({ tool: "ask", input: { question: `question ${this.#texts}` } });
    }
    if (chance < 0.4) return void this.#call({ tool: "leave", input: { chat } });
    this.#texts += 1;
    const text = this.random.next() < 0.8 ? `text ${this.#texts}` : `text ${this.#texts}\nof two lines`;
    this.#call({ tool: "send", input: { chat, text, wait: 0, idle: 1 } });
  }

  #call(request: Request): Call | undefined {
    this.#note(`call ${request.tool} ${JSON.stringify(request.input)}`);
    return this.agent?.call(request, { lose: this.random.next() < 0.1 });
  }

  #abortSomething(): void {
    const call = this.#pick(this.agent?.calls.filter(({ settled }) => !settled) ?? []);
    if (!call) return;
    this.#note(`abort ${JSON.stringify(call.request.input)}`);
    call.abort.abort();
  }

  // The owners, and who is none

  async #saySomething(): Promise<void> {
    const guest = this.#pick(this.#guests.filter(({ chat }) => chat));
    if (!guest?.chat) return;
    const text = this.#command();
    this.#note(`${guest.name}: ${text}`);
    await this.#attempt(() => guest.person.send(guest.chat ?? "#0", text));
    // What was just let through is to lose.
    if (!text.startsWith("/approve") || this.random.next() < 0.85) return;
    this.#note(`${guest.name}: /pause`);
    await this.#attempt(() => guest.person.send(guest.chat ?? "#0", "/pause"));
  }

  /** What reads as an approval, and is no new message of its own. */
  async #saySomethingElse(): Promise<void> {
    const guest = this.#pick(this.#guests.filter(({ chat }) => chat));
    const { chat, person } = guest ?? {};
    if (!chat || !person) return;
    const text = this.#command();
    const chance = this.random.next();
    this.#note(`${guest?.name} edits, types or forwards: ${text}`);
    await this.#attempt(async () => {
      if (chance < 0.4) {
        const item = await person.send(chat, "hello");
        await person.edit(chat, item, text);
      } else if (chance < 0.7) {
        const item = await person.sendLive(chat, text);
        await person.type(chat, item, text, { final: true });
      } else {
        const { chat: aside } = await person.makeGroup(`Aside ${this.#texts}`);
        const item = await person.send(aside, text);
        await person.run(`/_forward ${chat} ${aside} ${item}`);
      }
    });
  }

  #command(): string {
    const asks = this.#asks();
    const ask = this.#pick(asks.slice(-8)) ?? this.#pick(asks);
    const number =
      this.random.next() < 0.85 ? ask?.number : 1 + this.random.below((this.witness?.saved ?? 1) + 3);
    const chat = this.random.next() < 0.9 ? ask?.chat : this.#pick(this.#chats);
    const some = chat ?? this.#pick(this.#chats) ?? "@1";
    const n = number ?? 1;
    const question = this.#pick(asks.filter(({ tool }) => tool === "ask"))?.number ?? n;
    const forms = [
      ...Array<string>(6).fill(`/approve ${n}`),
      ...(chat ? Array<string>(4).fill(`/'approve ${chat} ${n}'`) : []),
      ...Array<string>(3).fill(`/reject ${n}`),
      `/reject ${some} ${n} not today`,
      ...Array<string>(2).fill(`/edit ${n} changed ${this.#texts}`),
      `/edit ${some} ${n} changed ${this.#texts}`,
      `/edit ${some} ${n}`,
      ...Array<string>(3).fill(`/answer ${question} word ${this.#texts}`),
      `/answer ${n}`,
      `/approve ${some} all`,
      `/approve ${some} all`,
      `/approve ${some} ${n} all`,
      `/approve ${some} all ${1 + this.random.below(3)}`,
      `/approve ${some} all ${1 + this.random.below(3)}`,
      `/approve ${some} ${n} all 2`,
      `/approve ${some} all ${1 + this.random.below(10)}m`,
      `/revoke ${some}`,
      ...(this.random.next() < 0.3 ? [`/leave ${some}`] : []),
      ...(this.witness?.isPaused
        ? Array<string>(30).fill("/resume")
        : this.random.next() < 0.4
          ? ["/pause"]
          : []),
      "/requests",
      "/requests",
      "/address",
      "/address ask",
      this.#pick(["/address auto", "/address off", "/address auto please"]) ?? "/address",
      this.#pick(["/invite", "/invite off", "/invite me"]) ?? "/invite",
      "/pending",
      "/list",
      "/help",
      `approve ${n}`,
      `/approve ${n} please`,
      `/approve 0${n}`,
      `/approve ${n}\n/approve ${n + 1}`,
      `/approve ${some} ALL now`,
      `/APPROVE  ${n}`,
    ];
    return this.#pick(forms) ?? "/help";
  }

  async #changePeople(): Promise<void> {
    const by = this.#pick(this.#guests.filter(({ chat }) => chat));
    const whom = this.#pick(this.#guests);
    const chance = this.random.next();
    if (!by?.chat || !whom) return;
    const { chat } = by;
    await this.#attempt(async () => {
      if (chance < 0.35) {
        this.#note(`${by.name} makes ${whom.name} an owner`);
        await by.person.setRole(chat, whom.name, "owner");
      } else if (chance < 0.55) {
        const role = this.#pick(["admin", "member", "observer"]) ?? "member";
        this.#note(`${by.name} makes ${whom.name} ${role}`);
        if (whom !== this.#guests[0]) await by.person.setRole(chat, whom.name, role);
      } else if (chance < 0.62 && by !== this.#guests[0]) {
        this.#note(`${by.name} leaves`);
        by.chat = undefined;
        await by.person.leave(chat);
      } else if (chance < 0.68 && whom !== this.#guests[0]) {
        this.#note(`${by.name} removes ${whom.name}`);
        await by.person.remove(chat, whom.name);
        whom.chat = undefined;
      } else if (chance < 0.8) {
        const name = `${by.person.name} ${this.#texts}`;
        this.#note(`${by.name} is ${name} now`);
        await by.person.rename(name);
        by.name = name;
      } else {
        for (const guest of this.#guests) await this.#accept(guest);
        await this.#invite(whom);
      }
    });
  }

  async #invite(guest: Guest): Promise<void> {
    const [alice] = this.#guests;
    if (!alice?.chat || !guest.contact || guest.chat) return;
    this.#note(`Alice invites ${guest.name}`);
    await this.#attempt(() => alice.person.run(`/_add ${alice.chat} ${guest.contact?.slice(1)} member`));
  }

  async #accept(guest: Guest): Promise<void> {
    const { events } = guest.person;
    for (; guest.seen < events.length; guest.seen += 1) {
      const event = events[guest.seen];
      if (event?.type !== "receivedGroupInvitation") continue;
      const chat: ChatRef = `#${Number(at(event, "groupInfo", "groupId"))}`;
      this.#note(`${guest.name} joins`);
      await this.#attempt(() => guest.person.run(`/_join ${chat}`));
      guest.chat = chat;
    }
  }

  // What is around

  async #changePeers(): Promise<void> {
    const peer = this.#pick(this.#peers);
    if (!peer) return;
    const name = `${peer.name} ${this.#texts}`;
    this.#note(`the peer ${peer.name} is ${name} now`);
    await this.#attempt(() => peer.rename(name));
  }

  /** Strangers ask and give up; a contact invites the agent into a group, a member of one asks for a chat. */
  async #come(): Promise<void> {
    const chance = this.random.next();
    const [erin, , hazel] = this.#peers;
    if (chance < 0.2 && erin) return await this.#inviteAgent(erin);
    if (chance < 0.35 && hazel) return await this.#askAsMember(hazel);
    const some = this.#pick(this.#strangers);
    if (chance < 0.5 && some?.chat) {
      this.#note(`${some.person.name} gives up`);
      const { chat } = some;
      some.chat = undefined;
      return await this.#attempt(() => some.person.deleteChat(chat));
    }
    const link = this.witness?.address;
    if (link === undefined) return;
    const isNew = this.#strangers.length < 2 || this.random.next() < 0.4;
    const stranger = isNew ? await this.#newStranger() : some;
    if (!stranger) return;
    this.#texts += 1;
    this.#note(`${stranger.person.name} asks to connect`);
    await this.#attempt(async () => {
      stranger.chat = await stranger.person.startJoining(
        link,
        this.random.next() < 0.5 ? `text ${this.#texts}` : undefined,
      );
    });
  }

  async #newStranger() {
    const person = await this.world.person(`Guest${this.#strangers.length + 1}`);
    const stranger = { person, chat: undefined };
    this.#strangers.push(stranger);
    return stranger;
  }

  async #inviteAgent(peer: Person): Promise<void> {
    const connected = peer.events.findLast(
      (event) =>
        event.type === "contactConnected" && at(event, "contact", "profile", "displayName") === "My Agent",
    );
    if (!connected) return;
    this.#texts += 1;
    const name = `Party${this.#texts}`;
    this.#note(`${peer.name} invites the agent into ${name}`);
    await this.#attempt(async () => {
      const { chat } = await peer.makeGroup(name);
      await peer.run(`/_add ${chat} ${Number(at(connected, "contact", "contactId"))} member`);
      if (this.random.next() < 0.2) await peer.remove(chat, "My Agent");
    });
  }

  async #askAsMember(peer: Person): Promise<void> {
    this.#note(`${peer.name} asks for a chat of the two`);
    await this.#attempt(async () => {
      const made = await peer.run(`/_create member contact #1 ${await peer.member("#1", "My Agent")}`);
      await peer.run(`/_invite member contact @${Number(at(made, "contact", "contactId"))}`);
    });
  }

  async #pass(): Promise<void> {
    const ms = this.random.next() < 0.3 ? EXPIRE_HOURS * HOUR_MS : 1 + this.random.below(10 * MINUTE_MS);
    this.#note(`${ms} ms pass`);
    await this.world.pass(ms);
  }

  async #restart(): Promise<void> {
    this.#note("restart");
    await this.#stop();
    this.witness?.reopened(this.world.network.open("agent"));
    await this.#boot();
    await this.#settle();
  }

  async #stop(): Promise<void> {
    const { agent } = this;
    if (!agent) return;
    await agent.stop();
    await this.world.settle();
    for (const { settled, request } of agent.calls) {
      if (!settled) this.witness?.violations.push(`never answered: ${JSON.stringify(request)}`);
    }
    this.#checkCalls(agent);
    this.#checkLog(agent);
  }

  async #settle(): Promise<void> {
    const { agent, witness } = this;
    await this.world.settle();
    await agent?.events.idle();
    // Folders of chats that were left take the disk's time.
    const isLeaving = () =>
      agent?.parts.actions.all().some(({ tool, state }) => tool === "leave" && state.state === "performing");
    await until("the end of what leaves a chat", () => !isLeaving());
    await this.world.settle();
    if (witness?.isTelling) await this.world.pass(GATHER_MS);
    witness?.quiet();
    if (!agent || !witness) return;
    for (const { settled, request, abort } of agent.calls) {
      // A connection may take its time.
      if (settled || abort.signal.aborted || request.tool === "connect") continue;
      const { chat, question, text = question } = request.input;
      const waits = (ask: Ask) =>
        ask.tool === request.tool && ask.chat === chat && (ask.tool === "leave" || ask.text === text);
      if (!witness.isOpen(waits)) witness.violations.push(`not answered: ${JSON.stringify(request)}`);
    }
    this.#checkCalls(agent);
  }

  /** Results agree with the cards, and each number is one request's. */
  #checkCalls({ calls }: BareAgent): void {
    const requests = new Map<number, string>();
    for (const { request, result, error, refused } of calls) {
      if (error !== undefined && !refused) this.witness?.violations.push(`a call threw ${String(error)}`);
      const { action, status, chat } = result ?? {};
      if (request.tool === "connect" && typeof chat === "string" && /^[@#]\d+$/.test(chat))
        this.#know(chat as ChatRef);
      if (typeof action !== "number") continue;
      const { wait: _, ...fields } = request.input;
      const key = JSON.stringify([request.tool, fields]);
      if ((requests.get(action) ?? key) !== key) this.witness?.violations.push(`${action} is two requests`);
      requests.set(action, key);
      if (status === "answered" && !this.witness?.answers.has(String(result?.answer)))
        this.witness?.violations.push(`${action}: nobody answered ${result?.answer}`);
      const end = this.witness?.asks.get(action)?.end;
      if (end !== undefined && end !== "lost" && end !== status)
        this.witness?.violations.push(`${action}: ${status} is ${end} on the card`);
    }
  }

  #know(chat: ChatRef): void {
    if (!this.#chats.includes(chat)) this.#chats.push(chat);
  }

  #checkLog({ logged }: BareAgent): void {
    const odd = logged.filter(
      (line) =>
        !/^Action \d+ failed: |^A request to the agent's address could|^[@#]\d+ was left, and its chat could not be deleted: Your owner paused/.test(
          line,
        ),
    );
    if (odd.length > 0) this.witness?.violations.push(...odd.splice(0));
  }

  #check(): void {
    const { violations = [] } = this.witness ?? {};
    if (violations.length === 0) return;
    throw new Error(
      `${violations.join("\n")}\nSeed ${this.seed}, the last steps:\n${this.steps.slice(-25).join("\n")}`,
    );
  }

  #asks() {
    return [...(this.witness?.asks.values() ?? [])];
  }

  /** Whether somebody may do something is for the core to say. */
  async #attempt(act: () => Promise<unknown>): Promise<void> {
    await act().catch((error: unknown) => this.#note(`  refused: ${String(error).slice(0, 100)}`));
  }

  #note(step: string): void {
    this.steps.push(step);
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[this.random.below(all.length)];
  }
}
