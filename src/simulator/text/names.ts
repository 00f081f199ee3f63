/** Characters, from the core's `mkValidName`. */
const LONGEST_NAME = 50;

const PROHIBITED = /[.,;/\\#@'"`~]/;
/** Without brackets and quotation marks. */
const PUNCTUATION = /[\p{Pc}\p{Pd}\p{Po}]/u;
const FIRST = /[\p{L}\p{Nd}\p{So}]/u;
const INNER = /[\p{L}\p{Nd}\p{So}\p{Sc}\p{Sm}]/u;

/**
 * The display name the core would accept in place of `name`: equal to it when it is valid, perhaps empty. Own
 * profiles and groups are held to it, names of peers are not. Recorded in `test/fixtures/transcripts`.
 */
export function validName(name: string): string {
  let valid = "";
  let length = 0;
  let previous = "";
  for (const char of name) {
    const next = /[\t-\r\p{Zs}]/u.test(char) ? " " : char;
    if (!mayFollow(next, previous)) continue;
    valid += next;
    length += 1;
    previous = next;
    if (length === LONGEST_NAME) break;
  }
  return valid.trimEnd();
}

function mayFollow(char: string, previous: string): boolean {
  if (PROHIBITED.test(char)) return false;
  if (previous === "") return FIRST.test(char);
  if (INNER.test(char)) return true;
  if (previous === " ") return PUNCTUATION.test(char);
  if (char === " ") return true;
  return !PUNCTUATION.test(previous) && (PUNCTUATION.test(char) || /\p{M}/u.test(char));
}
