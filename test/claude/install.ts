import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the real `claude`. */
    claudeBin: string;
  }
}

/** The newest that was tried. `CLAUDE_CODE_VERSION=latest` tries a newer one. */
const VERSION = process.env.CLAUDE_CODE_VERSION ?? "2.1.332";

/** Installs Claude Code from the registry into a folder of its own, gone after the run. */
export default async function install(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-claude-"));
  await writeFile(join(folder, "package.json"), "{}");
  const packageName = `@anthropic-ai/claude-code@${VERSION}`;
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", packageName], { cwd: folder });
  project.provide("claudeBin", join(folder, "node_modules", ".bin"));
  return () => rm(folder, { recursive: true });
}
