import { describe, expect, it } from "vitest";
import { quoteContent, tooLarge, type WireMessage, wireSize } from "../../../../src/simulator/text/sizes.js";
import { readTranscript } from "../../../contract/transcript.js";

/** The message of a probe with its unit `n` times. */
type Make = (n: number) => WireMessage & { pq?: boolean };
type More = Partial<WireMessage>;

const text = (value: string) => ({ type: "text", text: value });
const quote = (value: string, own: boolean, sentAt: string) => ({ content: text(value), own, sentAt });
const HOST_TIME = "2026-11-30T15:04:28Z";
const OWN_TIME = "2026-11-30T15:04:28.302558549Z";
const DIRECT_TIME = "2026-11-30T15:04:43.38442033Z";
/** The group of 18 has disappearing messages on. */
const ttl = 86_400;

/** `start`, then `unit` n times. */
const inGroup = (start: string, unit: string, more: More = {}): Make => {
  return (n) => ({ group: true, ttl, content: text(start + unit.repeat(n)), ...more });
};
const inPlainGroup = (start: string, unit: string, more: More = {}) =>
  inGroup(start, unit, { ttl: undefined, ...more });
const direct = (make: (n: number) => string, more: More = {}): Make => {
  return (n) => ({ group: false, pq: true, content: text(make(n)), ...more });
};
const xs = (n: number) => "x".repeat(n);

/** Random characters of an alphabet, the same at each run. */
function randomText(length: number, alphabet: string): string {
  const characters = [...alphabet];
  let state = 12345;
  let made = "";
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    made += characters[(state >>> 8) % characters.length];
  }
  return made;
}
const range = (from: number, to: number) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));
const ASCII = range(0x20, 0x7e).replace(/["\\]/g, "");
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const PROBES: Record<string, Make> = {
  "group text 'x'": inGroup("", "x"),
  "group text emoji 😀 (4 bytes)": inGroup("", "😀"),
  "group text é (2 bytes)": inGroup("", "é"),
  "group text double quotes (escaped 2)": inGroup("", '"'),
  "group text backslash": inGroup("", "\\"),
  "group text newline a\\n": inGroup("a", "\n"),
  "group text tab": inGroup("a", "\t"),
  "group text U+0001": inGroup("", "\u0001"),
  "group text U+007F": inGroup("", "\u007f"),
  "group text U+2028": inGroup("", "\u2028"),
  "group text slash /": inGroup("a", "/"),
  "group text <": inGroup("a", "<"),
  "group quote of own 'q'": inGroup("", "x", { quote: quote("q", true, OWN_TIME) }),
  "group quote of own 100 bytes": inGroup("", "x", { quote: quote("q".repeat(100), true, OWN_TIME) }),
  "group quote of host's 8 bytes": inGroup("", "x", { quote: quote("q".repeat(8), false, HOST_TIME) }),
  "group one mention @Hazel": inGroup("@Hazel ", "x", { mentions: ["Hazel"] }),
  "group live": inGroup("", "x", { live: true }),
  "group ttl=600": inGroup("", "x", { ttl: 600 }),
  "group edit": inGroup("", "x", { edit: true }),
  "group edit one mention": inGroup("@Hazel ", "x", { mentions: ["Hazel"], edit: true }),
  "group edit of quoting item": inGroup("", "x", { edit: true, quote: quote("q", true, OWN_TIME) }),
  "group live edit live=on": inGroup("", "x", { edit: true, live: true }),
  "group edit of ttl=600 item": inGroup("", "x", { edit: true, ttl: 600 }),
  "group file a.jpg 100 bytes, caption": (n) => ({
    group: true,
    ttl,
    content: { type: "file", text: xs(n) },
    file: { name: "a.jpg", size: 100 },
  }),
  "group image a.jpg, preview of 22+n bytes, empty caption": (n) => ({
    group: true,
    ttl,
    content: { type: "image", text: "", image: xs(22 + n) },
    file: { name: "a.jpg", size: 100 },
  }),
  "group link, title t, uri https://a.bc": (n) => ({
    group: true,
    ttl,
    content: {
      type: "link",
      text: xs(n),
      preview: { uri: "https://a.bc", title: "t", description: "d", image: "" },
    },
  }),
  "group forward size": inGroup("", "x", { forward: true }),
  "direct 'x' (compressible)": direct(xs),
  "direct incompressible": direct((n) => randomText(n, ASCII)),
  "direct random CJK (3 bytes)": direct((n) => randomText(n, range(0x4e00, 0x5e00))),
  "direct edit 'x'": direct(xs, { edit: true }),
  // The item is no longer live after the edit.
  "direct live edit": direct(xs, { edit: true }),
  "direct quote of own 'q'": direct(xs, { quote: quote("q", true, DIRECT_TIME) }),
  "direct image 22+n random preview": (n) => ({
    group: false,
    pq: true,
    content: { type: "image", text: "", image: `data:image/jpg;base64,${randomText(n, BASE64)}` },
  }),
  "group plain x (no timed messages)": inPlainGroup("", "x"),
  "group backspace U+0008": inPlainGroup("", "\b"),
  "group form feed U+000C": inPlainGroup("", "\f"),
  "group CR": inPlainGroup("a", "\r"),
  "group U+001F": inPlainGroup("", "\u001f"),
  "support chat of a member": inPlainGroup("", "x", { support: true }),
  "group plain edit": inPlainGroup("", "x", { edit: true }),
  "two mentions": inPlainGroup("@Bob @'My Robots' ", "x", { mentions: ["Bob", "My Robots"] }),
};

const FILE = { name: "1234567890123", size: 100 };

/** The messages of the formula checks without their text: the length of names and quotes is as recorded. */
const FORMULAS: Record<string, Make> = {
  group: inPlainGroup("", ""),
  direct: direct(() => ""),
  "group live": inPlainGroup("", "", { live: true }),
  "group ttl": inGroup("", "", { ttl: 600 }),
  "group quote other": inPlainGroup("", "", { quote: quote(xs(23), false, HOST_TIME) }),
  "group quote own": inPlainGroup("", "", { quote: quote(xs(16), true, OWN_TIME) }),
  "direct quote own": direct(() => "", { quote: quote("own", true, OWN_TIME) }),
  "group mention": inPlainGroup("", "", { mentions: ["Bob"] }),
  support: inPlainGroup("", "", { support: true }),
  file: inPlainGroup("", "", { content: { type: "file", text: "" }, file: FILE }),
  image: inPlainGroup("", "", { content: { type: "image", text: "", image: xs(3022) }, file: FILE }),
  "group edit": inPlainGroup("", "", { edit: true }),
  "direct edit": direct(() => "", { edit: true }),
  "group edit mention": inPlainGroup("", "", { mentions: ["Bob"], edit: true }),
};

describe("the size of a message", () => {
  for (const recording of ["18", "27"]) {
    for (const line of readTranscript(recording).lines) {
      const probe =
        line.probe === "group edit" && recording === "27" ? "group plain edit" : (line.probe ?? "");
      const make = PROBES[probe];
      if (make === undefined) continue;
      it(`agrees with the core on ${probe} (${recording})`, () => {
        const { pq: fits = false, ...largest } = make(Number(line.maxPasses));
        const { pq: over = false, ...larger } = make(Number(line.maxPasses) + 1);
        expect(tooLarge(largest, fits)).toBe(undefined);
        expect(tooLarge(larger, over)).toBe("message");
      });
    }
  }

  it("is the sum of the recorded parts", () => {
    const checks = readTranscript("18").lines.filter((line) => line.probe?.startsWith("formula check"));
    expect(checks.length).toBe(14);
    for (const { probe = "", fixed, escaped, sum } of checks) {
      const make = FORMULAS[probe.replace("formula check ", "")];
      if (make === undefined) throw new Error(`No message for ${probe}`);
      const size = wireSize(make(0));
      expect([probe, size, size + Number(escaped)]).toEqual([probe, fixed, sum]);
    }
  });

  it("counts what is compressed in direct chats", () => {
    const mixed = (n: number) => randomText(n, ASCII.repeat(10) + range(0x80, 0x7ff));
    const send = (value: string): WireMessage => ({ group: false, content: text(value) });
    for (const [bytes, outcome] of [
      [13_001, undefined],
      [14_000, undefined],
      [14_500, undefined],
      [15_001, "compressed"],
      [15_481, "compressed"],
    ] as const) {
      expect([bytes, tooLarge(send(cut(mixed(bytes), bytes)), true)]).toEqual([bytes, outcome]);
      expect(tooLarge(send(cut(mixed(bytes), bytes)), false)).toBe(undefined);
    }
  });
});

/** The first `bytes` of a text, to whole characters. */
function cut(value: string, bytes: number): string {
  return Buffer.from(value)
    .subarray(0, bytes)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
}

describe("the content of a quote", () => {
  const picture = { type: "image", text: "", image: "data:image/jpg;base64,AA" };

  it("is the quoted content as it was", () => {
    expect(quoteContent(text("new"), text("old"))).toEqual(text("old"));
    expect(quoteContent(text("new"), picture)).toEqual(picture);
  });

  it("names the file where there is no text", () => {
    expect(quoteContent(text("new"), { type: "file", text: "" }, "a.pdf")).toEqual({
      type: "file",
      text: "a.pdf",
    });
    expect(quoteContent(text("new"), picture, "a.jpg")).toEqual({ ...picture, text: "a.jpg" });
  });

  it("drops the picture when the new message has one of its own", () => {
    expect(quoteContent(picture, picture, "a.jpg")).toEqual(text("a.jpg"));
  });
});
