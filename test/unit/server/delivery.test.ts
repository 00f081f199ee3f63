import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Exchange } from "../../../src/server/delivery.js";
import { currentDelivery } from "../../../src/tools/call/delivery.js";
import { ERAS, type Era, JSON_HEADERS, openSocket, startSession, TestServer, until } from "./support.js";

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

/** Bytes of a POST that calls `hold`, as a client of the era would send it. */
async function holdRequest(era: Era, key: string): Promise<string> {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = {
    name: "hold",
    arguments: { key },
    ...(era === "modern" ? { _meta: envelope } : {}),
  };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 5,
    method: "tools/call",
    params,
  });
  const extra =
    era === "modern"
      ? {
          "Mcp-Protocol-Version": "2026-07-28",
          "Mcp-Method": "tools/call",
          "Mcp-Name": "hold",
        }
      : {
          "Mcp-Protocol-Version": "2025-11-25",
          "Mcp-Session-Id": await startSession(server.http.url),
        };
  const headers = {
    Host: `127.0.0.1:${server.http.port}`,
    ...JSON_HEADERS,
    ...extra,
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n");
}

async function call(era: Era, key = "a"): Promise<{ socket: Socket; received: () => string }> {
  const text = await holdRequest(era, key);
  const socket = await openSocket(server.http.port);
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.write(text);
  return { socket, received: () => received };
}

describe("an exchange whose bytes wait in the computer", () => {
  it("is not delivered when the connection is cut, also where Node says that the response is finished", async () => {
    const http = createServer().listen(0, "127.0.0.1");
    await once(http, "listening");
    const address = http.address();
    const socket = await openSocket(typeof address === "object" && address !== null ? address.port : 0);
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const res = await new Promise<ServerResponse>((resolve) =>
      http.once("request", (_, given) => resolve(given)),
    );
    const exchange = new Exchange(res, [1]);
    exchange.answered(1);
    // Until Node 22 it says so of bytes that it dropped; Node 24 says only that it is closed.
    const ended = Promise.race([once(res, "finish"), once(res, "close")]);
    res.end("x".repeat(64 * 1024 * 1024));
    http.closeAllConnections();
    await ended;
    expect(await exchange.settled).toBe(false);
    expect(exchange.closed.aborted).toBe(true);
    socket.destroy();
    http.close();
  });
});

describe("a tool outside of a request", () => {
  it("has no delivery", () => {
    expect(currentDelivery()).toBeUndefined();
  });
});

// The keepalive comes after 15 s: what must not depend on it is given less.
describe.each(ERAS)("a call of the %s era on a bare connection", { timeout: 8_000 }, (era) => {
  it("gets its headers at once, long before the result", async () => {
    const { received, socket } = await call(era);
    await server.held("a");
    await until(() => received().includes("\r\n\r\n"));
    expect(received()).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(received()).toMatch(/^content-type: text\/event-stream\r$/im);
    socket.destroy();
  });

  it.each(["destroy", "end", "resetAndDestroy"] as const)(
    "is abandoned when the client leaves by %s",
    async (how) => {
      const { socket } = await call(era);
      const held = await server.held("a");
      socket[how]();
      expect(await held.delivery?.settled).toBe(false);
      expect(held.delivery?.closed.aborted).toBe(true);
      await until(() => held.signal.aborted);
    },
  );

  it("is not delivered when its result is given after the client left", async () => {
    const { socket } = await call(era);
    const held = await server.held("a");
    socket.destroy();
    await until(() => held.signal.aborted);
    held.finish();
    expect(await held.delivery?.settled).toBe(false);
    expect(server.log).toEqual([]);
  });

  it("is not delivered when the client stops reading and then leaves", async () => {
    const { socket, received } = await call(era);
    const held = await server.held("a");
    await until(() => received() !== "");
    socket.pause();
    let settled: boolean | undefined;
    void held.delivery?.settled.then((delivered) => {
      settled = delivered;
    });
    held.finish("x".repeat(64 * 1024 * 1024));
    // The server has had its time: it answered somebody else.
    await startSession(server.http.url);
    expect(settled).toBeUndefined();
    socket.destroy();
    expect(await held.delivery?.settled).toBe(false);
  });

  it("is not delivered when the server closes while the client does not read", async () => {
    const { socket, received } = await call(era);
    const held = await server.held("a");
    await until(() => received() !== "");
    socket.pause();
    held.finish("x".repeat(64 * 1024 * 1024));
    await server.http.close();
    expect(await held.delivery?.settled).toBe(false);
    socket.destroy();
  });

  it("gets a keepalive comment while it waits", async () => {
    await server.http.close();
    await server.listen({ keepAliveMs: 20 });
    server.http.open();
    const { received, socket } = await call(era);
    await until(() => received().split(": keepalive\n\n").length > 2);
    socket.destroy();
  });

  it("ends its response, and the connection serves the next request", async () => {
    const { received, socket } = await call(era);
    (await server.held("a")).finish();
    await until(() => received().endsWith("0\r\n\r\n"));
    const first = received().length;
    socket.write(await holdRequest(era, "b"));
    (await server.held("b")).finish();
    await until(() => received().slice(first).includes("done b"));
    socket.destroy();
    await once(socket, "close");
  });
});
