import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { appWithoutLibrary } from "./app.js";
import { temporaryFolder } from "./folders.js";

const app = appWithoutLibrary();
const noTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status !== 0;

// `script` of util-linux plays the terminal.
it.skipIf(noTerminals)(
  "a demo whose terminal is closed stops as one that is told to, files private",
  async () => {
    const home = await temporaryFolder();
    const data = join(home, "demo");
    const [code, errors] = [join(home, "code"), join(home, "errors")];
    const command = `trap "" HUP; umask 0; '${process.execPath}' '${app.executable}' demo --data '${data}' 2>'${errors}'; echo $? >'${code}'`;
    const terminal = spawn("script", ["-qfec", command, "/dev/null"], {
      env: { PATH: process.env.PATH ?? "", HOME: home, SHELL: "/bin/sh", TERM: "xterm" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void terminal.kill("SIGKILL"));
    let shown = "";
    terminal.stdout.on("data", (bytes: Buffer) => {
      shown += bytes.toString();
    });
    await expect.poll(() => shown, { timeout: 25_000 }).toContain("agent.");
    expect(existsSync(join(data, "lock"))).toBe(true);
    for (const name of ["token", "lock", "server.json"]) {
      expect((await stat(join(data, name))).mode & 0o077).toBe(0);
    }
    terminal.kill("SIGKILL");
    await expect.poll(() => existsSync(code), { timeout: 25_000 }).toBe(true);
    await expect.poll(() => readFile(code, "utf8")).toBe("0\n");
    expect(await readFile(errors, "utf8")).toBe("");
    expect(existsSync(join(data, "lock"))).toBe(false);
  },
  60_000,
);
