import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isInitializeRequest, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const TOKEN = "b".repeat(43);

/** The two ways of the protocol: 2026-07-28, and the eras before it. */
export const ERAS = /** @type {const} */ (["modern", "legacy"]);

/** A server with one tool that does nothing. */
export function noopServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("noop", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "ok" }],
  }));
  return server;
}

/**
 * The least that the SDK needs to serve an era over Node's HTTP: no checks, no token.
 * @param {typeof ERAS[number]} era
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function bareListener(era, server = noopServer) {
  const http = createServer(era === "modern" ? bareModern(server) : bareLegacy(server)).listen(
    0,
    "127.0.0.1",
  );
  await once(http, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (http.address());
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => closeHttp(http) };
}

/** @param {() => McpServer} server */
function bareModern(server) {
  return toNodeHandler(createMcpHandler(server, { legacy: "reject", responseMode: "sse" }));
}

/** @param {() => McpServer} server @returns {import("node:http").RequestListener} */
function bareLegacy(server) {
  /** @type {Map<string, NodeStreamableHTTPServerTransport>} */
  const sessions = new Map();
  return async (req, res) => {
    const body = req.method === "POST" ? await readJson(req) : undefined;
    let transport = sessions.get(String(req.headers["mcp-session-id"]));
    if (transport === undefined && isInitializeRequest(body)) {
      const made = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, made),
      });
      await server().connect(made);
      transport = made;
    }
    if (transport === undefined) res.writeHead(404).end();
    else await transport.handleRequest(req, res, body);
  };
}

/** @param {import("node:http").IncomingMessage} req */
async function readJson(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** @param {import("node:http").Server} http */
async function closeHttp(http) {
  const closed = once(http, "close");
  http.close();
  http.closeAllConnections();
  await closed;
}

/**
 * Our listener around the same server.
 * @param {(path: string) => Promise<any>} dist
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function ourListener(dist, server = noopServer) {
  const { HttpServer } = await dist("server/http.js");
  const { systemClock } = await dist("time/system-clock.js");
  const http = await HttpServer.listen({
    agent: "bench",
    ports: [0],
    token: TOKEN,
    createServer: server,
    clock: systemClock,
    log: console.error,
  });
  http.open();
  return { url: http.url, close: () => http.close() };
}

/**
 * A connected client. The token does no harm where none is asked for.
 * @param {string} url @param {typeof ERAS[number]} era
 */
export async function client(url, era, token = TOKEN) {
  /** @type {import("@modelcontextprotocol/client").ClientOptions} */
  const options = { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } };
  const made = new Client({ name: "bench", version: "1.0.0" }, options);
  made.onerror = () => undefined;
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await made.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return made;
}
