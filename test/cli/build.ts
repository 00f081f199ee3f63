import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { makeApp } from "./make-app.js";
import { REPOSITORY } from "./repository.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Folders of installations: the stand-in as the library, and no library. */
    standin: string;
    missing: string;
  }
}

/** Compiles and installs what the tests of the executable run. Not from `dist`: that may be stale, or in the making. */
export default async function build(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-build-"));
  const dist = join(folder, "dist");
  await compile(dist);
  for (const library of ["standin", "missing"] as const) {
    const app = await makeApp(join(folder, library), dist, library);
    await promisify(execFile)(process.execPath, [join(app.folder, "dist/bridge/write-listing.js")]);
    project.provide(library, app.folder);
  }
  return () => rm(folder, { recursive: true });
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
