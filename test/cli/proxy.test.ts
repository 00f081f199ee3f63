import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { appWithoutLibrary } from "./app.js";
import { temporaryFolder } from "./folders.js";
import { Program, run } from "./program.js";

// With SIMPLEX_MCP_NODE the programs run on another Node: newer ones know proxies of the environment by themselves.
const app = appWithoutLibrary();
const PRELOAD = new URL("./env-proxy.mjs", import.meta.url).href;

let home: string;
let data: string;
let proxy: { heard: string[]; env: Record<string, string> };
beforeEach(async () => {
  home = await temporaryFolder();
  data = join(home, "demo");
  proxy = await openProxy();
});

/** A proxy that notes what it is told and answers nothing, and an environment that names it. */
async function openProxy(): Promise<typeof proxy> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push("");
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      heard.push(bytes.toString("latin1"));
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return {
    heard,
    env: {
      ...Object.fromEntries(names.map((name) => [name, url])),
      NODE_USE_ENV_PROXY: "1",
      // Node 22 warns of its own part in this, whatever runs on it.
      NODE_OPTIONS: `--import=${PRELOAD} --disable-warning=UNDICI-EHPA`,
    },
  };
}

describe("where the environment names a proxy, nothing for this computer goes through it", () => {
  it("by status", async () => {
    const demo = Program.start({ app, args: ["demo", "--data", data], home, env: proxy.env, input: true });
    await demo.stdout.line(/^│ I'm your agent\./);
    const args = ["status", "demo", "--data", data];
    const { code, stdout, stderr } = await run({ app, args, home, env: proxy.env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Agent "demo" is running since /);
    expect(proxy.heard).toEqual([]);
  });

  it("by the tour", async () => {
    const { code, stderr } = await run({ app, args: ["demo", "--tour"], home, env: proxy.env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(proxy.heard).toEqual([]);
  }, 60_000);

  it("by the bridge", async () => {
    const demo = Program.start({ app, args: ["demo", "--data", data], home, env: proxy.env, input: true });
    await demo.stdout.line(/^│ I'm your agent\./);
    const args = ["bridge", "demo", "--data", data];
    const bridge = Program.start({ app, args, home, env: proxy.env, input: true });
    const request = { jsonrpc: "2.0", id: 1, method: "initialize" };
    const client = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    bridge.type(JSON.stringify({ ...request, params: client }));
    await bridge.stdout.line(/"id":1/);
    bridge.type(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    const call = { name: "list", arguments: {} };
    bridge.type(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call }));
    expect(await bridge.stdout.line(/"id":2/)).toContain("actions");
    expect(proxy.heard).toEqual([]);
  });
});

it("the proxy of these tests hears what is left to Node's defaults", async () => {
  const left = join(home, "left.mjs");
  await writeFile(
    left,
    `import http from "node:http";
    await fetch("http://127.0.0.1:9/", { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    await new Promise((done) => {
      const sent = http.get("http://127.0.0.1:9/", { timeout: 2000 });
      for (const event of ["error", "response", "close"]) sent.on(event, done);
      sent.on("timeout", () => sent.destroy());
    });
    process.exit();`,
  );
  const { code } = await run({ app: { ...app, executable: left }, args: [], home, env: proxy.env });
  expect(code).toBe(0);
  expect(proxy.heard.join("")).toContain("127.0.0.1:9");
});
