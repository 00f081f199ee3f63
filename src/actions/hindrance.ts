import type { ActionEvent, ChatRef } from "./action.js";
import type { Action } from "./open-action.js";
import type { DecisionResult } from "./options.js";

/** Why an owner's word on an action has no effect; undefined where it has one. `chat`: the one it names, if any. */
export function hindranceOf(
  action: Action | undefined,
  { event }: ActionEvent,
  { chat, isPaused }: { chat: ChatRef | undefined; isPaused: boolean },
): Exclude<DecisionResult, "done"> | undefined {
  // Numbers can be foreseen: nothing is decided before its card is there.
  if (action?.state.state !== "pending" || action.cardItem === undefined) return "not pending";
  if (chat !== undefined && action.chat !== chat) return { wrongChat: action };
  const isQuestion = action.tool === "ask";
  if (event === "answer" ? !isQuestion : event === "decide" && isQuestion) return { wrongKind: action };
  // Of what was pending when the agent was paused, only what others ask is left.
  return event === "decide" && isPaused ? "paused" : undefined;
}
