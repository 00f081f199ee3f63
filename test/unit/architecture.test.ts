import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { beforeAll, expect, it } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;

/** What stands on each line of the layout in `spec/architecture.md`, from the top. */
let layout: string[][];
/** The files of `src`, with what each imports. */
let imports: Map<string, string[]>;

beforeAll(async () => {
  const text = await readFile(join(ROOT, "spec/architecture.md"), "utf8");
  const [, lines = ""] = /^src\/\n((?: .*\n)+)/m.exec(text) ?? [];
  layout = lines.split("\n").map((line) => leading(line.trim().split(/ +/)));
  const files = await readdir(join(ROOT, "src"), { recursive: true });
  const sources = files.filter((file) => file.endsWith(".ts"));
  imports = new Map(await Promise.all(sources.map(async (file) => [file, await importsOf(file)] as const)));
});

/** `demo.ts demo/ the real server` -> `demo.ts`, `demo/`. */
function leading(words: string[]): string[] {
  const end = words.findIndex((word) => !/^[\w-]+(?:\.ts|\/)$/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(join(ROOT, "src", file), "utf8");
  const paths = [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()"(\.[^"]+)\.js"/g)];
  return paths.map(([, path = ""]) => `${posix.join(posix.dirname(file), path)}.ts`);
}

/** `core/core.ts` -> `core/`, `serve.ts` -> `serve.ts`. */
function part(file: string): string {
  const [first = "", second] = file.split("/");
  return second === undefined ? first : `${first}/`;
}

it("the layout of the architecture names each part once", () => {
  const parts = [...new Set([...imports.keys()].map(part))];
  expect(layout.flat().sort()).toEqual(parts.sort());
});

it("nothing imports what stands above it in the layout", () => {
  const line = (file: string): number => layout.findIndex((names) => names.includes(part(file)));
  const upward = [...imports].flatMap(([file, paths]) =>
    paths.flatMap((path) => (line(path) < line(file) ? [`${file} imports ${path}`] : [])),
  );
  expect([...imports.values()].flat().length).toBeGreaterThan(500);
  expect(upward).toEqual([]);
});
