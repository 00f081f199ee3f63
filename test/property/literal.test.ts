import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mentionName } from "../../src/control/texts/names.js";
import { parseMarkdown } from "../../src/simulator/text/markdown.js";
import { displayName, literal, literalLine, target } from "../../src/text/literal.js";
import { isPlainName } from "../../src/text/plain-name.js";
import { isServerWord } from "../../src/text/server-words.js";
import { foreignName, foreignText } from "./foreign-text.js";

const RUNS = { numRuns: 3000 };
const NOTE = " (shown with replaced characters)";

/** What the apps make of a text: the inside of its code spans, and everything else with its formats. */
function read(text: string) {
  const parts = parseMarkdown(text) ?? [{ text }];
  const isSpan = (part: (typeof parts)[number]) => part.format?.type === "snippet";
  return {
    spans: parts.filter(isSpan).map((part) => part.text),
    others: parts
      .filter((part) => !isSpan(part))
      .map(({ text, format }) => (format ? `<${format.type}>${text}` : text)),
  };
}

/** The compiler refuses the `v` flag in a literal. */
const unicode = (source: string, flags = "") => new RegExp(source, `v${flags}`);

/** A text without the isolates by which the server keeps right-to-left letters from moving its words. */
const bare = (text: string) => text.replace(/\u2068([^\u2068\u2069]*)\u2069/g, "$1");
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Characters that nobody sees, or that move others; recommended emoji may hold some. */
const HIDDEN = unicode("(?!\\n)[\\p{C}[\\p{Z}--[ ]]\\p{Default_Ignorable_Code_Point}\\u2800\\u3164\\uFFFC]");
const EMOJI = unicode("\\p{RGI_Emoji}", "g");
const withoutEmoji = (text: string) => text.replace(EMOJI, "");

/** The text behind a literal, when it holds none of the signs that stand for others. */
function original(spans: readonly string[]): string {
  return spans
    .map((line) => (line === "␤" ? "" : line))
    .join("\n")
    .replace(/\\u\{([0-9A-F]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("ˋ", "`")
    .replace(/␣×(\d+)/g, (_, count: string) => " ".repeat(Number(count)))
    .replaceAll("␣", " ");
}
const SIGNS = /[ˋ␤␣×]|\\u\{/;
/** Long runs of blanks are counted, whichever they are. */
const counted = (text: string) => text.replace(/\p{Zs}{5,}/gu, (blanks) => " ".repeat(blanks.length));

describe("literal text", () => {
  test("is nothing but code spans to the apps, a line each, wherever it stands", () => {
    fc.assert(
      fc.property(foreignText, fc.constantFrom("", "I want to say: ", "I want to say:\n"), (text, before) => {
        const shown = literal(text).text;
        const { spans, others } = read(`${before}${shown}${NOTE}\n/'approve 1' or /'reject 1'`);
        expect(spans).toEqual(shown.split("\n").map((line) => line.slice(1, -1)));
        const between = Array.from({ length: spans.length - 1 }, () => "\n");
        expect(others).toEqual([
          ...(before === "" ? [] : [before]),
          ...between,
          `${NOTE}\n`,
          "<command>/'approve 1'",
          " or ",
          "<command>/'reject 1'",
        ]);
      }),
      RUNS,
    );
  });

  test("hides nothing", () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        expect(withoutEmoji(literal(text).text)).not.toMatch(HIDDEN);
        expect(withoutEmoji(bare(literalLine(text).text))).not.toMatch(HIDDEN);
        expect(literalLine(text).text).not.toMatch(/\n| {5}/);
      }),
      RUNS,
    );
  });

  test("is the very text, and says so when it is not", () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const { text: shown, replaced } = literal(text);
        const spans = shown.split("\n").map((line) => line.slice(1, -1));
        expect(replaced).toBe(spans.join("\n") !== text);
        if (!SIGNS.test(text)) expect(original(spans)).toBe(counted(text));
      }),
      RUNS,
    );
  });

  test("in one line is one span, and bounded", () => {
    fc.assert(
      fc.property(foreignText, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const line = literalLine(text, max).text;
        expect(read(`by ${line}.`)).toEqual({ spans: [line.slice(1, -1)], others: ["by ", "."] });
        const shown = bare(line);
        expect(line === shown).toBe(!RIGHT_TO_LEFT.test(shown));
        expect([...shown.slice(1, -1)].length).toBeLessThanOrEqual(max + 1);
        const whole = bare(literalLine(text, Number.POSITIVE_INFINITY).text).slice(1, -1);
        if (shown.endsWith("…`") && !text.includes("…")) {
          expect(whole.startsWith(shown.slice(1, -2))).toBe(true);
          // Cut between characters, not within one.
          expect(shown.isWellFormed()).toBe(true);
          if (!text.includes("\\")) expect(shown).not.toMatch(/\\(?:u(?:\{[0-9A-F]*)?)?…`$/);
        }
      }),
      RUNS,
    );
  });
});

describe("a name", () => {
  const positions: [before: string, after: string][] = [
    ["I want to connect to contact ", " (https://a.example/x), as myself."],
    ["I want to send a message to group ", ": `text`"],
    ["I want to leave group ", " (#15)."],
    ["I want to download a file from Bob in group ", " (#15): `a`"],
    ["replying to ", ""],
    ["Approved by ", "."],
    ["Approved by ", "; interrupted: the server stopped."],
    ["Rejected by ", ": `no`."],
    ["", " joined (member 3)."],
    ["group ", ", 3 unread"],
  ];

  test("moves none of the words around it", () => {
    fc.assert(
      fc.property(foreignName, (name) => {
        for (const shown of [displayName(name), mentionName(name)])
          expect(bare(shown)).not.toMatch(/[\u2066-\u2069\u200E\u200F\u202A-\u202E]/);
        expect(displayName(name).replace(/\u2068[^\u2068\u2069]*\u2069/g, "")).not.toMatch(RIGHT_TO_LEFT);
        expect(mentionName(name).replace(/\u2068[^\u2068\u2069]*\u2069/g, "")).not.toMatch(RIGHT_TO_LEFT);
      }),
      RUNS,
    );
  });

  test("is plain words or one code span in every position", () => {
    fc.assert(
      fc.property(foreignName, fc.constantFrom(...positions), (name, [before, after]) => {
        const shown = displayName(name);
        const plain = isPlainName(name);
        const rest = read(`x\n${after}`);
        const { spans, others } = read(`x\n${before}${shown}${after}`);
        expect(spans).toEqual(plain ? rest.spans : [/^`([^`]*)`/.exec(shown)?.[1], ...rest.spans]);
        const words = plain ? shown : shown.slice(shown.lastIndexOf("`") + 1);
        expect(others.join("")).toBe(`x\n${before}${words}${rest.others.join("").slice(2)}`);
      }),
      RUNS,
    );
  });

  test("that is plain is letters, emoji, digits and single inner separators", () => {
    fc.assert(
      fc.property(foreignName, (name) => {
        if (!isPlainName(name)) return;
        expect(withoutEmoji(name)).toMatch(/^[\p{L}\p{M}\p{Nd} -]*$/u);
        expect(withoutEmoji(name)).not.toMatch(HIDDEN);
        expect(name).not.toMatch(/^[ -]|[ -]{2}|[ -]$|\p{Nd}{7}/u);
        expect([...name].length).toBeLessThanOrEqual(50);
        expect(name.split(/[ -]/).filter(isServerWord)).toEqual([]);
        expect(name).not.toMatch(/[✅❌✔⚠🔒]/u);
      }),
      RUNS,
    );
  });

  test("that is mentioned is at most a mention without a target", () => {
    fc.assert(
      fc.property(fc.array(foreignName, { minLength: 1, maxLength: 3 }), (names) => {
        const text = `x\nmentioning ${names.map(mentionName).join(", ")}\n/'approve 1'`;
        const kinds = (parseMarkdown(text) ?? []).flatMap(({ format }) => (format ? [format] : []));
        expect(kinds.filter(({ type }) => type === "command")).toHaveLength(1);
        for (const format of kinds) expect(["command", "snippet", "mention"]).toContain(format.type);
        const mentioned = kinds.flatMap((format) => (format.type === "mention" ? [format.memberName] : []));
        // Isolated it is no mention at all.
        const plain = names.filter((name) => isPlainName(name) && !RIGHT_TO_LEFT.test(name));
        expect(mentioned).toHaveLength(plain.length);
      }),
      RUNS,
    );
  });
});

describe("a target", () => {
  test("is plain text to the apps and stays in its brackets", () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const shown = target(text);
        const sentence = `I want to connect to contact Bob (${shown}), as myself.\n`;
        expect(read(`${sentence}/'approve 1'`)).toEqual({
          spans: [],
          others: [sentence, "<command>/'approve 1'"],
        });
        expect(shown).toMatch(/^[!-~]*$/);
        expect(shown).not.toMatch(/[()`]/);
      }),
      RUNS,
    );
  });

  test("is another one for another text", () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const back = target(text).replace(/\\u\{([0-9A-F]+)\}/g, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        );
        expect(back).toBe(text);
      }),
      RUNS,
    );
  });
});
