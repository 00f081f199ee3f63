/** What the code says, as a reader of its text finds it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const ROOT = new URL("../../..", import.meta.url).pathname;

export const read = (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");

/** The files of `src`, without the simulator, which says nothing to people. */
export async function sources(): Promise<Map<string, string>> {
  const files = await readdir(join(ROOT, "src"), { recursive: true });
  const paths = files.filter((file) => file.endsWith(".ts") && !file.startsWith("simulator/"));
  return new Map(await Promise.all(paths.map(async (path) => [path, await read(`src/${path}`)] as const)));
}

/** A part of a text that stays the same: what lies between its `${…}`. */
export type Fixed = readonly string[];

const LITERAL = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** The texts of a piece of code, each as its fixed parts. Those of nested templates are parts of their own text. */
export function textsIn(code: string): Fixed[] {
  return [...code.matchAll(LITERAL)].map(([, plain, template]) =>
    (plain ?? template ?? "").replace(/\\(.)/g, "$1").split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/),
  );
}
