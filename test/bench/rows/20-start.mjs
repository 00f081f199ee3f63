import { createHook } from "node:async_hooks";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { farAgent } from "../far-agent.mjs";
import { compare } from "../measure.mjs";

const BIN = fileURLToPath(new URL("../../../bin/simplex-mcp.cjs", import.meta.url));

/** What a start costs, against that of Node alone. @type {import("../table.mjs").MakeRows} */
export async function rows({ rounds }) {
  const [node = 0, version = 0, status = 0, listening = 0] = await compare(rounds(20), [
    () => run(["-e", "0"]),
    () => run([BIN, "--version"]),
    // Of an agent that does not run.
    () =>
      run([BIN, "status", "bench", "--data", join(tmpdir(), "simplex-mcp-bench-none")]).catch(
        () => undefined,
      ),
    untilListening,
  ]);
  return [
    { what: "node -e 0", value: node, unit: "ms" },
    { what: "simplex-mcp --version", value: version, unit: "ms", of: node, aim: 1.5 },
    { what: "simplex-mcp status", value: status, unit: "ms", of: node, aim: 2 },
    { what: "simplex-mcp demo, until it listens (no core)", value: listening, unit: "ms", of: node, aim: 4 },
    { what: "wake-ups of the idle agent in a minute", value: await idleWakeUps(rounds(60_000)), unit: "" },
  ];
}

/**
 * Timers that fire in an agent without calls; the simulated core has none of its own.
 * @param {number} ms of watching
 */
async function idleWakeUps(ms) {
  /** @type {Set<number>} */
  const timers = new Set();
  let fired = 0;
  const hook = createHook({
    init: (id, type) => {
      if (type === "Timeout" || type === "Immediate") timers.add(id);
    },
    before: (id) => {
      if (timers.has(id)) fired += 1;
    },
  });
  // Those of the start count when they fire later.
  hook.enable();
  const ours = await farAgent();
  fired = 0;
  // The end of the watch is a timer, too.
  await new Promise((resolve) => setTimeout(resolve, ms));
  hook.disable();
  await ours.close();
  return (Math.max(0, fired - 1) * 60_000) / ms;
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
