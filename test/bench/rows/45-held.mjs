import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { McpServer } from "@modelcontextprotocol/server";
import { until } from "../agent.mjs";
import { farAgent } from "../far-agent.mjs";
import { bareListener, ERAS } from "../mcp.mjs";

setFlagsFromString("--expose-gc");
/** @type {() => void} */
const collectGarbage = runInNewContext("gc");

/** Memory of a held call, against one of a bare server: clients, core and people have heaps of their own. @type {import("../table.mjs").MakeRows} */
export async function rows({ dist, rounds }) {
  const calls = rounds(1000);
  const { send } = await dist("tools/send/send.js");
  /** @type {import("../table.mjs").Row[]} */
  const made = [];
  for (const era of ERAS) {
    let waiting = 0;
    const bare = await bareListener(era, () => {
      const server = new McpServer({ name: "bench", version: "1.0.0" });
      server.registerTool("send", { inputSchema: send.input, outputSchema: send.output }, () => {
        waiting += 1;
        return new Promise(() => undefined);
      });
      return server;
    });
    const theirs = await heldHeap(
      { url: bare.url, token: "none", chat: "#2", calls, era },
      () => waiting >= calls,
    );
    await bare.close();

    const ours = await farAgent({ limits: { pending: calls, cardsPerMinute: calls } });
    const [chat = ""] = ours.chats;
    let cards = 0;
    ours.onCommand((command) => {
      if (command.includes("I want to send")) cards += 1;
    });
    const own = await heldHeap({ url: ours.url, token: ours.token, chat, calls, era }, () => cards >= calls);
    await ours.close();
    made.push(
      { what: `heap of a held call, bare SDK server, ${era}`, value: theirs, unit: "kB" },
      { what: `heap of a held send, the agent alone, ${era}`, value: own, unit: "kB", of: theirs, aim: 1.5 },
    );
  }
  return made;
}

/**
 * Kilobytes that each of the calls of a worker holds here.
 * @param {{ calls: number, [option: string]: unknown }} workerData @param {() => boolean} allHeld
 */
async function heldHeap(workerData, allHeld) {
  const worker = new Worker(new URL("../send-worker.mjs", import.meta.url), { workerData });
  await once(worker, "message");
  const before = heap();
  worker.postMessage("go");
  await until(allHeld);
  const held = heap() - before;
  await worker.terminate();
  return held / workerData.calls / 1024;
}

function heap() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
