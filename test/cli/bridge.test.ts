import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { VERSION } from "../../src/terminal/version.js";
import { until } from "../world/until.js";
import {
  type Computer,
  computer,
  freePort,
  listening,
  mcpClient,
  serve,
  serveAsBefore,
  stop,
} from "./agent.js";
import { appWithoutLibrary } from "./app.js";
import { CoreHost } from "./core-host.js";
import { Program, withoutTimes } from "./program.js";

const ERAS = ["modern", "legacy"] as const;
type Era = (typeof ERAS)[number];

let at: Computer;
let data: string;
let notRunning: string;
beforeEach(async () => {
  at = await computer(await CoreHost.listen(new SimulatedNetwork()));
  data = join(at.home, "data");
  notRunning = `Agent "my-agent" is not running. Start it: npx -y @simplex-chat/mcp serve my-agent --data ${data}`;
});

/** A client of the SDK that has started the bridge. */
async function bridged(era: Era, env: Record<string, string> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [appWithoutLibrary().executable, "bridge", "my-agent", "--data", data],
    env: { PATH: process.env.PATH ?? "", HOME: at.home, ...env },
    stderr: "pipe",
  });
  const lines: string[] = [];
  transport.stderr?.on("data", (chunk) => lines.push(String(chunk)));
  const mode = era === "modern" ? { pin: "2026-07-28" } : era;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  client.onerror = () => undefined;
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport, stderr: () => withoutTimes(lines.join("")) };
}

/** The bridge with its stdin and stdout in the hands of the test. */
function bridge(...args: string[]): Program {
  const all = ["bridge", "my-agent", "--data", data, ...args];
  return Program.start({ app: appWithoutLibrary(), args: all, home: at.home, input: true });
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

const callOf = (id: number, name: string, input: object) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } });

/** What a client learns of its server. */
async function learned(client: Client) {
  return {
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
  };
}

const callList = async (client: Client) => client.callTool({ name: "list", arguments: {} });

describe.each(ERAS)("a client of the %s era that starts the bridge", (era) => {
  it.each([["requests"], ["host"]])("learns what the listener says, in mode %s", async (mode) => {
    await listening(at, "--approve", mode);
    const { client, stderr } = await bridged(era);
    expect(await learned(client)).toEqual(await learned(await mcpClient(at)));
    expect(stderr()).toEqual([]);
  });

  it.each([["requests"], ["host"]])(
    "learns the same while the agent does not run, but for its name, after a run in mode %s",
    async (mode) => {
      const agent = await listening(at, "--approve", mode);
      const direct = await learned(await mcpClient(at));
      await stop(agent);
      const { client, stderr } = await bridged(era);
      const server = { ...direct.server, title: "SimpleX: my-agent" };
      expect(await learned(client)).toEqual({ ...direct, server });
      expect(stderr()).toEqual([notRunning]);
    },
  );

  it("calls an agent that starts later, stops, and starts again elsewhere", async () => {
    const { client } = await bridged(era);
    const offline = { content: [{ type: "text", text: notRunning }], isError: true };
    expect(await callList(client)).toMatchObject(offline);
    const first = await listening(at);
    await first.stdout.line(/^Waiting for the owner/);
    expect(await callList(client)).toMatchObject({ structuredContent: { actions: [] } });
    await stop(first);
    expect(await callList(client)).toMatchObject(offline);
    const second = await serve(at, "--port", String(await freePort()));
    await second.stdout.line(/^Waiting for the owner/);
    expect(await callList(client)).toMatchObject({ structuredContent: { actions: [] } });
  });

  it("reaches the agent through no proxy", async () => {
    await listening(at);
    let asked = 0;
    const proxy = createServer((_, res) => {
      asked += 1;
      res.end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const address = proxy.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"];
    const { client } = await bridged(era, {
      ...Object.fromEntries(names.map((name) => [name, url])),
      NODE_USE_ENV_PROXY: "1",
    });
    expect(await callList(client)).toMatchObject({ structuredContent: { actions: [] } });
    expect(asked).toBe(0);
  });

  it("gets the server's own error for a call that is open when the agent stops", async () => {
    const agent = await listening(at);
    await agent.stdout.line(/^Waiting for the owner/);
    const { client } = await bridged(era);
    const waiting = client.callTool({ name: "receive", arguments: { wait: 600 } });
    const failed = expect(waiting).rejects.toThrow("The server stopped.");
    await client.callTool({ name: "list", arguments: {} });
    await stop(agent);
    await failed;
  });

  it("is told what may have happened when the agent is killed under a call", async () => {
    const agent = await listening(at);
    await agent.stdout.line(/^Waiting for the owner/);
    const { client } = await bridged(era);
    const waiting = client.callTool({ name: "receive", arguments: { wait: 600 } });
    await client.callTool({ name: "list", arguments: {} });
    agent.signal("SIGKILL");
    expect(await waiting).toMatchObject({
      content: [{ text: expect.stringMatching(/^Agent "my-agent" ended in the middle of the call: /) }],
      isError: true,
    });
  });

  it("hears that the tools are others when the agent comes back in another mode", async () => {
    const agent = await listening(at);
    const { client } = await bridged(era);
    await client.listTools();
    let heard = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      heard += 1;
    });
    if (era === "modern") await client.listen({ toolsListChanged: true });
    await stop(agent);
    const program = serveAsBefore(at, "--approve", "host");
    await program.stdout.line(/^Listening on /);
    await callList(client);
    await until("the notification", () => heard === 1);
    await callList(client);
    const { tools } = await client.listTools();
    const [send] = tools.filter(({ name }) => name === "send");
    expect(send?._meta).toEqual({ "anthropic/requiresUserInteraction": true });
    expect(heard).toBe(1);
  });
});

describe("the bridge", () => {
  it("names an agent of another version, and goes on", async () => {
    await listening(at);
    const path = join(data, "server.json");
    const written: object = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...written, version: "9.9.9" }));
    const { client, stderr } = await bridged("legacy");
    await client.listTools();
    expect(stderr()).toEqual([
      `Agent "my-agent" has version 9.9.9, this bridge ${VERSION}. Update the older of the two.`,
    ]);
  });

  it("says that a data folder is damaged, and still starts", async () => {
    const agent = await listening(at);
    await stop(agent);
    await writeFile(join(data, "server.json"), "{");
    const { client, stderr } = await bridged("legacy");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("send");
    expect(stderr()).toContainEqual(expect.stringContaining("server.json is damaged"));
  });

  it("starts although the agent hangs, and waits for it in a call", async () => {
    const agent = await listening(at);
    await agent.stdout.line(/^Waiting for the owner/);
    agent.signal("SIGSTOP");
    const { client, stderr } = await bridged("legacy");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("send");
    expect(stderr()).toEqual(['Agent "my-agent" does not answer. Stop it and start it again.']);
    const called = callList(client);
    agent.signal("SIGCONT");
    expect(await called).toMatchObject({ structuredContent: { actions: [] } });
  });

  it("says what is wrong with the token", async () => {
    await listening(at);
    await writeFile(join(data, "headers.json"), '{"Authorization":"Bearer x"}');
    const { client } = await bridged("modern").catch(() => bridged("legacy"));
    expect(await callList(client)).toMatchObject({
      content: [
        {
          text: `Agent "my-agent" does not take the token in ${data}/headers.json. Stop it and start it again.`,
        },
      ],
      isError: true,
    });
    await rm(join(data, "headers.json"));
    expect(await callList(client)).toMatchObject({ isError: true });
  });

  it("reaches an agent of another account by the copies of two of its files", async () => {
    const agent = await listening(at);
    const original = data;
    data = join(at.home, "copy");
    await mkdir(data);
    for (const name of ["server.json", "headers.json"]) await cp(join(original, name), join(data, name));
    const { client } = await bridged("modern");
    expect(await callList(client)).toMatchObject({ structuredContent: { actions: [] } });
    await stop(agent);
    expect(await callList(client)).toMatchObject({
      content: [{ text: expect.stringMatching(/^Agent "my-agent" is not running\. Start it: /) }],
      isError: true,
    });
  });

  it("sends its token to no other program that listens on the agent's port now", async () => {
    const port = await freePort();
    const agent = await listening(at, "--port", String(port));
    agent.signal("SIGKILL");
    await agent.ended;
    let asked = 0;
    const other = createServer(() => {
      asked += 1;
    });
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { client } = await bridged("legacy");
    expect(await callList(client)).toMatchObject({ content: [{ text: notRunning }], isError: true });
    expect(asked).toBe(0);
  });

  it.each([
    ["its input ends", (program: Program) => program.endInput()],
    ["it gets SIGTERM", (program: Program) => program.signal("SIGTERM")],
    ["it gets SIGINT", (program: Program) => program.signal("SIGINT")],
    [
      "nobody reads it",
      (program: Program) => {
        program.stopReading();
        // It is noticed at the next word.
        program.type(callOf(4, "list", {}));
      },
    ],
  ])("is gone within a second when %s, with calls open, and the agent knows it", async (_how, end) => {
    const agent = await listening(at);
    await agent.stdout.line(/^Waiting for the owner/);
    const program = bridge();
    program.type(INITIALIZE);
    await program.stdout.line(/"id":1/);
    program.type(callOf(2, "receive", { wait: 600 }));
    program.type(callOf(3, "list", {}));
    await program.stdout.line(/"id":3/);
    const start = performance.now();
    end(program);
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(1000);
    // Whom nobody waits for holds up no stop.
    await stop(agent);
  });

  it("is gone within a second although its client reads nothing", async () => {
    await listening(at);
    const program = bridge();
    program.pauseReading();
    for (let id = 1; id < 30; id += 1) {
      program.type(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" }));
    }
    const start = performance.now();
    program.endInput();
    expect((await program.ended).code).toBe(0);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("writes JSON-RPC alone, answers what it can, and lives on after rubbish", async () => {
    const program = bridge();
    program.type("rubbish");
    program.type('{"jsonrpc":"2.0","id":7,"params":{}}');
    program.type('[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","id":9,"method":"none"}]');
    program.type('{"jsonrpc":"2.0","id":10,"result":{}}');
    program.type(
      JSON.stringify({ jsonrpc: "2.0", id: 11, method: "ping", params: { _meta: { a: "é\u2028🙂" } } }),
    );
    // Answers come as they are found, in no order.
    for (const id of [7, 8, 9, 11]) await program.stdout.line(new RegExp(`"id":${id}\\b`));
    program.endInput();
    await program.ended;
    const answers = program.stdout.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    answers.sort((one, other) => one.id - other.id);
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: 7, error: { code: -32600, message: "Invalid Request" } },
      { jsonrpc: "2.0", id: 8, result: {} },
      { jsonrpc: "2.0", id: 9, error: { code: -32601, message: "Method not found" } },
      { jsonrpc: "2.0", id: 11, result: {} },
    ]);
  });

  it("says that a call is too long", async () => {
    await listening(at);
    const { client } = await bridged("legacy");
    const text = "x".repeat(1024 * 1024);
    expect(await client.callTool({ name: "send", arguments: { chat: "@4", text } })).toMatchObject({
      content: [{ text: "The call is over 1 MiB. Make it shorter." }],
      isError: true,
    });
  });

  it("refuses a name that is none", async () => {
    const program = Program.start({ app: appWithoutLibrary(), args: ["bridge", "-x"], home: at.home });
    expect((await program.ended).code).toBe(2);
    expect(program.stdout.text).toBe("");
  });
});
