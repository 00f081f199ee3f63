import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "./folders.js";
import { REPOSITORY } from "./repository.js";

const execute = promisify(execFile);

/** An installation fetches all dependencies. */
const TIMEOUT = 240_000;

const packed = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }));

const named = z.looseObject({ name: z.string(), version: z.string() });

interface Tarball {
  readonly path: string;
  /** What it holds. */
  readonly files: string[];
}

/** Packs the freshly compiled sources, as `npm publish` does after its build. */
async function pack(): Promise<Tarball> {
  const folder = await temporaryFolder();
  for (const name of await readdir(REPOSITORY)) {
    if (["node_modules", "dist", "test"].includes(name) || name.startsWith(".git")) continue;
    await cp(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  await cp(join(inject("missing"), "dist"), join(folder, "dist"), { recursive: true });
  const { stdout } = await execute("npm", ["pack", "--json", "--ignore-scripts"], { cwd: folder });
  const [one] = packed.parse(JSON.parse(stdout));
  if (one === undefined) throw new Error("Nothing was packed.");
  return { path: join(folder, one.filename), files: one.files.map(({ path }) => path) };
}

type Ran = (command: string, ...args: string[]) => Promise<{ stdout: string; stderr: string }>;

/** A registry that has this package alone, for its scope. Its address. */
async function publish(path: string): Promise<string> {
  const bytes = await readFile(path);
  const manifest = named.parse(JSON.parse(await readFile(join(REPOSITORY, "package.json"), "utf8")));
  const { name, version } = manifest;
  const server = createServer((req, res) => {
    if (req.url?.endsWith(".tgz")) return res.end(bytes);
    const base = `http://${req.headers.host}`;
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const tarball = `${base}/${name}/-/mcp-${version}.tgz`;
    const one = { ...manifest, dist: { tarball, integrity } };
    res.setHeader("Content-Type", "application/json");
    res.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: one } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
}

/** An empty project, whose npm has an empty cache and none of this machine's settings but the registry. */
async function emptyProject(scope: string): Promise<Ran> {
  const folder = await temporaryFolder();
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "consumer", version: "1.0.0" }));
  const { stdout: registry } = await execute("npm", ["config", "get", "registry"], { cwd: REPOSITORY });
  const proxies = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  const env = {
    ...Object.fromEntries(proxies),
    PATH: process.env.PATH ?? "",
    HOME: folder,
    USERPROFILE: folder,
    npm_config_cache: join(folder, "cache"),
    npm_config_registry: registry.trim(),
    "npm_config_@simplex-chat:registry": scope,
    npm_config_update_notifier: "false",
  };
  return async (command, ...args) => execute(command, args, { cwd: project, env });
}

/** Why the registry cannot be reached; undefined when it can. */
async function noRegistry(): Promise<string | undefined> {
  try {
    await execute("npm", ["view", "zod", "version"], { cwd: REPOSITORY });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("the published package", () => {
  it("holds the executable, the compiled sources and the texts about them, and nothing else", async () => {
    const { files } = await pack();
    expect(files).toEqual(
      expect.arrayContaining([
        "bin/simplex-mcp.cjs",
        "dist/cli.js",
        "dist/serve/serve.js",
        "LICENSE",
        "README.md",
      ]),
    );
    const expected =
      /^(bin\/simplex-mcp\.cjs|dist\/.+\.js|dist\/bridge\/listing\.json|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
    expect(files.filter((path) => !expected.test(path))).toEqual([]);
  });

  it("works in an empty project, also where the registry has no SimpleX library", {
    timeout: TIMEOUT,
  }, async (test) => {
    const reason = await noRegistry();
    test.skip(reason !== undefined, `the registry cannot be reached: ${reason}`);
    const tarball = await pack();
    const execute = await emptyProject(await publish(tarball.path));
    const { stderr } = await execute("npm", "install", "--no-audit", "--no-fund", "@simplex-chat/mcp");
    // Nothing to approve and nothing to be warned of: what is there to be built in a clone is built.
    expect(stderr).not.toContain("@simplex-chat/mcp");
    const runInProject = async (...command: Parameters<Ran>) => (await execute(...command)).stdout;

    const { version } = JSON.parse(await readFile(join(REPOSITORY, "package.json"), "utf8"));
    expect(await runInProject("npx", "simplex-mcp", "--version")).toBe(`${version}\n`);
    expect(await runInProject("npx", "simplex-mcp", "serve", "--help")).toContain("--display-name <name>");
    const hasLibrary = await runInProject("node", "-e", "require.resolve('simplex-chat')").then(
      () => true,
      () => false,
    );
    if (!hasLibrary) {
      const serving = runInProject("npx", "simplex-mcp", "serve", "my-agent");
      await expect(serving).rejects.toThrow("The SimpleX library is not installed.");
    }
    expect(await runInProject("npx", "simplex-mcp", "demo", "--tour")).toContain("I connected to bot");
  });
});
