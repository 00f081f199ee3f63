// The packed product by npx, and the test of proxies, on each Node that it is for. Newer ones know proxies of the
// environment by themselves. Not part of `npm test`: it fetches the Nodes.
import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ["20", "22", "24"];
const FILES = ["test/cli/package.test.ts", "test/cli/proxy.test.ts"];
const cwd = fileURLToPath(new URL("..", import.meta.url));

/** The path of that Node, as npm fetches it; undefined where there is none for this computer. */
function fetchNode(version) {
  const args = ["exec", "--yes", `--package=node@${version}`, "--", "node", "-p", "process.execPath"];
  const { status, stdout } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

let failed = false;
for (const version of VERSIONS) {
  const node = fetchNode(version);
  if (node === undefined) {
    console.log(`Left out: the registry has no Node ${version} for this computer.`);
    continue;
  }
  // npm and npx run on the first Node of the path, as do the tests and the programs that they start.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  console.log(`\n=== ${spawnSync("node", ["--version"], { env, encoding: "utf8" }).stdout.trim()}`);
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts"];
  const args = [...vitest, "--project", "executable", ...FILES];
  const { status } = spawnSync(node, args, { cwd, env, stdio: "inherit" });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
