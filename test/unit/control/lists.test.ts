import { describe, expect, test } from "vitest";
import type { ActionFields } from "../../../src/actions/action.js";
import { chatList, helpText, type ListedChat, pendingList } from "../../../src/control/texts/lists.js";
import { bytesTooLong } from "../../../src/core/limits.js";
import { parseMarkdown } from "../../../src/simulator/text/markdown.js";
import { formatTime } from "../../../src/text/format.js";

const inControlChat = (text: string, edit: boolean) =>
  bytesTooLong({ chat: "group", content: { type: "text", text }, edit });
const now = Date.parse("2026-12-01T13:00:00Z");
const send: ActionFields = {
  tool: "send",
  chat: "#15",
  kind: "group",
  name: "Trail",
  text: "hi",
  mentions: [],
};
const kinds: ActionFields[] = [
  send,
  { ...send, file: { path: "/a", size: 1, type: "file" } },
  { tool: "connect", target: "@directory.simplex", incognito: false, kind: "bot", name: "Directory" },
  {
    tool: "download",
    chat: "#15",
    kind: "group",
    name: "Trail",
    item: 3,
    member: "Bob",
    file: { name: "a.pdf", size: 1 },
    unknownServers: [],
  },
  { tool: "leave", chat: "#15", kind: "group", name: "Trail" },
  { tool: "leave", chat: "@4", kind: "contact", name: "Bob" },
];

describe("the pending actions", () => {
  test("are listed with when they expire, and the commands of their cards", () => {
    const entries = kinds.map((fields, index) => ({
      number: index + 1,
      fields,
      expires: now + (index === 1 ? 86_400_000 : 3_600_000),
    }));
    expect(pendingList(entries, now, inControlChat, "UTC")).toBe(
      `6 pending actions:
Action 1: send a message to group Trail (#15), until \`14:00\`
/'approve #15 1', /'approve #15 all', /'reject #15 1' or /'edit #15 1'
Action 2: send a message with a file to group Trail (#15), until \`2026-12-02 13:00\`
/'approve #15 2', /'approve #15 all', /'reject #15 2' or /'edit #15 2'
Action 3: connect to bot Directory at \`@directory.simplex\`, until \`14:00\`
/'approve 3' or /'reject 3'
Action 4: download \`a.pdf\` from group Trail (#15), until \`14:00\`
/'receive #15 4', /'receive #15 4 all', /'forward #15 4' or /'reject #15 4'
Action 5: leave group Trail (#15), until \`14:00\`
/'approve #15 5' or /'reject #15 5'
Action 6: delete contact Bob (@4), until \`14:00\`
/'approve @4 6' or /'reject @4 6'`,
    );
  });

  test("may be none", () => {
    expect(pendingList([], now, inControlChat)).toBe("No pending actions.");
  });
});

describe("the chats", () => {
  const chat = (fields: Partial<ListedChat>): ListedChat => ({
    chat: "#15",
    kind: "group",
    name: "Trail",
    unread: 0,
    ...fields,
  });

  test("are listed with what is unread and approved", () => {
    const chats = [
      chat({}),
      chat({
        chat: "#9",
        kind: "business",
        name: "index.ts",
        unread: 3,
        messagesApproved: { by: "Alice", left: 9 },
      }),
      chat({
        chat: "@4",
        kind: "bot",
        name: "Echo",
        messagesApproved: { by: "Alice" },
        filesApproved: { by: "/x", until: now + 5 * 86_400_000 },
      }),
    ];
    expect(chatList(chats, now, inControlChat)).toBe(
      `3 chats:
group Trail (#15)
business \`index.ts\` (#9), 3 unread, messages approved by Alice, 9 more /'revoke #9'
bot Echo (@4), messages approved by Alice /'revoke @4', downloads approved by \`/x\` until \`${formatTime(now + 5 * 86_400_000, now)}\` /'receive @4 off'`,
    );
    expect(chatList([], now, inControlChat)).toBe("No chats.");
  });

  test.each([150, 151, 400, 5000])("of a list too long for a message are as many of %i as fit", (amount) => {
    const chats = Array.from({ length: amount }, () => chat({ name: "x".repeat(80), unread: 12 }));
    const text = chatList(chats, now, inControlChat);
    const listed = text.split("\n").filter((line) => line.startsWith("group")).length;
    expect(inControlChat(text, false)).toBe(0);
    if (listed === amount) return;
    expect(text.endsWith(`\nand ${amount - listed} more`)).toBe(true);
    const line = text.split("\n")[1] ?? "";
    expect(inControlChat(`${text}\n${line}`, false)).toBeGreaterThan(0);
  });
});

test("the help is short, and offers to tap only what needs no argument", () => {
  expect(helpText.split("\n").every((line) => line.length < 90)).toBe(true);
  const commands = parseMarkdown(helpText)?.flatMap(({ format }) =>
    format?.type === "command" ? [format.commandStr] : [],
  );
  expect(commands).toEqual(["pause", "resume", "pending", "requests", "address", "invite", "list", "help"]);
});
