import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { compare, median } from "../measure.mjs";

const BIN = fileURLToPath(new URL("../../../bin/simplex-mcp.cjs", import.meta.url));
const BARE = fileURLToPath(new URL("../bare-stdio.mjs", import.meta.url));

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

/**
 * What the bridge costs until it has answered and listed its tools, against Node alone and a bare stdio server of the
 * SDK, and the memory that it then holds. @type {import("../table.mjs").MakeRows}
 */
export async function rows({ rounds }) {
  const data = await mkdtemp(join(tmpdir(), "simplex-mcp-bench-"));
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const theirs = [];
  try {
    const [node = 0, bare = 0, bridge = 0] = await compare(rounds(20), [
      () => started(["-e", "0"]),
      async () => theirs.push(await untilListed([BARE])),
      async () => ours.push(await untilListed([BIN, "bridge", "bench", "--data", data])),
    ]);
    const rows = [
      { what: "node -e 0", value: node, unit: "ms" },
      { what: "bare stdio server of the SDK, until it has listed", value: bare, unit: "ms", of: node },
      { what: "simplex-mcp bridge, until it has listed", value: bridge, unit: "ms", of: node },
    ];
    if (process.platform !== "linux") return rows;
    const [bareMemory, memory] = [median(theirs), median(ours)];
    return [
      ...rows,
      { what: "memory of the bare stdio server", value: bareMemory, unit: "MB" },
      { what: "memory of the bridge", value: memory, unit: "MB", of: bareMemory },
    ];
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** @param {string[]} args */
async function started(args) {
  await once(spawn(process.execPath, args, { stdio: "ignore" }), "exit");
}

/** From the start of the process to its list of tools; resolves with its megabytes. @param {string[]} args */
async function untilListed(args) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  const exited = once(child, "exit");
  try {
    ask(child, { id: 1, method: "initialize", params: INITIALIZE });
    for await (const line of createInterface({ input: child.stdout })) {
      const { id } = JSON.parse(line);
      if (id === 2) return await megabytes(child.pid);
      ask(child, { method: "notifications/initialized" });
      ask(child, { id: 2, method: "tools/list" });
    }
    throw new Error("It ended before it listed its tools.");
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

/** @param {import("node:child_process").ChildProcess} child @param {object} message */
function ask(child, message) {
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** What is resident, as Linux tells it. @param {number | undefined} pid */
async function megabytes(pid) {
  if (process.platform !== "linux") return Number.NaN;
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
