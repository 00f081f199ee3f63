import type { DataPaths } from "../data-folder/paths.js";
import { readHeaders, runningServer } from "../data-folder/running.js";
import { STATUS_PATH } from "../server/checks.js";
import { loopbackFetch } from "../server/loopback.js";
import { type StatusReport, statusReport } from "../server/status-report.js";
import { serveHint } from "../terminal/hints.js";

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
  const running = await runningServer(paths);
  if (running === undefined) {
    throw new StatusError(`Agent "${agent}" is not running. ${serveHint(agent, dataOption)}`);
  }
  const who = `Agent "${agent}" (process ${running.pid})`;
  const notReady = new StatusError(`${who} is starting or stopping. Try again in a moment.`);
  if (running.listener === undefined) throw notReady;
  const { url } = running.listener;
  const response = await ask(url, await readHeaders(paths.headers), who);
  if (response.status === 503) throw notReady;
  const report = statusReport.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !report.success) {
    throw new StatusError(
      `${who} does not tell its status: HTTP ${response.status}. Stop it and start it again.`,
    );
  }
  return { ...report.data, process: running.pid, url };
}

async function ask(url: string, headers: Record<string, string>, who: string): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return await loopbackFetch(new URL(STATUS_PATH, url), { headers, signal });
  } catch (error) {
    throw new StatusError(`${who} does not answer at ${url}. Stop it and start it again.`, { cause: error });
  }
}
