/** The MCP clients that an agent can be registered in; `json` stands for all others. */
export const CLIENTS = [
  "claude-code",
  "claude-desktop",
  "codex",
  "gemini",
  "cursor",
  "vscode",
  "opencode",
  "zed",
  "windsurf",
  "cline",
  "jetbrains",
  "json",
] as const;
export type Client = (typeof CLIENTS)[number];

/** Clients that get no command run, but a snippet to copy. */
export type SnippetClient = Exclude<Client, "claude-code">;

/** For all projects of the user; for the user in one project (Claude Code only); for everybody in one project. */
export const SCOPES = ["user", "local", "project"] as const;
export type Scope = (typeof SCOPES)[number];
export type SnippetScope = Exclude<Scope, "local">;
