/** Which names can be nothing but names, wherever they stand in a text. */
import { inSet, MARKS_ON_ONE, unitsOf } from "./characters.js";
import { hasServerWord, isSign } from "./server-words.js";

/** Characters of a name that are shown. */
export const NAME_LENGTH = 50;

/**
 * Letters, but for fillers and those that look like punctuation: clicks, Lisu tones, and modifier letters other than
 * the three that everyday Japanese and Thai is written with.
 */
const LETTER = inSet(
  "[[\\p{L}--\\p{Lm}--\\p{Default_Ignorable_Code_Point}--[\\u01C0-\\u01C3\\uA4F8-\\uA4FD]]\\u3005\\u30FC\\u0E46]",
);
/** Keycaps begin with `#`, `*` or a digit, which the apps read as markup. */
const EMOJI = inSet("[\\p{RGI_Emoji}--\\p{Emoji_Keycap_Sequence}]");
const MARK = inSet("[[\\p{Mn}\\p{Mc}]--\\p{Default_Ignorable_Code_Point}]");
const DIGIT = /^\p{Nd}$/u;

/** Shapes of a name in the letters of `classOf`. */
const CHARACTER = `(?:lm{0,${MARKS_ON_ONE}}|d|e)`;
const PLAIN = new RegExp(`^${CHARACTER}(?:s?${CHARACTER})*$`);
/** The apps take seven digits, separators between them counted, for a phone number. */
const PHONE = /d(?:s?d)*/g;
const LONGEST_NUMBER = 6;

/**
 * Whether a name is 1 to 50 letters, emoji, digits in short runs, and single inner spaces and hyphens, and has none of the
 * server's words and signs: `Bob incognito` in a sentence would say more than a name.
 */
export function isPlainName(name: string): boolean {
  if ([...name].length > NAME_LENGTH) return false;
  const classes = unitsOf(name).map(classOf).join("");
  const hasForm =
    PLAIN.test(classes) && (classes.match(PHONE) ?? []).every((run) => run.length <= LONGEST_NUMBER);
  return hasForm && !hasServerWord(name);
}

/** Letter, mark, digit, emoji, separator, or anything else. */
function classOf(unit: string): "l" | "m" | "d" | "e" | "s" | "x" {
  if (LETTER.test(unit)) return "l";
  if (MARK.test(unit)) return "m";
  if (DIGIT.test(unit)) return "d";
  if (EMOJI.test(unit) && !isSign(unit)) return "e";
  return unit === " " || unit === "-" ? "s" : "x";
}
