import { type ActionState, isFinal, textOf } from "../../actions/action.js";
import type { Action, NewAction } from "../../actions/actions.js";
import type { ChatRef } from "../../core/types.js";
import { visibleText } from "../../text/for-agent.js";
import { formatTime } from "../../text/format.js";
import { nextChange } from "../../time/wait.js";
import type { AgentDeps } from "./agent.js";
import type { ToolCall } from "./call.js";
import { isKnown } from "./known-chat.js";
import type { Outcome } from "./tool.js";

/** What a call waits for while its action is performed, and until when at the latest, by `clock.elapsed`. */
export interface Performing {
  text?: string;
  until?: number;
}

/**
 * The action of an earlier call like this one; none of a chat that was left, when another chat has its number. Rejects
 * where there is none and none may be asked for now.
 */
export async function earlierAction(
  deps: AgentDeps,
  key: string,
  chat?: ChatRef,
): Promise<Action | undefined> {
  const found = deps.actions.find(key);
  const isOfAnother = found?.chatGone && chat !== undefined && (await isKnown(deps, chat));
  if (found && !isOfAnother) return found;
  if (found) deps.actions.forget(found);
  deps.pause.check();
  return undefined;
}

/**
 * Attaches the call to its action, the one that is there or a new one, and waits until it is over. Undefined when
 * the call was aborted. With `holdMs` it may come back with a pending action, and with the time that
 * `whilePerforming` names with one that is being performed.
 */
export async function actionOfCall(
  deps: AgentDeps,
  request: NewAction,
  call: ToolCall,
  whilePerforming: (action: Action) => Performing = () => ({}),
): Promise<Action | undefined> {
  const action = await deps.actions.open(request, call);
  if (!action) return undefined;
  while (!isFinal(action.state)) {
    if (call.signal.aborted) return undefined;
    const { text, until } =
      action.state.state === "pending" ? waiting(deps, action, call) : whilePerforming(action);
    if (text !== undefined) call.progress(text);
    const { clock } = deps;
    const { signal } = call;
    const state = action.state.state;
    const end = await nextChange(action.changes.subscribe, {
      clock,
      signal,
      ...(until === undefined ? {} : { until }),
    });
    if (end === "time" && action.state.state === state) return action;
  }
  return call.signal.aborted ? undefined : action;
}

function waiting({ clock, holdMs }: AgentDeps, { number, expires }: Action, call: ToolCall): Performing {
  return {
    text: `Action ${number} waits for an approver until ${formatTime(expires, clock.now())}.`,
    ...(holdMs > 0 ? { until: call.startedAt + holdMs } : {}),
  };
}

/** What every action's result says. */
export interface ActionResult {
  action: number;
  status: ActionState["state"];
  reason?: string;
  error?: string;
  text?: string;
  changed_by_owner?: true;
}

export function actionResult(action: Action): ActionResult {
  const { state } = action;
  return {
    action: action.number,
    status: state.state,
    ...(state.state === "rejected" && state.reason !== undefined ? { reason: state.reason } : {}),
    ...changedText(action),
    ...(state.state === "failed" ? { error: visibleText(state.error) } : {}),
  };
}

/** The text as an owner wrote it. */
function changedText({ state, fields }: Action): Pick<ActionResult, "text" | "changed_by_owner"> {
  const isChanged =
    "decision" in state && state.decision.kind === "approved" && state.decision.changedFrom !== undefined;
  const text = textOf(fields);
  return isChanged && text !== undefined ? { text, changed_by_owner: true } : {};
}

/** The outcome of an action that was not done. One that is not over is not delivered: the same call resumes it. */
export function undone<Extra extends object>(
  deps: AgentDeps,
  action: Action,
  call: ToolCall,
  extra: Extra,
): Outcome<ActionResult & Extra> {
  return delivering(deps, action, call, {
    result: { ...actionResult(action), ...extra },
    isError: isFinal(action.state),
  });
}

/** Lets the action go once the result was written out; until then it stays, for the same call to come back. */
export function delivering<Result>(
  deps: AgentDeps,
  action: Action,
  call: ToolCall,
  outcome: Outcome<Result>,
): Outcome<Result> {
  // It may be over by the time that this result is written.
  const isOver = isFinal(action.state);
  return {
    ...outcome,
    onWritten: async () => {
      if (isOver) deps.actions.deliver(action, call);
      else deps.actions.detach(action, call);
      await outcome.onWritten?.();
    },
    onLost: () => {
      deps.actions.detach(action, call);
      outcome.onLost?.();
    },
  };
}
