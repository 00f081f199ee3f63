import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { addToClaudeCode } from "../../../src/register/claude-code.js";
import type { Scope } from "../../../src/register/clients.js";
import type { Machine } from "../../../src/register/machine.js";
import { scratchFolder } from "../data-folder/folders.js";
import { registration } from "./registrations.js";
import { cmdStarts, scriptPasses } from "./windows.js";

const ENTRY =
  '{"type":"http","url":"http://127.0.0.1:5226/mcp","headersHelper":"cat /data/headers.json","timeout":169800000}';

let folder: string;
let machine: Machine;
beforeEach(async () => {
  folder = await scratchFolder();
  machine = { platform: "linux", env: { PATH: folder }, node: process.execPath, cwd: folder };
});

/** A program on the PATH that writes its arguments down and runs `script` on them. */
async function standIn(name: string, script = ""): Promise<void> {
  const path = join(folder, name);
  const record = `require("node:fs").appendFileSync(${JSON.stringify(join(folder, "calls"))}, JSON.stringify(args) + "\\n");`;
  await writeFile(path, `#!${process.execPath}\nconst args = process.argv.slice(2);\n${record}\n${script}\n`);
  await chmod(path, 0o755);
}

async function calls(): Promise<string[][]> {
  const text = await readFile(join(folder, "calls"), "utf8").catch(() => "");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe("adding an agent to Claude Code", () => {
  it("replaces the registration by Claude Code's own command", async () => {
    await standIn("claude");
    expect(await addToClaudeCode(registration(), "user", machine)).toBe(
      "Added to Claude Code: scope user, server simplex-my-agent.",
    );
    expect(await calls()).toEqual([
      ["mcp", "remove", "--scope", "user", "simplex-my-agent"],
      ["mcp", "add-json", "--scope", "user", "simplex-my-agent", ENTRY],
    ]);
  });

  it("goes on where there was none to remove", async () => {
    await standIn("claude", 'if (args[1] === "remove") process.exitCode = 1;');
    expect(await addToClaudeCode(registration(), "local", machine)).toBe(
      "Added to Claude Code: scope local, server simplex-my-agent.",
    );
    expect(await calls()).toHaveLength(2);
  });

  it("tells in one line what the command said", async () => {
    await standIn(
      "claude",
      'if (args[1] === "add-json") { console.error("It is\\n  \\u001b[31mbroken.\\n"); process.exitCode = 3; }',
    );
    await expect(addToClaudeCode(registration(), "user", machine)).rejects.toThrow(
      /^claude mcp add-json failed: It is \\u\{1B\}\[31mbroken\.$/,
    );
  });

  it("tells what the command said on stdout, or else its exit code", async () => {
    await standIn("claude", 'console.log("Told here."); process.exitCode = 1;');
    await expect(addToClaudeCode(registration(), "user", machine)).rejects.toThrow(
      /^claude mcp add-json failed: Told here\.$/,
    );
    await standIn("claude", "process.exitCode = 4;");
    await expect(addToClaudeCode(registration(), "user", machine)).rejects.toThrow(
      /^claude mcp add-json failed: exit code 4$/,
    );
  });

  it("tells why the command cannot be run", async () => {
    await writeFile(join(folder, "claude"), "#!/nowhere/interpreter\n");
    await chmod(join(folder, "claude"), 0o755);
    await expect(addToClaudeCode(registration(), "user", machine)).rejects.toThrow(
      /claude could not be run: .*ENOENT/,
    );
  });
});

describe("without Claude Code's command", () => {
  const added = (scope: Scope, at = machine) => addToClaudeCode(registration(), scope, at);
  const json = `{"simplex-my-agent":${ENTRY}}`;

  it("the entry for the user is told", async () => {
    await expect(added("user")).rejects.toMatchObject({
      message: `Add this entry under "mcpServers" in ~/.claude.json: ${json}`,
    });
  });

  it("the entry for the project is told", async () => {
    await expect(added("project")).rejects.toMatchObject({
      message: `Add this entry under "mcpServers" in .mcp.json: ${json}`,
    });
  });

  it("the local entry is told with the project's folder", async () => {
    await mkdir(join(folder, ".git"));
    const cwd = join(folder, "src");
    await mkdir(cwd);
    await expect(added("local", { ...machine, cwd })).rejects.toMatchObject({
      message: `Add this entry under "projects", "${folder}", "mcpServers" in ~/.claude.json: ${json}`,
    });
  });

  it("the file is the one of another configuration folder", async () => {
    const env = { PATH: folder, CLAUDE_CONFIG_DIR: "/etc/claude" };
    await expect(added("user", { ...machine, env })).rejects.toThrow(
      'under "mcpServers" in /etc/claude/.claude.json: ',
    );
  });
});

describe("on Windows", () => {
  beforeEach(() => {
    machine = { ...machine, platform: "win32", env: { PATH: folder, ComSpec: join(folder, "cmd.exe") } };
  });

  it("a claude.exe is run as it is", async () => {
    await standIn("claude.exe");
    await standIn("cmd.exe", "process.exitCode = 1;");
    await addToClaudeCode(registration(), "user", machine);
    expect((await calls())[1]).toEqual(["mcp", "add-json", "--scope", "user", "simplex-my-agent", ENTRY]);
  });

  it("a claude.cmd is run by cmd.exe and gets its arguments as they are", async () => {
    await standIn("claude.cmd", "process.exitCode = 1;");
    await standIn("cmd.exe");
    const headersHelper = `"C:/a b/node.exe" -e "f('C:\\u005Cx & y')"`;
    await addToClaudeCode({ ...registration(), headersHelper }, "user", machine);
    const started = (await calls()).map((args) => {
      expect(args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
      const { command, rest } = cmdStarts(args[3] ?? "");
      expect(command).toBe(join(folder, "claude.cmd"));
      return scriptPasses(rest);
    });
    expect(started).toEqual([
      ["mcp", "remove", "--scope", "user", "simplex-my-agent"],
      ["mcp", "add-json", "--scope", "user", "simplex-my-agent", expect.any(String)],
    ]);
    expect(JSON.parse(started[1]?.[5] ?? "")).toMatchObject({ headersHelper });
  });

  it("the local entry is told with slashes", async () => {
    const cwd = `${folder}\\src`;
    await expect(addToClaudeCode(registration(), "local", { ...machine, cwd })).rejects.toThrow(
      `"projects", "${folder}/src", "mcpServers"`,
    );
  });
});
