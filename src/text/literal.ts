/**
 * Foreign text (of the agent, a peer, a file system, an error) -> text that the apps show as it is.
 *
 * The apps read markdown line by line. A code span runs from a backtick at the start of a word to the next backtick
 * on that line; it may not be empty or begin or end with a space, and nothing inside it is read. So every line gets
 * a span of its own. A result must stand at the start of a line or after a blank; anything but a backtick may follow.
 */
import { escaped, isolated, type Shown, showLine } from "./characters.js";
import { isPlainName, NAME_LENGTH } from "./plain-name.js";

/** Text in code spans, and whether a character of it is shown by another one. */
export interface Literal {
  text: string;
  replaced: boolean;
}

const NOTE = " (shown with replaced characters)";
const EMPTY = "␤";

/** A code span a line; lines end at a line feed only, as in the apps. An empty line is shown as `␤`. */
export function literal(text: string): Literal {
  const lines = text.split("\n").map(showVisibly);
  return { text: lines.map((line) => span(textOf(line))).join("\n"), replaced: lines.some(isReplaced) };
}

/**
 * One code span: line feeds are shown as `␤`, and what is longer than `max` shown characters ends with `…`. It stands
 * amid the server's words, so that right-to-left letters are isolated.
 */
export function literalLine(text: string, max = NAME_LENGTH): Literal {
  const shown = foldedUnits(text);
  return { text: span(isolated(cut(shown, max))), replaced: isReplaced(shown) };
}

/** The text of `literalLine` without the code span and uncut, for a terminal or a command line. */
export function foldedLine(text: string): string {
  return textOf(foldedUnits(text));
}

/** The span or spans, with a note where they show something by other characters. */
export function withNote({ text, replaced }: Literal): string {
  return replaced ? text + NOTE : text;
}

/** A literal in one line with its note. */
export function literalText(text: string, max = Number.POSITIVE_INFINITY): string {
  return withNote(literalLine(text, max));
}

/** A name as it stands on cards: plain when it can be nothing but a name, else in a code span, cut at 50 characters. */
export function displayName(name: string): string {
  return isPlainName(name) ? isolated(name) : literalText(name, NAME_LENGTH);
}

/**
 * What a connect card names between brackets, where no code span can start. After an opening bracket nothing is read
 * up to the next blank, so printable ASCII characters stand as they are, but for brackets, backtick and backslash;
 * these and all others are shown as `\u{E9}`. With the backslash among them no text can pass for that form.
 */
export function target(text: string): string {
  return text.replace(/[^!-~]|[()`\\]/gu, escaped);
}

function showVisibly(line: string): Shown[] {
  return line === "" ? [{ text: EMPTY, replaced: true }] : showLine(line);
}

function foldedUnits(text: string): Shown[] {
  if (text === "") return showVisibly(text);
  return text.split("\n").flatMap((line, index) => {
    const shown = showLine(line);
    return index === 0 ? shown : [{ text: EMPTY, replaced: true }, ...shown];
  });
}

function cut(shown: readonly Shown[], max: number): string {
  let kept = "";
  let length = 0;
  for (const { text } of shown) {
    length += [...text].length;
    if (length > max) return `${kept}…`;
    kept += text;
  }
  return kept;
}

function textOf(shown: readonly Shown[]): string {
  return shown.map(({ text }) => text).join("");
}

function isReplaced(shown: readonly Shown[]): boolean {
  return shown.some(({ replaced }) => replaced);
}

function span(text: string): string {
  return `\`${text}\``;
}
