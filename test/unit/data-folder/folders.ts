import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that is removed when the test is over. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The permission bits, as `chmod` takes them. */
export async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o7777;
}

export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}
