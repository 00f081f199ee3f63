/** What is left of a standing approval, in words. */
import type { Remainder } from "../../actions/action.js";
import { count, formatTime } from "../../text/format.js";

/** ` until 14:05`, `, 9 more`, or nothing where it has no end. `now`: milliseconds since 1970. */
export function remains({ until, left }: Remainder, now: number): string {
  return `${untilWords(until, now)}${left === undefined ? "" : `, ${left} more`}`;
}

/** ` until 14:05`, ` for the next 10 messages`, or nothing: of one that was just given. */
export function lasts({ until, left }: Remainder, now: number, noun: string): string {
  if (left === undefined) return untilWords(until, now);
  return left === 1 ? ` for the next ${noun}` : ` for the next ${count(left, noun)}`;
}

function untilWords(until: number | undefined, now: number): string {
  if (until === undefined) return "";
  const time = formatTime(until, now);
  // The apps read a date as a phone number.
  return ` until ${time.includes(" ") ? `\`${time}\`` : time}`;
}
