import { AsyncLocalStorage } from "node:async_hooks";

/** What became of the response that a tool's result travels in. Given by the listener. */
export interface Delivery {
  /** Aborted when the response ended without its results: the client left, cancelled, or the server closes. */
  readonly closed: AbortSignal;
  /** True once the response was written out with its results, false when it ended before. Never rejects. */
  readonly settled: Promise<boolean>;
}

const deliveries = new AsyncLocalStorage<Delivery>();

/** The delivery of the request that is being handled; undefined outside of one, as in tests of a tool alone. */
export function currentDelivery(): Delivery | undefined {
  return deliveries.getStore();
}

/** Runs `fn` so that `currentDelivery` in it, and in all that it starts, is `delivery`. */
export function withDelivery<T>(delivery: Delivery, fn: () => T): T {
  return deliveries.run(delivery, fn);
}
