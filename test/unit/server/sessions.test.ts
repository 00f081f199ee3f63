import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SESSION_IDLE_MS } from "../../../src/server/sessions.js";
import { INITIALIZE, JSON_HEADERS, post, startSession, TestServer, textOf, until } from "./support.js";

const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

function inSession(id: string, message: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = {
    ...JSON_HEADERS,
    "Mcp-Session-Id": id,
    "Mcp-Protocol-Version": "2025-11-25",
  };
  return fetch(server.http.url, {
    method: "POST",
    headers,
    body: JSON.stringify(message),
    ...init,
  });
}

function hold(id: number | string, key: string) {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "hold", arguments: { key } },
  };
}

/** The session counts as idle once its last response has been noticed to be over. */
async function idle(): Promise<void> {
  await until(() => server.clock.timers === server.http.sessions);
}

describe("sessions of the older eras", () => {
  it("are made by initialize, one server instance each", async () => {
    const [a, b] = [await startSession(server.http.url), await startSession(server.http.url)];
    expect(a).not.toBe(b);
    expect(server.http.sessions).toBe(2);
    expect(server.made).toEqual({ modern: 0, legacy: 2 });
    expect((await inSession(a, PING)).status).toBe(200);
  });

  it("are not kept when the initialize was refused", async () => {
    const response = await post(server.http.url, INITIALIZE, {
      Accept: "application/json",
    });
    expect(response.status).toBe(406);
    expect(server.http.sessions).toBe(0);
  });

  it("are dropped after half an hour without a request; the client's next one is answered 404", async () => {
    const id = await startSession(server.http.url);
    await idle();
    server.clock.advance(SESSION_IDLE_MS - 1);
    expect((await (await inSession(id, PING)).text()).length).toBeGreaterThan(0);
    await idle();
    server.clock.advance(SESSION_IDLE_MS - 1);
    expect(server.http.sessions).toBe(1);
    server.clock.advance(1);
    await until(() => server.http.sessions === 0);
    expect((await inSession(id, PING)).status).toBe(404);
  });

  it("are kept while a call or the event stream is open, for days", async () => {
    const id = await startSession(server.http.url);
    const call = await inSession(id, hold(2, "a"));
    const stream = await fetch(server.http.url, {
      headers: {
        ...JSON_HEADERS,
        "Mcp-Session-Id": id,
        Accept: "text/event-stream",
      },
    });
    server.clock.advance(48 * 3_600_000);
    expect(server.http.sessions).toBe(1);
    (await server.held("a")).finish();
    expect(await call.text()).toContain("done a");
    server.clock.advance(48 * 3_600_000);
    expect(server.http.sessions).toBe(1);
    await stream.body?.cancel();
    await until(() => server.clock.timers === 1);
    server.clock.advance(SESSION_IDLE_MS);
    await until(() => server.http.sessions === 0);
  });

  it("need no timer when there are none", async () => {
    expect(server.clock.timers).toBe(0);
    const id = await startSession(server.http.url);
    await until(() => server.clock.timers === 1);
    const headers = { ...JSON_HEADERS, "Mcp-Session-Id": id };
    await fetch(server.http.url, { method: "DELETE", headers });
    await until(() => server.http.sessions === 0);
    expect(server.clock.timers).toBe(0);
  });

  it("are at most a hundred when idle: the longest idle one goes first", async () => {
    const first = await startSession(server.http.url);
    const second = await startSession(server.http.url);
    for (let i = 0; i < 98; i++) await startSession(server.http.url);
    await idle();
    await (await inSession(first, PING)).text();
    await idle();
    await startSession(server.http.url);
    await until(() => server.http.sessions === 100);
    expect((await inSession(first, PING)).status).toBe(200);
    expect((await inSession(second, PING)).status).toBe(404);
  });

  it("start anew after a restart of the server: the client of the SDK is told by the 404", async () => {
    const client = await server.client("legacy");
    const { port } = server.http;
    await server.http.close();
    await server.listen({ ports: [port] });
    server.http.open();
    await expect(client.callTool({ name: "echo", arguments: { text: "x" } })).rejects.toThrow(
      /Session not found/,
    );
    const again = await server.client("legacy");
    expect(textOf(await again.callTool({ name: "echo", arguments: { text: "back" } }))).toBe("back");
  });
});

describe("a call in a session", () => {
  it("that is cancelled ends its response without an answer, and leaves nothing open", async () => {
    const id = await startSession(server.http.url);
    const response = await inSession(id, hold(2, "a"));
    const call = await server.held("a");
    const cancelled = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 2, reason: "enough" },
    };
    expect((await inSession(id, cancelled)).status).toBe(202);
    expect(await response.text()).toBe("");
    expect(await call.delivery?.settled).toBe(false);
    await until(() => call.signal.aborted);
    expect(call.signal.reason).toBe("enough");
    call.finish();
    await idle();
    // The id is free again.
    const second = await inSession(id, hold(2, "b"));
    (await server.held("b")).finish();
    expect(await second.text()).toContain("done b");
  }, 8_000);

  it("is not touched when another session cancels the same id", async () => {
    const [a, b] = [await startSession(server.http.url), await startSession(server.http.url)];
    const response = await inSession(a, hold(2, "a"));
    const call = await server.held("a");
    const cancelled = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 2 },
    };
    await inSession(b, cancelled);
    expect(call.signal.aborted).toBe(false);
    call.finish();
    expect(await response.text()).toContain("done a");
  });

  it("is aborted when the client ends the session, and does not count as delivered", async () => {
    const id = await startSession(server.http.url);
    const response = await inSession(id, hold(2, "a"));
    const call = await server.held("a");
    const headers = { ...JSON_HEADERS, "Mcp-Session-Id": id };
    await fetch(server.http.url, { method: "DELETE", headers });
    expect(await response.text()).toBe("");
    expect(await call.delivery?.settled).toBe(false);
    expect(call.signal.aborted).toBe(true);
  });

  it("is refused when its id is that of an open call", async () => {
    const id = await startSession(server.http.url);
    const response = await inSession(id, hold(2, "a"));
    const call = await server.held("a");
    const second = await inSession(id, hold(2, "b"));
    expect(second.status).toBe(400);
    expect(await second.json()).toMatchObject({ error: { code: -32600 } });
    call.finish();
    expect(await response.text()).toContain("done a");
    expect(server.calls).toHaveLength(1);
  });

  it("is delivered with the batch it came in, and a cancelled one does not hold up the others", async () => {
    const id = await startSession(server.http.url);
    const response = await inSession(id, [hold(2, "a"), hold("2", "b")]);
    const [a, b] = [await server.held("a"), await server.held("b")];
    expect(a.delivery).toBe(b.delivery);
    const cancelled = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 2 },
    };
    await inSession(id, cancelled);
    await until(() => a.signal.aborted);
    expect(b.signal.aborted).toBe(false);
    b.finish();
    expect(await response.text()).toContain("done b");
    expect(await b.delivery?.settled).toBe(true);
  });
});
