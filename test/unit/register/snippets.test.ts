import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { CLIENTS, type SnippetClient } from "../../../src/register/clients.js";
import { setVariable } from "../../../src/register/set-variable.js";
import { snippetText } from "../../../src/register/snippets.js";
import { scratchFolder } from "../data-folder/folders.js";
import { registration } from "./registrations.js";

const LINUX = { platform: "linux" } as const;
const WINDOWS = { platform: "win32" } as const;
const VARIABLE = "SIMPLEX_MY_AGENT_TOKEN";
const URL = "http://127.0.0.1:5226/mcp";
const SET = `export ${VARIABLE}="$(sed -E 's/.*"Bearer ([^"]*)".*/\\1/' /data/headers.json)"`;
const HOLD =
  "If calls end before you have approved, serve the agent with --hold 50: they go on when repeated.";

const BRIDGE = { command: "npx", args: ["-y", "@simplex-chat/mcp", "bridge", "my-agent"] };

/** The parts of the text, and the JSON of the second one; by HTTP those of the other way. */
function parts(client: SnippetClient, of = registration(), machine: typeof LINUX | typeof WINDOWS = LINUX) {
  const [place, snippet = "", ...rest] = snippetText(client, "user", of, machine).split("\n\n");
  return { place, json: JSON.parse(snippet), rest };
}

function partsByHttp(client: SnippetClient) {
  const { rest } = parts(client);
  const other = rest.indexOf("Or this, by HTTP:");
  return { json: JSON.parse(rest[other + 1] ?? ""), rest: rest.slice(other + 2) };
}

const setIn = (started: string) => [
  `The token is read from an environment variable. Set it in the shell that starts ${started}:`,
  SET,
];

describe("the snippet", () => {
  it("of Codex reads the header by a command, and counts in seconds", () => {
    expect(snippetText("codex", "user", registration(), LINUX)).toBe(
      [
        "Add this to ~/.codex/config.toml:",
        "",
        "[mcp_servers.simplex-my-agent]",
        'url = "http://127.0.0.1:5226/mcp"',
        'http_headers_helper = "cat /data/headers.json"',
        "tool_timeout_sec = 169800",
      ].join("\n"),
    );
  });

  it("of Codex escapes the command as TOML does", () => {
    const headersHelper = "cat '/a \"b\" \\ \u007F\n'";
    const text = snippetText("codex", "user", { ...registration(), headersHelper }, LINUX);
    expect(text).toContain(String.raw`http_headers_helper = "cat '/a \"b\" \\ \u007F\n'"`);
  });

  it.each([
    ["gemini", "~/.gemini/settings.json", { ...BRIDGE, timeout: 169_800_000 }, undefined],
    ["cursor", "~/.cursor/mcp.json", BRIDGE, HOLD],
    ["windsurf", "~/.codeium/windsurf/mcp_config.json", BRIDGE, HOLD],
    [
      "cline",
      "cline_mcp_settings.json (in Cline: MCP Servers, Configure, Configure MCP Servers)",
      { ...BRIDGE, timeout: 169_800 },
      undefined,
    ],
    [
      "jetbrains",
      "Settings, Tools, AI Assistant, Model Context Protocol (MCP); for Junie to ~/.junie/mcp/mcp.json",
      BRIDGE,
      HOLD,
    ],
    [
      "claude-desktop",
      "~/.config/Claude/claude_desktop_config.json",
      BRIDGE,
      "Claude Desktop ends calls after a minute: serve the agent with --hold 50, and they go on when repeated.",
    ],
  ] as const)("of %s starts the bridge", (client, file, entry, note) => {
    const { place, json, rest } = parts(client);
    expect({ place, json }).toEqual({
      place: `Add this to ${file}:`,
      json: { mcpServers: { "simplex-my-agent": entry } },
    });
    expect(rest[0] === "Or this, by HTTP:" ? undefined : rest[0]).toBe(note);
  });

  it("of VS Code starts the bridge", () => {
    expect(parts("vscode")).toMatchObject({
      place: 'Add this to the mcp.json of your profile (command "MCP: Open User Configuration"):',
      json: { servers: { "simplex-my-agent": { type: "stdio", ...BRIDGE } } },
    });
    expect(parts("vscode").rest[0]).toBe(HOLD);
  });

  it("of Zed starts the bridge, and counts in seconds", () => {
    expect(parts("zed")).toEqual({
      place: "Add this to ~/.config/zed/settings.json:",
      json: { context_servers: { "simplex-my-agent": { ...BRIDGE, timeout: 169_800 } } },
      rest: [],
    });
  });

  it.each([
    ["zed", "win32", "%APPDATA%\\Zed\\settings.json"],
    ["claude-desktop", "win32", "%APPDATA%\\Claude\\claude_desktop_config.json"],
    ["claude-desktop", "darwin", "~/Library/Application Support/Claude/claude_desktop_config.json"],
  ] as const)("of %s on %s belongs in %s", (client, platform, file) => {
    const [place] = snippetText(client, "user", registration(), { platform }).split("\n");
    expect(place).toBe(`Add this to ${file}:`);
  });

  it.each(["claude-desktop", "windsurf", "cline"] as const)("of %s is for no project", (client) => {
    expect(() => snippetText(client, "project", registration(), LINUX)).toThrow(
      `${client} has one list of servers for all projects: leave --scope out.`,
    );
  });

  it("of Gemini CLI has a second way, with the token in a variable", () => {
    expect(partsByHttp("gemini")).toEqual({
      json: {
        mcpServers: {
          "simplex-my-agent": {
            type: "http",
            url: URL,
            headers: { Authorization: `Bearer \${${VARIABLE}}` },
            timeout: 169_800_000,
          },
        },
      },
      rest: setIn("Gemini CLI"),
    });
  });

  it("of Cursor has a second way, with the token in a variable", () => {
    const headers = { Authorization: `Bearer \${env:${VARIABLE}}` };
    expect(partsByHttp("cursor")).toEqual({
      json: { mcpServers: { "simplex-my-agent": { url: URL, headers } } },
      rest: setIn("Cursor"),
    });
  });

  it("of VS Code has a second way, for which it asks for the token", () => {
    const id = "simplex-my-agent-token";
    const headers = { Authorization: `Bearer \${input:${id}}` };
    expect(partsByHttp("vscode")).toEqual({
      json: {
        servers: { "simplex-my-agent": { type: "http", url: URL, headers } },
        inputs: [{ type: "promptString", id, description: "Token of simplex-my-agent", password: true }],
      },
      rest: [
        "VS Code asks for the token once, and keeps it: it is what follows Bearer in /data/headers.json.",
      ],
    });
  });

  it("of opencode reads the token from its file", () => {
    expect(parts("opencode")).toEqual({
      place: "Add this to ~/.config/opencode/opencode.jsonc:",
      json: {
        mcp: {
          "simplex-my-agent": {
            type: "remote",
            url: URL,
            enabled: true,
            oauth: false,
            headers: { Authorization: "Bearer {file:/data/token}" },
            timeout: 169_800_000,
          },
        },
      },
      rest: [],
    });
  });

  it("of opencode writes the path with slashes on Windows", () => {
    const of = { ...registration(), tokenFile: "C:\\Users\\me\\token" };
    const { headers } = parts("opencode", of, WINDOWS).json.mcp["simplex-my-agent"];
    expect(headers).toEqual({ Authorization: "Bearer {file:C:/Users/me/token}" });
  });

  it.each(["/a}b", '/a"b', "/a\\b", "/a\nb"])("of opencode reads a variable for the folder %j", (root) => {
    const { json, rest } = parts("opencode", registration("my-agent", root));
    expect(json.mcp["simplex-my-agent"].headers).toEqual({
      Authorization: `Bearer {env:${VARIABLE}}`,
    });
    expect(rest[0]).toContain("opencode");
  });

  it("for any other client is the common form", () => {
    const { place, json, rest } = parts("json");
    expect(place).toBe("Add this to your client's list of MCP servers:");
    expect(json).toEqual(partsByHttp("gemini").json);
    expect(rest).toEqual(setIn("the client"));
  });

  it.each([
    ["codex", ".codex/config.toml"],
    ["gemini", ".gemini/settings.json"],
    ["cursor", ".cursor/mcp.json"],
    ["vscode", ".vscode/mcp.json"],
    ["opencode", "opencode.jsonc"],
    ["zed", ".zed/settings.json"],
    ["jetbrains", ".junie/mcp/mcp.json"],
    ["json", "the project's list of MCP servers"],
  ] as const)("of %s for a project belongs in %s", (client, file) => {
    expect(snippetText(client, "project", registration(), LINUX).split("\n")[0]).toBe(`Add this to ${file}:`);
  });

  it("names the agent as all clients allow it", () => {
    for (const client of CLIENTS) {
      if (client === "claude-code") continue;
      expect(snippetText(client, "user", registration("my.agent"), LINUX)).toContain("simplex-my-dot-agent");
    }
  });
});

describe("the command that sets the variable", () => {
  it.each(["plain", "it's", '$HOME "x" `id`', "é 漢"])(
    "sets it to the token in sh, without printing it, from the folder %j",
    async (name) => {
      const folder = join(await scratchFolder(), name);
      await mkdir(folder);
      const headersFile = join(folder, "headers.json");
      await writeFile(headersFile, '{"Authorization":"Bearer a-b_c123"}\n');
      const command = setVariable({ variable: "X_TOKEN", headersFile }, LINUX);
      const { stdout } = await promisify(execFile)("sh", ["-c", `${command}; echo "<$X_TOKEN>"`]);
      expect(stdout).toBe("<a-b_c123>\n");
    },
  );

  it("is one of PowerShell on Windows, with all its single quotes doubled", () => {
    const headersFile = "C:\\it's ‘me’\\headers.json";
    expect(setVariable({ variable: "X_TOKEN", headersFile }, WINDOWS)).toBe(
      "$env:X_TOKEN = (Get-Content -Raw -LiteralPath 'C:\\it''s ‘‘me’’\\headers.json' | ConvertFrom-Json)" +
        '.Authorization.Substring("Bearer ".Length)',
    );
  });
});
