import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "./atomic-file.js";
import { errorCode, explain, FolderError } from "./folder-error.js";

/** The last start, as clients, `register` and the next start need it. */
export interface ServerJson {
  readonly url: string;
  readonly port: number;
  readonly expireHours: number;
  readonly version: string;
  readonly approve: "requests" | "host";
}

/** Undefined when the agent was never started. Throws `FolderError` when the file cannot be read or is damaged. */
export async function readServerJson(path: string): Promise<ServerJson | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw new FolderError(explain(error, path), { cause: error });
  }
  const value = serverJson(parseJson(text));
  if (value === undefined) {
    throw new FolderError(`${path} is damaged. Delete it and start the agent again: it is written anew.`);
  }
  return value;
}

export async function writeServerJson(path: string, value: ServerJson): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(value)}\n`);
}

/** By hand, since the bridge reads it: a schema library would take longer to load than the bridge to start. */
function serverJson(value: unknown): ServerJson | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { url, port, expireHours, version, approve } = value as Partial<Record<keyof ServerJson, unknown>>;
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  if (!isWhole(port, 1, 65_535) || !isWhole(expireHours, 1, 23)) return undefined;
  if (typeof version !== "string" || version === "") return undefined;
  if (approve !== "requests" && approve !== "host") return undefined;
  return { url, port, expireHours, version, approve };
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
