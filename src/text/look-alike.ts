/** Which names a reader can take for each other: equal, or of letters that look alike in any case. */
import unhomoglyph from "unhomoglyph";

/** Characters of a name that are compared. A name is shown cut far before this. */
const COMPARED = 1000;

/** Blanks, and what nobody sees. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * How a name looks: two names with a look in common look alike. The looks are skeletons (UTS #39, 4) of the name and of
 * its cases, since letters that look alike in one case may differ in the other: `I` is as `l`, `i` is not.
 */
export function looksOf(name: string): ReadonlySet<string> {
  const seen = [...name].slice(0, COMPARED).join("").replace(UNSEEN, "");
  const plain = skeleton(seen);
  return new Set([
    plain,
    skeleton(seen.toLowerCase()),
    skeleton(seen.toUpperCase()),
    skeleton(plain.toLowerCase()),
    skeleton(plain.toUpperCase()),
  ]);
}

export function lookAlike(one: string, other: string): boolean {
  const looks = looksOf(one);
  return [...looksOf(other)].some((look) => looks.has(look));
}

function skeleton(text: string): string {
  return unhomoglyph(text.normalize("NFD")).normalize("NFD");
}
