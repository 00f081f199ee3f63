import type { DataPaths } from "../data-folder/paths.js";
import type { ServerJson } from "../data-folder/server-json.js";

/** A program with its arguments. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
}

/** An agent as MCP clients need to know it. It names the files that hold the token, never the token. */
export interface Registration {
  /** The server's name in the client: letters, digits, hyphens and underscores. */
  readonly name: string;
  /** The environment variable for the token, in clients that read no file. */
  readonly variable: string;
  readonly url: string;
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The command by which the client reads the token's header. */
  readonly headersHelper: string;
  /** What a client starts that speaks over stdin and stdout. */
  readonly bridge: ProgramCall;
  /** `headers.json` and `token` in the data folder; absolute. */
  readonly headersFile: string;
  readonly tokenFile: string;
}

/** The agent cannot be registered; the message is one line that says why and what to do. */
export class RegisterError extends Error {
  override readonly name = "RegisterError";
}

export function registrationOf(
  agent: string,
  { url, expireHours }: Pick<ServerJson, "url" | "expireHours">,
  { headers, token }: Pick<DataPaths, "headers" | "token">,
  { headersHelper, bridge }: Pick<Registration, "headersHelper" | "bridge">,
): Registration {
  const name = serverName(agent);
  return {
    name,
    variable: `${name.toUpperCase().replaceAll("-", "_")}_TOKEN`,
    url,
    timeoutMs: callTimeout(expireHours),
    headersHelper,
    bridge,
    headersFile: headers,
    tokenFile: token,
  };
}

/** Clients refuse names with dots. */
function serverName(agent: string): string {
  return `simplex-${agent.replaceAll(".", "-dot-")}`;
}

/**
 * A call may wait until its action expires, and then a day for replies (the longest `wait`); ten minutes are left for
 * the act itself. Milliseconds.
 */
function callTimeout(expireHours: number): number {
  return (expireHours + 24) * 3_600_000 + 600_000;
}
