import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
} from "@modelcontextprotocol/server";
import type { Clock } from "../time/clock.js";
import { watchAnswers } from "./answers.js";
import { currentExchange, type Exchange } from "./delivery.js";
import { Sessions } from "./sessions.js";

/** 2026-07-28 is `modern`: each request stands alone. The eras before it have sessions. */
export type Era = "modern" | "legacy";

export interface ErasOptions {
  /** A new server instance: one a request in the modern era, one a session in the older ones. */
  readonly createServer: (context: { readonly era: Era }) => McpServer;
  readonly clock: Clock;
  /** Milliseconds between the comments that keep an open response alive. */
  readonly keepAliveMs: number;
  readonly onError: (error: Error) => void;
}

/** Serves MCP requests of both eras. */
export class Eras {
  readonly #modern: McpHttpHandler;
  readonly #sessions: Sessions;

  constructor({ createServer, clock, keepAliveMs, onError }: ErasOptions) {
    // "sse": by default the SDK sends not one byte before the result, and clients give up after a minute.
    this.#modern = createMcpHandler(() => watchedByExchange(createServer({ era: "modern" })), {
      legacy: "reject",
      responseMode: "sse",
      keepAliveMs,
      onerror: onError,
    });
    this.#sessions = new Sessions({
      createServer: () => createServer({ era: "legacy" }),
      clock,
      keepAliveMs,
    });
  }

  /** How many sessions of the older eras there are. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** `body` is the parsed JSON of a POST. Runs inside `exchange`. */
  async fetch(request: Request, body: unknown, exchange: Exchange): Promise<Response> {
    if (await isLegacyRequest(request, body)) return this.#sessions.fetch(request, body, exchange);
    return this.#modern.fetch(request, { parsedBody: body });
  }

  /** Ends all open responses; the signals of open calls are aborted. */
  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }
}

/** In the modern era a server instance lives for one exchange, in which the SDK asks for it. */
function watchedByExchange(server: McpServer): McpServer {
  const exchange = currentExchange();
  if (exchange === undefined) return server;
  return watchAnswers(server, {
    connected: (transport) => exchange.answerThrough(transport),
    answered: (id) => exchange.answered(id),
  });
}
