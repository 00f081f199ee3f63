import type { SnippetClient } from "./clients.js";
import { isWindows, type Machine } from "./machine.js";
import { HOLD, json, type Maker } from "./snippet.js";

/** Clients that start the bridge as a command: no token in any configuration. */

const gemini: Maker = ({ name, bridge, timeoutMs }) => ({
  file: { user: "~/.gemini/settings.json", project: ".gemini/settings.json" },
  text: json({ mcpServers: { [name]: { ...bridge, timeout: timeoutMs } } }),
});

const cursor: Maker = ({ name, bridge }) => ({
  file: { user: "~/.cursor/mcp.json", project: ".cursor/mcp.json" },
  text: json({ mcpServers: { [name]: bridge } }),
  note: HOLD,
});

const vscode: Maker = ({ name, bridge }) => ({
  file: {
    user: 'the mcp.json of your profile (command "MCP: Open User Configuration")',
    project: ".vscode/mcp.json",
  },
  text: json({ servers: { [name]: { type: "stdio", ...bridge } } }),
  note: HOLD,
});

const claudeDesktop: Maker = ({ name, bridge }, machine) => ({
  file: { user: claudeDesktopFile(machine) },
  text: json({ mcpServers: { [name]: bridge } }),
  note: "Claude Desktop ends calls after a minute: serve the agent with --hold 50, and they go on when repeated.",
});

const zed: Maker = ({ name, bridge, timeoutMs }, machine) => ({
  file: {
    user: isWindows(machine) ? "%APPDATA%\\Zed\\settings.json" : "~/.config/zed/settings.json",
    project: ".zed/settings.json",
  },
  text: json({ context_servers: { [name]: { ...bridge, timeout: timeoutMs / 1000 } } }),
});

const windsurf: Maker = ({ name, bridge }) => ({
  file: { user: "~/.codeium/windsurf/mcp_config.json" },
  text: json({ mcpServers: { [name]: bridge } }),
  note: HOLD,
});

const cline: Maker = ({ name, bridge, timeoutMs }) => ({
  file: { user: "cline_mcp_settings.json (in Cline: MCP Servers, Configure, Configure MCP Servers)" },
  text: json({ mcpServers: { [name]: { ...bridge, timeout: timeoutMs / 1000 } } }),
});

const jetbrains: Maker = ({ name, bridge }) => ({
  file: {
    user: "Settings, Tools, AI Assistant, Model Context Protocol (MCP); for Junie to ~/.junie/mcp/mcp.json",
    project: ".junie/mcp/mcp.json",
  },
  text: json({ mcpServers: { [name]: bridge } }),
  note: HOLD,
});

export const BRIDGE_SNIPPETS: Readonly<Partial<Record<SnippetClient, Maker>>> = {
  "claude-desktop": claudeDesktop,
  gemini,
  cursor,
  vscode,
  zed,
  windsurf,
  cline,
  jetbrains,
};

function claudeDesktopFile({ platform }: Pick<Machine, "platform">): string {
  const name = "claude_desktop_config.json";
  if (platform === "darwin") return `~/Library/Application Support/Claude/${name}`;
  return platform === "win32" ? `%APPDATA%\\Claude\\${name}` : `~/.config/Claude/${name}`;
}
