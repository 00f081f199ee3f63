import type { Clock } from "../time/clock.js";
import type { LimitsOptions } from "./limits.js";
import type { Action, Board } from "./open-action.js";
import type { Pause } from "./pause.js";

export interface ActionsOptions {
  board: Board;
  /** What it lets through can be asked for and performed. */
  pause: Pick<Pause, "check" | "current">;
  clock: Clock;
  /** The first number to give. */
  firstNumber: number;
  expireHours: number;
  log: (line: string) => void;
  limits?: LimitsOptions;
}

/** What an owner's decision came to. */
export type DecisionResult =
  | "done"
  | "not pending"
  | "paused"
  | { wrongChat: Action }
  | { wrongKind: Action };
