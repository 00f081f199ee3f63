import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LARGEST_BODY } from "../../../src/server/body.js";
import {
  ERAS,
  INITIALIZE,
  JSON_HEADERS,
  openSocket,
  post,
  raw,
  startSession,
  TestServer,
  TOKEN,
  textOf,
  until,
} from "./support.js";

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

// Of equal length, so that all responses are.
let lastId = 100_000;

/** A call of `echo` in a session, as bytes of a request. */
function echoRequest(session: string, text: string): string {
  lastId += 1;
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: lastId,
    method: "tools/call",
    params: { name: "echo", arguments: { text } },
  });
  return [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${server.http.port}`,
    ...Object.entries(JSON_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Mcp-Session-Id: ${session}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

describe("many clients and bad ones", () => {
  it("gives 200 clients at once each its own result", async () => {
    const clients = await Promise.all(
      Array.from({ length: 200 }, (_, i) => server.client(ERAS[i % 2] ?? "modern")),
    );
    const calls = clients.map((client, i) => client.callTool({ name: "hold", arguments: { key: `${i}` } }));
    await until(() => server.calls.length === 200);
    // In another order than they came.
    for (const call of [...server.calls].reverse()) call.finish();
    expect((await Promise.all(calls)).map(textOf)).toEqual(clients.map((_, i) => `done ${i}`));
  });

  it("cancels only the calls that were cancelled among many", async () => {
    const clients = await Promise.all(ERAS.map((era) => server.client(era)));
    const stops = Array.from({ length: 40 }, () => new AbortController());
    const calls = stops.map(({ signal }, i) =>
      clients[i % 2]?.callTool({ name: "hold", arguments: { key: `${i}` } }, { signal }),
    );
    const ended = Promise.allSettled(calls);
    await until(() => server.calls.length === stops.length);
    const isCancelled = (key: string) => Number(key) % 3 === 0;
    for (const [i, stop] of stops.entries()) if (isCancelled(`${i}`)) stop.abort();
    await until(() => server.calls.every(({ key, signal }) => signal.aborted === isCancelled(key)));
    for (const call of server.calls) call.finish();
    const kept = (await ended).map(({ status }) => status === "fulfilled");
    expect(kept).toEqual(stops.map((_, i) => !isCancelled(`${i}`)));
  });

  it("serves the others while clients read nothing, and the whole to one that reads late", async () => {
    const session = await startSession(server.http.url);
    const text = "x".repeat(LARGEST_BODY - 1000);
    const slow = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await openSocket(server.http.port);
        socket.pause();
        socket.write(echoRequest(session, text));
        return socket;
      }),
    );
    for (const era of ERAS) {
      const client = await server.client(era);
      for (let i = 0; i < 20; i++) {
        expect(textOf(await client.callTool({ name: "echo", arguments: { text: `${i}` } }))).toBe(`${i}`);
      }
    }
    // One that starts to read at last gets all of it.
    const [late, ...others] = slow;
    let received = 0;
    late?.on("data", (chunk) => {
      received += chunk.length;
    });
    late?.resume();
    await until(() => received > text.length);
    for (const socket of [late, ...others]) socket?.destroy();
    const client = await server.client("modern");
    expect(textOf(await client.callTool({ name: "echo", arguments: { text: "after" } }))).toBe("after");
    expect(server.log).toEqual([]);
  });

  it("outlives connections that are cut at every byte of a response", async () => {
    const session = await startSession(server.http.url);
    const length = await cutAfter(session, Number.POSITIVE_INFINITY);
    expect(length).toBeGreaterThan(200);
    for (let start = 0; start < length; start += 50) {
      const cuts = Array.from({ length: Math.min(50, length - start) }, (_, i) =>
        cutAfter(session, start + i),
      );
      await Promise.all(cuts);
    }
    expect(await cutAfter(session, Number.POSITIVE_INFINITY)).toBe(length);
    expect(server.log).toEqual([]);
    expect(server.http.sessions).toBe(1);
  });

  it("keeps no more sessions than it needs of clients that never end theirs", async () => {
    const sessions: string[] = [];
    for (let i = 0; i < 300; i++) sessions.push(await startSession(server.http.url));
    expect(new Set(sessions).size).toBe(300);
    await until(() => server.http.sessions <= 100);
    const last = sessions.at(-1) ?? "";
    const answer = await post(
      server.http.url,
      { jsonrpc: "2.0", id: 3, method: "ping" },
      { "Mcp-Session-Id": last },
    );
    expect(answer.status).toBe(200);
    await answer.text();
  });

  it("answers mangled requests, and the next good one", async () => {
    const body = JSON.stringify(INITIALIZE);
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${server.http.port}`,
      `Authorization: Bearer ${TOKEN}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "Connection: close",
      `Content-Length: ${body.length}`,
    ].join("\r\n");
    const good = `${head}\r\n\r\n${body}`;
    // Every byte is replaced in its turn, by one that no header and no JSON has.
    for (let at = 0; at < good.length; at += 40) {
      const mangled = Array.from({ length: Math.min(40, good.length - at) }, async (_, i) => {
        const text = `${good.slice(0, at + i)}\u0001${good.slice(at + i + 1)}`;
        const { status } = await raw(server.http.port, text);
        return { at: at + i, status };
      });
      for (const { at, status } of await Promise.all(mangled)) {
        expect({ at, isRefused: status >= 400 && status < 500 }).toEqual({ at, isRefused: true });
      }
    }
    expect((await raw(server.http.port, good)).status).toBe(200);
    expect(server.log).toEqual([]);
  });
});

/** Calls `echo`, reads so many bytes of the response and cuts the connection; resolves with those there were. */
async function cutAfter(session: string, bytes: number): Promise<number> {
  const socket = await openSocket(server.http.port);
  let received = Buffer.alloc(0);
  const enough = () => received.length >= bytes || received.includes("\r\n0\r\n\r\n");
  // Reading stops at the byte: what the server writes further meets a closed connection.
  socket.on("readable", () => {
    while (!enough()) {
      const chunk: Buffer | null = Number.isFinite(bytes) ? socket.read(1) : socket.read();
      if (chunk === null) return;
      received = Buffer.concat([received, chunk]);
    }
  });
  socket.write(echoRequest(session, "hello"));
  await until(enough);
  socket.resetAndDestroy();
  await once(socket, "close");
  return received.length;
}
