import { afterEach, describe, expect, it } from "vitest";
import { REGISTER_AGAIN, STATUS, TestServer, TOKEN } from "./support.js";

let server: TestServer | undefined;
afterEach(() => server?.close());

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(at: TestServer, { method = "GET", path = "/status", headers = {} }: Asked = {}) {
  const all = { Authorization: `Bearer ${TOKEN}`, ...headers };
  return fetch(`http://127.0.0.1:${at.http.port}${path}`, { method, headers: all });
}

describe("/status", () => {
  it("tells about the agent as JSON", async () => {
    server = await TestServer.start();
    const response = await ask(server);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(await response.json()).toEqual(STATUS);
    expect((await ask(server, { path: "/status?x=1" })).status).toBe(200);
  });

  it("is asked for anew each time", async () => {
    let pending = 0;
    server = await TestServer.start({ status: async () => ({ ...STATUS, pending: ++pending }) });
    expect(await (await ask(server)).json()).toMatchObject({ pending: 1 });
    expect(await (await ask(server)).json()).toMatchObject({ pending: 2 });
  });

  it.each<[number, string, Asked]>([
    [403, "a web page", { headers: { Origin: "http://evil.example" } }],
    [401, "a wrong token", { headers: { Authorization: "Bearer wrong" } }],
    [404, "a path below it", { path: "/status/x" }],
    [404, "a name that all objects have", { path: "/constructor" }],
    [405, "a POST", { method: "POST" }],
  ])("answers %i to %s", async (status, _what, asked) => {
    server = await TestServer.start();
    const response = await ask(server, asked);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain(STATUS.name);
    expect(response.headers.get("allow")).toBe(status === 405 ? "GET" : null);
  });

  it("answers 401 without a token, with what to do", async () => {
    server = await TestServer.start();
    const response = await fetch(`http://127.0.0.1:${server.http.port}/status`);
    expect(response.status).toBe(401);
    expect(await response.text()).toContain(REGISTER_AGAIN);
  });

  it("answers 503 before the control chat is started", async () => {
    server = new TestServer();
    await server.listen();
    const response = await ask(server);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    server.http.open();
    expect((await ask(server)).status).toBe(200);
  });

  it("answers 500 when the core fails, and logs why", async () => {
    server = await TestServer.start({
      status: async () => {
        throw new Error("database is locked");
      },
    });
    const response = await ask(server);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("locked");
    expect(server.log).toEqual(["HTTP request: database is locked"]);
  });
});
