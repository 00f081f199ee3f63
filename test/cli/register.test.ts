import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { CLIENTS } from "../../src/register/clients.js";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { computer, listening } from "./agent.js";
import { appWithoutLibrary } from "./app.js";
import { CoreHost } from "./core-host.js";
import { temporaryFolder } from "./folders.js";
import { type Run, run, withoutTimes } from "./program.js";

const URL = "http://127.0.0.1:5226/mcp";
const TOKEN = "t".repeat(43);
const DATA = ".simplex-mcp/my-agent";

let home: string;
let data: string;
let bin: string;
beforeEach(async () => {
  home = await temporaryFolder();
  data = join(home, DATA);
  bin = join(home, "bin");
  await mkdir(bin);
  // All of the PATH, so that no Claude Code of this machine is found.
  const { stdout } = await promisify(execFile)("sh", ["-c", "command -v cat"]);
  await symlink(stdout.trim(), join(bin, "cat"));
});

const register = (...args: string[]): Promise<Run> =>
  run({ app: appWithoutLibrary(), args: ["register", "my-agent", ...args], home, env: { PATH: bin } });

/** What a start leaves in the data folder. */
async function started(folder = data): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "token"), TOKEN);
  await writeFile(join(folder, "headers.json"), JSON.stringify({ Authorization: `Bearer ${TOKEN}` }));
  const server = { url: URL, port: 5226, expireHours: 23, version: "0.1.0", approve: "requests" };
  await writeFile(join(folder, "server.json"), JSON.stringify(server));
}

/** A `claude` that writes its arguments down, and then does what `script` says. */
async function standInClaude(script = ""): Promise<void> {
  const record = `require("node:fs").appendFileSync(${JSON.stringify(join(home, "calls"))}, JSON.stringify(args) + "\\n");`;
  const path = join(bin, "claude");
  await writeFile(path, `#!${process.execPath}\nconst args = process.argv.slice(2);\n${record}\n${script}\n`);
  await chmod(path, 0o755);
}

async function calls(): Promise<string[][]> {
  const lines = (await readFile(join(home, "calls"), "utf8")).split("\n").slice(0, -1);
  return lines.map((line) => z.array(z.string()).parse(JSON.parse(line)));
}

const entryFor = (folder: string) => ({
  type: "http",
  url: URL,
  headersHelper: `cat ${folder}/headers.json`,
  timeout: 169_800_000,
});

describe("register", () => {
  it("adds the agent to Claude Code for the user", async () => {
    await started();
    await standInClaude(
      'if (args[1] === "remove") { console.error("No MCP server"); process.exitCode = 1; }',
    );
    expect(await register()).toEqual({
      code: 0,
      signal: null,
      stdout: "Added to Claude Code: scope user, server simplex-my-agent.\n",
      stderr: "",
    });
    expect(await calls()).toEqual([
      ["mcp", "remove", "--scope", "user", "simplex-my-agent"],
      ["mcp", "add-json", "--scope", "user", "simplex-my-agent", JSON.stringify(entryFor(data))],
    ]);
  });

  it("takes another scope and another data folder, as seen from the current one", async () => {
    await started(join(home, "other"));
    await standInClaude();
    const { stdout } = await register("--scope", "project", "--data", "other");
    expect(stdout).toBe("Added to Claude Code: scope project, server simplex-my-agent.\n");
    const [, [, , , scope, , json = ""] = []] = await calls();
    expect({ scope, entry: JSON.parse(json) }).toEqual({
      scope: "project",
      entry: entryFor(join(home, "other")),
    });
  });

  it("tells in one line to start an agent that never was, with its data folder", async () => {
    const hint = 'Agent "my-agent" was never started. Start it with: npx -y @simplex-chat/mcp serve my-agent';
    for (const [args, line] of [
      [[], hint],
      [["--data", "my data"], `${hint} --data '${join(home, "my data")}'`],
    ] as const) {
      const { code, stdout, stderr } = await register(...args);
      expect({ code, stdout, lines: withoutTimes(stderr) }).toEqual({ code: 1, stdout: "", lines: [line] });
    }
    expect(await readdir(home)).toEqual(["bin"]);
  });

  it.each([
    [[], '"mcpServers" in ~/.claude.json'],
    [["--scope", "project"], '"mcpServers" in .mcp.json'],
    [["--scope", "local"], '"projects", HOME, "mcpServers" in ~/.claude.json'],
  ])("tells what to add where there is no Claude Code, with %j", async (args, place) => {
    await started();
    const { code, stdout, stderr } = await register(...args);
    const json = JSON.stringify({ "simplex-my-agent": entryFor(data) });
    const where = place.replace("HOME", JSON.stringify(home));
    expect({ code, stdout, lines: withoutTimes(stderr) }).toEqual({
      code: 1,
      stdout: "",
      lines: [`Add this entry under ${where}: ${json}`],
    });
  });

  it("needs no more of another account's agent than server.json and headers.json, for opencode token", async () => {
    await started();
    await rm(join(data, "token"));
    await standInClaude();
    for (const client of CLIENTS) {
      const { code, stdout } = await register("--client", client);
      expect({ client, code }).toEqual({ client, code: 0 });
      expect(stdout.includes(join(data, "token"))).toBe(client === "opencode");
    }
    expect((await readdir(data)).sort()).toEqual(["headers.json", "server.json"]);
  });

  it("tells in one line what Claude Code did not like", async () => {
    await started();
    await standInClaude(
      'if (args[1] === "add-json") { console.error("No.\\nNot so."); process.exitCode = 1; }',
    );
    const { code, stdout, stderr } = await register();
    expect({ code, stdout, lines: withoutTimes(stderr) }).toEqual({
      code: 1,
      stdout: "",
      lines: ["claude mcp add-json failed: No. Not so."],
    });
  });

  it("tells of a damaged server.json", async () => {
    await started();
    await writeFile(join(data, "server.json"), "{}");
    const { code, stderr } = await register();
    expect(code).toBe(1);
    expect(withoutTimes(stderr)).toEqual([
      `${join(data, "server.json")} is damaged. Delete it and start the agent again: it is written anew.`,
    ]);
  });

  it("prints what other clients need, writes nothing, and starts nothing", async () => {
    await started();
    await standInClaude();
    const before = [await readdir(home), await readdir(data)];
    for (const client of CLIENTS.filter((name) => name !== "claude-code")) {
      const { code, stdout, stderr } = await register("--client", client);
      expect({ client, code, stderr }).toEqual({ client, code: 0, stderr: "" });
      expect(stdout).toMatch(/^Add this to .+:\n\n/);
      expect(stdout).toContain("simplex-my-agent");
      expect([URL, '"bridge",\n        "my-agent"'].some((way) => stdout.includes(way))).toBe(true);
    }
    expect([await readdir(home), await readdir(data)]).toEqual(before);
  });

  it("shows the token nowhere: not in its output, nor on a command line", async () => {
    await started();
    for (const client of CLIENTS) {
      const { stdout, stderr } = await register("--client", client);
      expect(stdout + stderr).not.toContain(TOKEN);
    }
    await standInClaude('console.error(args.join(" ")); process.exitCode = 1;');
    const { stderr } = await register();
    expect(stderr).toContain("claude mcp add-json failed");
    expect(stderr + JSON.stringify(await calls())).not.toContain(TOKEN);
  });

  it.each([
    ["an unknown client", ["--client", "netscape"]],
    ["an unknown scope", ["--scope", "world"]],
    ["a local scope in a client that has none", ["--client", "codex", "--scope", "local"]],
  ])("refuses %s", async (_what, args) => {
    await started();
    const { code, stdout, stderr } = await register(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n\(--help shows the options\)\n$/);
  });
});

describe("a registered agent", () => {
  it("takes the header that its command prints", async () => {
    const at = await computer(await CoreHost.listen(new SimulatedNetwork()));
    await listening(at);
    await standInClaude();
    expect(await register("--data", join(at.home, "data"))).toMatchObject({ code: 0 });
    const [, [, , , , , json = ""] = []] = await calls();
    const { url, headersHelper } = z
      .object({ url: z.url(), headersHelper: z.string() })
      .parse(JSON.parse(json));
    const { stdout } = await promisify(execFile)("sh", ["-c", headersHelper]);
    const headers = z.record(z.string(), z.string()).parse(JSON.parse(stdout));
    expect((await fetch(url, { method: "DELETE" })).status).toBe(401);
    // Understood, but there is no such session.
    expect((await fetch(url, { method: "DELETE", headers })).status).not.toBe(401);
  });
});
