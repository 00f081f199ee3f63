import type { SnippetClient, SnippetScope } from "./clients.js";
import { isWindows, type Machine } from "./machine.js";
import type { Registration } from "./registration.js";
import { setVariable } from "./set-variable.js";

/** What a person copies into a client's configuration. */
interface Snippet {
  /** The file it belongs in. */
  readonly file: Readonly<Record<SnippetScope, string>>;
  /** Exactly what goes in there. */
  readonly text: string;
  /** How the client is called, where it reads the token from the variable. */
  readonly startedFrom?: string;
  /** It has no setting for how long a call may take. */
  readonly cutsCalls?: boolean;
}

type Maker = (registration: Registration, machine: Pick<Machine, "platform">) => Snippet;

/** The text to print for a client: the file, the snippet, and what has to be done besides. */
export function snippetText(
  client: SnippetClient,
  scope: SnippetScope,
  registration: Registration,
  machine: Pick<Machine, "platform">,
): string {
  const { file, text, startedFrom, cutsCalls } = SNIPPETS[client](registration, machine);
  const parts = [`Add this to ${file[scope]}:`, text];
  if (startedFrom !== undefined) {
    parts.push(
      `The token is read from an environment variable. Set it in the shell that starts ${startedFrom}:`,
      setVariable(registration, machine),
    );
  }
  if (cutsCalls) {
    parts.push(
      "If calls end before you have approved, serve the agent with --hold 50: they go on when repeated.",
    );
  }
  return parts.join("\n\n");
}

const codex: Maker = ({ name, url, timeoutMs, headersHelper }) => ({
  file: { user: "~/.codex/config.toml", project: ".codex/config.toml" },
  text: [
    `[mcp_servers.${name}]`,
    `url = ${tomlString(url)}`,
    `http_headers_helper = ${tomlString(headersHelper)}`,
    `tool_timeout_sec = ${timeoutMs / 1000}`,
  ].join("\n"),
});

const gemini: Maker = ({ name, url, timeoutMs, variable }) => ({
  file: { user: "~/.gemini/settings.json", project: ".gemini/settings.json" },
  text: json({
    mcpServers: { [name]: { type: "http", url, headers: bearer(`\${${variable}}`), timeout: timeoutMs } },
  }),
  startedFrom: "Gemini CLI",
});

const cursor: Maker = ({ name, url, variable }) => ({
  file: { user: "~/.cursor/mcp.json", project: ".cursor/mcp.json" },
  text: json({ mcpServers: { [name]: { url, headers: bearer(`\${env:${variable}}`) } } }),
  startedFrom: "Cursor",
  cutsCalls: true,
});

const vscode: Maker = ({ name, url, variable }) => ({
  file: {
    user: 'the mcp.json of your profile (command "MCP: Open User Configuration")',
    project: ".vscode/mcp.json",
  },
  text: json({ servers: { [name]: { type: "http", url, headers: bearer(`\${env:${variable}}`) } } }),
  startedFrom: "VS Code",
  cutsCalls: true,
});

const opencode: Maker = ({ name, url, timeoutMs, variable, tokenFile }, machine) => {
  const path = isWindows(machine) ? tokenFile.replaceAll("\\", "/") : tokenFile;
  // opencode puts files in before it reads the JSON: a path that JSON would escape is not found.
  const readsFile = !/[{}"\\\p{Cc}]/u.test(path);
  const headers = bearer(readsFile ? `{file:${path}}` : `{env:${variable}}`);
  return {
    file: { user: "~/.config/opencode/opencode.jsonc", project: "opencode.jsonc" },
    // Without `oauth: false` it looks for OAuth, which there is none of.
    text: json({
      mcp: { [name]: { type: "remote", url, enabled: true, oauth: false, headers, timeout: timeoutMs } },
    }),
    ...(readsFile ? {} : { startedFrom: "opencode" }),
  };
};

const anyClient: Maker = ({ name, url, timeoutMs, variable }) => ({
  file: { user: "your client's list of MCP servers", project: "the project's list of MCP servers" },
  text: json({
    mcpServers: { [name]: { type: "http", url, headers: bearer(`\${${variable}}`), timeout: timeoutMs } },
  }),
  startedFrom: "the client",
});

const SNIPPETS: Readonly<Record<SnippetClient, Maker>> = {
  codex,
  gemini,
  cursor,
  vscode,
  opencode,
  json: anyClient,
};

/** `token` stands for the token in the way of a client. */
function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** JSON strings are TOML strings, but for the delete character. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", "\\u007F");
}
