import { chmod, chown, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDataFolder } from "../../../src/data-folder/data-folder.js";
import { FolderError } from "../../../src/data-folder/folder-error.js";
import { modeOf, namesIn, scratchFolder } from "./folders.js";

const MADE = "m".repeat(43);

function open(root: string) {
  return openDataFolder({ agent: "my-agent", root, makeToken: () => MADE });
}

async function refusal(root: string): Promise<string> {
  const error = await open(root).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(FolderError);
  return error instanceof Error ? error.message : "";
}

/** Writes files, with the folders they need. */
async function put(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

describe("opening the data folder", () => {
  it("makes it with all that is above, private, and with what a server needs", async () => {
    const above = join(await scratchFolder(), ".simplex-mcp");
    const { paths, token } = await open(join(above, "my-agent"));
    expect(token).toBe(MADE);
    expect(await namesIn(paths.root)).toEqual(["files", "headers.json", "lock", "tmp", "token"]);
    expect(await namesIn(paths.files)).toEqual(["sent"]);
    for (const folder of [above, paths.root, paths.tmp, paths.files, paths.sent]) {
      expect(await modeOf(folder)).toBe(0o700);
    }
    for (const file of [paths.lock, paths.token, paths.headers]) expect(await modeOf(file)).toBe(0o600);
    expect(await readFile(paths.token, "utf8")).toBe(MADE);
    expect(JSON.parse(await readFile(paths.headers, "utf8"))).toEqual({ Authorization: `Bearer ${MADE}` });
  });

  it("makes a token of 32 random bytes, another each time", async () => {
    const tokens = [];
    for (let i = 0; i < 2; i++) {
      const { token } = await openDataFolder({ agent: "my-agent", root: await scratchFolder() });
      expect(Buffer.from(token, "base64url")).toHaveLength(32);
      tokens.push(token);
    }
    expect(tokens[0]).not.toBe(tokens[1]);
  });

  it("keeps the token of the start before, and writes headers.json after it", async () => {
    const root = await scratchFolder();
    await (await open(root)).release();
    await writeFile(join(root, "headers.json"), "{}");
    const { token } = await openDataFolder({ agent: "my-agent", root });
    expect(token).toBe(MADE);
    expect(await readFile(join(root, "headers.json"), "utf8")).toContain(MADE);
  });

  it.each(["", "short", `${MADE}m`, `${MADE.slice(1)}=`, `${MADE}\n${MADE}`])(
    "refuses the damaged token %j rather than locking out the clients that are registered",
    async (text) => {
      const root = await scratchFolder();
      await put(root, { token: text });
      expect(await refusal(root)).toBe(
        `${join(root, "token")} is damaged. Delete it and start again: a new token is made, and clients must be registered again.`,
      );
      // The next start is not told that this one runs.
      expect(await namesIn(root)).toEqual(["token"]);
    },
  );

  it("takes a token that an editor ended with a line break", async () => {
    const root = await scratchFolder();
    await put(root, { token: `${MADE}\n` });
    expect((await open(root)).token).toBe(MADE);
  });

  it("repairs the modes of all that is its own, however deep, and nothing else's", async () => {
    const root = await scratchFolder();
    await put(root, {
      token: MADE,
      "simplex_chat.db": "x",
      "simplex_agent.db": "x",
      "simplex_agent.db-wal": "x",
      "files/group-15/1.jpg": "x",
      "forwarded/contact-4/2.pdf": "x",
      "tmp/part": "x",
      "notes.sh": "x",
      "mine/a": "x",
    });
    await mkdir(join(root, "elsewhere"));
    await symlink(join(root, "notes.sh"), join(root, "files", "link"));
    const all = ["token", "simplex_chat.db", "simplex_agent.db-wal", "files/group-15/1.jpg", "tmp/part"];
    for (const name of [...all, "notes.sh", "mine/a"]) await chmod(join(root, name), 0o755);
    for (const name of ["", "files", "files/group-15", "tmp", "mine"]) await chmod(join(root, name), 0o777);
    await open(root);
    for (const name of all) expect(await modeOf(join(root, name))).toBe(0o600);
    for (const name of ["", "files", "files/group-15", "tmp"])
      expect(await modeOf(join(root, name))).toBe(0o700);
    for (const name of ["notes.sh", "mine/a"]) expect(await modeOf(join(root, name))).toBe(0o755);
    expect(await modeOf(join(root, "mine"))).toBe(0o777);
  });

  it("gives itself back a folder that it may not list", async () => {
    const root = await scratchFolder();
    await put(root, { token: MADE, "headers.json": "{}", "files/contact-4/1.txt": "x" });
    await chmod(join(root, "files"), 0);
    await chmod(root, 0);
    await open(root);
    expect(await modeOf(join(root, "files"))).toBe(0o700);
  });

  it("empties files/sent, and keeps what was downloaded", async () => {
    const root = await scratchFolder();
    await put(root, {
      token: MADE,
      "headers.json": "{}",
      "files/sent/1/a.jpg": "x",
      "files/contact-4/1.jpg": "x",
      "tmp/part": "x",
    });
    const { paths } = await open(root);
    expect(await namesIn(paths.sent)).toEqual([]);
    expect(await readFile(join(paths.files, "contact-4/1.jpg"), "utf8")).toBe("x");
    expect(await namesIn(paths.tmp)).toEqual(["part"]);
  });

  it("removes what a crash left half written, and only that", async () => {
    const root = await scratchFolder();
    const left = ".token.01234567-89ab-cdef-0123-456789abcdef.tmp";
    await put(root, { token: MADE, [left]: "half", ".my.tmp": "x" });
    await open(root);
    expect(await namesIn(root)).not.toContain(left);
    expect(await namesIn(root)).toContain(".my.tmp");
  });

  it("refuses a second server, and touches nothing of the first", async () => {
    const root = await scratchFolder();
    const first = await open(root);
    await put(root, { "files/sent/1/a.jpg": "being sent" });
    expect(await refusal(root)).toBe(`Agent "my-agent" is already running (process ${process.pid}).`);
    expect(await readFile(join(first.paths.sent, "1/a.jpg"), "utf8")).toBe("being sent");
    await first.release();
    await (await open(root)).release();
  });

  it("refuses a folder of other things, and leaves it as it is", async () => {
    const root = await scratchFolder();
    await put(root, { "package.json": "{}", "run.sh": "x" });
    await chmod(join(root, "run.sh"), 0o755);
    await chmod(root, 0o755);
    expect(await refusal(root)).toBe(
      `${root} holds other files and no agent. Choose a new or empty folder with --data.`,
    );
    expect(await modeOf(root)).toBe(0o755);
    expect(await namesIn(root)).toEqual(["package.json", "run.sh"]);
  });

  it.each([
    ["files of names like its own", { "tokenizer.py": "x", "lock.md": "x", "simplex_chat.dbx": "x" }],
    ["a token and more", { token: "x", "main.py": "x" }],
    ["files and nothing of an agent", { "server.json": "{}" }],
  ])("refuses a person's folder with %s, and deletes nothing there", async (_what, files) => {
    const root = await scratchFolder();
    await put(root, { ...files, "files/sent/letter.txt": "dear", "files/photo.jpg": "x" });
    await chmod(join(root, "files/photo.jpg"), 0o644);
    expect(await refusal(root)).toContain("holds other files and no agent.");
    expect(await readFile(join(root, "files/sent/letter.txt"), "utf8")).toBe("dear");
    expect(await modeOf(join(root, "files/photo.jpg"))).toBe(0o644);
  });

  it("takes the folder of a start that ended before it made more than a token", async () => {
    const root = await scratchFolder();
    const ticket = "lock.4194303.8f.01234567-89ab-cdef-0123-456789abcdef";
    await put(root, { token: MADE, lock: "{}", [ticket]: "" });
    expect((await open(root)).token).toBe(MADE);
  });

  it("takes an empty folder, also with what systems put into one", async () => {
    const root = await scratchFolder();
    await put(root, { ".DS_Store": "x" });
    await (await open(root)).release();
  });

  it("refuses a file where the folder should be, here or above", async () => {
    const file = join(await scratchFolder(), "file");
    await writeFile(file, "");
    expect(await refusal(file)).toBe(`${file} is not a folder. Choose another folder with --data.`);
    expect(await refusal(join(file, "data"))).toContain("is not a folder.");
  });

  it.runIf(process.platform === "linux")("refuses a place where nobody can make a folder", async () => {
    expect(await refusal("/proc/a/b")).toContain("Choose another folder with --data.");
  });

  it("takes a symbolic link to a folder, but not one to nowhere", async () => {
    const scratch = await scratchFolder();
    await mkdir(join(scratch, "real"));
    await symlink(join(scratch, "real"), join(scratch, "link"));
    await symlink(join(scratch, "nowhere"), join(scratch, "broken"));
    await (await open(join(scratch, "link"))).release();
    expect(await namesIn(join(scratch, "real"))).toContain("token");
    expect(await refusal(join(scratch, "broken"))).toContain("Choose another folder with --data.");
  });

  it("refuses a folder where a file should be", async () => {
    const root = await scratchFolder();
    await mkdir(join(root, "token"));
    expect(await refusal(root)).toBe(
      `${join(root, "token")} is a folder where a file should be. Move it away and start again.`,
    );
    expect(await namesIn(root)).toEqual(["token"]);
  });

  it.runIf(process.getuid?.() === 0)("refuses a folder of another user", async () => {
    const root = await scratchFolder();
    await chown(root, 4711, 4711);
    expect(await refusal(root)).toBe(`${root} belongs to another user. Choose another folder with --data.`);
  });
});

describe("the databases", () => {
  const both = { "simplex_chat.db": "x", "simplex_agent.db": "x" };

  it("are both there or both absent", async () => {
    const root = await scratchFolder();
    await put(root, both);
    await (await open(root)).release();
  });

  it.each<Record<string, string>>([
    { "simplex_chat.db": "", "simplex_agent.db": "" },
    { "simplex_chat.db": "" },
  ])("are begun anew as %j: there is nothing to lose", async (files) => {
    const root = await scratchFolder();
    await put(root, files);
    await (await open(root)).release();
  });

  it.each([
    [{ "simplex_chat.db": "x" }, "simplex_agent.db", "missing"],
    [{ "simplex_agent.db": "x" }, "simplex_chat.db", "missing"],
    [{ ...both, "simplex_chat.db": "" }, "simplex_chat.db", "empty"],
    [{ ...both, "simplex_agent.db": "" }, "simplex_agent.db", "empty"],
  ])(
    "are refused as %j: the core would make a new one and lose every connection",
    async (files, named, what) => {
      const root = await scratchFolder();
      await put(root, files);
      expect(await refusal(root)).toBe(
        `${join(root, named)} is ${what}. Restore both databases from a backup, or move the other one away to start as a new agent.`,
      );
      // No token either: nothing was begun.
      expect(await namesIn(root)).toEqual(Object.keys(files).sort());
    },
  );
});
