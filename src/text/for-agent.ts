/**
 * Foreign text -> text for a model. A model reads characters that nobody sees (tags, directions, controls) as text, so
 * each stands as `\u{E0041}`; emoji stay whole, and so do the joiners that words of many scripts are written with.
 */
import { escaped, isInvisible, showInvisible, unitsOf } from "./characters.js";

const JOINER = /^[\u200C\u200D]$/;
const LETTER = /^[\p{L}\p{M}]$/u;

/** Characters of a name that a model gets; a name is no reference, so nothing is lost with the rest. */
const LONGEST_NAME = 100;
/** UTF-16 units of the longest emoji, and more. */
const LONGEST_EMOJI = 40;

/** A text of several lines: line feeds and tabs stay. */
export function visibleText(text: string): string {
  return showInvisible(text, (character, at) => {
    if (character === "\n" || character === "\t") return character;
    if (character === "\r" && text[at + 1] === "\n") return character;
    return joins(text, character, at) ? character : escaped(character);
  });
}

/** A name of one line, cut with `…` after `longest` characters. */
export function visibleName(name: string, longest = LONGEST_NAME): string {
  // Each character of it is at least one that is shown.
  const text = name.slice(0, 2 * longest + LONGEST_EMOJI);
  let kept = "";
  let length = 0;
  let at = 0;
  for (const unit of unitsOf(text)) {
    const shown = isInvisible(unit) && !joins(text, unit, at) ? escaped(unit) : unit;
    length += [...shown].length;
    if (length > longest) return `${kept}…`;
    kept += shown;
    at += unit.length;
  }
  return kept;
}

function joins(text: string, character: string, at: number): boolean {
  return JOINER.test(character) && isLetter(before(text, at)) && isLetter(text.codePointAt(at + 1));
}

/** Fillers count among the letters, and are not to be seen. */
function isLetter(code: number | undefined): boolean {
  const character = code === undefined ? "" : String.fromCodePoint(code);
  return LETTER.test(character) && !isInvisible(character);
}

function before(text: string, at: number): number | undefined {
  const pair = at >= 2 ? text.codePointAt(at - 2) : undefined;
  if (pair !== undefined && pair > 0xffff) return pair;
  return at >= 1 ? text.codePointAt(at - 1) : undefined;
}
