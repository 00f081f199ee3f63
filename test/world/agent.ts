import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import type { ChatApiLike, CoreJson } from "../../src/core/api/chat-api.js";
import { type ChatRef, parseChatRef } from "../../src/core/types.js";
import { type RunningServer, type ServeOptions, serve } from "../../src/serve/serve.js";
import type { Clock } from "../../src/time/clock.js";
import { BRIDGED } from "./bridged.js";
import { type Era, TestClient } from "./client.js";
import { doubled } from "./doubled.js";
import { numberAt } from "./json.js";
import { Person } from "./person.js";
import { RecordedApi } from "./recorded-api.js";
import { until } from "./until.js";

export interface AgentOptions extends Partial<ServeOptions> {
  /** Other limits of new actions than those of the product. */
  limits?: { pending?: number; cardsPerMinute?: number; actsPerMinute?: number };
  /** See `ServeWorld`. */
  lateJoinersMs?: number;
  /** Called with the core before the server uses it: to hold or fail commands of the start. */
  onOpen?: (api: RecordedApi) => void;
}

/** What an agent's server runs on in a world. */
export interface AgentHost {
  clock: Clock;
  /** Opens the databases of this prefix. */
  openDatabase: (prefix: string) => Promise<ChatApiLike>;
  /** For options that every server of this world needs. */
  serveOptions: Partial<ServeOptions>;
  lateJoinersMs: number;
  opened: (name: string, api: RecordedApi) => void;
}

/** An agent's server, from the composition root on, with what it says and does. */
export class TestAgent {
  /** Lines for the person at the terminal, and lines of warnings and errors. */
  readonly printed: string[] = [];
  readonly logged: string[] = [];
  readonly name: string;
  readonly folder: string;
  readonly #host: AgentHost;
  readonly #options: AgentOptions;
  readonly #clients: TestClient[] = [];
  #api: RecordedApi | undefined;
  #server: RunningServer | undefined;
  #hands: Promise<Person> | undefined;
  #mark = 0;
  /** Of this start, from the opening of the core on. */
  #events: CoreJson[] = [];

  constructor(host: AgentHost, folder: string, options: AgentOptions) {
    this.#host = host;
    this.#options = options;
    this.folder = folder;
    this.name = options.agent ?? "my-agent";
  }

  /** Starts the server. Rejects as `serve` does. */
  async start(more: AgentOptions = {}): Promise<void> {
    const {
      limits,
      lateJoinersMs = this.#host.lateJoinersMs,
      onOpen,
      ...options
    } = { ...this.#options, ...more };
    this.#api = undefined;
    this.#hands = undefined;
    this.#mark = 0;
    this.#server = await serve(
      {
        agent: this.name,
        displayName: "My Agent",
        dataFolder: this.folder,
        dataOption: undefined,
        port: await freePort(),
        approve: "requests",
        owners: { kind: "any" },
        resetOwners: false,
        expireHours: 23,
        stopWaitSeconds: 0,
        qrCode: "none",
        socksProxy: undefined,
        smpServers: [],
        xftpServers: [],
        holdSeconds: 0,
        ...this.#host.serveOptions,
        ...options,
      },
      {
        openCore: async (prefix) => {
          this.#api = new RecordedApi(await this.#host.openDatabase(prefix));
          this.#host.opened(this.name, this.#api);
          this.#events = [];
          this.#api.onAny((event) => this.#events.push(event));
          if (process.env.TEST_EVENTS === "twice") doubled(this.#api);
          onOpen?.(this.#api);
          return this.#api;
        },
        clock: this.#host.clock,
        print: (line) => this.printed.push(line),
        log: (line) => this.logged.push(line),
        lateJoinersMs,
        ...(limits ? { actionLimits: limits } : {}),
      },
    );
  }

  /** Stops the server and starts it again on the same folder; lines and commands are those of the new start. */
  async restart(more: AgentOptions = {}): Promise<void> {
    await this.stop();
    this.printed.length = 0;
    // The port of the last start, as without the option.
    await this.start({ port: undefined, ...more });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }

  get server(): RunningServer {
    if (!this.#server) throw new Error("the server does not run");
    return this.#server;
  }

  /** The core as the server uses it. */
  get api(): RecordedApi {
    if (!this.#api) throw new Error("the core was not opened");
    return this.#api;
  }

  /** The agent's user, driven past the server: to set a scene. */
  hands(): Promise<Person> {
    this.#hands ??= this.api.sendChatCmd("/user").then((answer) => {
      const userId = numberAt(answer, "user", "userId");
      return new Person("My Agent", this.api, userId, {}, this.#events);
    });
    return this.#hands;
  }

  /** A connected client. */
  async client(era: Era): Promise<TestClient> {
    const client = BRIDGED
      ? await TestClient.connectByBridge(era, this.name, this.folder)
      : await TestClient.connect(era, this.server.url, await this.#headers());
    this.#clients.push(client);
    return client;
  }

  async #headers(): Promise<Record<string, string>> {
    const text = await readFile(join(this.folder, "headers.json"), "utf8");
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  }

  /** Waits for a line on stdout. */
  async prints(line: string | RegExp): Promise<string> {
    return await until(`on stdout: ${line}`, () =>
      this.printed.find((one) => (typeof line === "string" ? one === line : line.test(one))),
    );
  }

  /** The link for the owner, once it is printed. */
  ownerLink(): Promise<string> {
    return this.prints(/^(https:|simplex:)\S+$/);
  }

  /** The control chat, from the command that marks it. */
  get controlChat(): ChatRef {
    const marked = this.api.commands
      .map((one) => /^\/_(?:set custom|members) (#\d+)/.exec(one)?.[1])
      .find(Boolean);
    const ref = marked === undefined ? undefined : parseChatRef(marked);
    if (!ref) throw new Error("there is no control chat yet");
    return ref;
  }

  /** Commands since the last call of this. */
  newCommands(): string[] {
    const commands = this.api.commands.slice(this.#mark);
    this.#mark = this.api.commands.length;
    return commands;
  }

  /** Waits until the core gets a command that fits. */
  async commands(match: RegExp): Promise<string> {
    return await until(`a command ${match}`, () =>
      this.api.commands.slice(this.#mark).find((one) => match.test(one)),
    );
  }
}

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
