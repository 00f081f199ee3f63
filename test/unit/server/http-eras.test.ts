import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ERAS, INITIALIZE, post, TestServer, textOf, until } from "./support.js";

describe("a client that asks which era is served", () => {
  it("gets the newest", async () => {
    const server = await TestServer.start();
    const client = await server.client("auto");
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(textOf(await client.callTool({ name: "echo", arguments: { text: "hello" } }))).toBe("hello");
    await server.close();
  });

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "gets %s when it knows no newer",
    async (version) => {
      const server = await TestServer.start();
      const params = { ...INITIALIZE.params, protocolVersion: version };
      const response = await post(server.http.url, { ...INITIALIZE, params });
      expect(await response.text()).toContain(`"protocolVersion":"${version}"`);
      await server.close();
    },
  );
});

describe.each(ERAS)("a client of the %s era", (era) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await TestServer.start();
  });
  afterEach(() => server.close());

  it("connects, lists the tools and calls one", async () => {
    const client = await server.client(era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era === "modern" ? "2026-07-28" : "2025-11-25");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["echo", "hold"]);
    expect(textOf(await client.callTool({ name: "echo", arguments: { text: "hello" } }))).toBe("hello");
    expect(server.made[era]).toBeGreaterThan(0);
    expect(server.made[era === "modern" ? "legacy" : "modern"]).toBe(0);
  });

  it("gets the progress of a slow call while it runs, and its result", async () => {
    const client = await server.client(era);
    const progress: string[] = [];
    const result = client.callTool(
      { name: "hold", arguments: { key: "a" } },
      { onprogress: ({ message }) => progress.push(message ?? "") },
    );
    const call = await server.held("a");
    await until(() => progress.length > 0);
    expect(progress).toEqual(["held a"]);
    call.finish();
    expect(textOf(await result)).toBe("done a");
  });

  it("has its result count as delivered once it is written out", async () => {
    const client = await server.client(era);
    const result = client.callTool({ name: "hold", arguments: { key: "a" } });
    const call = await server.held("a");
    expect(call.delivery).toBeDefined();
    call.finish();
    await result;
    expect(await call.delivery?.settled).toBe(true);
    expect(call.delivery?.closed.aborted).toBe(false);
  });

  it("aborts the call's signal when it cancels, and nothing counts as delivered", async () => {
    const client = await server.client(era);
    const stop = new AbortController();
    const result = client.callTool({ name: "hold", arguments: { key: "a" } }, { signal: stop.signal });
    result.catch(() => undefined);
    const call = await server.held("a");
    stop.abort();
    expect(await call.delivery?.settled).toBe(false);
    await until(() => call.signal.aborted);
    expect(call.delivery?.closed.aborted).toBe(true);
    await expect(result).rejects.toThrow();
    call.finish();
    expect(
      textOf(
        await client.callTool({
          name: "echo",
          arguments: { text: "still here" },
        }),
      ),
    ).toBe("still here");
  });

  it("aborts the call's signal when it closes in the middle of a call", async () => {
    const client = await server.client(era);
    client.callTool({ name: "hold", arguments: { key: "a" } }).catch(() => undefined);
    const call = await server.held("a");
    await client.close();
    expect(await call.delivery?.settled).toBe(false);
    await until(() => call.signal.aborted);
    expect(call.delivery?.closed.aborted).toBe(true);
  });

  it("makes 200 calls at once, each with a delivery and a result of its own", async () => {
    const client = await server.client(era);
    const keys = Array.from({ length: 200 }, (_, i) => `k${i}`);
    const results = keys.map((key) => client.callTool({ name: "hold", arguments: { key } }));
    await until(() => server.calls.length === keys.length);
    expect(new Set(server.calls.map(({ delivery }) => delivery)).size).toBe(keys.length);
    for (const call of [...server.calls].reverse()) call.finish();
    expect((await Promise.all(results)).map(textOf)).toEqual(keys.map((key) => `done ${key}`));
    const settled = await Promise.all(server.calls.map(({ delivery }) => delivery?.settled));
    expect(settled.every(Boolean)).toBe(true);
  });

  it("gets an error for an open call when the server closes, not silence", async () => {
    const client = await server.client(era);
    const result = client.callTool({ name: "hold", arguments: { key: "a" } });
    const failure = expect(result).rejects.toThrow("The SimpleX core stopped: disk full.");
    const call = await server.held("a");
    await server.http.close("The SimpleX core stopped: disk full.");
    await failure;
    expect(await call.delivery?.settled).toBe(false);
    expect(call.signal.aborted).toBe(true);
    expect(call.delivery?.closed.aborted).toBe(true);
  });

  it("gets a result that was ready when the server closed", async () => {
    const client = await server.client(era);
    const result = client.callTool({ name: "hold", arguments: { key: "a" } });
    const call = await server.held("a");
    call.finish();
    await server.http.close();
    expect(textOf(await result)).toBe("done a");
    expect(await call.delivery?.settled).toBe(true);
  });
});
