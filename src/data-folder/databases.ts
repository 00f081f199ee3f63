import { stat } from "node:fs/promises";
import { errorCode, FolderError, fileWork } from "./folder-error.js";
import type { DataPaths } from "./paths.js";

/**
 * The core's two databases belong together: both or none. With one missing or empty the core would quietly make
 * a new one, and every connection would be lost; so that is a `FolderError`.
 */
export async function checkDatabases(paths: DataPaths): Promise<void> {
  const [chat, agent] = await Promise.all([sizeOf(paths.chatDatabase), sizeOf(paths.agentDatabase)]);
  // Nothing is in either: there are none, or a first start crashed before it wrote anything.
  if (!chat && !agent) return;
  for (const [path, size] of [
    [paths.chatDatabase, chat],
    [paths.agentDatabase, agent],
  ] as const) {
    if (size) continue;
    throw new FolderError(
      `${path} is ${size === undefined ? "missing" : "empty"}. Restore both databases from a backup, or move the other one away to start as a new agent.`,
    );
  }
}

/** Bytes; undefined when there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  return fileWork(path, async () => {
    try {
      return (await stat(path)).size;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  });
}
