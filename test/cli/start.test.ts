import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { VERSION } from "../../src/terminal/version.js";
import { type Computer, computer, freePort, listening, serve, serveAsBefore, stop } from "./agent.js";
import { CoreHost } from "./core-host.js";
import { withoutTimes } from "./program.js";

let at: Computer;
let data: string;
beforeEach(async () => {
  at = await computer(await CoreHost.listen(new SimulatedNetwork()));
  data = join(at.home, "data");
});

/** A QR code of half blocks or of blanks and colours. */
const QR_LINE = /^[█▀▄ ]+$|^(?:\u001b\[[0-9;]*m| )+$/;

describe("the first start", () => {
  it("prints who it is, where it keeps its data, and how to become the owner", async () => {
    const port = String(await freePort());
    const program = await listening(at, "--display-name", "My Agent", "--port", port);
    const { lines } = program.stdout;
    const link = lines.find((line) => line.startsWith("https://"));
    expect(link).toMatch(/^https:\/\/smp\S+\/g#\S+$/);
    expect(lines.filter((line) => !QR_LINE.test(line) && line !== "")).toEqual([
      `simplex-mcp ${VERSION}, SimpleX core 7.0.0.6`,
      `Data folder: ${data}`,
      "Approval mode: requests",
      'Agent control chat "My Agent" created.',
      "Scan in the SimpleX app to become the owner of My Agent:",
      link,
      "Waiting for the owner to join. The link works once.",
      `Listening on http://127.0.0.1:${port}/mcp`,
    ]);
    expect(program.stderr.text).toBe("");
  });

  it("takes the agent's name where no display name is given", async () => {
    const program = await listening(at);
    expect(program.stdout.lines).toContain('Agent control chat "my-agent" created.');
  });

  it.each([
    ["normal", /^(?:\u001b\[[0-9;]*m {2}\u001b\[0m)+$/],
    ["small", /^[█▀▄ ]+$/],
  ])("draws a %s QR code", async (size, pattern) => {
    const program = await listening(at, "--qr-code", size);
    const { lines } = program.stdout;
    const drawn = lines.filter((line) => pattern.test(line));
    expect(drawn.length).toBeGreaterThan(15);
    const hint = "If the QR code does not scan, paste the link in the app.";
    expect(lines.includes(hint)).toBe(size === "small");
  });

  it("draws none where none is asked for", async () => {
    const program = await listening(at, "--qr-code", "none");
    const { lines } = program.stdout;
    expect(lines.filter((line) => QR_LINE.test(line))).toEqual([]);
    const invitation = lines.indexOf("Paste in the SimpleX app to become the owner of my-agent:");
    expect(lines.slice(invitation + 1, invitation + 3)).toEqual([
      expect.stringMatching(/^https:\/\/\S+$/),
      "Waiting for the owner to join. The link works once.",
    ]);
  });

  it("gives the library enough threads, and the databases in the data folder", async () => {
    await listening(at);
    expect(at.host.opened).toMatchObject([{ filePrefix: join(data, "simplex"), threads: "16" }]);
  });

  it("leaves a private folder with what clients need", async () => {
    const port = await freePort();
    await listening(at, "--port", String(port), "--expire-hours", "5");
    for (const name of await readdir(data)) {
      const { mode } = await stat(join(data, name));
      expect([name, mode & 0o077]).toEqual([name, 0]);
    }
    const token = (await readFile(join(data, "token"), "utf8")).trim();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.parse(await readFile(join(data, "headers.json"), "utf8"))).toEqual({
      Authorization: `Bearer ${token}`,
    });
    expect(JSON.parse(await readFile(join(data, "server.json"), "utf8"))).toEqual({
      url: `http://127.0.0.1:${port}/mcp`,
      port,
      expireHours: 5,
      version: VERSION,
      approve: "requests",
    });
  });

  it("never prints the token", async () => {
    const program = await listening(at);
    const token = (await readFile(join(data, "token"), "utf8")).trim();
    expect(program.stdout.text + program.stderr.text).not.toContain(token);
  });
});

describe("what goes to stderr", () => {
  it("is what the library prints, with a time on each line", async () => {
    const program = await listening(at);
    const before = program.stdout.text;
    at.host.tell({});
    await program.stderr.line(/Chat error/);
    expect(withoutTimes(program.stderr.text)).toEqual(["Chat error undefined"]);
    expect(program.stdout.text).toBe(before);
  });

  it("is what fails in the core behind no command, with a time", async () => {
    const program = await listening(at);
    const before = program.stdout.text;
    const message = "SQLite3 returned ErrorFull while attempting to perform step: database or disk is full";
    at.host.tell({ error: { type: "errorStore", storeError: { type: "dBException", message } } });
    await program.stderr.line(/ErrorFull/);
    expect(withoutTimes(program.stderr.text)).toEqual([`SimpleX core: ${message}`]);
    expect(program.stdout.text).toBe(before);
  });
});

describe("a second start", () => {
  it("is refused while the first one runs, which goes on", async () => {
    const first = await listening(at);
    const second = await serve(at);
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stdout.text).toBe("");
    expect(withoutTimes(second.stderr.text)).toEqual([
      `Agent "my-agent" is already running (process ${first.pid}).`,
    ]);
    expect(first.running).toBe(true);
    expect(JSON.parse(await readFile(join(data, "lock"), "utf8"))).toMatchObject({ pid: first.pid });
  });

  it("lets one of several through that come at once", async () => {
    const programs = await Promise.all(Array.from({ length: 4 }, () => serve(at)));
    const refused = await Promise.all(
      programs.map((program) =>
        Promise.race([
          program.stdout.line(/^Listening on /).then(
            () => false,
            () => true,
          ),
          program.ended.then(() => true),
        ]),
      ),
    );
    expect(refused.filter((one) => !one)).toHaveLength(1);
    expect(at.host.opened).toHaveLength(1);
  });

  it("listens where the last one did", async () => {
    const port = String(await freePort());
    await stop(await listening(at, "--port", port));
    const again = serveAsBefore(at);
    expect(await again.stdout.line(/^Listening on /)).toBe(`Listening on http://127.0.0.1:${port}/mcp`);
  });

  it("goes on with the identity and the control chat", async () => {
    await stop(await listening(at, "--display-name", "My Agent"));
    const again = await listening(at);
    expect(again.stdout.lines.slice(0, 4)).toEqual([
      `simplex-mcp ${VERSION}, SimpleX core 7.0.0.6`,
      `Data folder: ${data}`,
      "Approval mode: requests",
      "Scan in the SimpleX app to become the owner of My Agent:",
    ]);
  });
});

describe("a busy port", () => {
  it("is named, and the lock is given back", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const program = await serve(at, "--port", String(port));
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(withoutTimes(program.stderr.text)).toEqual([
      `Port ${port} is in use. Stop what uses it, or choose another with --port.`,
    ]);
    expect(await readdir(data)).not.toContain("lock");
  });
});
