import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RequestId, Transport } from "@modelcontextprotocol/server";
import { currentDelivery, type Delivery, withDelivery } from "../tools/call/delivery.js";
import type { Acknowledgements } from "./acknowledgement.js";

/** The exchange of the request that is being handled. For the listener. */
export function currentExchange(): Exchange | undefined {
  const delivery = currentDelivery();
  return delivery instanceof Exchange ? delivery : undefined;
}

/** JSON-RPC's first code for errors of a server's own. */
const SERVER_ERROR = -32000;

/** One HTTP response and the JSON-RPC requests that it answers: one, or several in a batch of the older eras. */
export class Exchange implements Delivery {
  readonly settled: Promise<boolean>;
  readonly #unanswered: Set<RequestId>;
  readonly #closed = new AbortController();
  #resolve: (delivered: boolean) => void = () => undefined;
  #ended = false;
  #held = false;
  #transport: Transport | undefined;

  /** With `acknowledgements` the results count once the client says so, else once they were written out. */
  constructor(res: ServerResponse, requests: Iterable<RequestId>, acknowledgements?: Acknowledgements) {
    this.#unanswered = new Set(requests);
    this.settled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const { socket } = res.req;
    // Before Node 24 "finish" comes also for bytes that were dropped together with their socket.
    res.once("finish", () => {
      const isWritten = this.#unanswered.size === 0 && !socket.destroyed;
      if (isWritten && acknowledgements) this.#hold(acknowledgements, socket);
      else this.#end(isWritten);
    });
    res.once("close", () => {
      if (!this.#held) this.#end(false);
    });
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** The requests without an answer so far. */
  get unanswered(): ReadonlySet<RequestId> {
    return this.#unanswered;
  }

  /** Runs `fn` so that `currentDelivery` in it, and in all that it starts, is this. */
  run<T>(fn: () => T): T {
    return withDelivery(this, fn);
  }

  /** The transport that the answers go through, for `fail`. */
  answerThrough(transport: Transport): void {
    this.#transport = transport;
  }

  /** The answer to a request is on its way into the response. */
  answered(id: RequestId): void {
    this.#unanswered.delete(id);
  }

  /** Nobody waits for the answers any more. */
  abandon(): void {
    this.#end(false);
  }

  /** Abandons the exchange, but answers what is unanswered with an error first, so that no client waits for ever. */
  async fail(message: string): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#resolve(false);
    const error = { code: SERVER_ERROR, message };
    const sent = [...this.#unanswered].map((id) => this.#transport?.send({ jsonrpc: "2.0", id, error }));
    // A transport that is closed by now has nobody to tell.
    await Promise.allSettled(sent);
    this.#closed.abort();
  }

  #hold(acknowledgements: Acknowledgements, socket: Socket): void {
    this.#held = true;
    acknowledgements.hold(socket, (delivered) => this.#end(delivered));
  }

  #end(delivered: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#resolve(delivered);
    if (!delivered) this.#closed.abort();
  }
}
