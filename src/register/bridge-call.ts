import { programWords } from "../terminal/program.js";
import { isWindows, type Machine } from "./machine.js";
import type { ProgramCall } from "./registration.js";

/**
 * How a client starts the bridge. Clients that are started from the desktop search a shorter PATH than a shell: where
 * it can be, the program is named by its path. Windows runs no scripts by themselves, and npx is one.
 */
export function bridgeCall(
  agent: string,
  dataOption: string | undefined,
  machine: Pick<Machine, "platform" | "node">,
  words = programWords(),
): ProgramCall {
  const [program = "", ...rest] = words;
  const args = [...rest, "bridge", agent, ...(dataOption === undefined ? [] : ["--data", dataOption])];
  if (program === "node") return { command: machine.node, args };
  return isWindows(machine) ? { command: "cmd", args: ["/c", program, ...args] } : { command: program, args };
}
