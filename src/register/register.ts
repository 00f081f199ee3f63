import { agentFolder, dataPaths } from "../data-folder/paths.js";
import { readServerJson } from "../data-folder/server-json.js";
import { EXIT } from "../terminal/exit.js";
import { serveHint } from "../terminal/hints.js";
import { logError, printLine } from "../terminal/output.js";
import { bridgeCall } from "./bridge-call.js";
import { addToClaudeCode } from "./claude-code.js";
import type { Client, Scope } from "./clients.js";
import { findProgram } from "./find-program.js";
import { headersHelper } from "./headers-helper.js";
import { type Machine, thisMachine } from "./machine.js";
import { RegisterError, type Registration, registrationOf } from "./registration.js";
import { snippetText } from "./snippets.js";

/** The options of `register`, as the command line gives them. `scope` is not `local` for other clients. */
export interface RegisterFlags {
  client: Client;
  scope: Scope;
  data?: string;
}

/** Registers an agent in an MCP client, or prints how to; resolves with the exit code. */
export async function runRegister(agent: string, flags: RegisterFlags): Promise<number> {
  try {
    printLine(await registerAgent(agent, flags, thisMachine()));
    return EXIT.done;
  } catch (error) {
    logError(error);
    return EXIT.failed;
  }
}

/** The same, for an agent of any machine; resolves with the text to print. Throws what explains itself. */
export async function registerAgent(agent: string, flags: RegisterFlags, machine: Machine): Promise<string> {
  const registration = await readRegistration(agent, flags.data, machine);
  const { client, scope } = flags;
  if (client === "claude-code") return addToClaudeCode(registration, scope, machine);
  return snippetText(client, scope === "user" ? "user" : "project", registration, machine);
}

async function readRegistration(
  agent: string,
  dataOption: string | undefined,
  machine: Machine,
): Promise<Registration> {
  const paths = dataPaths(agentFolder(agent, dataOption));
  const server = await readServerJson(paths.serverJson);
  if (server === undefined) {
    throw new RegisterError(`Agent "${agent}" was never started. ${serveHint(agent, dataOption)}`);
  }
  const hasCat = (await findProgram("cat", machine)) !== undefined;
  return registrationOf(agent, server, paths, {
    headersHelper: headersHelper(paths.headers, machine, hasCat),
    bridge: bridgeCall(agent, dataOption, machine),
  });
}
