import { stat } from "node:fs/promises";
import { LibraryError } from "./library-error.js";

/** Sizes in bytes; undefined for a file that is not there. */
export interface DatabaseSizes {
  chat: number | undefined;
  agent: number | undefined;
}

/**
 * What is wrong with the two databases, or undefined. They belong together: with one of them gone the core would
 * quietly make a new one, and every connection would be lost.
 */
export function databaseProblem(filePrefix: string, { chat, agent }: DatabaseSizes): string | undefined {
  if (Boolean(chat) === Boolean(agent)) return undefined;
  const [gone, there] = chat ? ["agent", "chat"] : ["chat", "agent"];
  return `${filePrefix}_${gone}.db is missing or empty, and ${filePrefix}_${there}.db is not. Restore both from one backup, or move both away to start anew.`;
}

export async function requireBothDatabases(filePrefix: string): Promise<void> {
  const [chat, agent] = await Promise.all([
    sizeOf(`${filePrefix}_chat.db`),
    sizeOf(`${filePrefix}_agent.db`),
  ]);
  const problem = databaseProblem(filePrefix, { chat, agent });
  if (problem) throw new LibraryError(problem);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new LibraryError(`${path} cannot be read. Check who owns it.`, { cause: error });
  }
}
