import type { SnippetClient } from "./clients.js";
import { isWindows } from "./machine.js";
import { json, type Maker } from "./snippet.js";

/** Clients that reach the listener by HTTP. */

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
});

const vscode: Maker = ({ name, url, headersFile }) => {
  const id = `${name}-token`;
  const input = { type: "promptString", id, description: `Token of ${name}`, password: true };
  return {
    file: {
      user: 'the mcp.json of your profile (command "MCP: Open User Configuration")',
      project: ".vscode/mcp.json",
    },
    text: json({
      servers: { [name]: { type: "http", url, headers: bearer(`\${input:${id}}`) } },
      inputs: [input],
    }),
    note: `VS Code asks for the token once, and keeps it: it is what follows Bearer in ${headersFile}.`,
  };
};

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

export const HTTP_SNIPPETS: Readonly<Partial<Record<SnippetClient, Maker>>> = {
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

/** JSON strings are TOML strings, but for the delete character. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", "\\u007F");
}
