import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeFileAtomic } from "./atomic-file.js";
import { errorCode, explain, FolderError } from "./folder-error.js";

const serverJson = z.object({
  url: z.url(),
  port: z.int().min(1).max(65535),
  expireHours: z.int().min(1).max(23),
  version: z.string().min(1),
  approve: z.enum(["requests", "host"]),
});

/** The last start, as `register` and the next start need it. */
export type ServerJson = z.infer<typeof serverJson>;

/** Undefined when the agent was never started. Throws `FolderError` when the file cannot be read or is damaged. */
export async function readServerJson(path: string): Promise<ServerJson | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw new FolderError(explain(error, path), { cause: error });
  }
  const parsed = serverJson.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new FolderError(`${path} is damaged. Delete it and start the agent again: it is written anew.`);
  }
  return parsed.data;
}

export async function writeServerJson(path: string, value: ServerJson): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(serverJson.parse(value))}\n`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
