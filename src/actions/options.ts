import type { Clock } from "../time/clock.js";
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
  /** At most so many pending at once, and so many new cards, and acts, in a minute. */
  limits?: { pending?: number; cardsPerMinute?: number; actsPerMinute?: number };
}

/** What an owner's decision came to. */
export type DecisionResult =
  | "done"
  | "not pending"
  | "paused"
  | { wrongChat: Action }
  | { wrongKind: Action };
