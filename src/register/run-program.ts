import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { cmdArguments } from "./cmd-quoting.js";
import { isWindows, type Machine } from "./machine.js";
import { RegisterError } from "./registration.js";

/** What a program left when it ended. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, without input. Windows runs no scripts by itself: they go through `cmd.exe`. */
export async function runProgram(path: string, args: readonly string[], machine: Machine): Promise<Finished> {
  if (!isWindows(machine) || !/\.(?:bat|cmd)$/i.test(path)) return run(path, args, machine);
  const cmd = machine.env.ComSpec ?? "cmd.exe";
  return run(cmd, cmdArguments(path, args), machine, { windowsVerbatimArguments: true });
}

async function run(
  path: string,
  args: readonly string[],
  { env, cwd }: Machine,
  options: { windowsVerbatimArguments?: boolean } = {},
): Promise<Finished> {
  const child = spawn(path, args, {
    ...options,
    env,
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  try {
    const [[code], stdout, stderr] = await Promise.all([
      once(child, "close"),
      read(child.stdout),
      read(child.stderr),
    ]);
    return { code, stdout, stderr };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RegisterError(`${path} could not be run: ${reason}.`, { cause: error });
  }
}

const read = (stream: Readable): Promise<string> => text(stream);
