import { describe, expect, test } from "vitest";
import {
  displayName,
  foldedLine,
  literal,
  literalLine,
  literalText,
  target,
} from "../../../src/text/literal.js";

const shown = (text: string) => literal(text).text;

describe("literal text", () => {
  test("puts every line into a code span of its own", () => {
    expect(literal("one line")).toEqual({ text: "`one line`", replaced: false });
    expect(literal("one\ntwo")).toEqual({ text: "`one`\n`two`", replaced: false });
  });

  test("leaves markup, commands, links and mentions as they are inside", () => {
    const text =
      "*b* _i_ ~s~ #secret# !1 red! @Alice /approve 1 /'approve 1' https://a.example +1 555 123 4567";
    expect(literal(text)).toEqual({ text: `\`${text}\``, replaced: false });
  });

  test("shows a backtick by a look-alike, since no span can hold one", () => {
    expect(literal("a`b``")).toEqual({ text: "`aˋbˋˋ`", replaced: true });
  });

  test("shows empty lines, the empty text and a last line feed", () => {
    expect(literal("")).toEqual({ text: "`␤`", replaced: true });
    expect(shown("a\n\nb\n")).toBe("`a`\n`␤`\n`b`\n`␤`");
  });

  test("shows blanks at the ends of lines, and leaves those between", () => {
    expect(shown("  a  b \n   ")).toBe("`␣␣a  b␣`\n`␣␣␣`");
  });

  test("shows blanks other than the ordinary one wherever they stand", () => {
    expect(shown("\u00A0a\u00A0b\u3000")).toBe("`\\u{A0}a\\u{A0}b\\u{3000}`");
    expect(literal("a\u202Fb")).toEqual({ text: "`a\\u{202F}b`", replaced: true });
  });

  test("counts the blanks of a long run, so that nothing is pushed out of sight", () => {
    expect(literal("a    b")).toEqual({ text: "`a    b`", replaced: false });
    expect(literal("a     b")).toEqual({ text: "`a␣×5b`", replaced: true });
    expect(shown(`ok${"\u00A0".repeat(4500)}and send all`)).toBe("`ok␣×4500and send all`");
    expect(shown(`      a${" \u3000".repeat(3)}b${" ".repeat(9)}`)).toBe("`␣×6a␣×6b␣×9`");
    // Not as 123 of them.
    expect(shown(`a${" ".repeat(12)}3`)).toBe("`a␣×11␣3`");
    expect(literalText(" ".repeat(300), 20)).toBe("`␣×300` (shown with replaced characters)");
  });

  test.each([
    ["NUL, escape, delete and a C1 control", "\0\x1b\x7f\x85", "\\u{0}\\u{1B}\\u{7F}\\u{85}"],
    ["a tab", "a\tb", "a\\u{9}b"],
    ["a carriage return, which ends no line in the apps", "a\r\nb", "a\\u{D}`\n`b"],
    ["line and paragraph separators", "\u2028\u2029", "\\u{2028}\\u{2029}"],
    ["bidi overrides and isolates", "\u202Ea\u2066\u200F", "\\u{202E}a\\u{2066}\\u{200F}"],
    [
      "zero-width characters",
      "a\u200B\u200C\u200D\u2060\uFEFFb",
      "a\\u{200B}\\u{200C}\\u{200D}\\u{2060}\\u{FEFF}b",
    ],
    ["a soft hyphen and a grapheme joiner", "a\u00AD\u034Fb", "a\\u{AD}\\u{34F}b"],
    ["variation selectors", "a\uFE0F\u{E0100}", "a\\u{FE0F}\\u{E0100}"],
    ["tag characters", "\u{E0041}\u{E007F}", "\\u{E0041}\\u{E007F}"],
    ["private use and unassigned characters", "\uE000\u0378\uFFFF", "\\u{E000}\\u{378}\\u{FFFF}"],
    ["lone surrogates", "a\uD800b\uDC00", "a\\u{D800}b\\u{DC00}"],
    ["letters without ink", "\u115F\u1160\u3164\uFFA0", "\\u{115F}\\u{1160}\\u{3164}\\u{FFA0}"],
    ["signs without ink", "\u2800\uFFFC\u{1D159}\u{16FE4}", "\\u{2800}\\u{FFFC}\\u{1D159}\\u{16FE4}"],
    ["hair spaces and their kin", "a\u200Ab\u2009c\u1680d", "a\\u{200A}b\\u{2009}c\\u{1680}d"],
  ])("shows %s as an escape", (_, text, expected) => {
    expect(literal(text)).toEqual({ text: `\`${expected}\``, replaced: true });
  });

  test.each(["👍", "👍🏽", "❤️", "👨‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇨🇭", "1️⃣", "🏳️‍🌈"])("keeps the emoji %s whole", (emoji) => {
    expect(literal(emoji)).toEqual({ text: `\`${emoji}\``, replaced: false });
  });

  test("shows the parts of a sequence that is no recommended emoji", () => {
    expect(shown("👍\uFE0F")).toBe("`👍\\u{FE0F}`");
    expect(shown("👨\u200Dx")).toBe("`👨\\u{200D}x`");
  });

  test("keeps marks on their letters", () => {
    expect(literal("e\u0301 Việt ไทย हिन्दी")).toEqual({ text: "`e\u0301 Việt ไทย हिन्दी`", replaced: false });
  });

  test("shows marks that have nothing to stand on, or paint over other lines", () => {
    expect(shown("\u0301a")).toBe("`\\u{301}a`");
    expect(shown("a \u0301b")).toBe("`a \\u{301}b`");
    expect(shown("\u202E\u0301")).toBe("`\\u{202E}\\u{301}`");
    expect(shown(`a${"\u0301".repeat(6)}b`)).toBe(`\`a${"\u0301".repeat(4)}\\u{301}\\u{301}b\``);
  });

  test("shows a megabyte in a moment", () => {
    const { text } = literal("👍🏽`\u202E".repeat(100_000));
    expect(text).toHaveLength(100_000 * "👍🏽ˋ\\u{202E}".length + 2);
  });
});

describe("literal text in one line", () => {
  test("isolates right-to-left letters, which would move the words around them", () => {
    expect(literalLine("חשבון.pdf").text).toBe("`\u2068חשבון.pdf\u2069`");
    expect(literalLine("a\u2069ב").text).toBe("`\u2068a\\u{2069}ב\u2069`");
    expect(literalLine("אבגדה", 3).text).toBe("`\u2068אבג…\u2069`");
    expect(literalLine("report.pdf").text).toBe("`report.pdf`");
  });

  test("shows line feeds", () => {
    expect(literalLine("a\nb\n")).toEqual({ text: "`a␤b␤`", replaced: true });
    expect(literalLine("")).toEqual({ text: "`␤`", replaced: true });
  });

  test("is cut at the given number of shown characters", () => {
    expect(literalLine("x".repeat(50)).text).toBe(`\`${"x".repeat(50)}\``);
    expect(literalLine("x".repeat(51)).text).toBe(`\`${"x".repeat(50)}…\``);
    expect(literalLine("abcdef", 3)).toEqual({ text: "`abc…`", replaced: false });
  });

  test("is cut neither within an emoji, nor a surrogate pair, nor an escape", () => {
    expect(literalLine("ab👨‍👩‍👧", 4).text).toBe("`ab…`");
    expect(literalLine("ab😀c", 3).text).toBe("`ab😀…`");
    expect(literalLine("ab\u202Ec", 5).text).toBe("`ab…`");
  });

  test("says so when it shows something by other characters", () => {
    expect(literalText("plain")).toBe("`plain`");
    expect(literalText("a`b")).toBe("`aˋb` (shown with replaced characters)");
  });

  test("is also had without a code span, for the terminal", () => {
    expect(foldedLine("a\u001b[31m\nb ")).toBe("a\\u{1B}[31m␤b␣");
  });
});

describe("a name", () => {
  test.each([
    "Alice",
    "Big Robot",
    "Anne-Marie",
    "Approva",
    "Алиса",
    "中文",
    "スーパー",
    "Zoe\u0308",
    "Trail 👨‍👩‍👧",
    "👍🏽",
    "❤️",
    "R2D2",
    "123456",
    "x".repeat(50),
  ])("%s is shown plain", (name) => {
    expect(displayName(name)).toBe(name);
  });

  test.each([
    "Bob incognito",
    "Bob replying to Alice",
    "Approved by Alice",
    "approve",
    "My Agent",
    "Trail-Group",
    "GROUP",
    "incоgnito",
    "Ｇroup",
    "ｓerver 🌲",
    "✅ Bob",
    "Bob ✔️",
    "❌",
    "⚠️",
    "🔒 Bob",
    "🆗",
    "🟢 Bob",
  ])("%s is shown as literal text, since it could pass for the server's words", (name) => {
    expect(displayName(name)).toBe(`\`${name}\``);
  });

  test("of right-to-left letters is isolated", () => {
    expect(displayName("שרה")).toBe("\u2068שרה\u2069");
    expect(displayName("@שרה")).toBe("`\u2068@שרה\u2069`");
  });

  test.each([
    ["", "`␤` (shown with replaced characters)"],
    [" Alice", "`␣Alice` (shown with replaced characters)"],
    ["Ann  B", "`Ann  B`"],
    ["-Ann", "`-Ann`"],
    ["a--b", "`a--b`"],
    ["Ann B.", "`Ann B.`"],
    ["index.ts", "`index.ts`"],
    ["@Alice", "`@Alice`"],
    ["/approve 1", "`/approve 1`"],
    ["*bold*", "`*bold*`"],
    ["1234567", "`1234567`"],
    ["555-123-4567", "`555-123-4567`"],
    ["12 34 56", "`12 34 56`"],
    ["#️⃣ x #️⃣", "`#️⃣ x #️⃣`"],
    ["*️⃣", "`*️⃣`"],
    ["Bobː hi", "`Bobː hi`"],
    ["Alice\u3164", "`Alice\\u{3164}` (shown with replaced characters)"],
    ["line1\nline2", "`line1␤line2` (shown with replaced characters)"],
    [`Zalgo${"\u0301".repeat(5)}`, `\`Zalgo${"\u0301".repeat(4)}\\u{301}\` (shown with replaced characters)`],
    ["x".repeat(51), `\`${"x".repeat(50)}…\``],
  ])("%j is shown as literal text", (name, expected) => {
    expect(displayName(name)).toBe(expected);
  });

  test("of many modified emoji and a dot is looked at once, not once for each way to read it", () => {
    expect(displayName(`${"👍🏽".repeat(24)}.`)).toBe(`\`${"👍🏽".repeat(24)}.\``);
  });
});

describe("a target", () => {
  test.each(["@directory.simplex", "https://smp16.simplex.im/g#feO56?p=7001&c=3ku0W5", "#trail", "a*b_c~d"])(
    "%s stands as it is",
    (link) => {
      expect(target(link)).toBe(link);
    },
  );

  test("cannot leave its brackets, or pass for an escape", () => {
    expect(target("x), as myself. (y")).toBe("x\\u{29},\\u{20}as\\u{20}myself.\\u{20}\\u{28}y");
    expect(target("a`b\nc\\u{29}é\uD800😀")).toBe("a\\u{60}b\\u{A}c\\u{5C}u{29}\\u{E9}\\u{D800}\\u{1F600}");
  });
});
