import { join } from "node:path";
import { foldedLine } from "../text/literal.js";
import type { Scope } from "./clients.js";
import { findProgram } from "./find-program.js";
import { isWindows, type Machine } from "./machine.js";
import { projectFolder } from "./project-folder.js";
import { RegisterError, type Registration } from "./registration.js";
import { type Finished, runProgram } from "./run-program.js";

/**
 * Adds the agent to Claude Code, in place of an earlier registration; returns the line that says so. Throws
 * `RegisterError`, with the entry to add by hand when there is no `claude`.
 */
export async function addToClaudeCode(
  registration: Registration,
  scope: Scope,
  machine: Machine,
): Promise<string> {
  const { name, url, headersHelper, timeoutMs } = registration;
  const entry = { type: "http", url, headersHelper, timeout: timeoutMs };
  const claude = await findProgram("claude", machine);
  if (claude === undefined) throw new RegisterError(await byHand(name, entry, scope, machine));
  const mcp = (...args: string[]): Promise<Finished> => runProgram(claude, ["mcp", ...args], machine);
  // Fails where there is none yet.
  await mcp("remove", "--scope", scope, name);
  const added = await mcp("add-json", "--scope", scope, name, JSON.stringify(entry));
  if (added.code !== 0) throw new RegisterError(`claude mcp add-json failed: ${reason(added)}`);
  return `Added to Claude Code: scope ${scope}, server ${name}.`;
}

async function byHand(name: string, entry: object, scope: Scope, machine: Machine): Promise<string> {
  const json = JSON.stringify({ [name]: entry });
  return `Add this entry under ${await placeOf(scope, machine)}: ${json}`;
}

async function placeOf(scope: Scope, machine: Machine): Promise<string> {
  const { CLAUDE_CONFIG_DIR: folder } = machine.env;
  const userFile = folder ? join(folder, ".claude.json") : "~/.claude.json";
  if (scope === "user") return `"mcpServers" in ${userFile}`;
  if (scope === "project") return '"mcpServers" in .mcp.json';
  const project = await projectFolder(machine.cwd);
  // Claude Code writes its projects with slashes.
  const key = isWindows(machine) ? project.replaceAll("\\", "/") : project;
  return `"projects", ${JSON.stringify(key)}, "mcpServers" in ${userFile}`;
}

/** What the program said, in one line. */
function reason({ code, stdout, stderr }: Finished): string {
  const said = stderr.trim() || stdout.trim();
  return said === "" ? `exit code ${code}` : foldedLine(said.split(/\s*\n\s*/).join(" "));
}
