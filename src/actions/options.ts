import type { Clock } from "../time/clock.js";
import type { Action, Board } from "./open-action.js";

export interface ActionsOptions {
  board: Board;
  clock: Clock;
  /** The first number to give. */
  firstNumber: number;
  expireHours: number;
  log: (line: string) => void;
  /** At most so many pending at once, and so many new cards in a minute. */
  limits?: { pending: number; cardsPerMinute: number };
}

/** What an owner's decision came to. */
export type DecisionResult = "done" | "not pending" | { wrongChat: Action };
