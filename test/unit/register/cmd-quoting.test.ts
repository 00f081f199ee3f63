import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cmdArguments } from "../../../src/register/cmd-quoting.js";
import { cmdStarts, scriptPasses } from "./windows.js";

/** What the script is, and what the program behind it gets. */
function arrival(script: string, args: readonly string[], env?: Record<string, string>) {
  const [, , , line = ""] = cmdArguments(script, args);
  const { command, rest } = cmdStarts(line, env);
  return { command, args: scriptPasses(rest) };
}

describe("a command line for cmd.exe", () => {
  it("runs without AutoRun commands and loses only its outer quotes", () => {
    expect(cmdArguments("C:\\claude.cmd", ["mcp"])).toEqual([
      "/d",
      "/s",
      "/c",
      '"C:\\claude.cmd ^^^"mcp^^^""',
    ]);
  });

  it.each([
    "C:\\npm\\claude.cmd",
    "C:\\Program Files (x86)\\npm & co\\claude.cmd",
    "C:\\Users\\José\\npm,1\\claude.cmd",
  ])("finds the script %s", (script) => {
    expect(arrival(script, ["a"])).toEqual({ command: script, args: ["a"] });
  });

  it("carries JSON with a command in it", () => {
    const json = JSON.stringify({ helper: `"C:/a b/node.exe" -e "f('C:\\u005Cx')" & calc > out` });
    expect(arrival("claude.cmd", ["add-json", json])).toMatchObject({ args: ["add-json", json] });
  });

  it("names no variable", () => {
    const env = { PATH: "C:\\Windows" };
    expect(arrival("claude.cmd", ["%PATH%", "100%"], env)).toMatchObject({ args: ["%PATH%", "100%"] });
  });

  it("carries any arguments of one line", () => {
    const argument = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."\\\"^&|<>()!,;=*?[]{} `'$ab"), maxLength: 12 }),
      fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !/[\p{Cc}%]/u.test(text)),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
        expect(arrival("C:\\npm\\claude.cmd", args)).toEqual({ command: "C:\\npm\\claude.cmd", args });
      }),
    );
  });
});
