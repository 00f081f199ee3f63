import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { appWithoutLibrary } from "../cli/app.js";
import { temporaryFolder } from "../cli/folders.js";
import { Program, run, withoutTimes } from "../cli/program.js";

/** A data folder whose path no shell leaves alone unless it is quoted. */
const DATA = 'it\'s "my" $HOME `id` é';
const CONNECTED = /^simplex-demo: http:\/\/127\.0\.0\.1:\d+\/mcp \(HTTP\) - ✔ Connected$/m;

let home: string;
let data: string;
let project: string;
beforeEach(async () => {
  home = await temporaryFolder();
  data = join(home, DATA);
  project = join(home, "project");
  await mkdir(project);
});

const withClaude = () => ({ PATH: `${inject("claudeBin")}${delimiter}${process.env.PATH}` });

const claude = (...args: string[]): Promise<string> => claudeOf(home, project, ...args);

/** Runs the real `claude mcp` of a person in a folder. It connects to the servers that it lists. */
async function claudeOf(profile: string, cwd: string, ...args: string[]): Promise<string> {
  const env = {
    ...withClaude(),
    HOME: profile,
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  const { stdout, stderr } = await promisify(execFile)("claude", ["mcp", ...args], { cwd, env });
  return stdout + stderr;
}

async function startDemo(): Promise<{ token: string }> {
  const demo = Program.start({ app: appWithoutLibrary(), args: ["demo", "--data", data], home });
  await demo.stdout.line(/^Add the agent to Claude Code: /);
  return { token: (await readFile(join(data, "token"), "utf8")).trim() };
}

const register = (args: readonly string[], env: Readonly<Record<string, string>> = withClaude()) =>
  run({ app: appWithoutLibrary(), args: ["register", ...args, "--data", data], home, env });

/** What a person without Claude Code on the PATH is told to add, and where. */
async function byHand(scope: string): Promise<{ place: string[]; entry: object }> {
  const { code, stderr } = await register(["demo", "--scope", scope], { PATH: "/nowhere" });
  expect(code).toBe(1);
  const told = /^Add this entry under (.*) in ~\/\.claude\.json: (.*)$/;
  const [, place = "", json = ""] = told.exec(withoutTimes(stderr)[0] ?? "") ?? [];
  return { place: z.array(z.string()).parse(JSON.parse(`[${place}]`)), entry: JSON.parse(json) };
}

describe("the real Claude Code", () => {
  it("connects to a registered agent, and shows its token nowhere", async () => {
    const { token } = await startDemo();
    expect(await register(["demo"])).toEqual({
      code: 0,
      signal: null,
      stdout: "Added to Claude Code: scope user, server simplex-demo.\n",
      stderr: "",
    });
    const told = [await claude("list"), await claude("get", "simplex-demo")];
    expect(told[0]).toMatch(CONNECTED);
    expect(told[1]).toContain("Status: ✔ Connected");
    expect(told[1]).toContain("Timeout: 169800000ms");
    const configuration = await readFile(join(home, ".claude.json"), "utf8");
    expect(configuration).toContain("simplex-demo");
    for (const text of [...told, configuration]) expect(text).not.toContain(token);
  });

  it("has one registration after a second one", async () => {
    await startDemo();
    await register(["demo"]);
    expect(await register(["demo"])).toMatchObject({ code: 0 });
    expect((await claude("list")).match(/simplex-demo/g)).toHaveLength(1);
  });

  it("takes the name of an agent with a dot", async () => {
    await startDemo();
    expect(await register(["my.agent"])).toMatchObject({
      code: 0,
      stdout: "Added to Claude Code: scope user, server simplex-my-dot-agent.\n",
    });
    expect(await claude("get", "simplex-my-dot-agent")).toContain("Status: ✔ Connected");
  });

  it("connects by Node.js where there is no cat", async () => {
    await startDemo();
    // Only Claude Code is found there; it starts itself by no other program of the PATH.
    const { code, stderr } = await register(["demo"], { PATH: inject("claudeBin") });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await readFile(join(home, ".claude.json"), "utf8")).toContain("readFileSync");
    expect(await claude("list")).toMatch(CONNECTED);
  });

  it("connects by the entry for the user that was added by hand", async () => {
    await startDemo();
    const { place, entry } = await byHand("user");
    expect(place).toEqual(["mcpServers"]);
    await writeFile(join(home, ".claude.json"), JSON.stringify({ mcpServers: entry }));
    expect(await claude("list")).toMatch(CONNECTED);
  });

  it("connects by the local entry that was added by hand, in a project that is trusted", async () => {
    await startDemo();
    const { place, entry } = await byHand("local");
    // Outside of a repository the project is the current folder.
    expect(place).toEqual(["projects", home, "mcpServers"]);
    const projects = { [home]: { mcpServers: entry, hasTrustDialogAccepted: true } };
    const profile = await temporaryFolder();
    await writeFile(join(profile, ".claude.json"), JSON.stringify({ projects }));
    expect(await claudeOf(profile, home, "list")).toMatch(CONNECTED);
  });

  it("keeps an agent of a project until its person has seen it", async () => {
    await startDemo();
    project = home;
    expect(await register(["demo", "--scope", "project"])).toMatchObject({ code: 0 });
    expect(await claude("list")).toMatch(/^simplex-demo: .* Pending approval/m);
  });
});
