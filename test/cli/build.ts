import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { makeApp } from "./make-app.js";
import { REPOSITORY } from "./repository.js";

const LIBRARIES = ["standin", "missing"] as const;

declare module "vitest" {
  interface ProvidedContext {
    /** Folders of installations: the stand-in as the library, and no library. */
    standin: string;
    missing: string;
  }
}

/** The folder with what was built: one for all projects of a run, each of which loads this module anew. */
const shared: typeof globalThis & { simplexMcpBuild?: Promise<string> } = globalThis;

/** Provides the installations that the tests of the executable run. */
export default async function provideBuilt(project: TestProject): Promise<() => Promise<void>> {
  shared.simplexMcpBuild ??= build();
  const folder = await shared.simplexMcpBuild;
  for (const library of LIBRARIES) project.provide(library, join(folder, library));
  // All projects end together.
  return () => rm(folder, { recursive: true, force: true });
}

/** Compiles and installs it. Not from `dist`: that may be stale, or in the making. */
async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-build-"));
  const dist = join(folder, "dist");
  await compile(dist);
  for (const library of LIBRARIES) {
    const app = await makeApp(join(folder, library), dist, library);
    await promisify(execFile)(process.execPath, [join(app.folder, "dist/bridge/write-listing.js")]);
  }
  return folder;
}

async function compile(dist: string): Promise<void> {
  const tsc = join(REPOSITORY, "node_modules/typescript/bin/tsc");
  try {
    // Whether the types are right is another check's business: what was written out is tested.
    const flags = ["-p", "tsconfig.json", "--noEmitOnError", "false", "--outDir", dist];
    await promisify(execFile)(process.execPath, [tsc, ...flags], { cwd: REPOSITORY });
  } catch (error) {
    const report = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    process.stderr.write(`The sources have type errors:\n${report}\n`);
  }
}
