import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headersHelper } from "../../../src/register/headers-helper.js";
import { scratchFolder } from "../data-folder/folders.js";
import { cmdStarts, programArguments } from "./windows.js";

const HEADERS = '{"Authorization":"Bearer abc"}\n';
const FOLDERS = [
  "plain",
  "with spaces",
  "a 'single' and a \"double\" quote",
  "$HOME $(id) `id` $PATH",
  "back\\slash\\",
  "é ü 漢 🦊",
  "# ! ~ * ? [a] {b,c} ; & | < > ( )",
  "100% %PATH% ^caret",
  "line\nfeed",
  "-e",
];
const ELSEWHERE = { platform: "linux" } as const;

/** What a shell prints for the command, as clients run it. */
async function printed(shell: string, command: string): Promise<string> {
  return (await promisify(execFile)(shell, ["-c", command])).stdout;
}

async function headersIn(folder: string): Promise<string> {
  const path = join(await scratchFolder(), folder);
  await mkdir(path);
  await writeFile(join(path, "headers.json"), HEADERS);
  return join(path, "headers.json");
}

describe("the command that reads the headers", () => {
  it("is cat with the path, quoted only where needed", () => {
    const machine = { ...ELSEWHERE, node: "/usr/bin/node" };
    const helper = (path: string) => headersHelper(path, machine, true);
    expect(helper("/home/me/.simplex-mcp/my-agent/headers.json")).toBe(
      "cat /home/me/.simplex-mcp/my-agent/headers.json",
    );
    expect(helper("/home/it's me/headers.json")).toBe("cat '/home/it'\\''s me/headers.json'");
  });

  it.each(FOLDERS)("prints the file in the folder %j by cat", async (folder) => {
    const path = await headersIn(folder);
    const helper = headersHelper(path, { ...ELSEWHERE, node: process.execPath }, true);
    expect(await printed("sh", helper)).toBe(HEADERS);
  });

  it.each(FOLDERS)("prints the file in the folder %j by Node.js where there is no cat", async (folder) => {
    const path = await headersIn(folder);
    const helper = headersHelper(path, { ...ELSEWHERE, node: process.execPath }, false);
    expect(helper).not.toContain("cat ");
    expect(await printed("sh", helper)).toBe(HEADERS);
  });

  it.each(FOLDERS)("prints the file in the folder %j in the bash of Windows", async (folder) => {
    const path = await headersIn(folder);
    const helper = headersHelper(path, { platform: "win32", node: process.execPath }, true);
    expect(await printed("bash", helper)).toBe(HEADERS);
  });

  it.each(FOLDERS)("gives Node.js the script for the folder %j through cmd.exe", async (folder) => {
    const path = await headersIn(folder);
    const helper = headersHelper(path, { platform: "win32", node: "C:\\Program Files\\node.exe" }, true);
    // As Node runs a command in a shell on Windows.
    const { command, rest } = cmdStarts(`"${helper}"`, { PATH: "C:\\Windows" });
    expect(command).toBe('"C:/Program Files/node.exe"');
    const { stdout } = await promisify(execFile)(process.execPath, programArguments(rest));
    expect(stdout).toBe(HEADERS);
  });

  it("takes Node.js from the PATH where a shell would change its path", () => {
    for (const node of ["C:\\100%\\node.exe", "C:\\$x\\node.exe", "C:\\`\\node.exe", "C:\\a&b\\node.exe"]) {
      expect(headersHelper("C:\\x", { platform: "win32", node }, true)).toMatch(/^node -e "/);
    }
    expect(headersHelper("C:\\x", { platform: "win32", node: "D:\\José (x86)\\node.exe" }, true)).toMatch(
      /^"D:\/José \(x86\)\/node\.exe" -e "/,
    );
  });

  it("has nothing of the path in the script but plain characters", () => {
    const machine = { platform: "win32", node: "node.exe" } as const;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (path) => {
        const [, script = ""] = /^"node\.exe" -e "(.*)"$/s.exec(headersHelper(path, machine, true)) ?? [];
        const [, plain = ""] = /readFileSync\('(.*)'\)\)$/s.exec(script) ?? [];
        expect(plain).toMatch(/^(?:[A-Za-z0-9/:._ -]|\\u[0-9A-F]{4})*$/);
        expect(JSON.parse(`"${plain}"`)).toBe(path);
      }),
    );
  });
});
