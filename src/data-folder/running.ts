import { readFile, stat } from "node:fs/promises";
import { FolderError, fileWork } from "./folder-error.js";
import { runningHolder } from "./lock.js";
import type { DataPaths } from "./paths.js";
import { readServerJson, type ServerJson } from "./server-json.js";

/** The server that holds the data folder's lock. */
export interface RunningServer {
  readonly pid: number;
  /** Undefined while it starts. */
  readonly listener: ServerJson | undefined;
}

/** The server that runs now; undefined when there is none. Throws `FolderError`. */
export async function runningServer(paths: DataPaths): Promise<RunningServer | undefined> {
  const holder = await runningHolder(paths.lock);
  return holder && { pid: holder.pid, listener: await listenerOf(paths) };
}

/**
 * The listener of an agent that another account runs, whose `server.json` and `headers.json` were copied here. Nothing
 * here tells whether it runs. Undefined for a folder of an agent of this account.
 */
export async function copiedListener({
  lock,
  token,
  serverJson,
}: DataPaths): Promise<ServerJson | undefined> {
  const own = await Promise.all([modified(lock), modified(token)]);
  return own.every((time) => time === undefined) ? await readServerJson(serverJson) : undefined;
}

/** What its clients send with each request. Throws `FolderError`. */
export async function readHeaders(path: string): Promise<Record<string, string>> {
  const text = await fileWork(path, () => readFile(path, "utf8"));
  const headers = parse(text);
  if (headers === undefined) {
    throw new FolderError(`${path} is damaged. Start the agent again: it is written anew.`);
  }
  return headers;
}

/**
 * Undefined when `server.json` is of an earlier start than the lock: by now another program may listen there, and the
 * token is not for it.
 */
async function listenerOf({ lock, serverJson }: DataPaths): Promise<ServerJson | undefined> {
  const server = await readServerJson(serverJson);
  if (server === undefined) return undefined;
  const [locked, written] = await Promise.all([modified(lock), modified(serverJson)]);
  return locked !== undefined && written !== undefined && written >= locked ? server : undefined;
}

/** Nanoseconds since 1970; undefined when the file is gone. */
async function modified(path: string): Promise<bigint | undefined> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs }) => mtimeNs,
    () => undefined,
  );
}

function parse(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const entries = Object.entries(value);
    return entries.every(([, header]) => typeof header === "string")
      ? Object.fromEntries(entries)
      : undefined;
  } catch {
    return undefined;
  }
}
