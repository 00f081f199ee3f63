import {
  type McpServer,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { watchAnswers } from "./answers.js";
import type { Exchange } from "./delivery.js";
import { cancelledIds } from "./messages.js";
import { refusalResponse, rpcRefusal } from "./refusal.js";

export interface SessionOptions {
  readonly id: string;
  readonly server: McpServer;
  readonly keepAliveMs: number;
  /** The client ended the session, or `close` did. */
  readonly onClose: () => void;
}

/** JSON-RPC's code for a request that is none. */
const INVALID_REQUEST = -32600;

const CANCELLED = { code: -32000, message: "Cancelled by the client." };

/** One client of an older protocol era: its server instance, and which of its requests each response answers. */
export class Session {
  readonly id: string;
  readonly #server: McpServer;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #exchanges = new Map<RequestId, Exchange>();

  private constructor({ id, server, keepAliveMs, onClose }: SessionOptions) {
    this.id = id;
    this.#server = watchAnswers(server, {
      connected: () => undefined,
      answered: (request) => this.#exchanges.get(request)?.answered(request),
    });
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      keepAliveMs,
    });
    this.#transport.onclose = onClose;
  }

  static async start(options: SessionOptions): Promise<Session> {
    const session = new Session(options);
    await session.#server.connect(session.#transport);
    return session;
  }

  /** Whether the client's `initialize` was accepted. */
  get initialized(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** Serves one request of the client. `body` is the parsed JSON of a POST. */
  async serve(request: Request, body: unknown, exchange: Exchange): Promise<Response> {
    const ids = [...exchange.unanswered];
    if (ids.some((id) => this.#exchanges.has(id))) {
      const message = "Invalid Request: a request with this id is still open.";
      return refusalResponse(rpcRefusal(400, message, undefined, INVALID_REQUEST));
    }
    exchange.answerThrough(this.#transport);
    for (const id of ids) this.#exchanges.set(id, exchange);
    void exchange.settled.then(() => {
      for (const id of ids) this.#exchanges.delete(id);
    });
    exchange.closed.addEventListener("abort", () => this.#endUnanswered(exchange), { once: true });
    const response = await this.#transport.handleRequest(request, {
      parsedBody: body,
    });
    for (const id of cancelledIds(body)) this.#cancel(id);
    return response;
  }

  /** Ends all its responses; the signals of open calls are aborted. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  /** The SDK never answers a cancelled request and leaves its response open for ever; so it is ended here. */
  #cancel(id: RequestId): void {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined || !exchange.unanswered.has(id)) return;
    if (exchange.unanswered.size === 1) exchange.abandon();
    // The others of a batch still get their answers in the same response, which ends when each has one.
    else void this.#transport.send({ jsonrpc: "2.0", id, error: CANCELLED }).catch(() => undefined);
  }

  /** In these eras the SDK lets a call run on when its client has left; so it is told that the client cancelled. */
  #endUnanswered(exchange: Exchange): void {
    for (const id of exchange.unanswered) {
      const params = { requestId: id, reason: "The response was closed." };
      this.#transport.onmessage?.({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params,
      });
      this.#transport.closeSSEStream(id);
    }
  }
}
