import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type HttpOptions, HttpServer } from "../../../src/server/http.js";
import type { StatusReport } from "../../../src/server/status-report.js";
import type { Clock } from "../../../src/time/clock.js";
import { currentDelivery, type Delivery } from "../../../src/tools/call/delivery.js";

export const TOKEN = "t".repeat(43);
export const AGENT = "my-agent";
export const REGISTER_AGAIN = "Run `npx -y @simplex-chat/mcp register my-agent` again.";

export const STATUS: StatusReport = {
  agent: AGENT,
  name: "My Agent",
  version: "1.0.0",
  since: "2026-11-30T12:00:00.000Z",
  approve: "requests",
  expireHours: 23,
  owners: ["Alice"],
  chats: 2,
  approvals: [],
  pending: 1,
};

/** How a test client speaks: the newest protocol era, or the one before. */
export type Era = "modern" | "legacy";
export const ERAS: readonly Era[] = ["modern", "legacy"];

/** Time that moves only when told to. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{
    readonly at: number;
    readonly fn: () => void;
  }>();

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.fn();
    }
  }
}

/** A call of the tool `hold` inside the server. */
export interface HeldCall {
  readonly key: string;
  readonly delivery: Delivery | undefined;
  readonly signal: AbortSignal;
  /** Lets the tool return `text`. */
  finish(text?: string): void;
}

/** A server with two tools: `echo` returns its text, `hold` returns when the test says so. */
export class TestServer {
  readonly clock = new FakeClock();
  readonly calls: HeldCall[] = [];
  readonly log: string[] = [];
  /** Instances that were made, by era. */
  readonly made = { modern: 0, legacy: 0 };
  #http: HttpServer | undefined;
  readonly #clients: Client[] = [];

  static async start(options: Partial<HttpOptions> = {}): Promise<TestServer> {
    const server = new TestServer();
    await server.listen(options);
    server.http.open();
    return server;
  }

  async listen(options: Partial<HttpOptions> = {}): Promise<void> {
    this.#http = await HttpServer.listen({
      registerAgain: REGISTER_AGAIN,
      ports: [0],
      token: TOKEN,
      clock: this.clock,
      log: (line) => this.log.push(line),
      createServer: ({ era }) => this.#create(era),
      status: async () => STATUS,
      ...options,
    });
  }

  get http(): HttpServer {
    if (this.#http === undefined) throw new Error("not listening");
    return this.#http;
  }

  /** A client of the SDK, connected. Its errors are the server's going, mostly, and are dropped. */
  async client(era: Era | "auto"): Promise<Client> {
    const mode = era === "modern" ? { pin: "2026-07-28" } : era;
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    client.onerror = () => undefined;
    this.#clients.push(client);
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(this.http.url), { requestInit }));
    return client;
  }

  /** The held call with this key, as soon as it is there. */
  async held(key: string): Promise<HeldCall> {
    let found: HeldCall | undefined;
    await until(() => {
      found = this.calls.find((call) => call.key === key);
      return found !== undefined;
    });
    if (found === undefined) throw new Error(`no call ${key}`);
    return found;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#clients.map((client) => client.close()));
    await this.#http?.close();
  }

  #create(era: Era): McpServer {
    this.made[era] += 1;
    const server = new McpServer({ name: "test", version: "1.0.0" });
    server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => answer(text));
    server.registerTool("hold", { inputSchema: z.object({ key: z.string() }) }, async ({ key }, ctx) => {
      const token = ctx.mcpReq._meta?.progressToken;
      if (token !== undefined) {
        const params = {
          progressToken: token,
          progress: 1,
          message: `held ${key}`,
        };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
      }
      const text = await new Promise<string>((finish) => {
        const { signal } = ctx.mcpReq;
        const delivery = currentDelivery();
        this.calls.push({
          key,
          delivery,
          signal,
          finish: (result = `done ${key}`) => finish(result),
        });
      });
      return answer(text);
    });
    return server;
  }
}

function answer(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

/** The text of a tool's result. */
export function textOf(result: unknown): string {
  return (
    z.object({ content: z.array(z.object({ text: z.string() })).length(1) }).parse(result).content[0]?.text ??
    ""
  );
}

/** Polls until it holds; a test that waits for ever is ended by the runner. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
};

export const JSON_HEADERS = {
  Authorization: `Bearer ${TOKEN}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

/** A POST of one message with the headers of a well-behaved client. */
export function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return fetch(url, {
    method: "POST",
    headers: { ...JSON_HEADERS, ...headers },
    body,
  });
}

/** Starts a session of an older era by hand; returns its id. */
export async function startSession(url: string): Promise<string> {
  const response = await post(url, INITIALIZE);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends these very bytes and reads the answer until the server closes or the body is complete. */
export async function raw(port: number, text: string): Promise<RawAnswer> {
  const socket = await openSocket(port);
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.write(text);
  const ended = once(socket, "close").then(() => true);
  const complete = until(() => parseRaw(received) !== undefined).then(() => true);
  await Promise.race([ended, complete]);
  socket.destroy();
  return parseRaw(received) ?? { status: 0, headers: received, body: "" };
}

function parseRaw(text: string): RawAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const headers = text.slice(0, end);
  const body = text.slice(end + 4);
  const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0);
  if (Buffer.byteLength(body) < length) return undefined;
  return { status: Number(headers.split(" ")[1]), headers, body };
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}
