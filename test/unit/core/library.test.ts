import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CoreError } from "../../../src/core/errors/errors.js";
import { LibraryError, openLibrary, routeConsoleToStderr } from "../../../src/core/library/library.js";
import { FakeChatApi, storeError } from "./fake-chat-api.js";

let folder: string;
let prefix: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "library-"));
  prefix = join(folder, "simplex");
});
afterEach(() => rm(folder, { recursive: true }));

/** A library whose `init` does as told. */
const library = (init: (database: unknown) => Promise<unknown>) => async () => ({
  api: { ChatApi: { init } },
});
const failing = (error: unknown) => library(() => Promise.reject(error));
const initError = (dbMigrationError: object) => Object.assign(new Error("init failed"), { dbMigrationError });

const ARGS = "serve my-agent --hold 3";

async function messageOf(load: () => Promise<unknown>): Promise<string> {
  const error = await openLibrary(prefix, { args: ARGS, load }).catch((thrown: unknown) => thrown);
  if (!(error instanceof LibraryError)) throw new Error(`Not a library error: ${error}`);
  expect(error.message).not.toContain("\n");
  return error.message;
}

describe("the SimpleX library", () => {
  it("is opened with the prefix of the databases, as a module with and without a default export", async () => {
    const opened: unknown[] = [];
    const api = new FakeChatApi();
    const init = async (database: unknown) => {
      opened.push(database);
      return api;
    };
    expect(await openLibrary(prefix, { args: ARGS, load: library(init) })).toBe(api);
    expect(
      await openLibrary(prefix, { args: ARGS, load: async () => ({ default: await library(init)() }) }),
    ).toBe(api);
    expect(opened).toEqual([
      { type: "sqlite", filePrefix: prefix },
      { type: "sqlite", filePrefix: prefix },
    ]);
  });

  it("says how to get it where it is not installed", async () => {
    const missing = Object.assign(
      new Error("Cannot find package 'simplex-chat' imported from /x/library.js"),
      {
        code: "ERR_MODULE_NOT_FOUND",
      },
    );
    expect(await messageOf(() => Promise.reject(missing))).toBe(
      'The SimpleX library is not installed. Run: npx -y -p @simplex-chat/mcp -p "simplex-chat@>=7.0.0-beta.2" simplex-mcp serve my-agent --hold 3',
    );
  });

  it("says what is wrong where its native part does not load", async () => {
    const broken = new Error("libsimplex.so: cannot open shared object file\nRequire stack: …");
    expect(await messageOf(() => Promise.reject(broken))).toBe(
      "The SimpleX library does not load: libsimplex.so: cannot open shared object file Require stack: …" +
        ' Run: npx -y -p @simplex-chat/mcp -p "simplex-chat@>=7.0.0-beta.2" simplex-mcp serve my-agent --hold 3',
    );
  });

  it("refuses a version that has no ChatApi.init", async () => {
    for (const old of [{}, { ChatClient: class {} }, { api: {} }, undefined]) {
      expect(await messageOf(async () => old)).toMatch(
        /^The installed simplex-chat is too old\. Run: npx -y -p @simplex-chat\/mcp /,
      );
    }
  });

  it("says that a download failed", async () => {
    expect(await messageOf(failing(new Error("fetch failed")))).toBe(
      "The SimpleX library does not start: fetch failed. Check the network and start again, or set SIMPLEX_LIBS_DIR" +
        " to a folder that has it.",
    );
  });

  it.each([
    [
      "a damaged or encrypted database",
      { type: "errorNotADatabase", dbFile: "/d/simplex_chat.db" },
      "The database /d/simplex_chat.db is damaged or encrypted. Restore both databases from one backup.",
    ],
    [
      "a database of a newer version",
      {
        type: "errorMigration",
        dbFile: "/d/x.db",
        migrationError: { type: "downgrade", downMigrations: [] },
      },
      "The database /d/x.db was made by a newer SimpleX. Run: npx -y -p @simplex-chat/mcp@latest -p simplex-chat@latest simplex-mcp serve my-agent --hold 3",
    ],
    [
      "a database of a newer version that knows no way back",
      {
        type: "errorMigration",
        dbFile: "/d/x.db",
        migrationError: { type: "migrationError", mtrError: { type: "noDown", dbMigrations: ["m1"] } },
      },
      "The database /d/x.db was made by a newer SimpleX. Run: npx -y -p @simplex-chat/mcp@latest -p simplex-chat@latest simplex-mcp serve my-agent --hold 3",
    ],
    [
      "a folder that cannot be written to",
      { type: "errorSQL", dbFile: "/d/x.db", migrationSQLError: "attempt to write a readonly database" },
      "The database /d/x.db cannot be opened: attempt to write a readonly database. Check that its folder can be" +
        " written to, or restore both databases from one backup.",
    ],
    [
      "a locked database",
      { type: "errorSQL", dbFile: "/d/x.db", migrationSQLError: "database is locked" },
      "The database /d/x.db is in use by another program: database is locked. Stop it and start again.",
    ],
    [
      "a full disk",
      { type: "errorSQL", dbFile: "/d/x.db", migrationSQLError: "database or disk is full" },
      "The database /d/x.db cannot be opened: database or disk is full. Free some disk space.",
    ],
    [
      "anything new",
      { type: "somethingNew", dbFile: "/d/x.db" },
      'The database /d/x.db cannot be opened: {"type":"somethingNew","dbFile":"/d/x.db"}. Restore both databases from' +
        " one backup.",
    ],
  ])("advises about %s", async (_name, problem, message) => {
    expect(await messageOf(failing(initError(problem)))).toBe(message);
  });

  it("tells errors that belong to no command, and leaves the others to the library", async () => {
    const errors: Error[] = [storeError("dBException", { message: "disk is full" }), new Error("closed")];
    const api = Object.assign(new FakeChatApi(), {
      async recvChatEvent(wait: number): Promise<unknown> {
        const error = errors.shift();
        if (error) throw error;
        return { type: "contactConnected", wait };
      },
    });
    const told: CoreError[] = [];
    await openLibrary(prefix, {
      args: ARGS,
      load: library(async () => api),
      onAsyncError: (error) => told.push(error),
    });
    expect(await api.recvChatEvent(5)).toBe(undefined);
    await expect(api.recvChatEvent(5)).rejects.toThrow("closed");
    expect(await api.recvChatEvent(5)).toEqual({ type: "contactConnected", wait: 5 });
    expect(told.map(({ message }) => message)).toEqual(["SimpleX core: disk is full"]);
  });
});

describe("the console", () => {
  it("is routed line by line, so that nothing of the library gets to stdout", () => {
    const lines: string[] = [];
    const { log } = console;
    const restore = routeConsoleToStderr((line) => lines.push(line));
    try {
      console.log("Chat error %s", "x", { type: "y" });
      console.info("two\nlines");
      console.debug(1);
      console.warn("name \u001B[2J\u009B1m\rsimplex-mcp \u202E");
    } finally {
      restore();
    }
    expect(lines).toEqual(["Chat error x { type: 'y' }", "two", "lines", "1", "name ?[2J?1m?simplex-mcp ?"]);
    expect(console.log).toBe(log);
  });
});
