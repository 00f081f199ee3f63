import type { Work } from "../actions/actions.js";
import type { Core } from "../core/core.js";
import type { ChatRef } from "../core/types.js";
import type { Clock } from "../time/clock.js";
import type { Turns } from "../time/turns.js";
import { accept, RequestGone, turnAway } from "./answers.js";
import type { Arrivals } from "./arrivals.js";
import type { Request } from "./request.js";

/** The card says that it is done when the connection stands, at the latest after so long. Milliseconds. */
const LONGEST_WAIT_MS = 60_000;

export interface RequestDeps {
  core: Core;
  /** For what goes out. */
  agentCore: Core;
  clock: Clock;
  arrivals: Arrivals;
  /** Requests are answered one at a time: what is read of one holds until it is answered. */
  turns: Turns<"answer">;
  /** The chat is one of the agent's from now on. */
  onAccepted: (chat: ChatRef) => Promise<void>;
}

/** Lets in who asks, as the card said it, or turns them away. */
export class RequestWork implements Work {
  /** Nothing is left to ask about. */
  isOver = false;
  readonly #deps: RequestDeps;

  constructor(
    deps: RequestDeps,
    readonly request: Request,
  ) {
    this.#deps = deps;
  }

  async perform({ stop }: { stop: AbortSignal }): Promise<void> {
    const { agentCore, clock, arrivals, turns, onAccepted } = this.#deps;
    const { chat } = this.request;
    const arrival = arrivals.expect(chat);
    try {
      await turns.run("answer", async () => {
        if (stop.aborted) throw new Error("The server is stopping.");
        await accept(agentCore, this.request);
      });
      this.isOver = true;
      await onAccepted(chat);
      await arrival.within(LONGEST_WAIT_MS, clock, stop);
    } catch (error) {
      if (error instanceof RequestGone) this.isOver = true;
      throw error;
    } finally {
      arrival.stop();
    }
  }

  /** Once an owner rejected it. */
  async turnAway(): Promise<void> {
    await this.#deps.turns.run("answer", () => turnAway(this.#deps.core, this.request));
    this.isOver = true;
  }

  dispose(): void {}
}
