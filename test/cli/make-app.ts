import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { REPOSITORY } from "./repository.js";

/** An installation of this package, with the SimpleX library that a test wants it to find. */
export interface App {
  readonly folder: string;
  readonly executable: string;
}

/**
 * `standin`: the core is in the test process; `missing`: there is no such package; else the text of the package's
 * main module, CommonJS.
 */
export type Library = "standin" | "missing" | { readonly source: string };

export const appIn = (folder: string): App => ({ folder, executable: join(folder, "bin/simplex-mcp.cjs") });

/** Puts the executable where it resolves `simplex-chat` to that library. Only the dependencies are in reach beside. */
export async function makeApp(folder: string, dist: string, library: Library): Promise<App> {
  await mkdir(folder);
  await cp(dist, join(folder, "dist"), { recursive: true });
  for (const name of ["bin", "package.json"]) {
    await cp(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  const modules = join(folder, "node_modules");
  for (const name of await dependencies()) {
    await link(join(REPOSITORY, "node_modules", name), join(modules, name));
  }
  await provide(library, join(modules, "simplex-chat"));
  return appIn(folder);
}

const packageJson = z.object({ dependencies: z.record(z.string(), z.string()) });

async function dependencies(): Promise<string[]> {
  const text = await readFile(join(REPOSITORY, "package.json"), "utf8");
  return Object.keys(packageJson.parse(JSON.parse(text)).dependencies);
}

async function provide(library: Library, path: string): Promise<void> {
  if (library === "missing") return;
  if (library === "standin") return link(join(REPOSITORY, "test/standin"), path);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "package.json"), JSON.stringify({ name: "simplex-chat", main: "index.js" }));
  await writeFile(join(path, "index.js"), library.source);
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
