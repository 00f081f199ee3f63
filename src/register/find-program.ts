import { access, constants, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isWindows, type Machine } from "./machine.js";

/** In the order of Windows' own search. */
const WINDOWS_EXTENSIONS = [".com", ".exe", ".bat", ".cmd"];

/**
 * The path of the program that a shell would run for this name, but never one of the current folder: it may be
 * somebody else's project. Undefined when there is none.
 */
export async function findProgram(
  name: string,
  machine: Pick<Machine, "platform" | "env">,
): Promise<string | undefined> {
  const windows = isWindows(machine);
  const folders = (machine.env.PATH ?? "").split(windows ? ";" : ":");
  for (const folder of folders.map((entry) => entry.replaceAll('"', ""))) {
    if (!isAbsolute(folder)) continue;
    for (const extension of windows ? WINDOWS_EXTENSIONS : [""]) {
      const path = join(folder, name + extension);
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
