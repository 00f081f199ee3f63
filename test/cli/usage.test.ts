import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { appWithoutLibrary } from "./app.js";
import { temporaryFolder } from "./folders.js";
import { type Run, run } from "./program.js";
import { REPOSITORY } from "./repository.js";

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const simplexMcp = (...args: string[]): Promise<Run> => run({ app: appWithoutLibrary(), args, home });

/** The names of the commands that the help lists. */
async function commandNames(): Promise<string[]> {
  const { stdout } = await simplexMcp("--help");
  const [, list = ""] = /^Commands:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name]) => (name && name !== "help" ? [name] : []));
}

describe("the command line", () => {
  it("prints its version", async () => {
    const { version } = JSON.parse(await readFile(join(REPOSITORY, "package.json"), "utf8"));
    expect(await simplexMcp("--version")).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("explains itself, with an example", async () => {
    const { code, stdout, stderr } = await simplexMcp("--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: simplex-mcp \[options\] \[command\]\n/);
    expect(stdout).toMatch(/\nExample:\n {2}simplex-mcp serve my-agent\n/);
  });

  it("explains each command, with an example of it", async () => {
    const names = await commandNames();
    expect(names).toEqual(expect.arrayContaining(["serve", "demo"]));
    for (const name of names) {
      const { code, stdout, stderr } = await simplexMcp(name, "--help");
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: simplex-mcp ${name} `));
      expect(stdout).toMatch(new RegExp(`\nExample:\n {2}simplex-mcp ${name}`));
    }
  });

  it("tells each option of serve", async () => {
    const { stdout } = await simplexMcp("serve", "--help");
    for (const option of [
      "--display-name <name>",
      "--data <folder>",
      "--port <n>",
      "--approve <mode>",
      "--owners [list]",
      "--reset-owners",
      "--expire-hours <n>",
      "--stop-wait <s>",
      "--qr-code <size>",
      "--socks-proxy <host:port>",
      "--smp-server <address>",
      "--xftp-server <address>",
      "--hold <s>",
    ]) {
      expect(stdout).toContain(`  ${option} `);
    }
  });

  it.each([
    ["no command", []],
    ["an unknown command", ["sreve"]],
    ["an unknown option", ["--verbose"]],
    ["an unknown option of a command", ["serve", "a", "--aprove", "host"]],
    ["no agent", ["serve"]],
    ["two agents", ["serve", "a", "b"]],
    ["an agent's name with a slash", ["serve", "a/b"]],
    ["an agent's name with a dot in front", ["serve", ".a"]],
    ["an agent's name with a hyphen in front", ["serve", "--", "-a"]],
    ["an agent's name of 65 characters", ["serve", "a".repeat(65)]],
    ["an empty agent's name", ["serve", ""]],
    ["a mode that is none", ["serve", "a", "--approve", "all"]],
    ["a port that is no number", ["serve", "a", "--port", "http"]],
    ["port 0", ["serve", "a", "--port", "0"]],
    ["port 65536", ["serve", "a", "--port", "65536"]],
    ["a port of the demo that is none", ["demo", "--port", "-1"]],
    ["0 hours", ["serve", "a", "--expire-hours", "0"]],
    ["24 hours", ["serve", "a", "--expire-hours", "24"]],
    ["half an hour", ["serve", "a", "--expire-hours", "0.5"]],
    ["a wait of 61 seconds at the stop", ["serve", "a", "--stop-wait", "61"]],
    ["an unknown size of the QR code", ["serve", "a", "--qr-code", "large"]],
    ["a proxy without a port", ["serve", "a", "--socks-proxy", "127.0.0.1"]],
    ["an SMP server that is none", ["serve", "a", "--smp-server", "https://smp.example"]],
    ["an XFTP server that is an SMP server", ["serve", "a", "--xftp-server", "smp://abc=@smp.example"]],
    ["a hold that is no number", ["serve", "a", "--hold", "soon"]],
    ["an option without its value", ["serve", "a", "--data"]],
    ["a folder without a name", ["serve", "a", "--data", ""]],
    ["a port that there is not", ["serve", "a", "--socks-proxy", "127.0.0.1:99999"]],
  ])("refuses %s", async (_what, args) => {
    const { code, stdout, stderr } = await simplexMcp(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      args.length === 0 ? /^Usage: / : /^error: .*\n(?:\(Did you mean .*\n)?\(--help shows the options\)\n$/,
    );
  });
});
