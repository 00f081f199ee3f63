/** Data folders of agents, this one's and others, wherever they are: told by what lies in them. */
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { FileIdentity } from "./opened-file.js";
import { isOwnDownload, type OwnFolders } from "./path-rules.js";

/** All of these are in the folder of an agent, or of another program with SimpleX's core. */
const SIGNS: readonly (readonly string[])[] = [["token", "headers.json"], ["simplex_chat.db"]];
/** Folders that an agent keeps files in. */
const INNER = ["files", "forwarded", "tmp"];

/** The data folder of an agent that the path is in; undefined where it is in none. Looks at names only. */
export async function agentFolderOf(path: string): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (isPart(relative(folder, path)) && (await isAgentFolder(folder))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Lies directly in the folder, or in one that an agent makes there: such a folder may be a whole home folder. */
function isPart(inner: string): boolean {
  const [first = "", ...rest] = inner.split(sep);
  return rest.length === 0 || INNER.includes(first);
}

async function isAgentFolder(folder: string): Promise<boolean> {
  for (const names of SIGNS) {
    const are = await Promise.all(names.map((name) => isThere(join(folder, name))));
    if (are.every(Boolean)) return true;
  }
  return false;
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Whether the file is one of the agent's own by another name: a hard link to the token, a database, or what an owner
 * looked at with `/forward`.
 */
export async function isSecretOf(own: OwnFolders, { device, inode }: FileIdentity): Promise<boolean> {
  for await (const path of secretsIn(own.root, own)) {
    const info = await lstat(path, { bigint: true }).catch(() => undefined);
    if (info?.dev === device && info.ino === inode) return true;
  }
  return false;
}

/** The files in the folder and below, but for those that the agent may send. Follows no links. */
async function* secretsIn(folder: string, own: OwnFolders): AsyncGenerator<string> {
  // A folder may go while it is read: copies that were sent.
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (folder === own.root) throw error;
    return [];
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isSendable = isOwnDownload(path, own) && path !== own.files;
    if (entry.isDirectory() && !isSendable) yield* secretsIn(path, own);
    if (entry.isFile() && !isSendable) yield path;
  }
}
