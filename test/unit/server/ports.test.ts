import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { HttpServer } from "../../../src/server/http.js";
import { PortError, portsToTry } from "../../../src/server/ports.js";
import { TestServer } from "./support.js";

const busy: Server[] = [];
const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of busy.splice(0)) server.close();
  for (const server of servers.splice(0)) await server.close();
});

/** A port that another program listens on. */
async function busyPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  busy.push(server);
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function listen(ports: readonly number[]): Promise<TestServer> {
  return TestServer.start({ ports }).then((server) => {
    servers.push(server);
    return server;
  });
}

describe("the ports to try", () => {
  it("are --port alone, also when there was another start", () => {
    expect(portsToTry({ wanted: 7000, last: 5226 })).toEqual([7000]);
  });

  it("are that of the last start alone, since the clients are registered with it", () => {
    expect(portsToTry({ last: 5230 })).toEqual([5230]);
  });

  it("are 5226 to 5245 the first time", () => {
    const ports = portsToTry({});
    expect(ports).toHaveLength(20);
    expect(ports[0]).toBe(5226);
    expect(ports.at(-1)).toBe(5245);
  });
});

describe("listening", () => {
  it("takes the first port that is free", async () => {
    const [a, b, free] = [await busyPort(), await busyPort(), await busyPort()];
    await new Promise((resolve) => busy.pop()?.close(resolve));
    const server = await listen([a, b, free]);
    expect(server.http.port).toBe(free);
    expect(server.http.url).toBe(`http://127.0.0.1:${free}/mcp`);
  });

  it("names the one port that is in use", async () => {
    const port = await busyPort();
    const error = await listen([port]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PortError);
    expect(error).toMatchObject({
      message: `Port ${port} is in use. Stop what uses it, or choose another with --port.`,
    });
  });

  it("names the range when all are in use", async () => {
    const [a, b] = [await busyPort(), await busyPort()];
    await expect(listen([a, b])).rejects.toThrow(`Ports ${a} to ${b} are all in use.`);
  });

  it("refuses a second server on the port of the first", async () => {
    const first = await listen([0]);
    await expect(listen([first.http.port])).rejects.toThrow(PortError);
    expect(first.http).toBeInstanceOf(HttpServer);
  });
});
