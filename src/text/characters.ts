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
const INVISIBLE_SET =
  "[\\p{C}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u1680\\u2000-\\u200A\\u205F" +
  "\\u2800\\uFFFC\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}]";
const INVISIBLE = inSet(INVISIBLE_SET);
const ANY_INVISIBLE = unicode(`[${INVISIBLE_SET}--[\\n\\t]]`);
/** What emoji are made of and what is invisible, beside each other: only there an emoji is to be told from it. */
const SUSPECTS = unicode(`[\\p{Emoji}\\p{Emoji_Component}${INVISIBLE_SET}]+`, "g");
const EMOJI_OR_INVISIBLE = unicode(`\\p{RGI_Emoji}|${INVISIBLE_SET}`, "g");
const BLANK = inSet("\\p{Zs}");
/** Every strong letter that is read from the right, and the digits that go with them. */
const RIGHT_TO_LEFT = unicode(
  "[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}]",
);
const MARK = inSet("\\p{M}");
const UNITS = unicode("\\p{RGI_Emoji}|[\\s\\S]", "g");

/** Marks that may stand on one character: more of them paint over the lines around (UTS #39, 5.4). */
export const MARKS_ON_ONE = 4;

/** Blanks beside each other that are shown one by one: more could push what follows out of sight. */
const BLANKS_IN_A_ROW = 4;

/** Text cut into emoji and, besides them, single code points (lone surrogates included). */
export function unitsOf(text: string): string[] {
  return text.match(UNITS) ?? [];
}

/** Whether a character that nobody sees is in the text, be it a part of an emoji. Line feeds and tabs are none. */
export function hasInvisible(text: string): boolean {
  return ANY_INVISIBLE.test(text);
}

/** Whether it is one such character, or a line feed or tab; emoji of several characters are seen. */
export function isInvisible(unit: string): boolean {
  return INVISIBLE.test(unit);
}

/** The text with each such character, and line feeds and tabs beside them, as `show` has it; `at`: its place. */
export function showInvisible(text: string, show: (character: string, at: number) => string): string {
  if (!hasInvisible(text)) return text;
  return text.replace(SUSPECTS, (run, start: number) =>
    hasInvisible(run)
      ? run.replace(EMOJI_OR_INVISIBLE, (unit, at: number) =>
          isInvisible(unit) ? show(unit, start + at) : unit,
        )
      : run,
  );
}

/** The characters of one line as they are shown, in order. `line` may not hold a line feed. */
export function showLine(line: string): Shown[] {
  const units = unitsOf(line);
  const shown: Shown[] = [];
  let room = 0;
  for (let at = 0; at < units.length; ) {
    const unit = units[at] ?? "";
    if (BLANK.test(unit)) {
      const end = endOfBlanks(units, at);
      shown.push(...showBlanks(units.slice(at, end), at === 0 || end === units.length, units[end]));
      room = 0;
      at = end;
      continue;
    }
    const one = showUnit(unit, room > 0);
    shown.push(one);
    if (MARK.test(unit)) room--;
    else room = one.replaced ? 0 : MARKS_ON_ONE;
    at += 1;
  }
  return shown;
}

/**
 * A text of right-to-left letters between isolates, by which it moves none of the words around it; others as they are.
 * Foreign isolates are shown as escapes, so that none of them ends this one.
 */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Whether a text has letters that are read from the right. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
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

function endOfBlanks(units: readonly string[], from: number): number {
  let end = from;
  while (BLANK.test(units[end] ?? "")) end++;
  return end;
}

/**
 * Blanks in a row: ordinary ones amid a line stay, others get a sign, since nobody would see them at an end, nor that
 * they are of another width; what is more than a few is counted.
 */
function showBlanks(blanks: readonly string[], isAtEnd: boolean, next: string | undefined): Shown[] {
  if (blanks.length <= BLANKS_IN_A_ROW) return blanks.map((blank) => showBlank(blank, isAtEnd));
  // A digit would be read as one of the count.
  const beforeDigit = next !== undefined && /^\p{N}/u.test(next);
  const counted = { text: `␣×${blanks.length - (beforeDigit ? 1 : 0)}`, replaced: true };
  return beforeDigit ? [counted, { text: "␣", replaced: true }] : [counted];
}

function showBlank(blank: string, isAtEnd: boolean): Shown {
  if (blank !== " ") return { text: escaped(blank), replaced: true };
  return isAtEnd ? { text: "␣", replaced: true } : { text: blank, replaced: false };
}
