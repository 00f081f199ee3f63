import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The folder under which Claude Code keeps what is local to a project: the root of the git repository, of the main
 * one for a worktree; outside of a repository the current folder. Read from the files of git, which need not be
 * installed.
 */
export async function projectFolder(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const root = await repositoryAt(folder);
    if (root !== undefined) return root;
    if (folder === dirname(folder)) return cwd;
  }
}

async function repositoryAt(folder: string): Promise<string | undefined> {
  const git = join(folder, ".git");
  const info = await stat(git).catch(() => undefined);
  if (info?.isDirectory()) return folder;
  return info?.isFile() ? await mainRepository(folder, git) : undefined;
}

/** `.git` is a file in worktrees and submodules; only a worktree shares another repository's `commondir`. */
async function mainRepository(folder: string, gitFile: string): Promise<string> {
  const gitFolder = /^gitdir: (.+)$/m.exec(await content(gitFile))?.[1];
  if (gitFolder === undefined) return folder;
  const own = resolve(folder, gitFolder);
  const common = (await content(join(own, "commondir"))).trim();
  if (common === "") return folder;
  const main = resolve(own, common);
  // A bare repository has no folder around it.
  return basename(main) === ".git" ? dirname(main) : main;
}

async function content(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
