import { chmod, lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, FolderError, fileWork } from "./folder-error.js";
import { TICKET } from "./gate.js";

/** Windows has no such modes; there the user's profile is the boundary. */
const HAS_MODES = process.platform !== "win32";

const DATABASE = /^simplex_(chat|agent)\.db$/;

/** What a start makes first. A person's folder may have a file of such a name, too. */
const FIRST = ["lock", "token", "headers.json", "server.json"];

/** Made by the agent, and so given its modes. Anything else in the folder is left as it is. */
function isOurs(name: string): boolean {
  return (
    FIRST.includes(name) ||
    TICKET.test(name) ||
    /^simplex_(chat|agent)\.db(-\w+)?$/.test(name) ||
    ["tmp", "files", "forwarded"].includes(name)
  );
}

/** An agent has its databases or, before the core was opened, both of what a start makes for clients. */
function holdsAgent(names: readonly string[]): boolean {
  return (
    names.some((name) => DATABASE.test(name)) ||
    ["token", "headers.json"].every((name) => names.includes(name))
  );
}

/** What a start that was interrupted early does not leave. Systems put hidden files everywhere. */
function isMore(name: string): boolean {
  return !(name.startsWith(".") || name === "lost+found" || FIRST.includes(name) || TICKET.test(name));
}

/**
 * Makes the data folder, mode 0700. Throws `FolderError` for a folder of somebody else, and for one that holds
 * other things and no agent: changing the modes of a person's home or project would break it.
 */
export async function makeDataFolder(root: string): Promise<void> {
  await makePrivateFolder(root);
  const info = await fileWork(root, () => stat(root));
  const user = process.getuid?.();
  if (user !== undefined && info.uid !== user) {
    throw new FolderError(`${root} belongs to another user. Choose another folder with --data.`);
  }
  // A folder that its owner cannot list or write: the check below needs it.
  if ((info.mode & 0o700) !== 0o700) await setMode(root, info.mode, info.mode | 0o700);
  const names = await fileWork(root, () => readdir(root));
  if (names.some(isMore) && !holdsAgent(names)) {
    throw new FolderError(
      `${root} holds other files and no agent. Choose a new or empty folder with --data.`,
    );
  }
  await setMode(root, info.mode, 0o700);
}

/** Sets 0700 on the agent's folders and 0600 on its files, where they differ. Follows no symbolic links. */
export async function repairModes(root: string): Promise<void> {
  const names = await fileWork(root, () => readdir(root));
  for (const name of names) if (isOurs(name)) await repair(join(root, name));
}

async function repair(path: string): Promise<void> {
  const info = await fileWork(path, () => lstat(path));
  if (info.isFile()) await setMode(path, info.mode, 0o600);
  if (!info.isDirectory()) return;
  // The folder first: without its own rights its content cannot be listed.
  await setMode(path, info.mode, 0o700);
  const names = await fileWork(path, () => readdir(path));
  for (const name of names) await repair(join(path, name));
}

async function setMode(path: string, mode: number, wanted: number): Promise<void> {
  if (HAS_MODES && (mode & 0o7777) !== wanted) await fileWork(path, () => chmod(path, wanted));
}

/** Makes the folder and what is missing above it; mode 0700 for all that is made. A folder that is there stays. */
export async function makePrivateFolder(path: string): Promise<void> {
  await fileWork(path, async () => {
    if (await makeOne(path)) return;
    await makePrivateFolder(dirname(path));
    await mkdir(path, 0o700);
  });
}

/**
 * False when the folder above is missing. Not `mkdir` with `recursive`: where the system lets nobody make a folder,
 * as in `/proc`, Node 20 tries for ever.
 */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path, 0o700);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT" && dirname(path) !== path) return false;
    if (errorCode(error) === "EEXIST" && (await stat(path)).isDirectory()) return true;
    throw error;
  }
}

/** Deletes the folder with all that is in it and makes it anew. */
export async function emptyFolder(path: string): Promise<void> {
  await fileWork(path, () => rm(path, { recursive: true, force: true }));
  await makePrivateFolder(path);
}
