import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { BRIDGED, bridgeTo, kill } from "./bridged.js";
import { until } from "./until.js";

/** How a client speaks: the protocol of 2026-07-28, or the one with sessions before it. */
export type Era = "modern" | "legacy";
export const ERAS: readonly Era[] = ["modern", "legacy"];

/** Longer than any call of a test, in real time. Milliseconds. */
const TIMEOUT = 120_000;

/** What an agent got from a tool. */
export interface ToolResult {
  /** The structured content; undefined with an error of the tool. */
  readonly data: Record<string, unknown> | undefined;
  readonly text: string;
  readonly isError: boolean;
}

const Result = z.object({
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })).length(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

/** A connection of the SDK's client, and how to close what is under a call of it. */
interface Connection {
  readonly client: Client;
  cut(mark: string): void;
  /** Resolves when the agent knows which results arrived. */
  told(): Promise<void>;
}

/** An MCP client of an agent. */
export class TestClient {
  readonly era: Era;
  readonly #connect: () => Promise<Connection>;
  #connection: Connection;
  /** Of a process that was killed: a client starts another. */
  #reconnecting: Promise<void> | undefined;

  private constructor(era: Era, connect: () => Promise<Connection>, connection: Connection) {
    this.era = era;
    this.#connect = connect;
    this.#connection = connection;
  }

  static async connect(era: Era, url: string, headers: Record<string, string>): Promise<TestClient> {
    const connect = () => byHttp(era, url, headers);
    return new TestClient(era, connect, await connect());
  }

  /** A client that starts the bridge to the agent of this data folder. */
  static async connectByBridge(era: Era, agent: string, folder: string): Promise<TestClient> {
    const connect = () => byBridge(era, agent, folder);
    return new TestClient(era, connect, await connect());
  }

  get sdk(): Client {
    return this.#connection.client;
  }

  /** Calls a tool, and lets the caller follow it. */
  call(tool: string, input: Record<string, unknown> = {}): OpenCall {
    const abort = new AbortController();
    const mark = `call-${Math.random()}`;
    const call = new OpenCall(abort, () => this.#cut(mark));
    call.follow(this.#call(call, tool, input, mark));
    return call;
  }

  /** Calls a tool and waits for its result. */
  async use(tool: string, input: Record<string, unknown> = {}): Promise<ToolResult> {
    return await this.call(tool, input).result;
  }

  async close(): Promise<void> {
    await this.#reconnecting;
    await this.#connection.client.close();
  }

  async #call(
    call: OpenCall,
    tool: string,
    input: Record<string, unknown>,
    mark: string,
  ): Promise<ToolResult> {
    await this.#reconnecting;
    const { client, told } = this.#connection;
    const result = await client.callTool(
      { name: tool, arguments: input, _meta: { mark } },
      {
        signal: call.abort.signal,
        timeout: TIMEOUT,
        onprogress: ({ message }) => call.note(message ?? ""),
      },
    );
    await told();
    return read(result);
  }

  #cut(mark: string): void {
    this.#connection.cut(mark);
    if (!BRIDGED) return;
    this.#reconnecting = this.#connect().then((connection) => {
      this.#connection = connection;
      this.#reconnecting = undefined;
    });
  }
}

function newClient(era: Era): Client {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
  );
  // Connections that tests cut are errors to the client.
  client.onerror = () => undefined;
  return client;
}

/** With the tools listed, the client checks each result against its schema. */
async function connected(client: Client, transport: Transport): Promise<void> {
  await client.connect(transport);
  await client.listTools();
}

async function byHttp(era: Era, url: string, headers: Record<string, string>): Promise<Connection> {
  const client = newClient(era);
  /** By the call that it belongs to: ends the HTTP request under it. */
  const cuts = new Map<string, () => void>();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: async (input, init = {}) => {
      const mark = typeof init.body === "string" ? /"mark":"([^"]+)"/.exec(init.body)?.[1] : undefined;
      if (mark === undefined) return await fetch(input, init);
      const cut = new AbortController();
      cuts.set(mark, () => cut.abort());
      const signal = init.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal;
      return await fetch(input, { ...init, signal });
    },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  await connected(client, transport);
  return { client, cut: (mark) => cuts.get(mark)?.(), told: async () => undefined };
}

async function byBridge(era: Era, agent: string, folder: string): Promise<Connection> {
  const client = newClient(era);
  const transport = bridgeTo(agent, folder);
  await connected(client, transport);
  return {
    client,
    // All of its calls end with the process.
    cut: () => kill(transport),
    // What the bridge is asked now reaches the agent after what it told of the result.
    told: async () => void (await client.listTools()),
  };
}

/** A tool call that runs. */
export class OpenCall {
  /** The progress texts, each once while it is repeated. */
  readonly progress: string[] = [];
  /** How many progress notifications came, repetitions counted. */
  notified = 0;
  settled = false;
  #result: Promise<ToolResult> | undefined;

  constructor(
    readonly abort: AbortController,
    private readonly cutRequest: () => void,
  ) {}

  get result(): Promise<ToolResult> {
    if (!this.#result) throw new Error("the call was not made");
    return this.#result;
  }

  /** Cancels the call, as a client does whose user pressed escape. */
  cancel(): void {
    this.abort.abort();
  }

  /** Closes the HTTP response under the call, as a client does that dies. */
  cut(): void {
    this.cutRequest();
  }

  /** Waits for a progress text. */
  async progressed(text: string | RegExp): Promise<string> {
    return await until(`the progress ${text}; so far: ${this.progress.join(" | ")}`, () =>
      this.progress.find((one) => (typeof text === "string" ? one === text : text.test(one))),
    );
  }

  note(message: string): void {
    this.notified += 1;
    if (this.progress.at(-1) !== message) this.progress.push(message);
  }

  follow(result: Promise<ToolResult>): void {
    this.#result = result.finally(() => {
      this.settled = true;
    });
    // A call that the test ends is answered by an error that nobody reads.
    this.#result.catch(() => undefined);
  }
}

function read(result: unknown): ToolResult {
  const { content, structuredContent, isError } = Result.parse(result);
  const text = content.map((part) => part.text).join("");
  if (structuredContent && text !== JSON.stringify(structuredContent)) {
    throw new Error(`the text is not the structured content: ${text}`);
  }
  return { data: structuredContent, text, isError };
}
