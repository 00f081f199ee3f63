import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;

/** More make a wall of a folder. */
const MOST_FILES = 16;
/** More want a table of contents. */
const MOST_LINES = 300;

/**
 * The rooms of `src`, from the ground up: a room uses what stands before it, never what stands after it. `spec/architecture.md`
 * names them in the other direction.
 */
const ROOMS = [
  "text/",
  "time/",
  "terminal/",
  "core/api/",
  "core/errors/",
  "core/types/",
  "core/library/",
  "core/",
  "data-folder/",
  "messages/",
  "files/disk/",
  "files/pictures/",
  "files/outgoing/",
  "files/downloads/",
  "files/",
  "simulator/data/",
  "simulator/text/",
  "simulator/database/",
  "simulator/network/",
  "simulator/json/",
  "simulator/user/",
  "simulator/connections/",
  "simulator/items/",
  "simulator/files/",
  "simulator/people/",
  "simulator/groups/",
  "simulator/joining/",
  "simulator/messages/",
  "simulator/chats/",
  "simulator/meeting/",
  "simulator/commands/",
  "simulator/",
  "actions/",
  "incoming/",
  "control/texts/",
  "control/chat/",
  "control/standing/",
  "control/owners/",
  "control/commands/",
  "control/",
  "tools/call/",
  "tools/connect/",
  "tools/send/",
  "tools/download/",
  "tools/",
  "server/",
  "bridge/",
  "serve/",
  "status/",
  "register/",
  "demo/screen/",
  "demo/world/",
  "demo/tour/",
  "demo/",
  "cli.ts",
];

interface Source {
  lines: number;
  imports: string[];
}

/** The files of `src`. */
let sources: Map<string, Source>;
/** What `spec/architecture.md` names as the layout, from the top: folders with those in them, and files. */
let layout: string[];

beforeAll(async () => {
  const files = (await readdir(join(ROOT, "src"), { recursive: true })).filter((file) =>
    file.endsWith(".ts"),
  );
  sources = new Map(await Promise.all(files.map(async (file) => [file, await read(file)] as const)));
  layout = layoutOf(await readFile(join(ROOT, "spec/architecture.md"), "utf8"));
});

async function read(file: string): Promise<Source> {
  const text = await readFile(join(ROOT, "src", file), "utf8");
  const paths = [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()"(\.[^"]+)\.js"/g)];
  return {
    lines: text.split("\n").length - 1,
    imports: paths.map(([, path = ""]) => `${posix.join(posix.dirname(file), path)}.ts`),
  };
}

/** The indented lines of the picture: `  control/  what it is for` with `    owners/  …` below it. */
function layoutOf(text: string): string[] {
  const [, picture = ""] = /^src\/\n((?: .*\n)+)/m.exec(text) ?? [];
  let folder = "";
  return picture.split("\n").flatMap((line) => {
    const [, indent = "", name] = /^( {2}| {4})([\w.-]+\/?)(?= |$)/.exec(line) ?? [];
    if (name === undefined) return [];
    if (indent.length === 4) return [folder + name];
    folder = name;
    return [name];
  });
}

/** The room of a file: its folder, or itself where it lies loose in `src`. */
function room(file: string): string {
  const folder = posix.dirname(file);
  return folder === "." ? file : `${folder}/`;
}

/** Imports that lead from a room into one above it. */
function climbing(files: ReadonlyMap<string, Source>): string[] {
  const level = (file: string): number => ROOMS.indexOf(room(file));
  return [...files].flatMap(([file, { imports }]) =>
    imports.flatMap((path) => (level(path) > level(file) ? [`${file} imports ${path}`] : [])),
  );
}

function crowded(files: ReadonlyMap<string, Source>): string[] {
  const counts = new Map<string, number>();
  for (const file of files.keys()) counts.set(room(file), (counts.get(room(file)) ?? 0) + 1);
  return [...counts].flatMap(([name, count]) => (count > MOST_FILES ? [`${name} has ${count} files`] : []));
}

function long(files: ReadonlyMap<string, Source>): string[] {
  return [...files].flatMap(([file, { lines }]) =>
    lines > MOST_LINES ? [`${file} has ${lines} lines`] : [],
  );
}

describe("the house", () => {
  it("has the rooms of the list and no others", () => {
    expect([...new Set([...sources.keys()].map(room))].sort()).toEqual([...ROOMS].sort());
  });

  it("is drawn in the architecture, from the top to the ground", () => {
    expect(layout).toEqual(ROOMS.toReversed());
  });

  it("has no arrow that climbs", () => {
    expect([...sources.values()].flatMap(({ imports }) => imports).length).toBeGreaterThan(500);
    expect(climbing(sources)).toEqual([]);
  });

  it("has no folder that is a wall, and no file that needs a table of contents", () => {
    expect(crowded(sources)).toEqual([]);
    expect(long(sources)).toEqual([]);
  });

  it("would be found out of order", () => {
    const file = (lines: number, ...imports: string[]): Source => ({ lines, imports });
    expect(climbing(new Map([["text/format.ts", file(1, "control/control.ts")]]))).toEqual([
      "text/format.ts imports control/control.ts",
    ]);
    expect(climbing(new Map([["control/control.ts", file(1, "text/format.ts")]]))).toEqual([]);
    expect(long(new Map([["text/format.ts", file(MOST_LINES + 1)]]))).toHaveLength(1);
    const many = Array.from({ length: MOST_FILES + 1 }, (_, i) => [`text/${i}.ts`, file(1)] as const);
    expect(crowded(new Map(many))).toEqual([`text/ has ${MOST_FILES + 1} files`]);
  });
});
