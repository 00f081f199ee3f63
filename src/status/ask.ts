import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { explain, FolderError, fileWork } from "../data-folder/folder-error.js";
import { runningHolder } from "../data-folder/lock.js";
import type { DataPaths } from "../data-folder/paths.js";
import { readServerJson } from "../data-folder/server-json.js";
import { STATUS_PATH } from "../server/checks.js";
import { type StatusReport, statusReport } from "../server/status-report.js";
import { serveHint } from "../terminal/lines.js";

/** A server that answers: what it tells, with what its data folder does. */
export interface RunningAgent extends StatusReport {
  readonly process: number;
  readonly url: string;
}

/** There is no answer; the message is one line that says why and what to do. */
export class StatusError extends Error {
  override readonly name = "StatusError";
}

export interface AskOptions {
  readonly agent: string;
  /** The value of `--data`, where it was given. */
  readonly dataOption: string | undefined;
  readonly paths: DataPaths;
}

/** A server on this computer answers at once, or hangs. Milliseconds. */
const PATIENCE_MS = 10_000;

/** Asks the server of the data folder. Throws `StatusError` or `FolderError`. */
export async function askRunning({ agent, dataOption, paths }: AskOptions): Promise<RunningAgent> {
  const holder = await runningHolder(paths.lock);
  if (holder === undefined) {
    throw new StatusError(`Agent "${agent}" is not running. ${serveHint(agent, dataOption)}`);
  }
  const who = `Agent "${agent}" (process ${holder.pid})`;
  const notReady = new StatusError(`${who} is starting or stopping. Try again in a moment.`);
  const url = await listenerOf(paths);
  if (url === undefined) throw notReady;
  const response = await ask(url, await readHeaders(paths.headers), who);
  if (response.status === 503) throw notReady;
  const report = statusReport.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !report.success) {
    throw new StatusError(
      `${who} does not tell its status: HTTP ${response.status}. Stop it and start it again.`,
    );
  }
  return { ...report.data, process: holder.pid, url };
}

/**
 * Where the server listens. Undefined when `server.json` is of an earlier start than the lock: by now another program
 * may listen there, and the token is not for it.
 */
async function listenerOf({ lock, serverJson }: DataPaths): Promise<string | undefined> {
  const server = await readServerJson(serverJson);
  if (server === undefined) return undefined;
  const [locked, written] = await Promise.all([modified(lock), modified(serverJson)]);
  return locked !== undefined && written !== undefined && written >= locked ? server.url : undefined;
}

/** Nanoseconds since 1970; undefined when the file is gone. */
async function modified(path: string): Promise<bigint | undefined> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs }) => mtimeNs,
    () => undefined,
  );
}

const headersJson = z.record(z.string(), z.string());

async function readHeaders(path: string): Promise<Record<string, string>> {
  const text = await fileWork(path, () => readFile(path, "utf8"));
  try {
    return headersJson.parse(JSON.parse(text));
  } catch (error) {
    throw new FolderError(explain(error, path), { cause: error });
  }
}

async function ask(url: string, headers: Record<string, string>, who: string): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return await fetch(new URL(STATUS_PATH, url), { headers, signal, redirect: "error" });
  } catch (error) {
    throw new StatusError(`${who} does not answer at ${url}. Stop it and start it again.`, { cause: error });
  }
}
