import { describe, expect, it } from "vitest";
import type { RunningAgent } from "../../../src/status/ask.js";
import { statusLines } from "../../../src/status/lines.js";
import { STATUS } from "../server/support.js";

const NOW = Date.parse("2026-11-30T18:00:00Z");

const lines = (changes: Partial<RunningAgent> = {}): string[] =>
  statusLines({ ...STATUS, process: 123, url: "http://127.0.0.1:5226/mcp", ...changes }, NOW, "UTC");

describe("the status for a person", () => {
  it("is a few aligned lines", () => {
    expect(lines()).toEqual([
      'Agent "my-agent" is running since 12:00 (process 123).',
      "Name:          My Agent",
      "URL:           http://127.0.0.1:5226/mcp",
      "Owners:        Alice",
      "Approval mode: requests, 23 hours to decide",
      "Chats:         2",
      "Pending:       1 action",
      "Version:       1.0.0",
    ]);
  });

  it("has the date of another day", () => {
    expect(lines({ since: "2026-11-29T12:00:00.000Z" })[0]).toContain("since 2026-11-29 12:00 ");
  });

  it("names all owners, or tells that there is none", () => {
    expect(lines({ owners: ["Alice", "Bob"] })).toContain("Owners:        Alice, Bob");
    expect(lines({ owners: [] })).toContain("Owners:        none yet: nobody can approve");
  });

  it("tells of a host's approvals that nobody decides", () => {
    expect(lines({ approve: "host" })).toContain("Approval mode: host");
  });

  it("lists what needs no further approval, and what is left of it", () => {
    const at = "2026-11-30T12:00:00.000Z";
    const shown = lines({
      approvals: [
        { chat: "@4", name: "Bob", of: "messages", by: "Alice", at, until: "2026-11-30T20:05:00.000Z" },
        { chat: "#9", name: "a\nb", of: "downloads", by: "Alice", at, left: 9 },
        { chat: "#9", name: "Trail", of: "messages", by: "Alice", at },
      ],
    });
    expect(shown.slice(6, 9)).toEqual([
      "Approved:      messages to Bob (@4) by Alice until 20:05",
      "               downloads from a␤b (#9) by Alice, 9 more",
      "               messages to Trail (#9) by Alice",
    ]);
  });

  it("shows no control characters of a name", () => {
    const shown = lines({ name: "\u001b[2J", owners: ["a\nAgent", "\u202Eb"] });
    expect(shown).toContain("Name:          \\u{1B}[2J");
    expect(shown).toContain("Owners:        a␤Agent, \\u{202E}b");
  });
});
