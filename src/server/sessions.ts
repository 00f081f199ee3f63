import { randomUUID } from "node:crypto";
import { isInitializeRequest, type McpServer } from "@modelcontextprotocol/server";
import type { Clock } from "../time/clock.js";
import type { Exchange } from "./delivery.js";
import { refusalResponse, rpcRefusal } from "./refusal.js";
import { Session } from "./session.js";

/** Milliseconds without a request or an open response after which a session is dropped: 30 minutes. */
export const SESSION_IDLE_MS = 30 * 60_000;

/** Clients mostly leave without ending their session; a script that connects each second leaves many. */
const MOST_IDLE = 100;

/** JSON-RPC's code that tells a client to start a new session. */
const NO_SESSION = -32001;

export interface SessionsOptions {
  readonly createServer: () => McpServer;
  readonly clock: Clock;
  readonly keepAliveMs: number;
}

interface Entry {
  readonly session: Session;
  /** Requests that are being served, the client's event stream included. */
  open: number;
  cancelDrop: () => void;
}

/** The sessions of clients that speak an older protocol era, each with a server instance of its own. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #entries = new Map<string, Entry>();
  /** The idle ones, the longest idle first. */
  readonly #idle = new Set<Entry>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Serves one request. `body` is the parsed JSON of a POST. */
  async fetch(request: Request, body: unknown, exchange: Exchange): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      if (request.method !== "POST") return refuse(405, "Method not allowed.", { Allow: "POST" });
      if (!isInitializeRequest(body))
        return refuse(400, "Bad Request: the Mcp-Session-Id header is missing.");
      return this.#start(request, body, exchange);
    }
    const entry = this.#entries.get(id);
    if (entry === undefined) return refuse(404, "Session not found.", undefined, NO_SESSION);
    return this.#serve(entry, request, body, exchange);
  }

  /** Ends all sessions; the signals of their open calls are aborted. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ session }) => session.close()));
  }

  async #start(request: Request, body: unknown, exchange: Exchange): Promise<Response> {
    const { createServer, keepAliveMs } = this.#options;
    const id = randomUUID();
    const onClose = () => this.#remove(id);
    const session = await Session.start({
      id,
      server: createServer(),
      keepAliveMs,
      onClose,
    });
    const entry: Entry = { session, open: 0, cancelDrop: () => undefined };
    this.#entries.set(id, entry);
    const response = await this.#serve(entry, request, body, exchange);
    if (!session.initialized) await session.close();
    return response;
  }

  async #serve(entry: Entry, request: Request, body: unknown, exchange: Exchange): Promise<Response> {
    this.#busy(entry);
    void exchange.settled.then(() => this.#done(entry));
    return entry.session.serve(request, body, exchange);
  }

  #busy(entry: Entry): void {
    entry.open += 1;
    entry.cancelDrop();
    this.#idle.delete(entry);
  }

  #done(entry: Entry): void {
    entry.open -= 1;
    if (entry.open > 0 || this.#entries.get(entry.session.id) !== entry) return;
    entry.cancelDrop = this.#options.clock.after(SESSION_IDLE_MS, () => void entry.session.close());
    this.#idle.add(entry);
    const [longest] = this.#idle;
    if (this.#idle.size > MOST_IDLE) void longest?.session.close();
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#idle.delete(entry);
    entry.cancelDrop();
  }
}

function refuse(status: number, message: string, headers?: Record<string, string>, code?: number): Response {
  return refusalResponse(rpcRefusal(status, message, headers, code));
}
