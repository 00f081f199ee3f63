import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { appWithStandin } from "./app.js";
import { temporaryFolder } from "./folders.js";
import { noPrivateMounts, onReadOnlyDisk, onSmallDisk, withoutPrivileges } from "./limits.js";
import { run, withoutTimes } from "./program.js";

const app = appWithStandin();
let home: string;
let data: string;
beforeEach(async () => {
  home = await temporaryFolder();
  data = join(home, "data");
});

/** The one line on stderr of a start that failed. */
async function failure(folder = data, under: readonly string[] = []): Promise<string | undefined> {
  const args = ["serve", "my-agent", "--data", folder];
  const { code, stdout, stderr } = await run({ app, args, home, under });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  const lines = withoutTimes(stderr);
  expect(lines).toHaveLength(1);
  return lines[0];
}

describe("a server with one of its two databases ends, and makes no new one", () => {
  const RESTORE = "Restore both databases from a backup, or move the other one away to start as a new agent.";

  it.each([
    ["the chat database is missing", "simplex_chat.db", undefined, "missing"],
    ["the agent database is missing", "simplex_agent.db", undefined, "missing"],
    ["the chat database is empty", "simplex_chat.db", "", "empty"],
    ["the agent database is empty", "simplex_agent.db", "", "empty"],
  ])("when %s", async (_when, damaged, content, state) => {
    await mkdir(data);
    for (const name of ["simplex_chat.db", "simplex_agent.db"]) {
      const text = name === damaged ? content : "SQLite format 3\0";
      if (text !== undefined) await writeFile(join(data, name), text);
    }
    expect(await failure()).toBe(`${join(data, damaged)} is ${state}. ${RESTORE}`);
    if (content === undefined) expect(await readdir(data)).not.toContain(damaged);
    else expect((await stat(join(data, damaged))).size).toBe(0);
    expect(await readdir(data)).not.toContain("lock");
  });

  it("when both are there and one holds something else", async () => {
    await mkdir(data);
    await writeFile(join(data, "simplex_chat.db"), "SQLite format 3\0");
    await writeFile(join(data, "simplex_agent.db"), "not a database");
    expect(await failure()).toBe(
      `The database ${join(data, "simplex_agent.db")} is damaged or encrypted. Restore both databases from one backup.`,
    );
  });
});

describe("a server whose data folder cannot be used ends with one line that says what to do", () => {
  it("when a file is in its place", async () => {
    await writeFile(data, "");
    expect(await failure()).toBe(`${data} is not a folder. Choose another folder with --data.`);
  });

  it("when a file is in the place of a folder above it", async () => {
    await writeFile(data, "");
    const folder = join(data, "my-agent");
    expect(await failure(folder)).toMatch(/ is not a folder\. Choose another folder with --data\.$/);
  });

  it("when a folder is in the place of its token", async () => {
    await mkdir(join(data, "token"), { recursive: true });
    expect(await failure()).toMatch(
      /token is a folder where a file should be\. Move it away and start again\.$/,
    );
  });

  it.skipIf(process.platform === "win32")("when it may not be made", async () => {
    await chmod(home, 0o500);
    expect(await failure(data, withoutPrivileges())).toBe(
      `No permission to use ${data}. Change its permissions, or choose another folder with --data.`,
    );
  });
});

// Mounts of the program's own show what the system says about such disks, to the administrator as well.
describe.skipIf(noPrivateMounts())(`a server on a disk that takes nothing${skipped()}`, () => {
  it("ends where it is read-only", async () => {
    await mkdir(data);
    expect(await failure(data, onReadOnlyDisk(data))).toMatch(
      /^.*data.* is on a read-only disk\. Choose another folder with --data\.$/,
    );
    expect(await readdir(data)).toEqual([]);
  });

  it("ends where it is full", async () => {
    await mkdir(data);
    expect(await failure(data, onSmallDisk(data, 4096))).toMatch(
      /^The disk is full: cannot write .*data.*\. Free some space and start again\.$/,
    );
  });

  it("ends where it has no room for the databases", async () => {
    await mkdir(data);
    // The lock, the token and the headers take a page each.
    expect(await failure(data, onSmallDisk(data, 3 * 4096))).toBe(
      `The database ${join(data, "simplex_chat.db")} cannot be opened: SQLite3 returned ErrorFull while attempting to` +
        " perform step: database or disk is full. Free some disk space.",
    );
  });
});

function skipped(): string {
  const reason = noPrivateMounts();
  return reason === undefined ? "" : ` (skipped, no private mounts: ${reason})`;
}

describe("the data folder", () => {
  it("is private, with all in it, also where it was not", async () => {
    await mkdir(data);
    await writeFile(join(data, "token"), `${"A".repeat(43)}\n`);
    await chmod(join(data, "token"), 0o644);
    await chmod(data, 0o755);
    const env = { SIMPLEX_STANDIN_FAILURE: JSON.stringify({ download: "HTTP 404" }) };
    await run({ app, args: ["serve", "my-agent", "--data", data], home, env });
    expect(await modesIn(data)).toEqual({
      "": 0o700,
      files: 0o700,
      "files/sent": 0o700,
      "headers.json": 0o600,
      tmp: 0o700,
      token: 0o600,
    });
    expect(await readFile(join(data, "headers.json"), "utf8")).toContain(`Bearer ${"A".repeat(43)}`);
  });

  it("is in the home folder, named for the agent", async () => {
    const env = { SIMPLEX_STANDIN_FAILURE: JSON.stringify({ download: "HTTP 404" }) };
    await run({ app, args: ["serve", "my-agent"], home, env });
    expect(await readdir(join(home, ".simplex-mcp", "my-agent"))).toContain("token");
    expect((await stat(join(home, ".simplex-mcp", "my-agent"))).mode & 0o777).toBe(0o700);
  });
});

async function modesIn(folder: string): Promise<Record<string, number>> {
  const names = await readdir(folder, { recursive: true });
  const modes = ["", ...names].map(
    async (name) => [name, (await stat(join(folder, name))).mode & 0o777] as const,
  );
  return Object.fromEntries(await Promise.all(modes));
}
