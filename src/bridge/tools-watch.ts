import type { RequestId } from "@modelcontextprotocol/server";
import type { ServerJson } from "../data-folder/server-json.js";
import { SUBSCRIPTION_KEY } from "./eras.js";
import {
  type Answer,
  failure,
  INVALID_PARAMS,
  isFields,
  type Notification,
  type Request,
} from "./json-rpc.js";

/** What the tools of an agent depend on. */
export type Source = Pick<ServerJson, "version" | "approve">;

/**
 * Has the client list the tools again when an agent of another mode or version runs: in mode `host` it is the tools that
 * say that the client asks its user.
 */
export class ToolsWatch {
  readonly #send: (message: object) => Promise<unknown>;
  /** Requests of the modern era to be told of other tools. */
  readonly #subscriptions = new Set<RequestId>();
  #listed: Source | undefined;
  #isModern = false;

  constructor(send: (message: object) => Promise<unknown>) {
    this.#send = send;
  }

  /** The client is given the tools of this agent. */
  listed({ version, approve }: Source, isModern: boolean): void {
    this.#listed = { version, approve };
    this.#isModern = isModern;
  }

  /** The client has to do with this agent now. */
  async seen({ version, approve }: Source): Promise<void> {
    const { version: before, approve: mode } = this.#listed ?? { version, approve };
    if (before === version && mode === approve) return;
    this.#listed = undefined;
    const subscribed: (RequestId | undefined)[] = this.#isModern ? [...this.#subscriptions] : [undefined];
    for (const id of subscribed) await this.#send(changed(id));
  }

  /** Serves `subscriptions/listen`, which stays open. */
  async subscribe({ id, params }: Request): Promise<void> {
    await this.#send(this.#subscribed(id, params?.notifications));
  }

  unsubscribe(id: RequestId): void {
    this.#subscriptions.delete(id);
  }

  #subscribed(id: RequestId, wanted: unknown): Notification | Answer {
    if (!isFields(wanted)) {
      return failure(
        id,
        INVALID_PARAMS,
        "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter",
      );
    }
    const isForTools = wanted.toolsListChanged === true;
    if (isForTools) this.#subscriptions.add(id);
    const notifications = isForTools ? { toolsListChanged: true } : {};
    const params = { notifications, _meta: { [SUBSCRIPTION_KEY]: id } };
    return { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
  }
}

function changed(subscription: RequestId | undefined): Notification {
  const params = subscription !== undefined && { params: { _meta: { [SUBSCRIPTION_KEY]: subscription } } };
  return { jsonrpc: "2.0", method: "notifications/tools/list_changed", ...params };
}
