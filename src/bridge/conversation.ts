import type { RequestId } from "@modelcontextprotocol/server";
import { Asking, type AskingOptions, inEra, isModern, messageOf } from "./asking.js";
import { modernRequest } from "./eras.js";
import type { Forwarded } from "./forward.js";
import {
  type Answer,
  asNotification,
  asRequest,
  type Fields,
  failure,
  INVALID_REQUEST,
  isFields,
  isId,
  METHOD_NOT_FOUND,
  messagesIn,
  type Notification,
  type Request,
  result,
  SERVER_ERROR,
} from "./json-rpc.js";
import { initialized, toolError } from "./local.js";
import { ToolsWatch } from "./tools-watch.js";

export type ConversationOptions = Omit<AskingOptions, "tools">;

/** The conversation with the one client of this process. */
export class Conversation {
  readonly #send: (message: object) => Promise<boolean>;
  readonly #version: string;
  readonly #tools: ToolsWatch;
  readonly #asking: Asking;
  readonly #open = new Map<RequestId, AbortController>();
  /** Results that the client has, and of which the listener is being told. */
  readonly #acknowledging = new Set<Promise<void>>();

  constructor(options: ConversationOptions) {
    this.#send = options.send;
    this.#version = options.version;
    this.#tools = new ToolsWatch(options.send);
    this.#asking = new Asking({ ...options, tools: this.#tools });
  }

  /** Takes one line of the client. */
  take(line: string): void {
    for (const message of messagesIn(line)) this.#takeOne(message);
  }

  /** Aborts what is open, and waits until the listener knows what the client has got. */
  async close(): Promise<void> {
    for (const controller of this.#open.values()) controller.abort();
    await Promise.all(this.#acknowledging);
  }

  #takeOne(message: Fields): void {
    const request = asRequest(message);
    if (request !== undefined) {
      void this.#serve(request);
      return;
    }
    const notification = asNotification(message);
    if (notification?.method === "notifications/cancelled") this.#cancel(notification);
    // The bridge asks nothing, so that an answer is for nobody.
    const isAnswer = "result" in message || "error" in message;
    if (notification !== undefined || isAnswer || !isId(message.id)) return;
    void this.#send(failure(message.id, INVALID_REQUEST, "Invalid Request"));
  }

  async #serve(request: Request): Promise<void> {
    const { id } = request;
    if (this.#open.has(id)) {
      const message = "Invalid Request: a request with this id is still open.";
      await this.#send(failure(id, INVALID_REQUEST, message));
      return;
    }
    const controller = new AbortController();
    this.#open.set(id, controller);
    try {
      await this.#answer(request, controller.signal);
    } catch (error) {
      await this.#send(failure(id, SERVER_ERROR, messageOf(error)));
    } finally {
      this.#open.delete(id);
    }
  }

  async #answer(request: Request, signal: AbortSignal): Promise<void> {
    const { method } = request;
    if (method === "tools/call") return this.#call(request, signal);
    if (method === "subscriptions/listen" && isModern(request)) return this.#tools.subscribe(request);
    const answer = await (isModern(request)
      ? this.#asking.ask(request, signal)
      : this.#older(request, signal));
    // A request that was cancelled gets no answer.
    if (!signal.aborted) await this.#send(answer);
  }

  /** What the eras before have in their own way. */
  async #older(request: Request, signal: AbortSignal): Promise<Answer> {
    const { id, method } = request;
    if (method === "ping") return result(id, {});
    if (method === "server/discover") return failure(id, METHOD_NOT_FOUND, "Method not found");
    if (method !== "initialize") return this.#asking.ask(request, signal);
    const discover = modernRequest({ jsonrpc: "2.0", id, method: "server/discover" }, this.#version);
    const answer = await this.#asking.ask(discover, signal);
    return isFields(answer.result) ? result(id, initialized(request, answer.result)) : answer;
  }

  /** Calls a tool. The listener hears when the client has the result. */
  async #call(request: Request, signal: AbortSignal): Promise<void> {
    let forwarded: Forwarded;
    try {
      forwarded = await this.#asking.forward(request, { signal, acknowledged: true });
    } catch (error) {
      const failed = result(request.id, toolError(messageOf(error)));
      if (!signal.aborted) await this.#send(inEra(request, failed));
      return;
    }
    if (signal.aborted || !(await this.#send(forwarded.answer))) return;
    const acknowledged = forwarded.acknowledge();
    this.#acknowledging.add(acknowledged);
    void acknowledged.then(() => this.#acknowledging.delete(acknowledged));
  }

  #cancel({ params }: Notification): void {
    const id = params?.requestId;
    if (!isId(id)) return;
    this.#tools.unsubscribe(id);
    this.#open.get(id)?.abort();
  }
}
