import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { z } from "zod";
import type { TestAgent } from "./agent.js";
import type { Era } from "./client.js";
import { until } from "./until.js";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const Progress = z.object({ params: z.object({ message: z.string() }) });

/** Headers that every request to the agent needs. */
export function jsonHeaders({ server }: TestAgent): Record<string, string> {
  return {
    Authorization: `Bearer ${server.token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
}

/** A tool call on a bare connection, as of a client process that dies at any moment. */
export class RawCall {
  readonly #socket: Socket;
  #received = "";
  #stallAt: RegExp | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      this.#received += chunk;
      if (this.#stallAt?.test(this.#received)) socket.pause();
    });
  }

  static async open(
    agent: TestAgent,
    era: Era,
    tool: string,
    input: Record<string, unknown> | null,
  ): Promise<RawCall> {
    const socket = connect(agent.server.port, "127.0.0.1");
    await once(socket, "connect");
    const call = new RawCall(socket);
    const _meta = { progressToken: "raw", ...(era === "modern" ? ENVELOPE : {}) };
    const params = { name: tool, arguments: input, _meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/call", params });
    const headers = {
      Host: `127.0.0.1:${agent.server.port}`,
      ...jsonHeaders(agent),
      ...(era === "modern" ? modernHeaders(tool) : await legacyHeaders(agent)),
      "Content-Length": `${Buffer.byteLength(body)}`,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n"));
    return call;
  }

  get progress(): string[] {
    return [...this.#received.matchAll(/^data: (\{.*"notifications\/progress".*\})\r?$/gm)].map(
      ([, json = ""]) => Progress.parse(JSON.parse(json)).params.message,
    );
  }

  async progressed(text: RegExp): Promise<string> {
    return await until(`the progress ${text}`, () => this.progress.find((one) => text.test(one)));
  }

  /** Reads no further than the beginning of the result: what is left of a large one cannot be written. */
  stallAtResult(): void {
    this.#stallAt = /"result":/;
  }

  async resultBegan(): Promise<void> {
    await until("the beginning of the result", () => this.#received.includes('"result":'));
  }

  /** The process is gone: `resetAndDestroy` with bytes that it did not read. */
  die(how: "destroy" | "resetAndDestroy" = "destroy"): void {
    this.#socket[how]();
  }
}

function modernHeaders(tool: string): Record<string, string> {
  return { "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool };
}

/** Starts a session. */
async function legacyHeaders(agent: TestAgent): Promise<Record<string, string>> {
  const response = await fetch(agent.server.url, {
    method: "POST",
    headers: jsonHeaders(agent),
    body: JSON.stringify(INITIALIZE),
  });
  await response.text();
  return {
    "Mcp-Protocol-Version": "2025-11-25",
    "Mcp-Session-Id": response.headers.get("mcp-session-id") ?? "",
  };
}
