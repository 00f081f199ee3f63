import { fileURLToPath } from "node:url";
import { NPX, shellQuoted } from "./hints.js";

const EXECUTABLE = fileURLToPath(new URL("../../bin/simplex-mcp.cjs", import.meta.url));

/** How this very program is called. In a clone of the repository npx finds the clone, and no executable there. */
export function programCall(executable = EXECUTABLE): string {
  return /[\\/]node_modules[\\/]/.test(executable) ? NPX : `node ${shellQuoted(executable)}`;
}
