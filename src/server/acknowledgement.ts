import type { Socket } from "node:net";

/**
 * A client that hands results on to another program sets this header to `acknowledged`: its results count as delivered
 * only once it has posted to `DELIVERED_PATH` on the same connection. When the connection ends before, they were lost.
 */
export const DELIVERY_HEADER = "simplex-mcp-delivery";
export const ACKNOWLEDGED = "acknowledged";

/** Where results are acknowledged. */
export const DELIVERED_PATH = "/delivered";

type Held = ((delivered: boolean) => void)[];

/** Results that were written out, and wait for the word of their client. */
export class Acknowledgements {
  readonly #held = new WeakMap<Socket, Held>();

  /** Tells once whether the results were delivered. The connection stays open for the word, however long it takes. */
  hold(socket: Socket, settle: (delivered: boolean) => void): void {
    const held = this.#held.get(socket) ?? this.#watched(socket);
    held.push(settle);
    // An idle connection would be closed while the client waits to write.
    socket.setTimeout(0);
  }

  /** The client has handed on what it got on this connection. False when nothing waits there. */
  acknowledge(socket: Socket): boolean {
    return settleAll(this.#held.get(socket) ?? [], true);
  }

  #watched(socket: Socket): Held {
    const held: Held = [];
    this.#held.set(socket, held);
    socket.once("close", () => settleAll(held, false));
    return held;
  }
}

function settleAll(held: Held, delivered: boolean): boolean {
  const waiting = held.splice(0);
  for (const settle of waiting) settle(delivered);
  return waiting.length > 0;
}
