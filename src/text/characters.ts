/**
 * How single characters of foreign text are shown. Everything that would be invisible, reorder its neighbours or
 * paint over them gets a visible form; emoji of Unicode's recommended set stay whole.
 */

/** A pattern with sets of Unicode. The compiler refuses the `v` flag in a literal, so it is made of a string. */
function unicode(source: string, flags = ""): RegExp {
  return new RegExp(source, `v${flags}`);
}

/** A test for one unit of a set. */
export function inSet(set: string): RegExp {
  return unicode(`^${set}$`);
}

/** One unit of foreign text as it is shown. */
export interface Shown {
  text: string;
  /** Whether `text` differs from what was written. */
  replaced: boolean;
}

/**
 * Control, format (bidi, zero-width, tags), surrogate, private-use and unassigned characters; fillers and variation
 * selectors; line and paragraph separators; blanks that only typesetting knows; and signs without ink that Unicode
 * counts among the visible: braille blank, null notehead, hieroglyph blanks, Khitan filler, object replacement.
 */
const INVISIBLE = inSet(
  "[\\p{C}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u1680\\u2000-\\u200A\\u205F" +
    "\\u2800\\uFFFC\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}]",
);
const BLANK = inSet("\\p{Zs}");
const MARK = inSet("\\p{M}");
const UNITS = unicode("\\p{RGI_Emoji}|[\\s\\S]", "g");

/** Marks that may stand on one character: more of them paint over the lines around (UTS #39, 5.4). */
export const MARKS_ON_ONE = 4;

/** Text cut into emoji and, besides them, single code points (lone surrogates included). */
export function unitsOf(text: string): string[] {
  return text.match(UNITS) ?? [];
}

/** The characters of one line as they are shown, in order. `line` may not hold a line feed. */
export function showLine(line: string): Shown[] {
  const units = unitsOf(line);
  const first = units.findIndex((unit) => !BLANK.test(unit));
  const last = units.findLastIndex((unit) => !BLANK.test(unit));
  let room = 0;
  return units.map((unit, index) => {
    const isMark = MARK.test(unit);
    const shown = index < first || index > last ? showEndBlank(unit) : showUnit(unit, room > 0);
    if (isMark) room--;
    else room = shown.replaced || BLANK.test(unit) ? 0 : MARKS_ON_ONE;
    return shown;
  });
}

/** `\u{202E}` for U+202E: readable, and the same in every font. */
export function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

function showUnit(unit: string, hasBase: boolean): Shown {
  if (unit === "`") return { text: "ˋ", replaced: true };
  // An emoji of several code points is neither: the sets are of single ones.
  if (INVISIBLE.test(unit) || (MARK.test(unit) && !hasBase)) return { text: escaped(unit), replaced: true };
  return { text: unit, replaced: false };
}

/** Blanks at the ends of a line: a code span may not begin or end with one, and nobody would see it. */
function showEndBlank(unit: string): Shown {
  return { text: unit === " " ? "␣" : escaped(unit), replaced: true };
}
