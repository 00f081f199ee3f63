/** Text for a terminal: styled spans, measured in columns, wrapped and painted. Pure. */

export type Style = "plain" | "strong" | "dim" | "code" | "command" | "link" | "good" | "bad";

/** A piece of one line in one style. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Span[];

/** SGR parameters, see ECMA-48. */
const SGR: Readonly<Record<Style, string>> = {
  plain: "",
  strong: "1",
  dim: "2",
  code: "33",
  command: "36;4",
  link: "34;4",
  good: "32",
  bad: "31",
};

export function span(text: string, style: Style = "plain"): Span {
  return { text, style };
}

/** The line as it is written to the terminal; without `colour` nothing but its text. */
export function paint(line: Line, colour: boolean): string {
  return line
    .map(({ text, style }) => {
      const shown = visible(text);
      return colour && SGR[style] !== "" ? `\u001b[${SGR[style]}m${shown}\u001b[0m` : shown;
    })
    .join("");
}

/** Characters that would move the cursor, reorder or hide text are shown by their number; joined emoji stay whole. */
export function visible(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
  });
}

/** The columns that the line takes. */
export function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The line and blanks up to `width` columns. */
export function padded(line: Line, width: number): Line {
  const missing = width - widthOf(line);
  return missing > 0 ? [...line, span(" ".repeat(missing))] : line;
}

/** The line on as many lines of at most `width` columns as it needs: broken at blanks, long words anywhere. */
export function wrap(line: Line, width: number): Line[] {
  const lines: Span[][] = [[]];
  let used = 0;
  for (const { text, style } of line) {
    for (const word of text.match(/\s+|\S+/g) ?? []) {
      const isBlank = word.trim() === "";
      if (used > 0 && used + textWidth(word) > width) {
        used = 0;
        lines.push([]);
      }
      // The blanks at a break belong to no line.
      if (isBlank && used === 0 && lines.length > 1) continue;
      for (const part of textWidth(word) > width ? cut(word, width) : [word]) {
        if (used > 0 && used + textWidth(part) > width) {
          used = 0;
          lines.push([]);
        }
        append(lines.at(-1) ?? [], { text: part, style });
        used += textWidth(part);
      }
    }
  }
  return lines.map((wrapped, index) => (index < lines.length - 1 ? withoutEnd(wrapped) : wrapped));
}

function append(line: Span[], { text, style }: Span): void {
  const last = line.at(-1);
  if (last?.style === style) line[line.length - 1] = { text: last.text + text, style };
  else line.push({ text, style });
}

/** Without the blanks at the end. */
function withoutEnd(line: Line): Line {
  const last = line.at(-1);
  return last === undefined ? line : [...line.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const INVISIBLE = /^(?:\u200c|\u200d|[\p{Mn}\p{Me}])*$/u;
/** Emoji, and the scripts whose characters take two columns. */
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(visible(text))) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

function cut(word: string, width: number): string[] {
  const parts: string[] = [];
  let part = "";
  for (const { segment } of GRAPHEMES.segment(word)) {
    if (part !== "" && textWidth(part + segment) > width) {
      parts.push(part);
      part = "";
    }
    part += segment;
  }
  return [...parts, part];
}
