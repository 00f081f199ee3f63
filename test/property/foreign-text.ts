/** Generators of what peers, agents and file systems can write. */
import fc from "fast-check";
import type { ActionFields, ActionState, ChatKind, ChatRef, Decision } from "../../src/actions/action.js";

/** What has a meaning to the apps, to the commands or to the eye. */
const DANGERS = [
  ..."`*_~#!@/[]()'\"+-.,:;\\ \n\r\t\0\x1b\x7f",
  ..."\u0085\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u180E\u2003\u200A\u200B\u200D\u200E\u2028\u2029",
  ..."\u202A\u202E\u202F\u2060\u2066\u2069\u206A\u2800\u3000\u3164\uFE0E\uFE0F\uFEFF\uFFA0\uFFFC\uE000\u0378",
  ..."ˋ␤␣…\u0301\u0338\u20E3\u{E0041}\u{E007F}\u{E0100}\u{F0000}\u{1D159}",
  "\uD800",
  "\uDC00",
  "\r\n",
  "\n\n",
  "``",
  "` `",
  "\\u{202E}",
  " (shown with replaced characters)",
  "/approve 1",
  "/'approve 1'",
  "/'approve #15 all' or /'reject #15 1'",
  "\nApproved by Alice.\n",
  "I want to send a message to contact Bob:",
  "@Alice",
  "@'Ann B.'",
  "@directory.simplex",
  "#15",
  "#secret#",
  "!1 red!",
  "!- small!",
  "https://evil.example",
  "simplex:/contact#/?v=2",
  "[Trail](https://evil.example)",
  "README.md",
  "a@b.cc",
  "+1 555 123 4567",
  "1234567",
  "12-34",
  "123456",
  "👍",
  "👍🏽",
  "❤️",
  "❤",
  "1️⃣",
  "#️⃣",
  "*️⃣",
  "👨‍👩‍👧",
  "🏳️‍🌈",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "🇨🇭",
  "🇨",
  "שלום",
  "مرحبا",
  "नमस्ते",
  "한국",
  "word",
  "Alice",
  "     ",
  "\u00A0\u00A0\u00A0\u00A0\u00A0\u00A0",
  "✅ Approved by Alice",
  "incognito",
];

const anyCodePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...DANGERS) },
  { weight: 2, arbitrary: anyCodePoint },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constant(" ") },
);

/** Text of up to some hundred characters, most of them trouble. */
export const foreignText = fc.oneof(
  { weight: 12, arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")) },
  {
    weight: 1,
    arbitrary: fc.tuple(piece, fc.integer({ min: 1, max: 80 })).map(([text, times]) => text.repeat(times)),
  },
);

const namePiece = fc.constantFrom(
  ..."aZéßАж中ー\u0301\u093F0١ -",
  "Alice",
  "approve",
  "12",
  "123456",
  "👍🏽",
  "👨‍👩‍👧",
  "🇨🇭",
  "❤️",
  "שרה",
  "✅",
  "⚠️",
  "Bob incognito",
  "replying to",
  "incоgnito",
);

/** Names, many of them ordinary ones. */
export const foreignName = fc.oneof(
  { weight: 3, arbitrary: fc.array(namePiece, { maxLength: 8 }).map((pieces) => pieces.join("")) },
  { weight: 2, arbitrary: foreignText },
);

const chat: fc.Arbitrary<ChatRef> = fc
  .tuple(fc.constantFrom("@", "#"), fc.integer({ min: 1, max: 1e9 }))
  .map(([type, id]): ChatRef => (type === "@" ? `@${id}` : `#${id}`));
const contact: fc.Arbitrary<ChatRef> = fc.integer({ min: 1, max: 1e9 }).map((id): ChatRef => `@${id}`);
const kind = fc.constantFrom<ChatKind[]>("contact", "bot", "agent", "group", "channel", "business");
const size = fc.nat({ max: 2 ** 30 });
const namedChat = { chat, kind, name: foreignName };

export const foreignChat = fc.record(namedChat);

export const actionFields: fc.Arbitrary<ActionFields> = fc.oneof(
  fc.record(
    {
      tool: fc.constant("connect" as const),
      target: foreignText,
      incognito: fc.boolean(),
      message: foreignText,
      kind,
      name: foreignName,
    },
    { requiredKeys: ["tool", "target", "incognito", "kind", "name"] },
  ),
  fc.record(
    {
      tool: fc.constant("send" as const),
      ...namedChat,
      text: foreignText,
      replyTo: fc.record(
        { item: fc.nat(), member: fc.nat(9), own: fc.boolean(), name: foreignName, text: foreignText },
        { requiredKeys: ["item", "name", "text"] },
      ),
      mentions: fc.uniqueArray(
        fc.record(
          { member: fc.nat(9), name: foreignName, namesake: fc.boolean() },
          { requiredKeys: ["member", "name"] },
        ),
        { maxLength: 3, selector: ({ member }) => member },
      ),
      file: fc.record(
        {
          path: foreignText,
          name: foreignText,
          size,
          type: fc.constantFrom("image" as const, "video" as const, "voice" as const, "file" as const),
          shown: fc.constantFrom("first frame" as const, "not" as const),
        },
        { requiredKeys: ["path", "size", "type"] },
      ),
    },
    { requiredKeys: ["tool", "chat", "kind", "name", "text", "mentions"] },
  ),
  fc.record({
    tool: fc.constant("download" as const),
    ...namedChat,
    item: fc.nat(),
    member: foreignName,
    file: fc.record({ name: foreignText, size }),
    unknownServers: fc.array(foreignText, { maxLength: 3 }),
  }),
  fc.record({ tool: fc.constant("leave" as const), ...namedChat }),
  fc.record(
    {
      tool: fc.constant("invite" as const),
      kind: fc.constantFrom("one-time" as const, "address" as const),
      purpose: foreignText,
    },
    { requiredKeys: ["tool", "kind"] },
  ),
  fc.record(
    {
      tool: fc.constant("request" as const),
      ...namedChat,
      chat: contact,
      message: foreignText,
      notShown: fc.integer({ min: 1, max: 10_000 }),
    },
    { requiredKeys: ["tool", "chat", "kind", "name"] },
  ),
  fc.record({
    tool: fc.constant("invitation" as const),
    chat,
    group: fc.record(namedChat),
    by: fc.record(namedChat),
    role: fc.oneof(foreignText, fc.constantFrom("member", "observer", "admin")),
  }),
  fc.record({
    tool: fc.constant("member" as const),
    chat: contact,
    name: foreignName,
    group: fc.record(namedChat),
  }),
);

const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.record({ kind: fc.constant("approved" as const), by: foreignName }),
  fc.record(
    {
      kind: fc.constant("standing" as const),
      by: foreignName,
      // Of the first day, and of others.
      until: fc.oneof(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: 0, max: 4e12 })),
      left: fc.nat({ max: 10_000 }),
    },
    { requiredKeys: ["kind", "by"] },
  ),
  fc.constant({ kind: "host" as const }),
);

export const actionState: fc.Arbitrary<ActionState> = fc.oneof(
  fc.constantFrom<ActionState[]>({ state: "pending" }, { state: "expired" }, { state: "cancelled" }),
  fc.record({
    state: fc.constantFrom("performing" as const, "done" as const, "interrupted" as const),
    decision,
  }),
  fc.record({ state: fc.constant("failed" as const), decision, error: foreignText }),
  fc.record(
    { state: fc.constant("rejected" as const), by: foreignName, reason: foreignText },
    { requiredKeys: ["state", "by"] },
  ),
);
