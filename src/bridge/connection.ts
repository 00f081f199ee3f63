import { Agent, type IncomingMessage, request } from "node:http";
import { ACKNOWLEDGED, DELIVERED_PATH, DELIVERY_HEADER } from "../server/acknowledgement.js";
import type { Target } from "./agent.js";
import { modernHeaders } from "./eras.js";
import { type Fields, isFields, type Request } from "./json-rpc.js";
import { EventReader } from "./sse.js";

/** The listener answered, but not with a message: its HTTP status says why. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

/**
 * A connection to the listener for one request: when it goes, the listener knows that nobody waits. Made by hand, since
 * the SDK's client takes longer to load than the bridge to start. Goes through no proxy: an agent of Node's that is not
 * told of one uses none.
 */
export class Connection {
  readonly #target: Target;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** `signal` closes it. */
  constructor(target: Target, signal: AbortSignal) {
    this.#target = target;
    if (signal.aborted) this.close();
    else signal.addEventListener("abort", () => this.close(), { once: true });
  }

  /**
   * Sends the request; the messages that answer it as they come. `acknowledged`: the result counts as delivered once
   * `acknowledge` says so. Throws `Refused`, and what Node does when the connection fails.
   */
  async *messages(message: Request, { acknowledged }: { acknowledged: boolean }): AsyncGenerator<Fields> {
    const response = await this.#post(new URL(this.#target.url), JSON.stringify(message), {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...modernHeaders(message),
      ...(acknowledged && { [DELIVERY_HEADER]: ACKNOWLEDGED }),
    });
    response.setEncoding("utf8");
    if (!response.headers["content-type"]?.startsWith("text/event-stream")) {
      const only = parsed(await textOf(response));
      if (only?.id !== message.id) throw new Refused(response.statusCode ?? 0);
      yield only;
      return;
    }
    const events = new EventReader();
    for await (const piece of response) {
      for (const data of events.read(String(piece))) {
        const one = parsed(data);
        if (one !== undefined) yield one;
      }
    }
  }

  /** What came on this connection was handed on. */
  async acknowledge(): Promise<void> {
    const response = await this.#post(new URL(DELIVERED_PATH, this.#target.url), "", {});
    await textOf(response);
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(url: URL, body: string, headers: Record<string, string>): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const own = { ...this.#target.headers, ...headers, "Content-Length": Buffer.byteLength(body) };
      const posted = request(url, { method: "POST", agent: this.#agent, headers: own });
      posted.once("response", resolve);
      posted.once("error", reject);
      posted.end(body);
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of response) text += String(piece);
  return text;
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
