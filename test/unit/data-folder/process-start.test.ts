import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning, parseStat, thisProcess } from "../../../src/data-folder/process-start.js";
import { until } from "../server/support.js";

describe("a process and its start", () => {
  it("is the same each time it is asked for", async () => {
    const me = await thisProcess();
    expect(me.pid).toBe(process.pid);
    expect(me.started).toMatch(/^([0-9a-f]{16}|unknown)$/);
    expect(await thisProcess()).toEqual(me);
    expect(await isRunning(me)).toBe(true);
  });

  it("is not running when its id has another start, or none", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
    const pid = child.pid ?? 0;
    expect(await isRunning({ pid, started: (await thisProcess()).started })).toBe(false);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    expect(await isRunning({ pid, started: "unknown" })).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "is not running once it is dead, though nobody collected it",
    async () => {
      const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      onTestFinished(() => void parent.kill("SIGKILL"));
      const [line] = await once(parent.stdout, "data");
      const pid = Number(line);
      await until(async () => (await readFile(`/proc/${pid}/stat`, "utf8")).includes(") Z "));
      expect(await isRunning({ pid, started: "unknown" })).toBe(false);
    },
  );

  it("is read from Linux's own words, whatever the program is called", () => {
    const rest = Array.from({ length: 40 }, (_, i) => `f${i + 4}`).join(" ");
    for (const name of ["(node)", "(a b)", "(a) S 1 (b)", "()", "())", "((x)"]) {
      expect(parseStat(`4711 ${name} S ${rest}\n`)).toBe("f22");
    }
    expect(parseStat(`4711 (node) Z ${rest}\n`)).toBe("ended");
    expect(parseStat("")).toBeUndefined();
    expect(parseStat("4711 (node) S 1 2 3")).toBeUndefined();
  });
});
