import { execFileSync } from "node:child_process";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { projectFolder } from "../../../src/register/project-folder.js";
import { scratchFolder } from "../data-folder/folders.js";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await scratchFolder());
});

function git(cwd: string, ...args: string[]): void {
  const settings = [
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@example.org",
    "-c",
    "protocol.file.allow=always",
  ];
  execFileSync("git", [...settings, ...args], { cwd, stdio: "ignore", env: { PATH: process.env.PATH } });
}

/** A repository with a commit, so that worktrees can be made. */
async function repository(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  git(path, "init");
  git(path, "commit", "--allow-empty", "-m", "first");
  return path;
}

describe("the folder of a project", () => {
  it("is the root of the repository", async () => {
    const root = await repository("project");
    await mkdir(join(root, "a/b"), { recursive: true });
    expect(await projectFolder(join(root, "a/b"))).toBe(root);
    expect(await projectFolder(root)).toBe(root);
  });

  it("is the main repository for a worktree", async () => {
    const root = await repository("project");
    git(root, "worktree", "add", "../tree");
    await mkdir(join(folder, "tree/inner"));
    expect(await projectFolder(join(folder, "tree/inner"))).toBe(root);
  });

  it("is the bare repository for a worktree of one", async () => {
    const root = await repository("project");
    git(folder, "clone", "--bare", root, "bare.git");
    git(join(folder, "bare.git"), "worktree", "add", "../tree");
    expect(await projectFolder(join(folder, "tree"))).toBe(join(folder, "bare.git"));
  });

  it("is the submodule in a submodule", async () => {
    const [outer, inner] = [await repository("outer"), await repository("inner")];
    git(outer, "submodule", "add", inner, "part");
    expect(await projectFolder(join(outer, "part"))).toBe(join(outer, "part"));
  });

  it("is the folder itself outside of a repository", async () => {
    expect(await projectFolder(folder)).toBe(folder);
  });

  it("is where a .git file lies that leads nowhere", async () => {
    await writeFile(join(folder, ".git"), "gitdir: /nowhere\n");
    await mkdir(join(folder, "a"));
    expect(await projectFolder(join(folder, "a"))).toBe(folder);
    await writeFile(join(folder, ".git"), "");
    expect(await projectFolder(join(folder, "a"))).toBe(folder);
  });
});
