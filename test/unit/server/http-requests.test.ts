import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LARGEST_BODY } from "../../../src/server/body.js";
import {
  INITIALIZE,
  JSON_HEADERS,
  openSocket,
  post,
  REGISTER_AGAIN,
  raw,
  startSession,
  TestServer,
  TOKEN,
} from "./support.js";

const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

/** A request with these header lines after a good Host and token, unless they say otherwise. */
function request(
  lines: readonly string[],
  { line = "POST /mcp HTTP/1.1", body = JSON.stringify(PING) } = {},
): string {
  const named = (name: string) => lines.some((given) => given.toLowerCase().startsWith(`${name}:`));
  return [
    line,
    ...(named("host") ? [] : [`Host: 127.0.0.1:${server.http.port}`]),
    ...(named("authorization") ? [] : [`Authorization: Bearer ${TOKEN}`]),
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...lines.filter((given) => given !== "host:"),
    "",
    body,
  ].join("\r\n");
}

async function rawStatus(text: string): Promise<number> {
  return (await raw(server.http.port, text)).status;
}

describe("the listener, byte for byte", () => {
  it("serves a request with a good Host and token", async () => {
    // No session: the request is understood, and refused by the protocol.
    expect(await rawStatus(request([]))).toBe(400);
  });

  it("answers 403 itself to a request without a Host, with two, or with a foreign one", async () => {
    const { port } = server.http;
    for (const lines of [
      ["host:"],
      ["Host:"],
      [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`],
      [`Host: 127.0.0.1:${port}`, "Host: evil.example"],
      ["Host: evil.example"],
      ["Host: 127.0.0.1:1"],
    ]) {
      const answer = await raw(port, request(lines));
      expect({ lines, status: answer.status }).toEqual({ lines, status: 403 });
      expect(JSON.parse(answer.body)).toMatchObject({
        error: { code: -32000 },
      });
    }
    expect(await rawStatus(request(["host:"], { line: "POST /mcp HTTP/1.0" }))).toBe(403);
  });

  it("knows its names in any case", async () => {
    for (const host of ["LOCALHOST", "localhost", "[::1]", "127.0.0.1"]) {
      expect(await rawStatus(request([`Host: ${host}:${server.http.port}`]))).toBe(400);
    }
  });

  it("answers 403 to a foreign Origin, to two, and before it looks at the path or the token", async () => {
    const own = `Origin: http://127.0.0.1:${server.http.port}`;
    expect(await rawStatus(request([own]))).toBe(400);
    expect(await rawStatus(request([own, own]))).toBe(403);
    expect(await rawStatus(request([own, "Origin: https://evil.example"]))).toBe(403);
    expect(await rawStatus(request(["Origin: null"]))).toBe(403);
    const elsewhere = request(["Origin: null", "Authorization: Bearer x"], {
      line: "POST /x HTTP/1.1",
    });
    expect(await rawStatus(elsewhere)).toBe(403);
  });

  it("sees what comes after thousands of other headers, or refuses them all", async () => {
    const others = (count: number) => Array.from({ length: count }, (_, index) => `a${index % 10}:`);
    for (const count of [100, 1_995, 2_100]) {
      expect(await rawStatus(request([...others(count), "Origin: https://evil.example"]))).toBe(403);
      expect(await rawStatus(request([...others(count), `Authorization: Bearer ${TOKEN}x`]))).toBe(401);
      expect(await rawStatus(request(others(count)))).toBe(400);
    }
    expect(
      await rawStatus(
        request([...others(4_000).map((line) => `${line} 1234`), "Origin: https://evil.example"]),
      ),
    ).toBe(431);
  });

  it("answers 404 to other paths and to the whole address as a path, before it looks at the token", async () => {
    for (const path of ["/", "/mcp/", "/register", `http://127.0.0.1:${server.http.port}/mcp`]) {
      const answer = await raw(
        server.http.port,
        request(["Authorization: x"], { line: `POST ${path} HTTP/1.1` }),
      );
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(JSON.parse(answer.body).error_description).toContain("there is no OAuth");
    }
  });

  it("answers 401 to two Authorization headers, even when the first is right", async () => {
    const good = `Authorization: Bearer ${TOKEN}`;
    expect(await rawStatus(request([good, good]))).toBe(401);
    expect(await rawStatus(request([good, "Authorization: Bearer x"]))).toBe(401);
    const { headers, body } = await raw(server.http.port, request(["Authorization: Bearer x"]));
    expect(headers).toMatch(/^www-authenticate: Bearer\r?$/im);
    expect(JSON.parse(body).error_description).toContain(REGISTER_AGAIN);
  });

  it("sends no CORS header, and no preflight succeeds", async () => {
    const own = `Origin: http://127.0.0.1:${server.http.port}`;
    const preflight = ["Access-Control-Request-Method: POST", own];
    const answers = [
      await raw(server.http.port, request(preflight, { line: "OPTIONS /mcp HTTP/1.1", body: "" })),
      await raw(server.http.port, request([own])),
      await raw(server.http.port, request(["Origin: https://evil.example"])),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 400, 403]);
    for (const { headers } of answers) expect(headers).not.toMatch(/access-control/i);
  });

  it("does not answer on other addresses of this computer", async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ address, internal }) => !internal && !address.includes("fe80"));
    for (const { address } of others) {
      const [error] = await once(connect(server.http.port, address), "error");
      expect(error).toMatchObject({
        code: expect.stringMatching(/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/),
      });
    }
  });

  it("refuses a request on a connection that asks to become something else", async () => {
    const upgrade = request(["Connection: Upgrade", "Upgrade: websocket", "Authorization: x"]);
    expect(await rawStatus(upgrade)).toBe(401);
  });

  it("survives a client that leaves in the middle of its body", async () => {
    const socket = await openSocket(server.http.port);
    socket.write(request([]).slice(0, -5));
    socket.destroy();
    await once(socket, "close");
    expect(await rawStatus(request([]))).toBe(400);
    expect(server.log).toEqual([]);
  });
});

describe("the listener's answers to bodies", () => {
  it("is 413 to more than 1 MiB, with and without a declared length", async () => {
    const big = "x".repeat(LARGEST_BODY + 1);
    expect((await post(server.http.url, big)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 8; i++) controller.enqueue(new Uint8Array(LARGEST_BODY / 4));
        controller.close();
      },
    });
    const init = {
      method: "POST",
      headers: JSON_HEADERS,
      body: stream,
      duplex: "half",
    } as const;
    expect((await fetch(server.http.url, init)).status).toBe(413);
  });

  it("is no refusal at exactly 1 MiB", async () => {
    const text = JSON.stringify(PING);
    const response = await post(server.http.url, text + " ".repeat(LARGEST_BODY - text.length));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("Mcp-Session-Id");
  });

  it.each(["", "{", "not json", '{"a":1}}'])("is 400 to %j, which is no JSON", async (body) => {
    const response = await post(server.http.url, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      jsonrpc: "2.0",
      error: { code: -32700 },
      id: null,
    });
  });

  it.each([101, 5_000, 500_000])(
    "is 400 to lists and objects in one another, %i levels of them",
    async (levels) => {
      for (const [open, close] of [
        ["[", "]"],
        ['{"a":', "}"],
      ] as const) {
        const depth = Math.min(levels, Math.floor(LARGEST_BODY / 8));
        const nested = open.repeat(depth) + 1 + close.repeat(depth);
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":${nested}}}}`;
        for (const text of [nested, body]) {
          const response = await post(server.http.url, text);
          expect(response.status).toBe(400);
          expect(await response.json()).toMatchObject({ error: { code: -32700 }, id: null });
        }
      }
      expect(server.log).toEqual([]);
    },
  );

  it("is 400 to bytes that are no UTF-8, which would be changed when read", async () => {
    const [before = "", after = ""] = JSON.stringify(INITIALIZE).split('"raw"');
    const body = Buffer.concat([Buffer.from(`${before}"`), Buffer.from([0xff]), Buffer.from(`"${after}`)]);
    const response = await fetch(server.http.url, {
      method: "POST",
      headers: JSON_HEADERS,
      body,
    });
    expect(response.status).toBe(400);
  });

  it.each(["null", "1", '"text"', "[]", "{}", '[{"jsonrpc":"2.0"}]'])(
    "is an error to %s, which is no request",
    async (body) => {
      expect((await post(server.http.url, body)).status).toBe(400);
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])(
    "is 415 to the content type %j",
    async (type) => {
      expect((await post(server.http.url, PING, { "Content-Type": type })).status).toBe(415);
    },
  );

  it("takes a content type with parameters", async () => {
    const response = await post(server.http.url, INITIALIZE, {
      "Content-Type": "Application/JSON; charset=utf-8",
    });
    expect(response.status).toBe(200);
    await response.text();
  });
});

describe("the listener's log", () => {
  it("has a line for a request that the protocol refuses, whose text cannot make another line", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "x\n12:00 Stopped.\u001b[2J\u202e",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } };
    expect((await post(server.http.url, message, { "Mcp-Method": "tools/list" })).status).toBe(400);
    expect(server.log).toHaveLength(1);
    expect(server.log[0]).toMatch(/^MCP request: /);
    expect(server.log[0]).toContain("x?12:00 Stopped.?[2J?");
  });
});

describe("the listener's answers to methods", () => {
  it("is 405 to GET and DELETE without a session, as the newest era has it", async () => {
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(server.http.url, {
        method,
        headers: { ...JSON_HEADERS, Accept: "text/event-stream" },
      });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
    }
  });

  it("is 404 to a session that is unknown, so that the client starts a new one", async () => {
    for (const method of ["GET", "DELETE", "POST"]) {
      const body = method === "POST" ? JSON.stringify(PING) : undefined;
      const headers = { ...JSON_HEADERS, "Mcp-Session-Id": "gone" };
      const response = await fetch(server.http.url, { method, headers, body });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: -32001 } });
    }
  });

  it("opens one event stream a session, gives it up when the client leaves, and ends a session on DELETE", async () => {
    const session = await startSession(server.http.url);
    const headers = {
      ...JSON_HEADERS,
      "Mcp-Session-Id": session,
      Accept: "text/event-stream",
    };
    const leave = new AbortController();
    const stream = await fetch(server.http.url, {
      headers,
      signal: leave.signal,
    });
    expect(stream.status).toBe(200);
    expect((await fetch(server.http.url, { headers })).status).toBe(409);
    leave.abort();
    let again = await fetch(server.http.url, { headers });
    while (again.status === 409) again = await fetch(server.http.url, { headers });
    expect(again.status).toBe(200);
    expect((await fetch(server.http.url, { method: "DELETE", headers })).status).toBe(200);
    expect(await again.text()).toBe("");
    expect(server.http.sessions).toBe(0);
    expect((await post(server.http.url, PING, { "Mcp-Session-Id": session })).status).toBe(404);
  }, 8_000);
});

describe("the listener before the control chat is started", () => {
  it("answers 503 with Retry-After, but checks the token first", async () => {
    const closed = new TestServer();
    await closed.listen();
    const response = await post(closed.http.url, INITIALIZE);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect((await post(closed.http.url, INITIALIZE, { Authorization: "Bearer x" })).status).toBe(401);
    closed.http.open();
    expect((await post(closed.http.url, INITIALIZE)).status).toBe(200);
    await closed.close();
  });
});
