import { expect, test } from "vitest";
import { duration, firstFrame, runProgram } from "../../../src/files/pictures/videos.js";

test("a program gives what it writes, or nothing when it fails or is not there", async () => {
  expect((await runProgram(process.execPath, ["-e", "process.stdout.write('out')"]))?.toString()).toBe("out");
  expect(await runProgram(process.execPath, ["-e", "process.exit(1)"])).toBeUndefined();
  expect(await runProgram("no-such-program-anywhere", [])).toBeUndefined();
});

test("arguments are no shell's: a path of any name is one argument", async () => {
  const path = "/tmp/a b';$(id)`.mp4";
  const seen: string[][] = [];
  await firstFrame(path, "mov", async (_, args) => {
    seen.push([...args]);
    return undefined;
  });
  expect(seen[0]).toContain(`file:${path}`);
});

test.each([
  ["12.6\n", 13],
  ["0.2", 0],
  ["N/A\n", 0],
  ["", 0],
  ["-5", 0],
  ["1e30", 0],
])("of %j seconds a video has %i", async (text, seconds) => {
  expect(await duration("/a.mp4", "mov", async () => Buffer.from(text))).toBe(seconds);
});

test("no frame is none", async () => {
  expect(await firstFrame("/a.mp4", "mov", async () => Buffer.alloc(0))).toBeUndefined();
  expect(await firstFrame("/a.mp4", "mov", async () => undefined)).toBeUndefined();
});
