import { shellQuoted } from "../terminal/hints.js";
import { isWindows, type Machine } from "./machine.js";

/**
 * The command by which a client reads `headers.json`: at each connection, so the token is in no configuration file.
 * Clients run it in a shell: `sh` by Claude Code and Codex, on Windows `cmd.exe` or Git's bash.
 */
export function headersHelper(
  headersFile: string,
  machine: Pick<Machine, "platform" | "node">,
  hasCat: boolean,
): string {
  if (isWindows(machine)) return `${nodeOnWindows(machine.node)} -e "${printFile(headersFile)}"`;
  if (hasCat) return `cat ${shellQuoted(headersFile)}`;
  return `${shellQuoted(machine.node)} -e "${printFile(headersFile)}"`;
}

/** JavaScript that no shell changes between double quotes, with the path in plain characters only. */
function printFile(path: string): string {
  const plain = path.replace(/[^A-Za-z0-9/:._ -]/g, jsEscape);
  return `process.stdout.write(require('fs').readFileSync('${plain}'))`;
}

/** A UTF-16 unit, so that a path with a broken one arrives, too. */
function jsEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The path is no JavaScript: where a shell could change it, Node.js is looked for on the PATH. */
function nodeOnWindows(node: string): string {
  const path = node.replaceAll("\\", "/");
  return /^[\p{L}\p{N}\p{M}/:._ ()+@~-]+$/u.test(path) ? `"${path}"` : "node";
}
