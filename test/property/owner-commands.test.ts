import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatRef } from "../../src/actions/action.js";
import { type OwnerCommand, parseOwnerCommand } from "../../src/control/commands/commands.js";
import type { Limit } from "../../src/control/standing/limit.js";
import { foreignText } from "./foreign-text.js";

const RUNS = { numRuns: 3000 };

const number = fc.oneof(
  fc.integer({ min: 1, max: 500 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const chat: fc.Arbitrary<ChatRef> = fc
  .tuple(fc.boolean(), number)
  .map(([isGroup, id]): ChatRef => (isGroup ? `#${id}` : `@${id}`));
const reason = foreignText.map((text) => text.trim()).filter((text) => text !== "" && !/['‘’]$/.test(text));

/** When a standing approval ends, and how that is written. */
const limit: fc.Arbitrary<{ word: string; limit: Limit }> = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }).map((count) => ({ word: `${count}`, limit: { count } })),
  ...(
    [
      ["m", 60_000, 43_200],
      ["h", 3_600_000, 720],
      ["d", 86_400_000, 30],
    ] as const
  ).map(([unit, ms, most]) =>
    fc.integer({ min: 1, max: most }).map((n) => ({ word: `${n}${unit}`, limit: { ms: n * ms } })),
  ),
);

/** A command, and the words it is written with; the reason apart, whose case and blanks count. */
type Written = { command: OwnerCommand; words: string[]; reason?: string };

const written: fc.Arbitrary<Written> = fc.oneof(
  number.map((n): Written => ({ command: { kind: "approve", number: n }, words: ["approve", `${n}`] })),
  fc
    .tuple(chat, number)
    .chain(([c, n]) =>
      fc.constantFrom<Written[]>(
        { command: { kind: "approve", number: n, chat: c }, words: ["approve", c, `${n}`] },
        { command: { kind: "approveAll", chat: c }, words: ["approve", c, "all"] },
        { command: { kind: "approveAll", chat: c, number: n }, words: ["approve", c, `${n}`, "all"] },
        { command: { kind: "reject", number: n }, words: ["reject", `${n}`] },
        { command: { kind: "reject", number: n, chat: c }, words: ["reject", c, `${n}`] },
        { command: { kind: "revoke", chat: c }, words: ["revoke", c] },
        { command: { kind: "receive", chat: c, number: n }, words: ["receive", c, `${n}`] },
        { command: { kind: "receiveAll", chat: c, number: n }, words: ["receive", c, `${n}`, "all"] },
        { command: { kind: "receiveOff", chat: c }, words: ["receive", c, "off"] },
        { command: { kind: "forward", chat: c, number: n }, words: ["forward", c, `${n}`] },
        { command: { kind: "leave", chat: c }, words: ["leave", c] },
        { command: { kind: "deleteFiles", chat: c }, words: ["delete", c, "files"] },
        { command: { kind: "address" }, words: ["address"] },
        { command: { kind: "address", to: "auto" }, words: ["address", "auto"] },
        { command: { kind: "address", to: "ask" }, words: ["address", "ask"] },
        { command: { kind: "address", to: "off" }, words: ["address", "off"] },
        { command: { kind: "invite" }, words: ["invite"] },
        { command: { kind: "inviteOff" }, words: ["invite", "off"] },
        { command: { kind: "requests" }, words: ["requests"] },
        { command: { kind: "pause" }, words: ["pause"] },
        { command: { kind: "resume" }, words: ["resume"] },
        { command: { kind: "edit", number: n }, words: ["edit", `${n}`] },
        { command: { kind: "edit", number: n, chat: c }, words: ["edit", c, `${n}`] },
        { command: { kind: "answer", number: n }, words: ["answer", `${n}`] },
        { command: { kind: "pending" }, words: ["pending"] },
        { command: { kind: "list" }, words: ["list"] },
        { command: { kind: "help" }, words: ["help"] },
      ),
    ),
  fc.tuple(chat, number, limit).chain(([c, n, { word, limit: end }]) =>
    fc.constantFrom<Written[]>(
      { command: { kind: "approveAll", chat: c, limit: end }, words: ["approve", c, "all", word] },
      {
        command: { kind: "approveAll", chat: c, number: n, limit: end },
        words: ["approve", c, `${n}`, "all", word],
      },
      {
        command: { kind: "receiveAll", chat: c, number: n, limit: end },
        words: ["receive", c, `${n}`, "all", word],
      },
    ),
  ),
  fc
    .tuple(
      chat,
      fc.stringMatching(/^[a-z]{5}$/).filter((code) => code !== "files"),
    )
    .chain(([c, code]) =>
      fc.constantFrom<Written[]>(
        { command: { kind: "leave", chat: c, code }, words: ["leave", c, code] },
        { command: { kind: "deleteFiles", chat: c, code }, words: ["delete", c, "files", code] },
      ),
    ),
  fc.tuple(chat, number, reason).map(
    ([c, n, why]): Written => ({
      command: { kind: "reject", number: n, chat: c, reason: why },
      words: ["reject", c, `${n}`],
      reason: why,
    }),
  ),
);

const blanks = fc.constantFrom(" ", "  ", "\u00A0", "\t");
const outer = fc.constantFrom("", " ", "\n", " \n ");

/** Commands that let something happen. */
const ACTING = [
  "approve",
  "approveAll",
  "receive",
  "receiveAll",
  "forward",
  "address",
  "invite",
  "inviteOff",
  "edit",
];

/** Upper case where a bit is set. */
function cased(word: string, bits: number): string {
  return [...word].map((char, index) => (bits & (1 << (index % 30)) ? char.toUpperCase() : char)).join("");
}

describe("an owner's text", () => {
  const text = foreignText.filter((one) => one.trim() !== "");

  test("is that of an edit to the last blank, after one blank or line feed", () => {
    fc.assert(
      fc.property(
        text,
        chat,
        number,
        fc.constantFrom(" ", "\n"),
        fc.boolean(),
        (words, c, n, blank, isTapped) => {
          const command = isTapped ? `/'edit ${c} ${n}'` : `/edit ${c} ${n}`;
          expect(parseOwnerCommand(command + blank + words)).toEqual({
            kind: "edit",
            number: n,
            chat: c,
            text: words,
          });
        },
      ),
      RUNS,
    );
  });

  test("is that of an answer, without blanks around it", () => {
    fc.assert(
      fc.property(text, number, (words, n) => {
        const said = parseOwnerCommand(`/answer ${n} ${words}`);
        expect(said).toEqual({ kind: "answer", number: n, text: words.trim() });
      }),
      RUNS,
    );
  });
});

describe("an owner's command", () => {
  test("is read back from any way to write it", () => {
    fc.assert(
      fc.property(
        written,
        fc.nat(),
        blanks,
        outer,
        fc.boolean(),
        (command, bits, blank, around, isQuoted) => {
          const words = command.words.map((word) => cased(word, bits));
          const text = [...words, ...(command.reason === undefined ? [] : [command.reason])].join(blank);
          const message = `${around}${isQuoted ? `/'${text}'` : `/${text}`}${around}`;
          expect(parseOwnerCommand(message)).toEqual(command.command);
        },
      ),
      RUNS,
    );
  });

  test("is not read from anything else: no approval comes of garbage", () => {
    const approval =
      /^\s*\/\s*['‘’]?(?:approve\s+(?:[#@]\d+\s+)?\d+|approve\s+[#@]\d+(?:\s+\d+)?\s+all(?:\s+\d+[mhd]?)?|forward\s+[#@]\d+\s+\d+|receive\s+[#@]\d+\s+\d+(?:\s+all(?:\s+\d+[mhd]?)?)?|address(?:\s+(?:auto|ask|off))?|invite(?:\s+off)?|edit\s+(?:[#@]\d+\s+)?\d+(?:['‘’]?\s[\s\S]*)?)['‘’]?\s*$/i;
    const text = fc.oneof(
      foreignText,
      fc
        .tuple(
          fc.constantFrom("/approve", "/'approve", "/receive #15", "/approve #15", "/address", "/invite"),
          foreignText,
        )
        .map(([command, rest]) => `${command} ${rest}`),
      fc.tuple(written, foreignText).map(([{ words }, rest]) => `/${words.join(" ")}${rest}`),
      fc.tuple(foreignText, written).map(([rest, { words }]) => `${rest}/${words.join(" ")}`),
    );
    fc.assert(
      fc.property(text, (message) => {
        const parsed = parseOwnerCommand(message);
        if (parsed && ACTING.includes(parsed.kind)) expect(message).toMatch(approval);
        if (parsed && "number" in parsed && parsed.number !== undefined)
          expect(Number.isSafeInteger(parsed.number) && parsed.number > 0).toBe(true);
      }),
      RUNS,
    );
  });
});
