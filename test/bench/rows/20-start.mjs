import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compare } from "../measure.mjs";

const BIN = fileURLToPath(new URL("../../../bin/simplex-mcp.cjs", import.meta.url));

/** What a start costs, against that of Node alone. @type {import("../table.mjs").MakeRows} */
export async function rows({ rounds }) {
  const [node = 0, version = 0, listening = 0] = await compare(rounds(20), [
    () => run(["-e", "0"]),
    () => run([BIN, "--version"]),
    untilListening,
  ]);
  return [
    { what: "node -e 0", value: node, unit: "ms" },
    { what: "simplex-mcp --version", value: version, unit: "ms", of: node },
    { what: "simplex-mcp demo, until it listens (no core)", value: listening, unit: "ms", of: node },
  ];
}

/** @param {string[]} args */
function run(args) {
  return promisify(execFile)(process.execPath, args);
}

/** From the start of the process to the line that names the address, in a new data folder. */
async function untilListening() {
  const data = await mkdtemp(join(tmpdir(), "simplex-mcp-bench-"));
  const child = spawn(process.execPath, [BIN, "demo", "--data", data], { stdio: ["pipe", "pipe", "ignore"] });
  const exited = once(child, "exit");
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes("http://127.0.0.1:")) return;
    }
    throw new Error("The demo ended before it listened.");
  } finally {
    child.kill("SIGKILL");
    await exited;
    await rm(data, { recursive: true, force: true });
  }
}
