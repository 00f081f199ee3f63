import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder for the running test, gone after it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-cli-"));
  onTestFinished(async () => {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}
