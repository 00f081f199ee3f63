import type { DataPaths } from "../data-folder/paths.js";
import { copiedListener, readHeaders, runningServer } from "../data-folder/running.js";
import { readServerJson, type ServerJson } from "../data-folder/server-json.js";
import { startHint } from "../terminal/hints.js";

/** The agent cannot be reached, or not be understood; the message is a sentence that says what to do. */
export class AgentError extends Error {
  override readonly name = "AgentError";
}

/** A running agent, as it is now: it may be elsewhere at the next call. */
export interface Target extends Pick<ServerJson, "url" | "version" | "approve"> {
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** False for an agent of another account. */
  readonly isKnownToRun: boolean;
}

export interface AgentOptions {
  readonly agent: string;
  /** The value of `--data`, where it was given. */
  readonly dataOption: string | undefined;
  readonly paths: DataPaths;
}

/** The agent that the bridge leads to: where it is, and what its clients are told of it. */
export class Agent {
  readonly name: string;
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.name = `Agent "${options.agent}"`;
  }

  /** Throws `AgentError` when it does not run, `FolderError` when its data folder cannot be read. */
  async find(): Promise<Target> {
    const { paths } = this.#options;
    const running = await runningServer(paths);
    if (running !== undefined && running.listener === undefined) throw this.notReady();
    const listener = running?.listener ?? (await copiedListener(paths));
    if (listener === undefined) throw this.notRunning();
    const { url, version, approve } = listener;
    const isKnownToRun = running !== undefined;
    return { url, version, approve, isKnownToRun, headers: await readHeaders(paths.headers) };
  }

  /** Mode and version of its last start, whether it runs or not; undefined when it was never started. */
  async lastStart(): Promise<Pick<ServerJson, "version" | "approve"> | undefined> {
    return await readServerJson(this.#options.paths.serverJson);
  }

  /** Nobody listens where it should. */
  unreached({ isKnownToRun }: Target): AgentError {
    return isKnownToRun ? this.notReady() : this.notRunning();
  }

  notRunning(): AgentError {
    const { agent, dataOption } = this.#options;
    return new AgentError(`${this.name} is not running. ${startHint(agent, dataOption)}`);
  }

  notReady(): AgentError {
    return new AgentError(`${this.name} is starting or stopping. Try again in a moment.`);
  }

  silent(): AgentError {
    return new AgentError(`${this.name} does not answer. Stop it and start it again.`);
  }

  /** The connection ended in the middle of a call. */
  gone(): AgentError {
    return new AgentError(
      `${this.name} ended in the middle of the call: it may or may not have done what was asked. Look at history once it runs again, before the same call.`,
    );
  }

  /** It answered with an HTTP status instead of a result. */
  refused(status: number, { version }: Target, own: string): AgentError {
    if (status === 503) return this.notReady();
    if (status === 413) return new AgentError("The call is over 1 MiB. Make it shorter.");
    if (status === 401) {
      const { headers } = this.#options.paths;
      return new AgentError(
        `${this.name} does not take the token in ${headers}. Stop it and start it again.`,
      );
    }
    return new AgentError(
      `${this.name} (version ${version}) answered HTTP ${status}, which this bridge (version ${own}) does not understand. Update the older of the two.`,
    );
  }
}
