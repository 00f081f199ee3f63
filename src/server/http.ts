import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { toWebRequest } from "@modelcontextprotocol/node";
import { oneLine } from "../text/one-line.js";
import { ACKNOWLEDGED, Acknowledgements, DELIVERED_PATH, DELIVERY_HEADER } from "./acknowledgement.js";
import { readJsonBody } from "./body.js";
import { checkRequest, notOpen, pathOf, STATUS_PATH, tokenDigest } from "./checks.js";
import { Exchange } from "./delivery.js";
import { Eras, type ErasOptions } from "./eras.js";
import { dropNullArguments, requestIds } from "./messages.js";
import { listenOn } from "./ports.js";
import { rpcRefusal, sendRefusal } from "./refusal.js";
import { sendJson, writeResponse } from "./respond.js";
import type { StatusReport } from "./status-report.js";

export interface HttpOptions extends Pick<ErasOptions, "createServer" | "clock"> {
  /** Tells a person whose client is refused how to register the agent again. */
  readonly registerAgain: string;
  /** Tried in turn; `[0]` takes any free one. See `portsToTry`. */
  readonly ports: readonly number[];
  readonly token: string;
  /** What is answered at `/status`. */
  readonly status: () => Promise<StatusReport>;
  /** Gets a line on each error inside, for stderr. */
  readonly log: (line: string) => void;
  /** Milliseconds; 15 s by default. */
  readonly keepAliveMs?: number;
}

/**
 * A call may stay open for days: no limit on an open response. The limits that stand are on receiving a request,
 * so that half a request cannot hold a connection. Milliseconds.
 */
const LIMITS = {
  timeout: 0,
  // Bytes of all headers, whatever Node is started with.
  maxHeaderSize: 16 * 1024,
  headersTimeout: 30_000,
  requestTimeout: 60_000,
  // Longer than clients keep an idle connection, so that none is closed under a request that is on its way.
  keepAliveTimeout: 75_000,
};

const KEEP_ALIVE_MS = 15_000;

/** Turns of the event loop that the stop gives to responses which are being written. */
const LAST_TURNS = 100;

/** And then so long, by the computer's own time, for calls whose last command the core has not answered yet. */
const LAST_MS = 300;

const INTERNAL_ERROR = -32603;

/** The MCP listener on 127.0.0.1. Answers 503 until `open`. */
export class HttpServer {
  readonly port: number;
  readonly #server: Server;
  readonly #eras: Eras;
  readonly #options: HttpOptions;
  readonly #digest: Buffer;
  /** Those whose response is open, or whose results wait to be acknowledged. */
  readonly #exchanges = new Set<Exchange>();
  readonly #acknowledgements = new Acknowledgements();
  #open = false;

  private constructor(options: HttpOptions, server: Server, port: number) {
    const { createServer, clock, keepAliveMs = KEEP_ALIVE_MS, log, token } = options;
    this.#options = options;
    this.#server = server;
    this.port = port;
    this.#digest = tokenDigest(token);
    this.#eras = new Eras({
      createServer,
      clock,
      keepAliveMs,
      onError: (error) => log(oneLine(`MCP request: ${error.message}`)),
    });
  }

  /** Throws `PortError` when none of the ports can be had. */
  static async listen(options: HttpOptions): Promise<HttpServer> {
    // The missing Host is answered by the checks, not by Node.
    const server = createServer({ ...LIMITS, requireHostHeader: false });
    server.timeout = LIMITS.timeout;
    // By default Node leaves out what is beyond 2,000, and the checks would not see it.
    server.maxHeadersCount = 0;
    const port = await listenOn(server, options.ports);
    const http = new HttpServer(options, server, port);
    server.on("request", (req, res) => http.#handle(req, res));
    return http;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  /** How many sessions of the older protocol eras there are. */
  get sessions(): number {
    return this.#eras.sessions;
  }

  /** The control chat is started: requests are served from now on. */
  open(): void {
    this.#open = true;
  }

  /**
   * Takes no more requests, lets results that are on their way arrive, and answers the other open calls with the
   * error `reason`. Their signals are aborted.
   */
  async close(reason = "The server stopped."): Promise<void> {
    this.#open = false;
    await this.#lastTurns();
    await Promise.all([...this.#exchanges].map((exchange) => exchange.fail(reason)));
    await this.#eras.close();
    await this.#lastTurns();
    // Not before: it closes the connections on which results are acknowledged.
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #lastTurns(): Promise<void> {
    for (let turn = 0; turn < LAST_TURNS && this.#exchanges.size > 0; turn++) await nextTurn();
    const end = performance.now() + LAST_MS;
    while (this.#exchanges.size > 0 && performance.now() < end) await pause(5);
  }

  #handle(req: IncomingMessage, res: ServerResponse): void {
    this.#serve(req, res).catch((error: unknown) => {
      // A client that left is no error.
      if (res.destroyed) return;
      this.#options.log(oneLine(`HTTP request: ${error instanceof Error ? error.message : String(error)}`));
      if (res.headersSent) res.destroy();
      else sendRefusal(res, rpcRefusal(500, "Internal server error.", undefined, INTERNAL_ERROR));
    });
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = "", url = "", headersDistinct: headers } = req;
    const expected = {
      registerAgain: this.#options.registerAgain,
      port: this.port,
      tokenDigest: this.#digest,
      open: this.#open,
    };
    const refusal = checkRequest({ method, url, headers }, expected);
    if (refusal !== undefined) return sendRefusal(res, refusal);
    const path = pathOf(url);
    if (path === STATUS_PATH) return sendJson(res, 200, await this.#options.status());
    if (path === DELIVERED_PATH) return this.#acknowledge(req, res);

    const read = method === "POST" ? await readJsonBody(req) : { body: undefined };
    if ("refusal" in read) return sendRefusal(res, read.refusal);
    dropNullArguments(read.body);
    // The stop may have begun while the body arrived.
    if (!this.#open) return sendRefusal(res, notOpen());

    const isAcknowledged = headers[DELIVERY_HEADER]?.includes(ACKNOWLEDGED);
    const acknowledgements = isAcknowledged ? this.#acknowledgements : undefined;
    const exchange = new Exchange(res, requestIds(read.body), acknowledgements);
    this.#exchanges.add(exchange);
    res.once("close", () => void exchange.settled.then(() => this.#exchanges.delete(exchange)));
    await exchange.run(async () => {
      const request = await toWebRequest(req, read.body, {
        signal: exchange.closed,
      });
      await writeResponse(res, await this.#eras.fetch(request, read.body, exchange));
    });
  }

  #acknowledge({ socket }: IncomingMessage, res: ServerResponse): void {
    if (this.#acknowledgements.acknowledge(socket)) sendJson(res, 200, {});
    else sendRefusal(res, rpcRefusal(409, "No result on this connection waits to be acknowledged."));
  }
}
