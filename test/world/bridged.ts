import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { inject } from "vitest";

/** Whether clients reach their agents through `simplex-mcp bridge`, as a child process, and not by HTTP. */
export const BRIDGED = process.env.TEST_CLIENT === "bridge";

/** A bridge to the agent; it starts with the transport. Its stderr is read by nobody. */
export function bridgeTo(agent: string, folder: string): StdioClientTransport {
  const executable = join(inject("missing"), "bin/simplex-mcp.cjs");
  return new StdioClientTransport({
    command: process.execPath,
    args: [executable, "bridge", agent, "--data", folder],
    env: { PATH: process.env.PATH ?? "" },
    stderr: "ignore",
  });
}

/** Kills the process under a client, as the system does. */
export function kill({ pid }: StdioClientTransport): void {
  if (pid !== null) process.kill(pid, "SIGKILL");
}
