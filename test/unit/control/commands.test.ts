import { describe, expect, test } from "vitest";
import { type OwnerCommand, parseOwnerCommand } from "../../../src/control/commands/commands.js";

const commands: [string, OwnerCommand][] = [
  ["/approve 12", { kind: "approve", number: 12 }],
  ["/approve #15 12", { kind: "approve", number: 12, chat: "#15" }],
  ["/approve @4 12", { kind: "approve", number: 12, chat: "@4" }],
  ["/approve #15 all", { kind: "approveAll", chat: "#15" }],
  ["/approve #15 12 all", { kind: "approveAll", chat: "#15", number: 12 }],
  ["/approve #15 all 2h", { kind: "approveAll", chat: "#15", limit: { ms: 7_200_000 } }],
  ["/approve #15 all 1M", { kind: "approveAll", chat: "#15", limit: { ms: 60_000 } }],
  ["/approve #15 all 30d", { kind: "approveAll", chat: "#15", limit: { ms: 2_592_000_000 } }],
  ["/approve #15 all 10", { kind: "approveAll", chat: "#15", limit: { count: 10 } }],
  ["/approve #15 12 all 10", { kind: "approveAll", chat: "#15", number: 12, limit: { count: 10 } }],
  ["/receive #15 12 all 2h", { kind: "receiveAll", chat: "#15", number: 12, limit: { ms: 7_200_000 } }],
  ["/leave @4 kdfam", { kind: "leave", chat: "@4", code: "kdfam" }],
  ["/delete #15 files kdfam", { kind: "deleteFiles", chat: "#15", code: "kdfam" }],
  ["/reject 12", { kind: "reject", number: 12 }],
  ["/reject #15 12", { kind: "reject", number: 12, chat: "#15" }],
  ["/reject 12 Not now, please", { kind: "reject", number: 12, reason: "Not now, please" }],
  ["/reject @4 12 13 is better", { kind: "reject", number: 12, chat: "@4", reason: "13 is better" }],
  ["/revoke #15", { kind: "revoke", chat: "#15" }],
  ["/receive #15 12", { kind: "receive", chat: "#15", number: 12 }],
  ["/receive #15 12 all", { kind: "receiveAll", chat: "#15", number: 12 }],
  ["/receive #15 off", { kind: "receiveOff", chat: "#15" }],
  ["/forward #15 12", { kind: "forward", chat: "#15", number: 12 }],
  ["/leave @4", { kind: "leave", chat: "@4" }],
  ["/delete #15 files", { kind: "deleteFiles", chat: "#15" }],
  ["/address", { kind: "address" }],
  ["/address auto", { kind: "address", to: "auto" }],
  ["/address ask", { kind: "address", to: "ask" }],
  ["/address off", { kind: "address", to: "off" }],
  ["/invite", { kind: "invite" }],
  ["/invite off", { kind: "inviteOff" }],
  ["/requests", { kind: "requests" }],
  ["/pending", { kind: "pending" }],
  ["/list", { kind: "list" }],
  ["/help", { kind: "help" }],
];

describe("an owner's message", () => {
  test.each(commands)("%s is a command", (text, command) => {
    expect(parseOwnerCommand(text)).toEqual(command);
  });

  test.each(commands)("%s is one with its quotation marks, too", (text, command) => {
    expect(parseOwnerCommand(`/'${text.slice(1)}'`)).toEqual(command);
    expect(parseOwnerCommand(`/‘${text.slice(1)}’`)).toEqual(command);
  });

  test("may have any case and extra blanks", () => {
    expect(parseOwnerCommand("  / APPROVE   #15\u00A0 All \n")).toEqual({ kind: "approveAll", chat: "#15" });
  });

  test("keeps the case, blanks and lines of a reason", () => {
    expect(parseOwnerCommand("/Reject 3\nNo.  Ask\nBob ")).toEqual({
      kind: "reject",
      number: 3,
      reason: "No.  Ask\nBob",
    });
  });

  test.each([
    ["/approve", "`/approve N`, `/approve CHAT N` or `/approve CHAT all`"],
    ["/approve all", "`/approve N`, `/approve CHAT N` or `/approve CHAT all`"],
    ["/address on", "`/address`, `/address auto`, `/address ask` or `/address off`"],
    ["/address auto please", "`/address`, `/address auto`, `/address ask` or `/address off`"],
    ["/invite Bob", "`/invite` or `/invite off`"],
    ["/requests 3", "`/requests`"],
    ["/approve 12 please", "`/approve N`, `/approve CHAT N` or `/approve CHAT all`"],
    ["/reject", "`/reject N` or `/reject CHAT N`, with a reason at the end or without"],
    ["/reject #15 because", "`/reject N` or `/reject CHAT N`, with a reason at the end or without"],
    ["/revoke", "`/revoke CHAT`"],
    ["/revoke 15", "`/revoke CHAT`"],
    ["/revoke #15 12", "`/revoke CHAT`"],
    ["/receive 12", "`/receive CHAT N`, `/receive CHAT N all` or `/receive CHAT off`"],
    ["/receive #15 all", "`/receive CHAT N`, `/receive CHAT N all` or `/receive CHAT off`"],
    ["/receive #15 off now", "`/receive CHAT N`, `/receive CHAT N all` or `/receive CHAT off`"],
    ["/receive #15 12 all now", "`/receive CHAT N`, `/receive CHAT N all` or `/receive CHAT off`"],
    ["/forward 12", "`/forward CHAT N`"],
    ["/forward #15 12 all", "`/forward CHAT N`"],
    ["/leave Trail", "`/leave CHAT`"],
    ["/delete #15", "`/delete CHAT files`"],
    ["/delete files", "`/delete CHAT files`"],
    ["/pending 1", "`/pending`"],
    ["/list all", "`/list`"],
    ["/help me", "`/help`"],
  ])("%s is answered with the form of the command", (text, form) => {
    expect(parseOwnerCommand(text)).toEqual({ kind: "malformed", form });
  });

  test.each([
    "/approve 12.",
    "/approve +12",
    "/approve -12",
    "/approve 012",
    "/approve 0",
    "/approve 1e3",
    "/approve 0x1",
    "/approve 12\u200B",
    "/approve \uFF11\uFF12",
    "/approve 9007199254740993",
    "/approve #0 12",
    "/approve 15 12",
    "/approve ##15 12",
    "/approve #15 #16 12",
    "/approve #15all",
    "/approve 12\nand 13",
    "/approve\n12",
    "/'approve 12' or /'reject 12'",
    "/approve #15 all 0",
    "/approve #15 all 0h",
    "/approve #15 all 31d",
    "/approve #15 all 721h",
    "/approve #15 all 2w",
    "/approve #15 all 2 h",
    "/approve #15 all 1.5h",
    "/approve #15 all 010",
    "/approve #15 all 10001",
    "/approve #15 all all",
    "/approve #15 12 all 2h 10",
    "/approve 12 all",
    "/receive #15 all 10",
  ])("%j approves nothing", (text) => {
    expect(parseOwnerCommand(text)).toMatchObject({ kind: "malformed" });
  });

  test.each(["/aprove 12", "/start", "/approve12", "/approve#15 12", "/'hello'"])(
    "%s is an unknown command",
    (text) => {
      expect(parseOwnerCommand(text)).toEqual({ kind: "unknown" });
    },
  );

  test.each([
    ["/'reject 12' too early", { kind: "reject", number: 12, reason: "too early" }],
    ['/‘reject @4 12’ it\'s "odd"', { kind: "reject", chat: "@4", number: 12, reason: 'it\'s "odd"' }],
    ["/'reject 12 don't'", { kind: "reject", number: 12, reason: "don't" }],
  ])("%s has a reason after the tapped command, or in it", (text, command) => {
    expect(parseOwnerCommand(text)).toEqual(command);
  });

  test.each([
    "",
    "/",
    "approve 12",
    "please /approve 12",
    "> /approve 12",
    "`/approve 12`",
    "/home/alice/notes.txt",
    "//approve 12",
    "/'approve 12",
    "/shrug is what I say\nto this",
    "\u200B/approve 12",
  ])("%j is no command", (text) => {
    expect(parseOwnerCommand(text)).toBeUndefined();
  });
});
