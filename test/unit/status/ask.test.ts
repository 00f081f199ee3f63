import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { takeLock } from "../../../src/data-folder/lock.js";
import { type DataPaths, dataPaths } from "../../../src/data-folder/paths.js";
import { writeServerJson } from "../../../src/data-folder/server-json.js";
import type { HttpOptions } from "../../../src/server/http.js";
import { askRunning } from "../../../src/status/ask.js";
import { scratchFolder } from "../data-folder/folders.js";
import { AGENT, STATUS, TestServer, TOKEN } from "../server/support.js";

let paths: DataPaths;
beforeEach(async () => {
  paths = dataPaths(await scratchFolder());
});

const ask = (dataOption?: string) => askRunning({ agent: AGENT, dataOption, paths });
const WHO = `Agent "my-agent" (process ${process.pid})`;
const NOT_READY = `${WHO} is starting or stopping. Try again in a moment.`;

/** A start as far as the lock. */
async function lock(): Promise<void> {
  const { release } = await takeLock(paths.lock, AGENT);
  onTestFinished(release);
  await writeFile(paths.headers, JSON.stringify({ Authorization: `Bearer ${TOKEN}` }));
}

async function tellUrl(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}/mcp`;
  await writeServerJson(paths.serverJson, {
    url,
    port,
    expireHours: 23,
    version: "1.0.0",
    approve: "requests",
  });
  return url;
}

/** A start as far as the listener. */
async function listen(options: Partial<HttpOptions> = {}): Promise<{ server: TestServer; url: string }> {
  await lock();
  const server = new TestServer();
  await server.listen(options);
  onTestFinished(() => server.close());
  return { server, url: await tellUrl(server.http.port) };
}

describe("a running agent", () => {
  it("tells about itself", async () => {
    const { server, url } = await listen();
    server.http.open();
    expect(await ask()).toEqual({ ...STATUS, process: process.pid, url });
  });

  it("is not ready before its control chat is started", async () => {
    await listen();
    await expect(ask()).rejects.toThrow(NOT_READY);
  });

  it("is not ready before it has told where it listens", async () => {
    await lock();
    await expect(ask()).rejects.toThrow(NOT_READY);
  });

  it("gives its token to no program that listens where an earlier start did", async () => {
    let connections = 0;
    const other = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    await tellUrl(typeof address === "object" && address ? address.port : 0);
    await utimes(paths.serverJson, new Date(), new Date(Date.now() - 60_000));
    await lock();
    await expect(ask()).rejects.toThrow(NOT_READY);
    expect(connections).toBe(0);
  });

  it("that does not answer is told of with its URL", async () => {
    const { server, url } = await listen();
    await server.close();
    await expect(ask()).rejects.toThrow(`${WHO} does not answer at ${url}. Stop it and start it again.`);
  });

  it("that does not take the token is told of", async () => {
    const { server } = await listen({ token: "another" });
    server.http.open();
    await expect(ask()).rejects.toThrow(
      `${WHO} does not tell its status: HTTP 401. Stop it and start it again.`,
    );
  });

  it("whose answer is of another form is told of", async () => {
    const status = async () => JSON.parse(JSON.stringify({ ...STATUS, owners: "Alice" }));
    const { server } = await listen({ status });
    server.http.open();
    await expect(ask()).rejects.toThrow(`${WHO} does not tell its status: HTTP 200.`);
  });

  it("without readable headers is told of with the file", async () => {
    await listen();
    await writeFile(paths.headers, "{");
    await expect(ask()).rejects.toThrow(paths.headers);
    await rm(paths.headers);
    await expect(ask()).rejects.toThrow(paths.headers);
  });
});

describe("an agent that does not run", () => {
  const START = "npx -y @simplex-chat/mcp serve my-agent";

  it("is told of with how to start it", async () => {
    await expect(ask()).rejects.toMatchObject({
      message: `Agent "my-agent" is not running. Start it with: ${START}`,
    });
    await expect(ask("my data")).rejects.toMatchObject({
      message: `Agent "my-agent" is not running. Start it with: ${START} --data 'my data'`,
    });
  });

  it("is one whose lock a crash left", async () => {
    await tellUrl(1);
    await writeFile(paths.lock, JSON.stringify({ pid: process.pid, started: "0".repeat(16) }));
    await expect(ask()).rejects.toThrow('Agent "my-agent" is not running.');
  });

  it("is not one whose lock cannot be read", async () => {
    await mkdir(paths.lock);
    await expect(ask()).rejects.toThrow(paths.lock);
  });
});
