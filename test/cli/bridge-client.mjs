import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/**
 * An MCP client that starts the bridge, and another one when that is gone. It sends what each line of its input says,
 * `{"chat","text"}`, makes the same call again when it got no answer, and receives one message after the other. What it
 * got it tells in lines of JSON.
 */
const [executable = "", data = "", era = ""] = process.argv.slice(2);

/** @param {object} told */
const tell = (told) => writeSync(1, `${JSON.stringify(told)}\n`);

/** @type {Promise<Client> | undefined} */
let connection;

function connected() {
  connection ??= connect();
  return connection;
}

async function connect() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [executable, "bridge", "my-agent", "--data", data],
    env: { PATH: process.env.PATH ?? "" },
    stderr: "ignore",
  });
  const versionNegotiation = { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" };
  const client = new Client({ name: "test", version: "1" }, /** @type {any} */ ({ versionNegotiation }));
  client.onerror = () => undefined;
  client.onclose = () => {
    connection = undefined;
  };
  await client.connect(transport);
  tell({ bridge: transport.pid });
  return client;
}

/** The result of the call, by however many bridges. @param {string} name @param {any} input @returns {Promise<any>} */
async function call(name, input) {
  for (;;) {
    try {
      const client = await connected();
      return await client.callTool({ name, arguments: input }, { timeout: 60_000 });
    } catch (error) {
      // The server's own error is an answer.
      if (error instanceof Error && error.message.includes("The server stopped")) return { isError: true };
      await pause(5);
    }
  }
}

async function receive() {
  for (;;) {
    const { structuredContent, isError } = await call("receive", { limit: 1, wait: 1 });
    const [message] = structuredContent?.messages ?? [];
    if (message !== undefined) tell({ received: message.text });
    if (isError) await pause(20);
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { chat, text } = JSON.parse(line);
  const { isError = false, content } = await call("send", { chat, text, wait: 0, idle: 1 });
  tell({ sent: text, isError, content });
});
void receive();
