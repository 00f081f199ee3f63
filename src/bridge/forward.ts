import type { Agent, Target } from "./agent.js";
import { Connection, Refused } from "./connection.js";
import { claimedVersion, legacyAnswer, modernRequest } from "./eras.js";
import {
  type Answer,
  asNotification,
  type Fields,
  isAnswerTo,
  type Notification,
  type Request,
} from "./json-rpc.js";

/** An answer of the listener. */
export interface Forwarded {
  readonly answer: Answer;
  /** Tells the listener that its client has the answer. Never rejects. */
  acknowledge(): Promise<void>;
}

export interface ForwardOptions {
  readonly agent: Agent;
  /** Where the agent is now. */
  readonly target: Target;
  /** The version of the bridge. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** Whether the answer counts as delivered only when it is acknowledged. */
  readonly acknowledged: boolean;
  /** Gets what comes before the answer: progress. */
  readonly notify: (notification: Notification) => Promise<unknown>;
}

/**
 * Asks the listener, and has it answer in the era of the request. Throws `AgentError`. Whoever has the answer ends the
 * connection by `acknowledge`, or by the signal.
 */
export async function forward(request: Request, options: ForwardOptions): Promise<Forwarded> {
  const { agent, target, version, signal, acknowledged, notify } = options;
  const connection = new Connection(target, signal);
  const asked = modernRequest(request, version);
  let answer: Answer | undefined;
  let isWhole = false;
  try {
    for await (const message of connection.messages(asked, { acknowledged })) {
      const notification = asNotification(message);
      if (isAnswerTo(message, request.id)) answer = answerOf(message, request);
      else if (notification !== undefined) await notify(notification);
    }
    isWhole = true;
  } catch (error) {
    // An answer that came counts, although the agent ended right after it.
    if (answer === undefined) {
      connection.close();
      throw explained(error, options);
    }
  }
  if (answer === undefined) {
    connection.close();
    throw agent.gone();
  }
  return {
    answer,
    acknowledge: async () => {
      // When it does not arrive, the listener takes the answer for lost, and gives it again.
      if (acknowledged && isWhole) await connection.acknowledge().catch(() => undefined);
      connection.close();
    },
  };
}

function answerOf(message: Fields, request: Request): Answer {
  const answer: Answer = { ...message, jsonrpc: "2.0", id: request.id };
  return claimedVersion(request) === undefined ? legacyAnswer(answer) : answer;
}

function explained(error: unknown, { agent, target, version, signal }: ForwardOptions): Error {
  if (signal.aborted) return agent.silent();
  if (error instanceof Refused) return agent.refused(error.status, target, version);
  const isRefused = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
  return isRefused ? agent.unreached(target) : agent.gone();
}
