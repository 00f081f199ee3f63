import { describe, expect, it } from "vitest";
import { registerAgain, registerHint, serveHint } from "../../../src/terminal/hints.js";
import { ownerLinkLines } from "../../../src/terminal/lines.js";
import { programCall } from "../../../src/terminal/program.js";

describe("the lines with the owner's link", () => {
  const LINK = "https://smp.example:5223/a#abcdefghijklmnopqrstuvwxyz0123456789abcdefg";
  const lines = (size: "normal" | "small", columns?: number): string[] =>
    ownerLinkLines(LINK, { displayName: "My Agent", size, columns });
  const SMALL = lines("small");
  const width = (code = ""): number =>
    Math.max(...code.split("\n").map((line) => line.replace(/\u001b\[\d+m/g, "").length));

  it("have the code as large as the terminal can show it", () => {
    const [, normal] = lines("normal");
    const columns = width(normal);
    expect(columns).toBeGreaterThan(50);
    expect(lines("normal", columns)[1]).toBe(normal);
    expect(lines("normal", 200)).toEqual(lines("normal"));
    // Narrower, its lines would wrap, and no camera could read it.
    expect(lines("normal", columns - 1)).toEqual(SMALL);
  });

  it("have the small code in any terminal", () => {
    expect(lines("small", 10)).toEqual(SMALL);
    expect(SMALL[3]).toBe("If the QR code does not scan, paste the link in the app.");
  });
});

describe("a command to copy", () => {
  it("names the data folder, where one was given, as a shell reads it", () => {
    expect(registerHint("a", undefined)).toBe(
      "Add the agent to Claude Code: npx -y @simplex-chat/mcp register a",
    );
    expect(registerAgain("a", "/my data")).toBe(
      "Run `npx -y @simplex-chat/mcp register a --data '/my data'` again.",
    );
    expect(serveHint("a", "/data")).toBe("Start it with: npx -y @simplex-chat/mcp serve a --data /data");
  });

  it("calls the program as it is there: installed by npm, or in a clone", () => {
    for (const installed of [
      "/home/a/.npm/_npx/0123/node_modules/@simplex-chat/mcp/bin/simplex-mcp.cjs",
      "C:\\Users\\a\\node_modules\\@simplex-chat\\mcp\\bin\\simplex-mcp.cjs",
    ]) {
      expect(programCall(installed)).toBe("npx -y @simplex-chat/mcp");
    }
    expect(programCall("/home/a/simplex mcp/bin/simplex-mcp.cjs")).toBe(
      "node '/home/a/simplex mcp/bin/simplex-mcp.cjs'",
    );
    expect(programCall()).toMatch(/^node \S*bin.simplex-mcp\.cjs$/);
  });
});
