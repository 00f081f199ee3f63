import type { ServerContext } from "@modelcontextprotocol/server";
import type { OpenCall } from "../../actions/actions.js";
import type { Clock } from "../../time/clock.js";
import { currentDelivery, type Delivery } from "./delivery.js";

/** Comments in the stream do not reset the idle timers of clients, progress does. Milliseconds. */
const PROGRESS_REPEAT_MS = 25_000;

/** One call of a tool: whether the client still waits for it, what it is told meanwhile, whether it got the result. */
export class ToolCall implements OpenCall {
  /** Aborted when the client cancels the request or its response closes. Ignored once `finish` was called. */
  readonly signal: AbortSignal;
  /** By `clock.elapsed`. */
  readonly startedAt: number;
  readonly #abort = new AbortController();
  readonly #context: ServerContext;
  readonly #clock: Clock;
  readonly #delivery: Delivery | undefined;
  #text: string | undefined;
  #count = 0;
  #cancelRepeat: (() => void) | undefined;
  #finished = false;

  constructor(context: ServerContext, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
    this.#delivery = currentDelivery();
    this.startedAt = clock.elapsed();
    this.signal = this.#abort.signal;
    for (const source of [context.mcpReq.signal, this.#delivery?.closed]) {
      if (source?.aborted) this.#end();
      else source?.addEventListener("abort", () => this.#end(), { once: true });
    }
  }

  /** Tells the client what is waited for, now and again every 25 s, where it gave a progress token. */
  progress(text: string): void {
    if (text === this.#text || this.#finished || this.signal.aborted) return;
    this.#text = text;
    this.#cancelRepeat?.();
    this.#send(text);
  }

  /** No more progress: the result is about to be returned. */
  finish(): void {
    this.#finished = true;
    this.#cancelRepeat?.();
  }

  /** True when the response with the result was written out, false when the client was gone before. */
  get written(): Promise<boolean> {
    if (this.signal.aborted) return Promise.resolve(false);
    return this.#delivery?.settled ?? Promise.resolve(true);
  }

  #end(): void {
    this.#cancelRepeat?.();
    if (!this.#finished) this.#abort.abort();
  }

  #send(text: string): void {
    const token = this.#context.mcpReq._meta?.progressToken;
    if (token === undefined) return;
    this.#count += 1;
    this.#context.mcpReq
      .notify({
        method: "notifications/progress",
        params: { progressToken: token, progress: this.#count, message: text },
      })
      // The client is gone: its abort comes by itself.
      .catch(() => undefined);
    this.#cancelRepeat = this.#clock.after(PROGRESS_REPEAT_MS, () => this.#send(text));
  }
}
