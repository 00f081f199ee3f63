import { access } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { appWithLibrary, appWithoutLibrary, appWithStandin } from "./app.js";
import { temporaryFolder } from "./folders.js";
import type { App } from "./make-app.js";
import { type Run, run, withoutTimes } from "./program.js";

const INSTALL = 'npx -y -p @simplex-chat/mcp -p "simplex-chat@>=7.0.0-beta.2" simplex-mcp serve my-agent';

let home: string;
let data: string;
beforeEach(async () => {
  home = await temporaryFolder();
  data = join(home, ".simplex-mcp", "my-agent");
});

function serve(app: App, env: Readonly<Record<string, string>> = {}): Promise<Run> {
  return run({ app, args: ["serve", "my-agent"], home, env });
}

/** The one line on stderr of a start that failed, with its lock removed. */
async function failureOf(app: App, env?: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { code, stdout, stderr } = await serve(app, env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  await expect(access(join(data, "lock"))).rejects.toThrow("ENOENT");
  const lines = withoutTimes(stderr);
  expect(lines).toHaveLength(1);
  return lines[0];
}

const failure = (told: object) => ({ SIMPLEX_STANDIN_FAILURE: JSON.stringify(told) });

describe("a server whose SimpleX library cannot be used ends with one line that says what to do", () => {
  it("when it is not installed", async () => {
    expect(await failureOf(appWithoutLibrary())).toBe(
      `The SimpleX library is not installed. Run: ${INSTALL}`,
    );
  });

  it("when it is too old to have a ChatApi", async () => {
    const source = "exports.ChatClient = class ChatClient {};";
    expect(await failureOf(await appWithLibrary(source))).toBe(
      `The installed simplex-chat is too old. Run: ${INSTALL}`,
    );
  });

  it("when its native part was not built", async () => {
    const source = 'exports.api = require("../build/Release/simplex");';
    const line = await failureOf(await appWithLibrary(source));
    expect(line).toMatch(
      /^The SimpleX library does not load: Cannot find module '\.\.\/build\/Release\/simplex' /,
    );
    expect(line).toMatch(
      / Run: npx -y -p @simplex-chat\/mcp -p "simplex-chat@>=7\.0\.0-beta\.2" simplex-mcp serve my-agent$/,
    );
  });

  it("when its native part cannot be downloaded", async () => {
    const { code, stdout, stderr } = await serve(appWithStandin(), failure({ download: "HTTP 404" }));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(withoutTimes(stderr)).toEqual([
      "Downloading libsimplex from https://libs.test/simplex-chat-libs.zip ...",
      "The SimpleX library does not start: HTTP 404 downloading https://libs.test/simplex-chat-libs.zip." +
        " Check the network and start again, or set SIMPLEX_LIBS_DIR to a folder that has it.",
    ]);
  });

  it("with the stack only where DEBUG asks for it", async () => {
    const { code, stderr } = await serve(appWithoutLibrary(), { DEBUG: "1" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/Z The SimpleX library is not installed\..*\nLibraryError: .*\n {4}at /);
  });
});

describe("a server whose databases cannot be opened ends with one line that says what to do", () => {
  const chat = () => join(data, "simplex_chat.db");

  it("when another program has them", async () => {
    const migrationSQLError =
      "SQLite3 returned ErrorBusy while attempting to perform step: database is locked";
    const dbMigrationError = { type: "errorSQL", dbFile: chat(), migrationSQLError };
    expect(await failureOf(appWithStandin(), failure({ dbMigrationError }))).toBe(
      `The database ${chat()} is in use by another program: ${migrationSQLError}. Stop it and start again.`,
    );
  });

  it("when they cannot be written to", async () => {
    const migrationSQLError = "attempt to write a readonly database";
    const dbMigrationError = { type: "errorSQL", dbFile: chat(), migrationSQLError };
    expect(await failureOf(appWithStandin(), failure({ dbMigrationError }))).toBe(
      `The database ${chat()} cannot be opened: ${migrationSQLError}. Check that its folder can be written to,` +
        " or restore both databases from one backup.",
    );
  });

  it("when a newer SimpleX made them", async () => {
    const migrationError = {
      type: "migrationError",
      mtrError: { type: "noDown", dbMigrations: ["20261101_new"] },
    };
    const dbMigrationError = { type: "errorMigration", dbFile: chat(), migrationError };
    expect(await failureOf(appWithStandin(), failure({ dbMigrationError }))).toBe(
      `The database ${chat()} was made by a newer SimpleX. Run: npx -y -p @simplex-chat/mcp@latest -p simplex-chat@latest simplex-mcp serve my-agent`,
    );
  });
});
