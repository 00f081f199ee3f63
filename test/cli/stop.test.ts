import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { type Computer, computer, listening, mcpClient, serve } from "./agent.js";
import { CoreHost } from "./core-host.js";
import { withoutTimes } from "./program.js";

let network: SimulatedNetwork;
let at: Computer;
let data: string;
beforeEach(async () => {
  network = new SimulatedNetwork();
  at = await computer(await CoreHost.listen(network));
  data = join(at.home, "data");
});

describe.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s", (signal) => {
  it("stops the server, which closes its core and gives the lock back", async () => {
    const program = await listening(at);
    program.signal(signal);
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.stdout.lines.at(-1)).toBe("Stopped.");
    expect(program.stderr.text).toBe("");
    expect(await readdir(data)).not.toContain("lock");
    await expect(at.host.opened[0]?.api.sendChatCmd("/version")).rejects.toThrow("not initialized");
  });
});

describe("a signal before the server listens", () => {
  it("ends the start, which gives the lock back", async () => {
    const program = await serveStuck();
    program.signal("SIGINT");
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.stdout.lines.at(-1)).toBe("Stopped.");
    expect(program.stdout.text).not.toContain("Listening");
    expect(await readdir(data)).not.toContain("lock");
  });

  /** Starts a server whose core does not answer once it is open. */
  async function serveStuck() {
    at.host.stuck = true;
    const program = await serve(at);
    await expect.poll(() => at.host.opened.length, { timeout: 20_000 }).toBe(1);
    return program;
  }
});

describe("a crash", () => {
  it("leaves a lock that the next start takes over, with the same identity and token", async () => {
    const first = await listening(at);
    const token = await readFile(join(data, "token"), "utf8");
    first.signal("SIGKILL");
    await first.ended;
    expect(JSON.parse(await readFile(join(data, "lock"), "utf8"))).toMatchObject({ pid: first.pid });

    const second = await listening(at);
    expect(second.stderr.text).toBe("");
    expect(second.stdout.text).not.toContain("created.");
    expect(JSON.parse(await readFile(join(data, "lock"), "utf8"))).toMatchObject({ pid: second.pid });
    expect(await readFile(join(data, "token"), "utf8")).toBe(token);
  });

  it("leaves a lock that is taken over where its process id belongs to another program by now", async () => {
    const first = await listening(at);
    first.signal("SIGKILL");
    await first.ended;
    const lock = JSON.parse(await readFile(join(data, "lock"), "utf8"));
    await writeFile(join(data, "lock"), JSON.stringify({ ...lock, pid: process.pid }));
    expect((await listening(at)).stderr.text).toBe("");
  });
});

describe("a core that fails", () => {
  it("ends the server with a line that says why", async () => {
    const program = await listening(at);
    const message = "SQLite3 returned ErrorFull while attempting to perform step: database or disk is full";
    const error = { type: "errorStore", storeError: { type: "dBException", message } };
    network.faults.failNext(() => true, error, join(data, "simplex"));
    const client = await mcpClient(at);
    const { isError, content } = await client.callTool({ name: "list", arguments: {} });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("The SimpleX core stopped working");
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(withoutTimes(program.stderr.text)).toEqual([
      `SimpleX core: ${message}. The server stops: start it again when this is solved.`,
    ]);
    expect(await readdir(data)).not.toContain("lock");
  });
});
