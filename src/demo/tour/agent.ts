import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { loopbackFetch } from "../../server/loopback.js";
import { VERSION } from "../../terminal/version.js";

export type Arguments = Readonly<Record<string, unknown>>;

/** What a call gave: the structured result, or the sentence of an error. */
export interface CallResult {
  readonly isError: boolean;
  /** Without a structured result, `{error}`. */
  readonly result: Readonly<Record<string, unknown>>;
}

/** An action may wait for its owner as long as the tour lasts. Milliseconds. */
const CALL_TIMEOUT = 60_000;

/** The agent of the tour: an ordinary MCP client. */
export class TourAgent {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async connect(url: string, token: string): Promise<TourAgent> {
    const client = new Client(
      { name: "simplex-mcp-tour", version: VERSION },
      { versionNegotiation: { mode: "auto" } },
    );
    const headers = { Authorization: `Bearer ${token}` };
    const options = { fetch: loopbackFetch, requestInit: { headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
    return new TourAgent(client);
  }

  async call(name: string, args: Arguments, onProgress: (text: string) => void): Promise<CallResult> {
    const answer = await this.#client.callTool(
      { name, arguments: { ...args } },
      { timeout: CALL_TIMEOUT, onprogress: ({ message }) => message !== undefined && onProgress(message) },
    );
    const isError = answer.isError === true;
    if (answer.structuredContent) return { isError, result: Result.parse(answer.structuredContent) };
    const text = answer.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return { isError, result: { error: text } };
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

const Result = z.record(z.string(), z.unknown());
