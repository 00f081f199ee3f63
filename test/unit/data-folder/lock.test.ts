import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FolderError } from "../../../src/data-folder/folder-error.js";
import { enterGate } from "../../../src/data-folder/gate.js";
import { takeLock } from "../../../src/data-folder/lock.js";
import { thisProcess } from "../../../src/data-folder/process-start.js";
import { LockChildren } from "./children.js";
import { modeOf, namesIn, scratchFolder } from "./folders.js";

const ALREADY = (pid: number) => `Agent "my-agent" is already running (process ${pid}).`;

let children: LockChildren;
beforeAll(async () => {
  children = await LockChildren.compile();
});
afterAll(() => children.remove());

async function lockPath(): Promise<string> {
  return join(await scratchFolder(), "lock");
}

describe("the lock of a data folder", () => {
  it("holds the process id and start, for the owner's eyes only, and nothing else is left", async () => {
    const path = await lockPath();
    const lock = await takeLock(path, "my-agent");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(await thisProcess());
    expect(await modeOf(path)).toBe(0o600);
    expect(await namesIn(join(path, ".."))).toEqual(["lock"]);
    await lock.release();
    expect(await namesIn(join(path, ".."))).toEqual([]);
  });

  it("refuses a second server, in the same process or another, and names the process of the first", async () => {
    const path = await lockPath();
    const child = await children.start();
    const lock = await takeLock(path, "my-agent");
    const error = await takeLock(path, "my-agent").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(FolderError);
    expect(error).toMatchObject({ message: ALREADY(process.pid) });
    expect(await child.take(path)).toBe(ALREADY(process.pid));
    await lock.release();
    expect(await child.take(path)).toBe("ok");
    await expect(takeLock(path, "my-agent")).rejects.toThrow(ALREADY(child.pid));
    expect(await child.release()).toBe("ok");
  });

  it("is taken over when its process was killed", async () => {
    const path = await lockPath();
    const child = await children.start();
    expect(await child.take(path)).toBe("ok");
    await child.kill();
    const lock = await takeLock(path, "my-agent");
    expect(JSON.parse(await readFile(path, "utf8")).pid).toBe(process.pid);
    await lock.release();
  });

  it("is taken over when its process id belongs to another program by now", async () => {
    const path = await lockPath();
    const other = await children.start();
    await writeFile(path, JSON.stringify({ pid: other.pid, started: "0123456789abcdef" }));
    const lock = await takeLock(path, "my-agent");
    await lock.release();
  });

  it("is respected when nothing is known of its start but its process id is in use", async () => {
    const path = await lockPath();
    const other = await children.start();
    await writeFile(path, JSON.stringify({ pid: other.pid, started: "unknown" }));
    await expect(takeLock(path, "my-agent")).rejects.toThrow(ALREADY(other.pid));
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"pid":0,"started":"x"}',
    '{"pid":-1,"started":"x"}',
    '{"pid":"1","started":"x"}',
    '{"pid":1}',
  ])("is taken over when it holds %j, which no start writes", async (text) => {
    const path = await lockPath();
    await writeFile(path, text);
    await (await takeLock(path, "my-agent")).release();
  });

  it("is not removed at the stop when it is another's", async () => {
    const path = await lockPath();
    const lock = await takeLock(path, "my-agent");
    const other = JSON.stringify({
      pid: process.pid,
      started: "0123456789abcdef",
    });
    await writeFile(path, other);
    await lock.release();
    expect(await readFile(path, "utf8")).toBe(other);
    await rm(path);
    await lock.release();
  });

  it("says so when it cannot be written", async () => {
    await expect(takeLock(join(await lockPath(), "no", "lock"), "my-agent")).rejects.toThrow(FolderError);
  });
});

describe("processes that race", () => {
  it("for a lock whose process is gone: exactly one of them gets it, every time", {
    timeout: 120_000,
  }, async () => {
    const racers = await Promise.all(Array.from({ length: 4 }, () => children.start()));
    const dead = await children.start();
    const path = await lockPath();
    expect(await dead.take(path)).toBe("ok");
    const left = await readFile(path, "utf8");
    await dead.kill();
    for (let round = 0; round < 40; round++) {
      await writeFile(path, left);
      const answers = await Promise.all(racers.map((racer) => racer.take(path)));
      const winners = racers.filter((_, i) => answers[i] === "ok");
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      expect(answers.filter((answer) => answer !== "ok")).toEqual(Array(3).fill(ALREADY(winner?.pid ?? 0)));
      expect(JSON.parse(await readFile(path, "utf8")).pid).toBe(winner?.pid);
      expect(await winner?.release()).toBe("ok");
      expect(await namesIn(join(path, ".."))).toEqual([]);
    }
  });

  it("while others stop: never two hold it", { timeout: 120_000 }, async () => {
    const racers = await Promise.all(Array.from({ length: 4 }, () => children.start()));
    const path = await lockPath();
    let holders = 0;
    let taken = 0;
    const race = async (racer: (typeof racers)[number]) => {
      for (let i = 0; i < 40; i++) {
        if ((await racer.take(path)) !== "ok") continue;
        holders += 1;
        taken += 1;
        expect(holders).toBe(1);
        holders -= 1;
        await racer.release();
      }
    };
    await Promise.all(racers.map(race));
    expect(taken).toBeGreaterThan(0);
  });
});

describe("the gate before the lock", () => {
  it("lets the next one in when the first has left, and one who died inside holds nobody up", async () => {
    const folder = await scratchFolder();
    const me = await thisProcess();
    await writeFile(join(folder, `lock.${me.pid}.0123456789abcdef.${randomUUID()}`), "");
    const order: string[] = [];
    const leave = await enterGate(folder, me);
    const second = enterGate(folder, me).then(async (leaveToo) => {
      order.push("second in");
      await leaveToo();
    });
    order.push("first out");
    await leave();
    await second;
    expect(order).toEqual(["first out", "second in"]);
    expect(await namesIn(folder)).toEqual([]);
  });

  it("lets one in at a time, however many wait", async () => {
    const folder = await scratchFolder();
    const me = await thisProcess();
    let inside = 0;
    const pass = async () => {
      const leave = await enterGate(folder, me);
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      await leave();
    };
    await Promise.all(Array.from({ length: 12 }, pass));
  });

  it("gives up with the process that holds it up, and leaves nothing behind", async () => {
    const folder = await scratchFolder();
    const me = await thisProcess();
    const leave = await enterGate(folder, me);
    await expect(enterGate(folder, me, 0)).rejects.toThrow(
      `Another start on this folder is under way (process ${process.pid}). Try again.`,
    );
    await leave();
    expect(await namesIn(folder)).toEqual([]);
  });

  it("takes no notice of other files", async () => {
    const folder = await scratchFolder();
    for (const name of ["lock", "lock.1", `lock.0.abc.${randomUUID()}`, "token"])
      await writeFile(join(folder, name), "");
    const leave = await enterGate(folder, await thisProcess());
    await leave();
    expect(await namesIn(folder)).toHaveLength(4);
  });
});
