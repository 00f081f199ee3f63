import { describe, expect, it } from "vitest";
import {
  bytesTooLong,
  canEdit,
  canSendToContact,
  canSendToGroup,
  isActive,
  isConnectedGroup,
  isCurrent,
  isPending,
  type MessageSize,
  quoteOf,
  ROLES,
  roleAtLeast,
} from "../../../src/core/limits.js";
import { ChatItem, Contact } from "../../../src/core/types.js";
import { readTranscript } from "../../contract/transcript.js";

type Make = (n: number) => MessageSize;
type Extras = Partial<MessageSize>;

const text = (value: string) => ({ type: "text", text: value });

/** The group of the first probes has disappearing messages on. */
const inTimedGroup =
  (unit: string, extras: Extras = {}, start = ""): Make =>
  (n) => ({ chat: "group", content: text(start + unit.repeat(n)), ttl: 86_400, ...extras });
const inGroup =
  (unit: string, extras: Extras = {}, start = ""): Make =>
  (n) => ({ chat: "group", content: text(start + unit.repeat(n)), ...extras });
const direct =
  (unit: string, extras: Extras = {}): Make =>
  (n) => ({ chat: "direct", content: text(unit.repeat(n)), ...extras });

const own = (quoted: string, sentAt = "2026-11-30T15:04:28.302558549Z") => ({
  content: text(quoted),
  sentAt,
  own: true,
});
const others = (quoted: string) => ({ content: text(quoted), sentAt: "2026-11-30T15:04:28Z", own: false });

const JPG = { name: "a.jpg", size: 100 };
const LINK = { type: "link", preview: { uri: "https://a.bc", title: "t", description: "d", image: "" } };
const preview = (n: number) => "x".repeat(22 + n);

/** The probes of the recordings that say how many of a unit fit. */
const PROBES: Record<string, Record<string, Make>> = {
  "18": {
    "group text 'x'": inTimedGroup("x"),
    "group text emoji 😀 (4 bytes)": inTimedGroup("😀"),
    "group text é (2 bytes)": inTimedGroup("é"),
    "group text double quotes (escaped 2)": inTimedGroup('"'),
    "group text backslash": inTimedGroup("\\"),
    "group text newline a\\n": inTimedGroup("\n", {}, "a"),
    "group text tab": inTimedGroup("\t", {}, "a"),
    "group text U+0001": inTimedGroup("\u0001"),
    "group text U+007F": inTimedGroup("\u007f"),
    "group text U+2028": inTimedGroup("\u2028"),
    "group text slash /": inTimedGroup("/", {}, "a"),
    "group text <": inTimedGroup("<", {}, "a"),
    "group quote of own 'q'": inTimedGroup("x", { quote: own("q") }),
    "group quote of own 100 bytes": inTimedGroup("x", { quote: own("q".repeat(100)) }),
    "group quote of host's 8 bytes": inTimedGroup("x", { quote: others("q".repeat(8)) }),
    "group one mention @Hazel": inTimedGroup("x", { mentions: ["Hazel"] }, "@Hazel "),
    "group live": inTimedGroup("x", { live: true }),
    "group ttl=600": inTimedGroup("x", { ttl: 600 }),
    "group edit": inTimedGroup("x", { edit: true }),
    "group edit one mention": inTimedGroup("x", { edit: true, mentions: ["Hazel"] }, "@Hazel "),
    "group edit of quoting item": inTimedGroup("x", { edit: true, quote: own("q") }),
    "group live edit live=on": inTimedGroup("x", { edit: true, live: true }),
    "group edit of ttl=600 item": inTimedGroup("x", { edit: true, ttl: 600 }),
    "group file a.jpg 100 bytes, caption": (n) => ({
      ...inTimedGroup("")(0),
      content: { type: "file", text: "x".repeat(n) },
      file: JPG,
    }),
    "group image a.jpg, preview of 22+n bytes, empty caption": (n) => ({
      ...inTimedGroup("")(0),
      content: { type: "image", text: "", image: preview(n) },
      file: JPG,
    }),
    "group link, title t, uri https://a.bc": (n) => ({
      ...inTimedGroup("")(0),
      content: { ...LINK, text: "x".repeat(n) },
    }),
    "direct 'x' (compressible)": direct("x"),
    "direct incompressible": direct("x"),
    "direct random CJK (3 bytes)": direct("中"),
    "direct edit 'x'": direct("x", { edit: true }),
    "direct live edit": direct("x", { edit: true }),
    "direct quote of own 'q'": direct("x", { quote: own("q", "2026-11-30T15:04:43.38442033Z") }),
    "direct image 22+n random preview": (n) => ({
      chat: "direct",
      content: { type: "image", text: "", image: preview(n) },
    }),
  },
  "27": {
    "group plain x (no timed messages)": inGroup("x"),
    "group backspace U+0008": inGroup("\b"),
    "group form feed U+000C": inGroup("\f"),
    "group CR": inGroup("\r", {}, "a"),
    "group U+001F": inGroup("\u001f"),
    "two mentions": inGroup("x", { mentions: ["Bob", "My Robots"] }, "@Bob @'My Robots' "),
    "group edit": inGroup("x", { edit: true }),
  },
};

/** What this program never sends, so that it never asks for its size; and one that the core compresses. */
const NEVER_SENT = ["group forward size", "support chat of a member", "formula check support"];
const COMPRESSED = "direct, random mixture of ascii and 2-byte characters (hardest case), bytes";

const FILE = { name: "1234567890123", size: 100 };

/** The formula checks; names and quotes have the recorded lengths. */
const FORMULAS: Record<string, Make> = {
  group: inGroup("x"),
  direct: direct("x"),
  "group live": inGroup("x", { live: true }),
  "group ttl": inGroup("x", { ttl: 600 }),
  "group quote other": inGroup("x", { quote: others("q".repeat(23)) }),
  "group quote own": inGroup("x", { quote: own("q".repeat(16)) }),
  "direct quote own": direct("x", { quote: own("own") }),
  "group mention": inGroup("x", { mentions: ["Bob"] }),
  file: (n) => ({ chat: "group", content: { type: "file", text: "x".repeat(n) }, file: FILE }),
  image: (n) => ({
    chat: "group",
    content: { type: "image", text: "x".repeat(n), image: "x".repeat(3022) },
    file: FILE,
  }),
  "group edit": inGroup("x", { edit: true }),
  "direct edit": direct("x", { edit: true }),
  "group edit mention": inGroup("x", { edit: true, mentions: ["Bob"] }),
};

const ITEM = {
  chatDir: { type: "groupSnd" },
  meta: {
    itemId: 5,
    itemTs: "2026-11-30T15:00:00.5Z",
    itemText: "hi",
    itemStatus: { type: "sndSent" },
    editable: true,
    createdAt: "2026-11-30T15:00:00.5Z",
  },
  content: { type: "sndMsgContent", msgContent: { type: "text", text: "hi" } },
};

describe("the size of a message", () => {
  const probes = Object.keys(PROBES).flatMap((recording) =>
    readTranscript(recording)
      .lines.filter(({ maxPasses, sum }) => maxPasses !== undefined || sum !== undefined)
      .map((line) => ({ recording, line, probe: line.probe ?? "" }))
      .filter(({ probe }) => ![...NEVER_SENT, COMPRESSED].includes(probe)),
  );

  it.each(probes)("is measured as the core does: $probe ($recording)", ({ recording, line, probe }) => {
    const make = PROBES[recording]?.[probe] ?? FORMULAS[probe.replace("formula check ", "")];
    if (!make) throw new Error(`No message for the probe ${probe}`);
    const fits = Number(line.maxPasses ?? line.escaped);
    expect(bytesTooLong(make(fits))).toBe(0);
    expect(bytesTooLong(make(fits + 1))).toBeGreaterThan(0);
  });

  it("is told of a quoted message, too, whatever its sender nested in it", () => {
    const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const quoting = (levels: number) => {
      const quote = { content: { type: "odd", text: "q", more: nested(levels) }, sentAt: "T", own: false };
      return bytesTooLong({ chat: "group", content: text("x".repeat(15_000)), quote });
    };
    expect(quoting(20_000) - quoting(19_000)).toBe(2000);
    const size = (part: object) =>
      bytesTooLong({ chat: "group", content: { ...text("x".repeat(15_602)), ...part } });
    for (const part of [
      { a: [] },
      { a: [1, null, "é\b", { b: {}, c: true }] },
      { "\f": "\n" },
      { a: undefined },
    ]) {
      const json = JSON.stringify({ ...part, x: 1 }, (_key, one) => one).replace(/\\[bf]/g, "\\u0001");
      expect(size(part) - size({}), json).toBe(Buffer.byteLength(json) - '{"x":1}'.length);
    }
  });

  it("is told in bytes", () => {
    expect(bytesTooLong(inGroup("x")(15_488))).toBe(0);
    expect(bytesTooLong(inGroup("x")(15_498))).toBe(10);
    expect(bytesTooLong(inGroup("😀", {}, "x".repeat(15_488))(2))).toBe(8);
  });

  it("counts a quote as it is sent: whole beside a text, as text alone beside an image or video", () => {
    const picture = {
      content: { type: "image", text: "q", image: "x".repeat(5000) },
      sentAt: "T",
      own: false,
    };
    const plain = { content: text("q"), sentAt: "T", own: false };
    const beside = (content: MessageSize["content"], quote: MessageSize["quote"]) =>
      bytesTooLong({ chat: "group", content, quote });
    const long = "x".repeat(15_000);
    for (const type of ["text", "file", "voice"]) {
      expect(beside({ type, text: long }, picture), type).toBeGreaterThan(4000);
    }
    const video = { type: "video", text: long, image: "", duration: 1 };
    expect(beside(video, picture)).toBe(beside(video, plain));
  });

  it("counts all of a quoted link", () => {
    const item = (preview: object) =>
      quoteOf(
        ChatItem.parse({
          ...ITEM,
          content: { type: "rcvMsgContent", msgContent: { type: "link", text: "q", preview } },
        }),
      );
    const size = (preview: object) =>
      bytesTooLong({ chat: "group", content: text("x".repeat(16_000)), quote: item(preview) });
    expect(size({ title: "a title" }) - size({ title: "" })).toBe("a title".length);
  });

  it("counts the name of a quoted file that has no text", () => {
    const file = (fileName: string) => ({
      content: { type: "file", text: "" },
      sentAt: "T",
      own: false,
      fileName,
    });
    const size = (fileName: string) =>
      bytesTooLong({ chat: "group", content: text("x".repeat(16_000)), quote: file(fileName) });
    expect(size("report.pdf") - size("")).toBe("report.pdf".length);
  });
});

describe("an item", () => {
  it("is quoted with its time as the core gives it", () => {
    expect(quoteOf(ChatItem.parse(ITEM))).toEqual({
      content: { type: "text", text: "hi" },
      sentAt: "2026-11-30T15:00:00.5Z",
      own: true,
    });
    expect(quoteOf(ChatItem.parse({ ...ITEM, content: { type: "sndGroupEvent" } }))).toBe(undefined);
  });

  it("can be edited for 24 hours, whatever the core said when it was read", () => {
    const sent = Date.parse("2026-11-30T15:00:00.5Z");
    const item = ChatItem.parse(ITEM);
    expect(canEdit(item, sent + 24 * 3600 * 1000 - 1)).toBe(true);
    expect(canEdit(item, sent + 24 * 3600 * 1000)).toBe(false);
    expect(canEdit(ChatItem.parse({ ...ITEM, meta: { ...ITEM.meta, editable: false } }), sent)).toBe(false);
  });
});

describe("roles and statuses", () => {
  it("are in ascending order, and an unknown role is below all", () => {
    expect(ROLES.filter((role) => roleAtLeast(role, "member"))).toEqual([
      "member",
      "moderator",
      "admin",
      "owner",
    ]);
    expect(roleAtLeast("wizard", "relay")).toBe(false);
  });

  it.each([
    ["rejected", false, false, false],
    ["removed", false, false, false],
    ["left", false, false, false],
    ["deleted", false, false, false],
    ["unknown", false, false, false],
    ["invited", false, false, false],
    ["pending_approval", false, true, false],
    ["pending_review", false, true, false],
    ["introduced", true, false, false],
    ["intro-inv", true, false, false],
    ["accepted", true, false, false],
    ["announced", true, false, false],
    ["connected", true, true, true],
    ["complete", true, true, true],
    ["creator", true, true, true],
    ["of a newer core", false, false, false],
  ])("say of %s who is current, active and connected", (memberStatus, current, active, connected) => {
    const member = { memberStatus };
    expect([isCurrent(member), isActive(member)]).toEqual([current, active]);
    expect(isPending(member)).toBe(active && !current);
    const group = { membership: { memberStatus, memberRole: "member" } } as Parameters<
      typeof canSendToGroup
    >[0];
    expect([isConnectedGroup(group), canSendToGroup(group)]).toEqual([connected, connected]);
  });

  it("let an observer read and not write", () => {
    const group = { membership: { memberStatus: "connected", memberRole: "observer" } };
    expect(isConnectedGroup(group)).toBe(true);
    expect(canSendToGroup(group)).toBe(false);
  });

  it("let us write to a contact that is connected, has not deleted us and was not given up", () => {
    const contact = (contactStatus: string, connStatus?: string, authErrCounter = 0) =>
      Contact.parse({
        contactId: 4,
        localDisplayName: "Ann",
        profile: { displayName: "Ann" },
        contactStatus,
        createdAt: "T",
        ...(connStatus && {
          activeConn: { connId: 1, agentConnId: "YQ==", connStatus: { type: connStatus }, authErrCounter },
        }),
      });
    expect(canSendToContact(contact("active", "ready"))).toBe(true);
    expect(canSendToContact(contact("active", "sndReady", 9))).toBe(true);
    expect(canSendToContact(contact("active", "ready", 10))).toBe(false);
    expect(canSendToContact(contact("active", "joined"))).toBe(false);
    expect(canSendToContact(contact("active"))).toBe(false);
    expect(canSendToContact(contact("deleted", "ready"))).toBe(false);
  });
});
