/**
 * Foreign text -> text for a model. A model reads characters that nobody sees (tags, directions, controls) as text, so
 * each stands as `\u{E0041}`; emoji stay whole, and so do the joiners that words of many scripts are written with.
 */
import { escaped, hasInvisible, isInvisible, unitsOf } from "./characters.js";

const JOINER = /^[\u200C\u200D]$/;
const ENDS_IN_LETTER = /[\p{L}\p{M}]$/u;
const BEGINS_WITH_LETTER = /^[\p{L}\p{M}]/u;

/** Characters of a name that a model gets; a name is no reference, so nothing is lost with the rest. */
const LONGEST_NAME = 100;

/** A text of several lines: line feeds and tabs stay. */
export function visibleText(text: string): string {
  return made(text, (unit, next) => unit === "\n" || unit === "\t" || (unit === "\r" && next === "\n"));
}

/** A name of one line, cut with `…` after `longest` characters. */
export function visibleName(name: string, longest = LONGEST_NAME): string {
  let kept = "";
  let length = 0;
  for (const unit of units(name, () => false)) {
    length += [...unit].length;
    if (length > longest) return `${kept}…`;
    kept += unit;
  }
  return kept;
}

function made(text: string, stays: (unit: string, next: string | undefined) => boolean): string {
  return hasInvisible(text) ? units(text, stays).join("") : text;
}

function units(text: string, stays: (unit: string, next: string | undefined) => boolean): string[] {
  const all = unitsOf(text);
  return all.map((unit, index) => {
    const next = all[index + 1];
    const isKept = !isInvisible(unit) || stays(unit, next) || joins(unit, all[index - 1], next);
    return isKept ? unit : escaped(unit);
  });
}

function joins(unit: string, before = "", after = ""): boolean {
  return JOINER.test(unit) && isLetter(before, ENDS_IN_LETTER) && isLetter(after, BEGINS_WITH_LETTER);
}

/** Fillers count among the letters, and are not to be seen. */
function isLetter(unit: string, pattern: RegExp): boolean {
  return pattern.test(unit) && !isInvisible(unit);
}
