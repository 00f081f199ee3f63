import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { expect, it } from "vitest";

const SOURCES = new URL("../../../src", import.meta.url).pathname;

/** All that a file loads, from packages and from here, and what that loads. Types are not there when it runs. */
async function loads(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = await readFile(join(SOURCES, file), "utf8");
  for (const [, path = ""] of text.matchAll(/^(?:import|export) (?!type\b)(?:[^"]*from )?"([^"]+)"/gm)) {
    if (path.startsWith(".")) await loads(`${posix.join(posix.dirname(file), path).slice(0, -3)}.ts`, seen);
    else seen.add(path);
  }
  return seen;
}

it("the bridge loads nothing that takes long: no SDK, no schemas, no SimpleX library, no image code", async () => {
  const loaded = [...(await loads("bridge/bridge.ts")), ...(await loads("cli.ts"))];
  const packages = loaded.filter((name) => !name.endsWith(".ts") && !name.startsWith("node:"));
  expect([...new Set(packages)]).toEqual(["commander"]);
  const rooms = loaded.filter((name) => /^(core|tools|files|simulator|control|messages)\//.test(name));
  expect(rooms).toEqual([]);
});
