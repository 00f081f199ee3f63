/** How the published program is called, whether it is installed or not. */
export const NPX = "npx -y @simplex-chat/mcp";

/** How the agent gets into an MCP client. `dataOption`: the value of `--data`, where it was given. */
export function registerHint(agent: string, dataOption: string | undefined, program = NPX): string {
  return `Add the agent to Claude Code: ${commandLine("register", agent, dataOption, program)}`;
}

/** What to do about a client that is refused. */
export function registerAgain(agent: string, dataOption: string | undefined, program = NPX): string {
  return `Run \`${commandLine("register", agent, dataOption, program)}\` again.`;
}

/** How an agent that does not run is started. */
export function serveHint(agent: string, dataOption: string | undefined): string {
  return `Start it with: ${commandLine("serve", agent, dataOption, NPX)}`;
}

/** The same for a bridge, whose client shows it to a model or a person. */
export function startHint(agent: string, dataOption: string | undefined): string {
  return `Start it: ${commandLine("serve", agent, dataOption, NPX)}`;
}

function commandLine(
  command: string,
  agent: string,
  dataOption: string | undefined,
  program: string,
): string {
  const data = dataOption === undefined ? "" : ` --data ${shellQuoted(dataOption)}`;
  return `${program} ${command} ${agent}${data}`;
}

/** A word as a shell reads it back. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
