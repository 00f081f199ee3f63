import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomic } from "./atomic-file.js";
import { errorCode, explain, FolderError, fileWork } from "./folder-error.js";
import { enterGate } from "./gate.js";
import { isRunning, type ProcessId, thisProcess } from "./process-start.js";

export interface Lock {
  /** Removes the lock, if it is still this process's. */
  release(): Promise<void>;
}

/**
 * Makes this process the only server of the folder. A lock whose process is gone, or whose process id belongs to
 * another program by now, is taken over; of several processes at it, one wins. Throws `FolderError` when another
 * one runs.
 */
export async function takeLock(path: string, agent: string): Promise<Lock> {
  const me = await thisProcess();
  const leave = await enterGate(dirname(path), me);
  try {
    const holder = await runningHolder(path);
    if (holder !== undefined) {
      throw new FolderError(`Agent "${agent}" is already running (process ${holder.pid}).`);
    }
    await writeFileAtomic(path, `${JSON.stringify(me)}\n`);
  } finally {
    await leave();
  }
  return { release: () => releaseLock(path, me) };
}

/** The server that holds the lock and runs; undefined when there is none. Throws `FolderError`. */
export async function runningHolder(path: string): Promise<ProcessId | undefined> {
  const holder = await readHolder(path);
  return holder !== undefined && (await isRunning(holder)) ? holder : undefined;
}

async function releaseLock(path: string, me: ProcessId): Promise<void> {
  const holder = await readHolder(path);
  if (holder?.pid === me.pid && holder.started === me.started) await fileWork(path, () => rm(path));
}

/** Who holds the lock; undefined when nobody does, or when it holds no process, which no start leaves behind. */
async function readHolder(path: string): Promise<ProcessId | undefined> {
  try {
    return parseHolder(await readFile(path, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new FolderError(explain(error, path), { cause: error });
  }
}

function parseHolder(text: string): ProcessId | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isProcessId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isProcessId(value: unknown): value is ProcessId {
  if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value)) return false;
  // Ids of 0 and below mean groups of processes to the system.
  return (
    typeof value.pid === "number" &&
    Number.isSafeInteger(value.pid) &&
    value.pid > 0 &&
    typeof value.started === "string"
  );
}
