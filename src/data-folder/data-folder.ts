import { readFile } from "node:fs/promises";
import { removeLeftOvers, writeFileAtomic } from "./atomic-file.js";
import { checkDatabases } from "./databases.js";
import { type Lock, takeLock } from "./lock.js";
import { emptyFolder, makeDataFolder, makePrivateFolder, repairModes } from "./modes.js";
import { type DataPaths, dataPaths } from "./paths.js";
import { newToken, readOrMakeToken } from "./token.js";

export interface DataFolderOptions {
  readonly agent: string;
  /** Absolute; made when absent. See `agentFolder`. */
  readonly root: string;
  /** For tests: where a new token comes from. */
  readonly makeToken?: () => string;
}

/** The data folder of a running server: locked, private, with its token. */
export interface DataFolder {
  readonly paths: DataPaths;
  readonly token: string;
  /** Removes the lock, if it is still this process's. */
  release(): Promise<void>;
}

/**
 * Makes the folder ready for a server: modes, lock, databases, token, `headers.json`, `tmp`, `files` and an empty
 * `files/sent`. Throws `FolderError`, and then holds no lock.
 */
export async function openDataFolder({
  agent,
  root,
  makeToken = newToken,
}: DataFolderOptions): Promise<DataFolder> {
  const paths = dataPaths(root);
  await makeDataFolder(root);
  const lock = await takeLock(paths.lock, agent);
  try {
    const token = await prepare(paths, makeToken);
    return { paths, token, release: () => lock.release() };
  } catch (error) {
    await giveUp(lock);
    throw error;
  }
}

/** All that needs the lock: a running server's files are not touched by a second start. */
async function prepare(paths: DataPaths, makeToken: () => string): Promise<string> {
  await repairModes(paths.root);
  await removeLeftOvers(paths.root);
  await checkDatabases(paths);
  const token = await readOrMakeToken(paths.token, makeToken);
  await writeHeaders(paths.headers, token);
  await makePrivateFolder(paths.tmp);
  await makePrivateFolder(paths.files);
  await emptyFolder(paths.sent);
  return token;
}

/** `headers.json` is what MCP clients print to reach the server; it follows the token. */
async function writeHeaders(path: string, token: string): Promise<void> {
  const text = `${JSON.stringify({ Authorization: `Bearer ${token}` })}\n`;
  const stored = await readFile(path, "utf8").catch(() => undefined);
  if (stored !== text) await writeFileAtomic(path, text);
}

/** The first error is the one to show: a full or read-only disk may refuse the removal too. */
async function giveUp(lock: Lock): Promise<void> {
  await lock.release().catch(() => undefined);
}
