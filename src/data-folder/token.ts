import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "./atomic-file.js";
import { errorCode, explain, FolderError } from "./folder-error.js";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 32 random bytes, base64url: 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The agent's token; made when the file is absent. A damaged one is not replaced silently: the clients that are
 * registered with the old one would be refused without anybody knowing why.
 */
export async function readOrMakeToken(path: string, make: () => string): Promise<string> {
  const stored = await readToken(path);
  if (stored === undefined) {
    const token = make();
    await writeFileAtomic(path, token);
    return token;
  }
  if (!TOKEN.test(stored)) {
    throw new FolderError(
      `${path} is damaged. Delete it and start again: a new token is made, and clients must be registered again.`,
    );
  }
  return stored;
}

async function readToken(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new FolderError(explain(error, path), { cause: error });
  }
}
