import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
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

/** An MCP client of an agent. */
export class TestClient {
  readonly #client: Client;
  /** By the call that it belongs to: ends the HTTP request under it. */
  readonly #cuts = new Map<string, () => void>();

  private constructor(readonly era: Era) {
    this.#client = new Client(
      { name: "test", version: "1.0.0" },
      { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
    );
    // Connections that tests cut are errors to the client.
    this.#client.onerror = () => undefined;
  }

  static async connect(era: Era, url: string, headers: Record<string, string>): Promise<TestClient> {
    const client = new TestClient(era);
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: (input, init) => client.#fetch(input, init),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    });
    await client.#client.connect(transport);
    // With the tools listed, the client checks each result against its schema.
    await client.#client.listTools();
    return client;
  }

  get sdk(): Client {
    return this.#client;
  }

  /** Calls a tool, and lets the caller follow it. */
  call(tool: string, input: Record<string, unknown> = {}): OpenCall {
    const abort = new AbortController();
    const mark = `call-${Math.random()}`;
    const call = new OpenCall(abort, () => this.#cuts.get(mark)?.());
    call.follow(
      this.#client
        .callTool(
          { name: tool, arguments: input, _meta: { mark } },
          { signal: abort.signal, timeout: TIMEOUT, onprogress: ({ message }) => call.note(message ?? "") },
        )
        .then((result) => read(result)),
    );
    return call;
  }

  /** Calls a tool and waits for its result. */
  async use(tool: string, input: Record<string, unknown> = {}): Promise<ToolResult> {
    return await this.call(tool, input).result;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #fetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const mark = typeof init.body === "string" ? /"mark":"([^"]+)"/.exec(init.body)?.[1] : undefined;
    if (mark === undefined) return await fetch(input, init);
    const cut = new AbortController();
    this.#cuts.set(mark, () => cut.abort());
    const signal = init.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal;
    return await fetch(input, { ...init, signal });
  }
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
