import { parentPort, workerData } from "node:worker_threads";
import { client } from "./mcp.mjs";

/** Sends `calls` messages at once, and tells what each call got. */
const { url, token, chat, calls, era = "modern" } = workerData;
const agent = await client(url, era, token);
parentPort?.postMessage("connected");
parentPort?.once("message", async () => {
  const results = await Promise.all(
    Array.from({ length: calls }, async (_, i) => {
      const text = `message ${i}`;
      const { structuredContent } = await agent.callTool(
        { name: "send", arguments: { chat, text, wait: 0 } },
        { timeout: 600_000 },
      );
      const { action, item } = /** @type {{ action: number, item: number }} */ (structuredContent);
      return { text, action, item };
    }),
  );
  parentPort?.postMessage(results);
});
