/**
 * Message text -> its formatted fragments, as the core parses it (recorded in `test/fixtures/transcripts`). Line by line, from
 * left to right; a format begins only at the line start, after a blank, or directly after a closed format.
 */
import { type LinkType, type NameDomain, parseNameDomain, parseSimplexLink } from "./simplex-links.js";
import { isDomain, isEmail, isWebUri, withoutEnding } from "./words.js";

export type Format =
  | { type: "bold" | "italic" | "strikeThrough" | "snippet" | "secret" | "small" | "uri" | "email" | "phone" }
  | { type: "colored"; color: "red" | "green" | "blue" | "yellow" | "cyan" | "magenta" }
  | { type: "simplexLink"; showText?: string; linkType: LinkType; simplexUri: string; smpHosts: string[] }
  | { type: "hyperLink"; showText: string; linkUri: string }
  | { type: "simplexName"; nameInfo: { nameType: "publicGroup" | "contact"; nameDomain: NameDomain } }
  | { type: "command"; commandStr: string }
  | { type: "mention"; memberName: string };

export interface FormattedText {
  format?: Format;
  text: string;
}

/** What a rule read at a position: the fragments and where the next begins. */
interface Read {
  parts: FormattedText[];
  end: number;
}

/** The fragments of `text`, adjacent ones of one format merged; undefined when nothing in it is formatted. */
export function parseMarkdown(text: string): FormattedText[] | undefined {
  const lines = text.split("\n");
  // One newline at the end ends the last line and begins no other.
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const only = lines.length === 1 ? /^ *\/(.+)$/s.exec(lines[0] ?? "") : null;
  if (only !== null) return [{ format: { type: "command", commandStr: only[1] ?? "" }, text: only[0] }];
  const merged: FormattedText[] = [];
  lines.forEach((line, index) => {
    if (index > 0) append(merged, { text: "\n" });
    parseLine(line, merged);
  });
  return merged.some((part) => part.format !== undefined) ? merged : undefined;
}

/** What `meta.hasLink` of an item says. */
export function hasLink(formatted: readonly FormattedText[] | undefined): boolean {
  const links = new Set<string | undefined>(["uri", "hyperLink", "simplexLink", "simplexName"]);
  return formatted?.some((part) => links.has(part.format?.type)) ?? false;
}

function append(merged: FormattedText[], part: FormattedText): void {
  const last = merged[merged.length - 1];
  if (part.text === "") return;
  if (last !== undefined && JSON.stringify(last.format) === JSON.stringify(part.format))
    last.text += part.text;
  else merged.push({ ...part });
}

function parseLine(line: string, merged: FormattedText[]): void {
  let at = 0;
  while (at < line.length) {
    const read = RULES[line.charAt(at)]?.(line, at) ?? readWord(line, at);
    for (const part of read.parts) append(merged, part);
    at = read.end;
  }
}

type Rule = (line: string, at: number) => Read | undefined;

const RULES: Record<string, Rule> = {
  " ": (line, at) => {
    let end = at;
    while (line.charAt(end) === " ") end++;
    return plain(line, at, end);
  },
  "*": between("*", "bold"),
  _: between("_", "italic"),
  "~": between("~", "strikeThrough"),
  "`": between("`", "snippet"),
  "#": (line, at) => readSecret(line, at) ?? readName(line, at),
  "!": readStyled,
  "@": (line, at) => readName(line, at) ?? readMention(line, at),
  "/": readCommand,
  "[": readHyperLink,
  "+": readPhone,
};
for (const digit of "0123456789") RULES[digit] = readPhone;

function plain(line: string, from: number, end: number): Read {
  return { parts: [{ text: line.slice(from, end) }], end };
}

/** A part that a punctuation mark may follow: the mark is plain. */
function formatted(format: Format, text: string, ending: string, at: number): Read {
  return { parts: [{ format, text }, { text: ending }], end: at + text.length + ending.length };
}

function wordAt(line: string, at: number): string {
  const blank = line.indexOf(" ", at);
  return blank === -1 ? line.slice(at) : line.slice(at, blank);
}

function hasBlankEnd(text: string): boolean {
  return text.startsWith(" ") || text.endsWith(" ");
}

function between(mark: string, type: "bold" | "italic" | "strikeThrough" | "snippet"): Rule {
  return (line, at) => {
    const close = line.indexOf(mark, at + 1);
    // Without a second mark the whole rest of the line is literal.
    if (close === -1) return plain(line, at, line.length);
    const text = line.slice(at + 1, close);
    if (text === "" || hasBlankEnd(text)) return plain(line, at, close + 1);
    return { parts: [{ format: { type }, text }], end: close + 1 };
  };
}

function readSecret(line: string, at: number): Read | undefined {
  const match = /#(#*)([^#]+)(#*)#/y;
  match.lastIndex = at;
  const found = match.exec(line);
  const [whole = "", , inner = ""] = found ?? [];
  if (found === null || hasBlankEnd(inner)) return undefined;
  return { parts: [{ format: { type: "secret" }, text: whole.slice(1, -1) }], end: at + whole.length };
}

function readName(line: string, at: number): Read | undefined {
  const [name, ending] = withoutEnding(wordAt(line, at));
  const group = name.startsWith("#");
  if (!group && !name.includes(".")) return undefined;
  const nameDomain = parseNameDomain(name.slice(1));
  if (nameDomain === undefined) return undefined;
  const nameInfo = { nameType: group ? ("publicGroup" as const) : ("contact" as const), nameDomain };
  return formatted({ type: "simplexName", nameInfo }, name, ending, at);
}

const MENTION = /@(?:'([^ #@'\0-\x1f][^']*)'|([^ #@'\0-\x1f][^\t-\r\p{Zs}]*))/uy;

function readMention(line: string, at: number): Read | undefined {
  MENTION.lastIndex = at;
  const match = MENTION.exec(line);
  if (match === null) return undefined;
  const [whole, quoted, word = ""] = match;
  if (quoted !== undefined) return formatted({ type: "mention", memberName: quoted }, whole, "", at);
  const [memberName, ending] = withoutEnding(word);
  return formatted({ type: "mention", memberName }, `@${memberName}`, ending, at);
}

const KEYWORD = /^[\p{L}\p{N}_]+(?: |$)/u;

function readCommand(line: string, at: number): Read | undefined {
  const close = line.startsWith("/'", at) ? line.indexOf("'", at + 2) : -1;
  if (close !== -1) {
    const commandStr = line.slice(at + 2, close);
    if (KEYWORD.test(commandStr))
      return formatted({ type: "command", commandStr }, `/'${commandStr}'`, "", at);
  }
  const [word, ending] = withoutEnding(wordAt(line, at));
  const commandStr = word.slice(1);
  return KEYWORD.test(commandStr) ? formatted({ type: "command", commandStr }, word, ending, at) : undefined;
}

const STYLED =
  /!(?:(r(?:ed)?|1)|(g(?:reen)?|2)|(b(?:lue)?|3)|(y(?:ellow)?|4)|(c(?:yan)?|5)|(m(?:agenta)?|6)|-)/y;
const COLORS = ["red", "green", "blue", "yellow", "cyan", "magenta"] as const;

function readStyled(line: string, at: number): Read | undefined {
  STYLED.lastIndex = at;
  const match = STYLED.exec(line);
  if (match === null || !/\s/.test(line.charAt(STYLED.lastIndex))) return undefined;
  const from = STYLED.lastIndex + 1;
  const close = line.indexOf("!", from);
  const text = line.slice(from, close);
  if (close === -1 || text === "" || hasBlankEnd(text)) return undefined;
  const color = COLORS[match.slice(1).findIndex((group) => group !== undefined)];
  const format: Format = color === undefined ? { type: "small" } : { type: "colored", color };
  return { parts: [{ format, text }], end: close + 1 };
}

const HYPERLINK = /\[([^\]]+)\]\(([^)]+)\)/y;

function readHyperLink(line: string, at: number): Read | undefined {
  HYPERLINK.lastIndex = at;
  const match = HYPERLINK.exec(line);
  if (match === null) return undefined;
  const [whole, showText = "", linkUri = ""] = match;
  const namesAnother = showText !== linkUri && `https://${showText}` !== linkUri;
  if (namesAnother && /(?![-_])\p{P}/u.test(showText)) return undefined;
  const link = parseSimplexLink(linkUri);
  if (link !== undefined) {
    const { short, ...fields } = link;
    return short ? formatted({ type: "simplexLink", showText, ...fields }, whole, "", at) : undefined;
  }
  return isWebUri(linkUri) ? formatted({ type: "hyperLink", showText, linkUri }, whole, "", at) : undefined;
}

const PHONE = /(?:\+\d+)?(?:[ .-]?\(\d+\))?(?:[ .-]?\d+)*/y;

function readPhone(line: string, at: number): Read | undefined {
  PHONE.lastIndex = at;
  const text = PHONE.exec(line)?.[0] ?? "";
  if (text.length < 7 || text.length > 22) return undefined;
  return formatted({ type: "phone" }, text, "", at);
}

/** A word to the next blank: a link, an address or plain. */
function readWord(line: string, at: number): Read {
  const word = wordAt(line, at);
  const [text, ending] = withoutEnding(word, "/)_!");
  if (text.length >= 10 && /^(?:https?:\/\/|simplex:\/)/.test(text)) {
    const link = parseSimplexLink(text);
    if (link !== undefined) {
      const { short: _, ...fields } = link;
      return formatted({ type: "simplexLink", ...fields }, text, ending, at);
    }
    return isWebUri(text) ? formatted({ type: "uri" }, text, ending, at) : plain(line, at, at + word.length);
  }
  if (isDomain(text)) return formatted({ type: "uri" }, text, ending, at);
  if (isEmail(text)) return formatted({ type: "email" }, text, ending, at);
  return plain(line, at, at + word.length);
}
