import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  INITIALIZE,
  JSON_HEADERS,
  openSocket,
  post,
  startSession,
  TestServer,
  TOKEN,
  until,
} from "./support.js";

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

describe("closing the listener", { timeout: 8_000 }, () => {
  it("closes idle and half-open connections, and takes no new ones", async () => {
    const { port, url } = server.http;
    const idle = await openSocket(port);
    const half = await openSocket(port);
    half.write("POST /mcp HTTP/1.1\r\nHost:");
    const ended = [idle, half].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    await server.http.close();
    await Promise.all(ended);
    await expect(post(url, INITIALIZE)).rejects.toThrow();
  });

  it("ends sessions and event streams, and frees the port", async () => {
    const { port, url } = server.http;
    const id = await startSession(url);
    const headers = {
      Authorization: `Bearer ${TOKEN}`,
      Accept: "text/event-stream",
      "Mcp-Session-Id": id,
    };
    const stream = await fetch(url, { headers });
    await server.http.close();
    expect(await stream.text()).toBe("");
    expect(server.http.sessions).toBe(0);
    expect(server.clock.timers).toBe(0);
    await server.listen({ ports: [port] });
    expect(server.http.port).toBe(port);
  });

  it("may be asked for twice", async () => {
    await Promise.all([server.http.close(), server.http.close()]);
    await server.http.close();
  });

  it("answers 503 to a request whose body is still arriving", async () => {
    // An open call gives the stop some turns of the event loop.
    const client = await server.client("modern");
    client.callTool({ name: "hold", arguments: { key: "a" } }).catch(() => undefined);
    await server.held("a");
    const socket = await openSocket(server.http.port);
    let received = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const body = JSON.stringify(INITIALIZE);
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${server.http.port}`,
      ...Object.entries(JSON_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    await until(() => received.startsWith("HTTP/1.1 100 Continue"));
    const closing = server.http.close();
    socket.write(body);
    await Promise.all([closing, closed]);
    expect(received).toContain("HTTP/1.1 503");
    expect(server.made.legacy).toBe(0);
  });
});
