import { readdir, readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loopbackFetch } from "../../../src/server/loopback.js";

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/x`;
}

describe("a request to a listener of this computer", () => {
  it("carries method, headers and body, and gives status, headers and body back", async () => {
    const url = await listen(async (req, res) => {
      let body = "";
      for await (const piece of req) body += String(piece);
      res.setHeader("Set-Cookie", ["a=1", "b=2"]);
      res.writeHead(418, { "Content-Type": "application/json" });
      res.end(JSON.stringify({ method: req.method, body, token: req.headers.authorization }));
    });
    const headers = { Authorization: "Bearer x" };
    const response = await loopbackFetch(url, { method: "POST", headers, body: "hello" });
    expect([response.status, response.ok, response.headers.getSetCookie()]).toEqual([
      418,
      false,
      ["a=1", "b=2"],
    ]);
    expect(await response.json()).toEqual({ method: "POST", body: "hello", token: "Bearer x" });
  });

  it("gives the body as it comes", async () => {
    let goOn = (): void => undefined;
    const url = await listen((_, res) => {
      res.write("one");
      goOn = () => res.end("two");
    });
    const response = await loopbackFetch(url);
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("one");
    goOn();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("two");
    expect((await reader?.read())?.done).toBe(true);
  });

  it.each([204, 304])("has no body where the status has none: %i", async (status) => {
    const url = await listen((_, res) => res.writeHead(status).end());
    expect((await loopbackFetch(url)).body).toBeNull();
  });

  it("follows nowhere", async () => {
    const url = await listen((_, res) => res.writeHead(302, { Location: "http://example.com/" }).end());
    expect((await loopbackFetch(url)).status).toBe(302);
  });

  it("ends when it is aborted, before the answer and in it", async () => {
    const url = await listen((req, res) => void (req.url === "/x?part" && res.write("part")));
    const before = new AbortController();
    const open = loopbackFetch(url, { signal: before.signal });
    before.abort();
    await expect(open).rejects.toThrow("abort");
    const within = new AbortController();
    const response = await loopbackFetch(`${url}?part`, { signal: within.signal });
    const text = response.text();
    within.abort();
    await expect(text).rejects.toThrow();
  });

  it("rejects where nobody listens, and for any other computer", async () => {
    await expect(loopbackFetch("http://127.0.0.1:9/")).rejects.toThrow("ECONNREFUSED");
    await expect(loopbackFetch("http://example.com/")).rejects.toThrow("is not on this computer");
    await expect(loopbackFetch("https://127.0.0.1/")).rejects.toThrow("is not on this computer");
  });
});

it("no program here speaks to a listener by Node's defaults, which may lead to a proxy", async () => {
  const root = new URL("../../../src/", import.meta.url).pathname;
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), "utf8");
    if (/(?<![\w.#])(?<!async )fetch\(/.test(text)) found.push(`${file}: fetch`);
    if (/new StreamableHTTPClientTransport\(/.test(text) && !text.includes("fetch: loopbackFetch")) {
      found.push(`${file}: a client without loopbackFetch`);
    }
    if (/import .*\b(?:request|get)\b.* from "node:https?"/.test(text) && !/new Agent\(/.test(text)) {
      found.push(`${file}: a request without an agent of its own`);
    }
  }
  expect(found).toEqual([]);
});
