import { fileURLToPath } from "node:url";
import { NPX, shellQuoted } from "./hints.js";

const EXECUTABLE = fileURLToPath(new URL("../../bin/simplex-mcp.cjs", import.meta.url));

/** How this very program is called, a word each. In a clone of the repository npx finds the clone, and no executable. */
export function programWords(executable = EXECUTABLE): string[] {
  return /[\\/]node_modules[\\/]/.test(executable) ? NPX.split(" ") : ["node", executable];
}

/** The same for a shell. */
export function programCall(executable = EXECUTABLE): string {
  return programWords(executable).map(shellQuoted).join(" ");
}
