import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { appWithoutLibrary } from "../cli/app.js";
import { temporaryFolder } from "../cli/folders.js";
import { Program, run } from "../cli/program.js";

let home: string;
let data: string;
let project: string;
beforeEach(async () => {
  home = await temporaryFolder();
  // JSON has to carry it to the bridge as it is.
  data = join(home, 'it\'s "my" $HOME é');
  project = join(home, "project");
  await mkdir(project);
});

async function startDemo(): Promise<{ token: string }> {
  const demo = Program.start({ app: appWithoutLibrary(), args: ["demo", "--data", data], home });
  await demo.stdout.line(/^Add the agent to Claude Code: /);
  return { token: (await readFile(join(data, "token"), "utf8")).trim() };
}

/** The first snippet that is printed for the client. */
async function snippet(client: string): Promise<string> {
  const args = ["register", "demo", "--client", client, "--data", data];
  const { stdout } = await run({ app: appWithoutLibrary(), args, home });
  return stdout.split("\n\n")[1] ?? "";
}

async function client(name: string, ...args: string[]): Promise<string> {
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  const { stdout, stderr } = await promisify(execFile)(join(inject("clientsBin"), name), args, {
    cwd: project,
    env,
  });
  return stdout + stderr;
}

describe("a real client that starts the bridge by the printed snippet", () => {
  it("is Gemini CLI", async () => {
    const { token } = await startDemo();
    const settings = join(home, ".gemini");
    await mkdir(settings);
    await writeFile(join(settings, "settings.json"), await snippet("gemini"));
    await writeFile(join(settings, "trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" }));
    const told = await client("gemini", "mcp", "list");
    expect(told).toMatch(/simplex-demo: .* \(stdio\) - Connected/);
    expect(told + (await readFile(join(settings, "settings.json"), "utf8"))).not.toContain(token);
  });

  it.each(["claude-desktop", "windsurf", "cursor"])(
    "is the inspector, with the snippet of %s",
    async (of) => {
      await startDemo();
      const config = join(home, "config.json");
      await writeFile(config, await snippet(of));
      const inspect = (...args: string[]) =>
        client("mcp-inspector", "--cli", "--config", config, "--server", "simplex-demo", ...args);
      const { tools } = JSON.parse(await inspect("--method", "tools/list"));
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(["send", "list"]),
      );
      const called = JSON.parse(await inspect("--method", "tools/call", "--tool-name", "list"));
      expect(called.structuredContent).toMatchObject({ agent: { name: "Demo Agent" }, actions: [] });
    },
  );
});
