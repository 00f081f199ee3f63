import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the real clients. */
    clientsBin: string;
  }
}

/** The versions that were tried, on Node.js 20. */
const PACKAGES = ["@google/gemini-cli@0.61.0", "@modelcontextprotocol/inspector@0.15.0"];

/** Installs the clients from the registry into a folder of their own, gone after the run. */
export default async function install(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-clients-"));
  await writeFile(join(folder, "package.json"), "{}");
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], { cwd: folder });
  project.provide("clientsBin", join(folder, "node_modules", ".bin"));
  return () => rm(folder, { recursive: true });
}
