import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { appWithStandin } from "./app.js";
import type { CoreHost } from "./core-host.js";
import { temporaryFolder } from "./folders.js";
import { Program } from "./program.js";

/** A computer on which agents are served: their home folder, and the cores that they find. */
export interface Computer {
  readonly host: CoreHost;
  readonly home: string;
}

export async function computer(host: CoreHost): Promise<Computer> {
  return { host, home: await temporaryFolder() };
}

/** Starts `simplex-mcp serve my-agent`, on a free port unless the arguments name one. */
export async function serve(at: Computer, ...args: string[]): Promise<Program> {
  const port = args.includes("--port") ? [] : ["--port", String(await freePort())];
  return serveAsBefore(at, ...port, ...args);
}

/** Starts it with these options alone: it listens where it did. */
export function serveAsBefore({ host, home }: Computer, ...args: string[]): Program {
  const options = ["serve", "my-agent", "--data", join(home, "data"), ...args];
  return Program.start({ app: appWithStandin(), args: options, home, env: host.env });
}

/** Starts it, and waits until it listens. */
export async function listening(at: Computer, ...args: string[]): Promise<Program> {
  const program = await serve(at, ...args);
  await program.stdout.line(/^Listening on /);
  return program;
}

/** Stops it as Ctrl-C does. */
export async function stop(program: Program): Promise<void> {
  program.signal("SIGINT");
  expect(await program.ended).toEqual({ code: 0, signal: null });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}

const headersJson = z.object({ Authorization: z.string() });
const serverJson = z.object({ url: z.url() });

/** An MCP client that finds the agent as a registered one does: by `server.json` and `headers.json`. */
export async function mcpClient({ home }: Computer): Promise<Client> {
  const read = async (name: string) => JSON.parse(await readFile(join(home, "data", name), "utf8"));
  const { url } = serverJson.parse(await read("server.json"));
  const headers = headersJson.parse(await read("headers.json"));
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}
