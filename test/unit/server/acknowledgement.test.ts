import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Acknowledgements } from "../../../src/server/acknowledgement.js";
import { Exchange } from "../../../src/server/delivery.js";
import {
  ERAS,
  type Era,
  type HeldCall,
  INITIALIZE,
  JSON_HEADERS,
  openSocket,
  post,
  startSession,
  TestServer,
  until,
} from "./support.js";

const HANDED_ON = { "Simplex-Mcp-Delivery": "acknowledged" };

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

/** One connection of a client that hands its results on. */
class Connection {
  received = "";

  private constructor(readonly socket: Socket) {
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      this.received += chunk;
    });
  }

  static async open(): Promise<Connection> {
    return new Connection(await openSocket(server.http.port));
  }

  send(path: string, headers: Record<string, string>, body: string): void {
    this.received = "";
    const all = { Host: `127.0.0.1:${server.http.port}`, ...JSON_HEADERS, ...headers };
    const lines = Object.entries({ ...all, "Content-Length": `${Buffer.byteLength(body)}` });
    const head = lines.map(([name, value]) => `${name}: ${value}`);
    this.socket.write([`POST ${path} HTTP/1.1`, ...head, "", body].join("\r\n"));
  }

  async callHold(era: Era, key: string): Promise<HeldCall> {
    const modern = { "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "hold" };
    const headers =
      era === "modern"
        ? modern
        : {
            "Mcp-Protocol-Version": "2025-11-25",
            "Mcp-Session-Id": await startSession(server.http.url),
          };
    const params = { name: "hold", arguments: { key }, ...(era === "modern" ? { _meta: ENVELOPE } : {}) };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/call", params });
    this.send("/mcp", { ...headers, ...HANDED_ON }, body);
    return await server.held(key);
  }

  /** Waits for the end of the response. */
  async responded(): Promise<void> {
    await until(() => this.received.endsWith("0\r\n\r\n"));
  }

  async acknowledge(): Promise<number> {
    this.send("/delivered", {}, "");
    await until(() => this.received.includes("\r\n\r\n"));
    return Number(this.received.split(" ")[1]);
  }
}

/** What is known of the delivery by now: the server has had its time, since it answered somebody else. */
async function settledByNow(call: HeldCall): Promise<boolean | "not yet"> {
  await startSession(server.http.url);
  return await Promise.race([call.delivery?.settled ?? false, Promise.resolve("not yet" as const)]);
}

describe.each(ERAS)("a result of the %s era whose client hands it on", (era) => {
  it("is delivered once the client says so on the same connection", async () => {
    const connection = await Connection.open();
    const call = await connection.callHold(era, "a");
    call.finish();
    await connection.responded();
    expect(await settledByNow(call)).toBe("not yet");
    expect(await connection.acknowledge()).toBe(200);
    expect(await call.delivery?.settled).toBe(true);
    expect(call.delivery?.closed.aborted).toBe(false);
    connection.socket.destroy();
  });

  it.each(["destroy", "end", "resetAndDestroy"] as const)(
    "is lost when the connection goes before, by %s",
    async (how) => {
      const connection = await Connection.open();
      const call = await connection.callHold(era, "a");
      call.finish();
      await connection.responded();
      connection.socket[how]();
      expect(await call.delivery?.settled).toBe(false);
      expect(call.delivery?.closed.aborted).toBe(true);
    },
  );

  it("is acknowledged by nobody else", async () => {
    const connection = await Connection.open();
    const call = await connection.callHold(era, "a");
    call.finish();
    await connection.responded();
    const other = await Connection.open();
    expect(await other.acknowledge()).toBe(409);
    expect(await settledByNow(call)).toBe("not yet");
    expect(await connection.acknowledge()).toBe(200);
    for (const { socket } of [connection, other]) socket.destroy();
  });

  it("is not delivered by a word that comes before it", async () => {
    const connection = await Connection.open();
    expect(await connection.acknowledge()).toBe(409);
    const call = await connection.callHold(era, "a");
    call.finish();
    await connection.responded();
    expect(await settledByNow(call)).toBe("not yet");
    connection.socket.destroy();
    expect(await call.delivery?.settled).toBe(false);
  });

  it("is one of many on its connection, each acknowledged by itself", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const connection = await Connection.open();
    for (let count = 0; count < 12; count += 1) {
      const call = await connection.callHold(era, `call ${count}`);
      call.finish();
      await connection.responded();
      expect(await connection.acknowledge()).toBe(200);
      expect(await call.delivery?.settled).toBe(true);
    }
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
    connection.socket.destroy();
  });

  it("may still be acknowledged while the server stops", async () => {
    const connection = await Connection.open();
    const call = await connection.callHold(era, "a");
    call.finish();
    await connection.responded();
    const closed = server.http.close();
    expect((await post(server.http.url, INITIALIZE)).status).toBe(503);
    expect(await connection.acknowledge()).toBe(200);
    expect(await call.delivery?.settled).toBe(true);
    await closed;
  });

  it("is lost with a server that stops and hears nothing of it", async () => {
    const connection = await Connection.open();
    const call = await connection.callHold(era, "a");
    call.finish();
    await connection.responded();
    const gone = once(connection.socket, "close");
    await server.http.close();
    expect(await call.delivery?.settled).toBe(false);
    await gone;
  });
});

it("nobody acknowledges without the token", async () => {
  const url = new URL("/delivered", server.http.url);
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
  expect((await fetch(url, { method: "GET", headers: JSON_HEADERS })).status).toBe(405);
});

it("a result waits for its word longer than idle connections are kept", async () => {
  const responses: ServerResponse[] = [];
  const http = createServer({ keepAliveTimeout: 1 }, (_, res) => responses.push(res)).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const [waiting, idle] = [await openSocket(port), await openSocket(port)];
  const exchanges: Exchange[] = [];
  for (const [socket, acknowledgements] of [[waiting, new Acknowledgements()], [idle]] as const) {
    socket.resume().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const count = exchanges.length + 1;
    await until(() => responses.length === count);
    const res = responses[count - 1];
    if (res === undefined) throw new Error("no response");
    exchanges.push(new Exchange(res, [], acknowledgements));
    res.end();
  }
  await once(idle, "close");
  expect(waiting.readyState).toBe("open");
  waiting.destroy();
  expect(await Promise.all(exchanges.map(({ settled }) => settled))).toEqual([false, true]);
  http.close();
});
