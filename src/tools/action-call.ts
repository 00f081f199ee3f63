import { type ActionState, isFinal } from "../actions/action.js";
import type { Action, NewAction } from "../actions/actions.js";
import { formatTime } from "../control/format.js";
import { nextChange } from "../wait.js";
import type { AgentDeps } from "./agent.js";
import type { ToolCall } from "./call.js";
import type { Outcome } from "./tool.js";

/**
 * Attaches the call to its action, the one that is there or a new one, and waits until it is over. Undefined when
 * the call was aborted. With `holdMs` it may come back with a pending action. `whilePerforming` tells what the call
 * waits for then.
 */
export async function actionOfCall(
  deps: AgentDeps,
  request: NewAction,
  call: ToolCall,
  whilePerforming?: (action: Action) => string | undefined,
): Promise<Action | undefined> {
  const action = await deps.actions.open(request, call);
  if (!action) return undefined;
  while (!isFinal(action.state)) {
    if (call.signal.aborted) return undefined;
    const pending = action.state.state === "pending";
    const text = pending
      ? `Action ${action.number} waits for an approver until ${formatTime(action.expires, deps.clock.now())}.`
      : whilePerforming?.(action);
    if (text !== undefined) call.progress(text);
    const end = await nextChange(action.changes.subscribe, {
      clock: deps.clock,
      signal: call.signal,
      ...(pending && deps.holdMs > 0 ? { until: call.startedAt + deps.holdMs } : {}),
    });
    if (end === "time" && action.state.state === "pending") return action;
  }
  return call.signal.aborted ? undefined : action;
}

/** What every action's result says. */
export interface ActionResult {
  action: number;
  status: ActionState["state"];
  reason?: string;
  error?: string;
}

export function actionResult(action: Action): ActionResult {
  const { state } = action;
  return {
    action: action.number,
    status: state.state,
    ...(state.state === "rejected" && state.reason !== undefined ? { reason: state.reason } : {}),
    ...(state.state === "failed" ? { error: state.error } : {}),
  };
}

/** The outcome of an action that was not done. A pending one is not delivered: the same call resumes it. */
export function undone<Extra extends object>(
  deps: AgentDeps,
  action: Action,
  call: ToolCall,
  extra: Extra,
): Outcome<ActionResult & Extra> {
  return delivering(deps, action, call, {
    result: { ...actionResult(action), ...extra },
    isError: action.state.state !== "pending",
  });
}

/** Lets the action go once the result was written out; until then it stays, for the same call to come back. */
export function delivering<Result>(
  deps: AgentDeps,
  action: Action,
  call: ToolCall,
  outcome: Outcome<Result>,
): Outcome<Result> {
  return {
    ...outcome,
    onWritten: async () => {
      if (isFinal(action.state)) deps.actions.deliver(action, call);
      else deps.actions.detach(action, call);
      await outcome.onWritten?.();
    },
    onLost: () => {
      deps.actions.detach(action, call);
      outcome.onLost?.();
    },
  };
}
