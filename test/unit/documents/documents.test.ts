import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { read, sources, textsIn } from "./sources.js";

const run = promisify(execFile);

let api: string;
let readme: string;
let code: Map<string, string>;
beforeAll(async () => {
  [api, readme, code] = await Promise.all([read("spec/api.md"), read("README.md"), sources()]);
});

function source(path: string): string {
  const text = code.get(path);
  if (text === undefined) throw new Error(`There is no src/${path}.`);
  return text;
}

/** The words of the first column of the table below a heading, as `code`: one or several a row. */
function firstColumn(text: string, heading: RegExp): string[] {
  const from = text.search(heading);
  if (from === -1) throw new Error(`There is no ${heading}.`);
  const [, table = ""] = /\n(\|[\s\S]*?)\n(?!\|)/.exec(text.slice(from)) ?? [];
  return table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word));
}

/** `"--port <n>"`, and `--smp-server` that `servers("smp", …)` makes. */
function optionsOf(cli: string): string[] {
  const plain = [...cli.matchAll(/"(--[a-z-]+)/g)].map(([, option = ""]) => option);
  return [...plain, ...[...cli.matchAll(/servers\("([a-z]+)"/g)].map(([, kind]) => `--${kind}-server`)];
}

const unique = (words: Iterable<string>): string[] => [...new Set(words)].sort();

describe("the documents name", () => {
  it("the options of the command line, and no others", () => {
    const ours = unique(optionsOf(source("cli.ts")));
    expect(ours.length).toBeGreaterThan(12);
    const told = api.slice(0, api.indexOf("## Tools")).matchAll(/`[^`]*?(--[a-z][a-z-]+)/g);
    const all = unique([...told].map(([, option = ""]) => option));
    expect(ours.filter((option) => !all.includes(option))).toEqual([]);
    expect(
      all.filter((option) => !ours.includes(option) && !["--help", "--version"].includes(option)),
    ).toEqual([]);
  });

  it("the commands of the command line", () => {
    const ours = [...source("cli.ts").matchAll(/\.command\("([a-z]+)/g)].map(([, name = ""]) => name);
    expect(ours.length).toBeGreaterThan(3);
    expect(ours.filter((name) => !new RegExp(`^### \`${name}\\b`, "m").test(api))).toEqual([]);
  });

  it("the tools with their arguments", () => {
    const tools = [...code].flatMap(([path, text]) => {
      const [, name] = /\n {2}name: "([a-z]+)",\n {2}title:/.exec(text) ?? [];
      const [, fields = ""] = /const Input = z\.strictObject\(\{\n([\s\S]*?)\n\}\)/.exec(text) ?? [];
      if (name === undefined || !path.startsWith("tools/")) return [];
      return [
        { name, arguments: [...fields.matchAll(/^ {2}([a-z_]+)(?=[:,])/gm)].map(([, field = ""]) => field) },
      ];
    });
    expect(tools.length).toBeGreaterThan(7);
    const section = api.slice(api.indexOf("## Tools"));
    expect(unique(firstColumn(api, /^## Tools/m))).toEqual(unique(tools.map(({ name }) => name)));
    expect(unique(firstColumn(readme, /^## The agent's tools/m))).toEqual(
      unique(tools.map(({ name }) => name)),
    );
    for (const tool of tools) {
      const row = section.split("\n").find((line) => line.startsWith(`| \`${tool.name}\``)) ?? "";
      expect(
        tool.arguments.filter((field) => !new RegExp(`\\b${field}\\b`).test(row)),
        tool.name,
      ).toEqual([]);
    }
  });

  it("the owner commands", () => {
    const [, grammars = ""] =
      /const GRAMMARS[^=]*= new Map\(\[\n([\s\S]*?)\n\]\)/.exec(source("control/commands/commands.ts")) ?? [];
    const ours = unique([...grammars.matchAll(/^ {2,4}\[?"([a-z]+)",/gm)].map(([, name = ""]) => name));
    expect(ours.length).toBeGreaterThan(9);
    for (const [where, text, heading] of [
      ["spec/api.md", api, /^## Control chat/m],
      ["README.md", readme, /^## Your commands/m],
    ] as const) {
      const named = unique(
        firstColumn(text, heading)
          .filter((command) => !command.startsWith("…"))
          .map((command) => /^\/([a-z]+)/.exec(command)?.[1] ?? command),
      );
      expect(named, where).toEqual(ours);
    }
  });
});

/** Errors for the person at the terminal: where they are made, and how their texts are told from others of the place. */
const MADE_BY = [
  /new (?:Start|Folder|Port|Library|Register|Status|ControlChat|OwnersList|Bridge|Home)Error\(\s*([\s\S]*?)\);/g,
  /\breturn (`[^`]*`|"[^"]*");/g,
] as const;

/** Files whose returned texts are such errors. */
const TEXTS_RETURNED = ["data-folder/folder-error.ts", "core/library/library-error.ts"];

describe("the troubleshooting page", () => {
  it("has every error text that the person at the terminal can meet", async () => {
    const page = (await read("spec/troubleshooting.md")).replace(/\s+/g, " ");
    const [thrown, returned] = MADE_BY;
    const texts = [...code].flatMap(([path, text]) => {
      const patterns = TEXTS_RETURNED.includes(path) ? [thrown, returned] : [thrown];
      return patterns.flatMap((pattern) =>
        [...text.matchAll(pattern)].flatMap(([, made = ""]) => textsIn(made)),
      );
    });
    // The longest fixed part is what somebody would look for.
    const wanted = unique(
      texts
        .map((parts) => longest(parts))
        .filter((part) => /\w+\W+\w+\W+\w+/.test(part) && !part.includes("${")),
    );
    expect(wanted.length).toBeGreaterThan(25);
    expect(wanted.filter((part) => !page.includes(part))).toEqual([]);
  });
});

function longest(parts: readonly string[]): string {
  const [first = ""] = parts.toSorted((one, other) => other.length - one.length);
  return first.replace(/\s+/g, " ").trim();
}

describe("what keeps it running", () => {
  it("is a unit that systemd reads", async (test) => {
    const has = await run("systemd-analyze", ["--version"]).then(
      () => true,
      () => false,
    );
    test.skip(!has, "there is no systemd-analyze");
    const { stderr } = await run("systemd-analyze", ["verify", "deploy/simplex-mcp@.service"]);
    expect(stderr).toBe("");
  });

  it("is a property list that macOS reads", async (test) => {
    const script = "import plistlib,sys,json; print(json.dumps(plistlib.load(open(sys.argv[1],'rb'))))";
    const read = await run("python3", ["-c", script, "deploy/chat.simplex.mcp.my-agent.plist"]).catch(
      (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? undefined : Promise.reject(error)),
    );
    if (!read) return test.skip("there is no python3");
    expect(JSON.parse(read.stdout)).toMatchObject({ Label: "chat.simplex.mcp.my-agent", RunAtLoad: true });
  });

  it("starts the server with options that it has", async () => {
    const ours = source("cli.ts");
    for (const path of ["simplex-mcp@.service", "chat.simplex.mcp.my-agent.plist", "Containerfile"]) {
      const options = [...(await read(`deploy/${path}`)).matchAll(/(?:\bserve\b|"serve")[^\n]*/g)].flatMap(
        ([line]) => [...line.matchAll(/--[a-z-]+/g)].map(([option]) => option),
      );
      expect(options.length, path).toBeGreaterThan(0);
      for (const option of options) expect(ours, path).toContain(`"${option}`);
    }
  });

  it("has the instructions of a container file in their order", async () => {
    const lines = (await read("deploy/Containerfile"))
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    const [first, ...words] = lines.map((line) => line.split(" ")[0]);
    expect(first).toBe("FROM");
    expect(
      words.filter(
        (word) => !["RUN", "USER", "VOLUME", "STOPSIGNAL", "ENTRYPOINT", "CMD"].includes(word ?? ""),
      ),
    ).toEqual([]);
    for (const name of ["ENTRYPOINT", "CMD"]) {
      const line = lines.find((one) => one.startsWith(`${name} `));
      expect(Array.isArray(JSON.parse(line?.slice(name.length) ?? "")), name).toBe(true);
    }
  });
});
