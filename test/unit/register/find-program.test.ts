import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findProgram } from "../../../src/register/find-program.js";
import { scratchFolder } from "../data-folder/folders.js";

let first: string;
let second: string;
beforeEach(async () => {
  const folder = await scratchFolder();
  first = join(folder, "first");
  second = join(folder, "sec ond");
  for (const path of [first, second]) await mkdir(path);
});

async function program(folder: string, name: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, "");
  await chmod(path, mode);
  return path;
}

const elsewhere = (PATH: string | undefined) =>
  findProgram("claude", { platform: "linux", env: PATH === undefined ? {} : { PATH } });
const onWindows = (PATH: string) => findProgram("claude", { platform: "win32", env: { PATH } });

describe("a program on the PATH", () => {
  it("is found in the first folder that has it", async () => {
    const later = await program(second, "claude");
    expect(await elsewhere(`${first}:${second}`)).toBe(later);
    const sooner = await program(first, "claude");
    expect(await elsewhere(`${first}:${second}`)).toBe(sooner);
  });

  it("is neither a folder nor a file that cannot be run", async () => {
    await mkdir(join(first, "claude"));
    await program(second, "claude", 0o644);
    expect(await elsewhere(`${first}:${second}`)).toBeUndefined();
  });

  it("is never one of the current folder", async () => {
    await program(first, "claude");
    expect(await elsewhere(`:.:${relative(process.cwd(), first)}`)).toBeUndefined();
  });

  it("is not there without a PATH", async () => {
    expect(await elsewhere(undefined)).toBeUndefined();
    expect(await elsewhere("")).toBeUndefined();
  });

  it("has an extension on Windows, and there a real program goes before a script beside it", async () => {
    await program(first, "claude");
    const script = await program(first, "claude.bat");
    expect(await onWindows(`"${second}";${first}`)).toBe(script);
    const real = await program(first, "claude.exe");
    expect(await onWindows(`"${second}";${first}`)).toBe(real);
    const inFirstFolder = await program(second, "claude.cmd");
    expect(await onWindows(`"${second}";${first}`)).toBe(inFirstFolder);
  });
});
