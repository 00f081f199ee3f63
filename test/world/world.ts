import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatApiLike } from "../../src/core/api/chat-api.js";
import type { ServeOptions } from "../../src/serve/serve.js";
import type { Clock } from "../../src/time/clock.js";
import { type AgentOptions, TestAgent } from "./agent.js";
import { numberAt } from "./json.js";
import { Owner } from "./owner.js";
import { Person, type UserProfile } from "./person.js";
import { RecordedApi } from "./recorded-api.js";

/** Users of SimpleX around an agent. The simulated and the real world differ in how a database is opened. */
export abstract class World {
  abstract readonly kind: "simulated" | "real";
  abstract readonly clock: Clock;
  protected readonly serveOptions: Partial<ServeOptions> = {};
  /** In memory all is there at once. */
  protected readonly lateJoinersMs: number = 0;

  /** Whether a start waits for those who used its last link while nothing ran. */
  get waitsForLateJoiners(): boolean {
    return this.lateJoinersMs > 0;
  }

  readonly #apis: { name: string; api: RecordedApi }[] = [];
  readonly #agents: TestAgent[] = [];
  #folder: Promise<string> | undefined;
  #users = 0;
  #agentsMade = 0;

  /** Opens the databases of this prefix, or makes them. */
  protected abstract openDatabase(prefix: string): Promise<ChatApiLike>;

  /** Lets so many milliseconds go by. In the real world they go by themselves: what follows waits for it anyway. */
  abstract pass(ms: number): Promise<void>;

  /** Until the next whole second: received messages have no fractions, and stand in a group by their time. */
  abstract nextSecond(): Promise<void>;

  /** Resolves when nothing happens any more by itself. */
  abstract settle(): Promise<void>;

  /** Makes a SimpleX name, such as `directory.testing`, lead to an address. */
  abstract registerName(name: string, link: string): Promise<void>;

  /** A user with a started chat. */
  async openUser(name: string, profile: UserProfile = {}): Promise<{ api: RecordedApi; userId: number }> {
    this.#users += 1;
    const database = `user-${this.#users}`;
    const api = new RecordedApi(await this.openDatabase(join(await this.folder(), database)));
    this.#apis.push({ name, api });
    const whole = { displayName: name, fullName: "", ...profile };
    const created = await api.sendChatCmd(
      `/_create user ${JSON.stringify({ profile: whole, pastTimestamp: false })}`,
    );
    await api.startChat();
    await this.afterStart(api);
    return { api, userId: numberAt(created, "user", "userId") };
  }

  async person(name: string, profile: UserProfile = {}): Promise<Person> {
    const { api, userId } = await this.openUser(name, profile);
    return new Person(name, api, userId, profile);
  }

  /** A running agent without an owner. */
  async startAgent(options: AgentOptions = {}): Promise<TestAgent> {
    const agent = await this.newAgent(options);
    await agent.start();
    return agent;
  }

  /** An agent whose server is not started yet. */
  async newAgent(options: AgentOptions = {}): Promise<TestAgent> {
    this.#agentsMade += 1;
    const name = `agent-${this.#agentsMade}`;
    const folder = join(await this.folder(), name);
    const agent = new TestAgent(
      {
        clock: this.clock,
        openDatabase: (prefix) => this.openDatabase(prefix),
        serveOptions: this.serveOptions,
        lateJoinersMs: this.lateJoinersMs,
        opened: (name, api) => this.#apis.push({ name, api }),
      },
      folder,
      options,
    );
    this.#agents.push(agent);
    return agent;
  }

  /** A running agent with its owner. */
  async agentWithOwner(
    options: AgentOptions = {},
    name = "Alice",
  ): Promise<{ agent: TestAgent; owner: Owner }> {
    const [agent, person] = await Promise.all([this.startAgent(options), this.person(name)]);
    const owner = await Owner.join(person, await agent.ownerLink());
    await agent.prints(/^Add the agent to Claude Code/);
    await owner.sees(/^I'm your agent/);
    await this.settle();
    agent.newCommands();
    return { agent, owner };
  }

  /** Gives the address of a person a SimpleX name. */
  async giveName(person: Person, name: string, link: string): Promise<void> {
    await this.registerName(name, link);
    await person.run(`/_set domain ${person.userId} ${name}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.stop()));
    await this.closeUsers();
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
  }

  /** The last commands and events of every user, and the lines of every agent, for a test that failed. */
  report(): string {
    const agents = this.#agents.map(
      ({ name, printed, logged }) =>
        `--- ${name}: stdout\n${printed.join("\n")}\n--- ${name}: stderr\n${logged.join("\n")}`,
    );
    const users = this.#apis.map(({ name, api }) => `--- ${name}\n${api.lastRecord}`);
    return [...agents, ...users].join("\n");
  }

  protected get apis(): readonly RecordedApi[] {
    return this.#apis.map(({ api }) => api);
  }

  /** When the agents have stopped. */
  protected async closeUsers(): Promise<void> {
    await Promise.all(this.#apis.map(({ api }) => api.close().catch(() => undefined)));
  }

  protected folder(): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), "simplex-mcp-test-"));
    return this.#folder;
  }

  /** What a new user needs once its chat is started. */
  protected async afterStart(_api: ChatApiLike): Promise<void> {}
}
