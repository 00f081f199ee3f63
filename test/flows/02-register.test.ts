import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { z } from "zod";
import type { Machine } from "../../src/register/machine.js";
import { type RegisterFlags, registerAgent } from "../../src/register/register.js";
import type { TestAgent } from "../world/agent.js";
import { ERAS, TestClient } from "../world/client.js";
import { flow } from "../world/flow-test.js";

const NAME = "simplex-my-agent";
const Entry = z.strictObject({
  type: z.literal("http"),
  url: z.url(),
  headersHelper: z.string(),
  timeout: z.int(),
});

let bin: string;
beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), "simplex-mcp-bin-"));
});
afterEach(() => rm(bin, { recursive: true }));

/** A `claude` that writes its arguments down, and knows no server to remove. */
async function standInClaude(addCode = 0): Promise<void> {
  const script = `#!${process.execPath}
const args = process.argv.slice(2);
require("node:fs").appendFileSync(${JSON.stringify(join(bin, "calls"))}, JSON.stringify(args) + "\\n");
process.exitCode = args[1] === "remove" ? 1 : ${addCode};
`;
  await writeFile(join(bin, "claude"), script);
  await chmod(join(bin, "claude"), 0o755);
}

async function calls(): Promise<string[][]> {
  const lines = (await readFile(join(bin, "calls"), "utf8")).split("\n").slice(0, -1);
  return lines.map((line) => z.array(z.string()).parse(JSON.parse(line)));
}

function register(agent: TestAgent, flags: Partial<RegisterFlags> = {}): Promise<string> {
  const machine: Machine = {
    platform: process.platform,
    env: { PATH: `${bin}:/usr/bin:/bin` },
    node: process.execPath,
    cwd: bin,
  };
  return registerAgent(
    agent.name,
    { client: "claude-code", scope: "user", data: agent.folder, ...flags },
    machine,
  );
}

/** What Claude Code does with an entry: the command that prints the headers, and then the URL. */
async function headersOf(helper: string): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)("sh", ["-c", helper]);
  return z.record(z.string(), z.string()).parse(JSON.parse(stdout));
}

describe.each(ERAS)("register, and a client of the %s era", (era) => {
  flow("the client connects by the entry that Claude Code was given", async ({ world }) => {
    await standInClaude();
    const { agent } = await world.agentWithOwner();
    await world.settle();
    agent.newCommands();
    expect(await register(agent)).toBe(`Added to Claude Code: scope user, server ${NAME}.`);
    const [removed, [...added] = []] = await calls();
    expect(removed).toEqual(["mcp", "remove", "--scope", "user", NAME]);
    const json = added.pop() ?? "";
    expect(added).toEqual(["mcp", "add-json", "--scope", "user", NAME]);
    const entry = Entry.parse(JSON.parse(json));
    // 23 hours to decide and 24 to answer, with ten minutes to spare.
    expect(entry).toMatchObject({ url: agent.server.url, timeout: (23 + 24) * 3_600_000 + 600_000 });
    expect(json).not.toContain(agent.server.token);
    const headers = await headersOf(entry.headersHelper);
    expect(headers).toEqual({ Authorization: `Bearer ${agent.server.token}` });
    // Nothing of this asked anything of the core.
    expect(agent.newCommands()).toEqual([]);
    const client = await TestClient.connect(era, entry.url, headers);
    expect(await client.use("list")).toMatchObject({ isError: false, data: { chats: [] } });
    await client.close();
  });

  flow("the entry still fits after the server was started again", async ({ world }) => {
    await standInClaude();
    const { agent } = await world.agentWithOwner();
    await register(agent);
    const [, [, , , , , json = ""] = []] = await calls();
    const { url, headersHelper } = Entry.parse(JSON.parse(json));
    await agent.restart();
    const client = await TestClient.connect(era, url, await headersOf(headersHelper));
    expect(await client.use("list")).toMatchObject({ isError: false });
    await client.close();
  });
});

describe("register", () => {
  flow("tells what Claude Code said when it took no entry", async ({ world }) => {
    await standInClaude(3);
    const { agent } = await world.agentWithOwner();
    await expect(register(agent)).rejects.toThrow(/^claude mcp add-json failed: exit code 3$/);
  });

  flow("tells the entry to add by hand where there is no Claude Code", async ({ world }) => {
    const { agent } = await world.agentWithOwner();
    const told = await register(agent).then(
      () => "",
      (error: unknown) => String(error),
    );
    const [, json = "{}"] =
      /Add this entry under "mcpServers" in ~\/\.claude\.json: (\{.*\})$/.exec(told) ?? [];
    const { url } = Entry.parse(z.record(z.string(), z.unknown()).parse(JSON.parse(json))[NAME]);
    expect(url).toBe(agent.server.url);
  });
});
