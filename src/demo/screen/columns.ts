/** Two columns side by side: left the agent, right its owner. Pure. */
import { type Line, padded, span, wrap } from "./style.js";

export type Side = "left" | "right";

const RULE = span(" │ ", "dim");
const NARROWEST = 50;
const WIDEST = 120;

/** The columns of a terminal that are used: two sides need some room, and long lines read badly. */
export function usableWidth(terminal: number | undefined): number {
  return Math.min(Math.max(terminal ?? 100, NARROWEST), WIDEST);
}

/** The columns of one side. */
export function sideWidth(width: number): number {
  return Math.floor((width - RULE.text.length) / 2);
}

/** The lines, wrapped, on their side of the rule; on the left what goes on from a line before is indented. */
export function onSide(side: Side, lines: readonly Line[], width: number): Line[] {
  const column = sideWidth(width);
  const blank = padded([], column);
  if (side === "right") {
    return lines.flatMap((line) => wrap(line, column)).map((line) => [...blank, RULE, ...line]);
  }
  return lines
    .flatMap((line) =>
      wrap(line, column - INDENT.text.length).map((part, i) => (i > 0 ? [INDENT, ...part] : part)),
    )
    .map((line) => [...padded(line, column), RULE]);
}

const INDENT = span("  ");
