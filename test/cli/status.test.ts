import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { greeting } from "../../src/control/texts/replies.js";
import { movePeopleIn } from "../../src/demo/world/people.js";
import { Phone } from "../../src/demo/world/phone.js";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { systemClock } from "../../src/time/system-clock.js";
import { type Computer, computer, listening, mcpClient, stop } from "./agent.js";
import { appWithoutLibrary } from "./app.js";
import { CoreHost } from "./core-host.js";
import { type Program, type Run, run, withoutTimes } from "./program.js";

let network: SimulatedNetwork;
let at: Computer;
let data: string;
beforeEach(async () => {
  network = new SimulatedNetwork();
  at = await computer(await CoreHost.listen(network));
  data = join(at.home, "data");
});

const status = (...args: string[]): Promise<Run> =>
  run({ app: appWithoutLibrary(), args: ["status", "my-agent", "--data", data, ...args], home: at.home });

const urlOf = (program: Program) => program.stdout.line(/^Listening on /).then((line) => line.slice(13));

describe("status", () => {
  it("tells a person about a running agent", async () => {
    const program = await listening(at, "--display-name", "My Agent", "--expire-hours", "5");
    const { code, stdout, stderr } = await status();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [first, ...rest] = stdout.split("\n");
    expect(first).toMatch(
      new RegExp(
        `^Agent "my-agent" is running since (?:\\S+ )?\\d\\d:\\d\\d \\(process ${program.pid}\\)\\.$`,
      ),
    );
    expect(rest).toEqual([
      "Name:          My Agent",
      `URL:           ${await urlOf(program)}`,
      "Owners:        none yet: nobody can approve",
      "Approval mode: requests, 5 hours to decide",
      "Chats:         0",
      "Pending:       0 actions",
      "Version:       0.1.0",
      "",
    ]);
  });

  it("tells it to a program as JSON", async () => {
    const before = Date.now();
    const program = await listening(at, "--approve", "host");
    const { code, stdout, stderr } = await status("--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const told = JSON.parse(stdout);
    expect(told).toEqual({
      agent: "my-agent",
      name: "my-agent",
      version: "0.1.0",
      since: expect.any(String),
      approve: "host",
      expireHours: 23,
      owners: [],
      chats: 0,
      approvals: [],
      pending: 0,
      process: program.pid,
      url: await urlOf(program),
    });
    expect(Date.parse(told.since)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(told.since)).toBeLessThanOrEqual(Date.now());
  });

  it("names the owners in visible characters, and counts chats and what waits", async () => {
    const people = await movePeopleIn(network, { log: (line) => expect.unreachable(line) });
    onTestFinished(() => people.close());
    // The core takes a variation selector in a name.
    const name = "Alice\uFE0E";
    const phone = await Phone.start(network.open(name), name, systemClock);
    onTestFinished(() => phone.close());
    const program = await listening(at);
    await phone.join(await program.stdout.line(/^https:\/\//));
    await phone.next(({ text }) => text === greeting);
    const client = await mcpClient(at);
    const connecting = client.callTool({ name: "connect", arguments: { target: "@echo.simplex", wait: 0 } });
    await phone.next(({ text }) => text.startsWith("I want to connect"));
    expect(JSON.parse((await status("--json")).stdout)).toMatchObject({
      owners: ["Alice\\u{FE0E}"],
      chats: 0,
      pending: 1,
    });
    await phone.send("/approve 1");
    await connecting;
    expect(JSON.parse((await status("--json")).stdout)).toMatchObject({ chats: 1, pending: 0 });
    expect((await status()).stdout).toMatch(/^Chats: {9}1\nPending: {7}0 actions$/m);
  });

  it("never shows the token", async () => {
    await listening(at);
    const token = (await readFile(join(data, "token"), "utf8")).trim();
    for (const args of [[], ["--json"]]) {
      const { stdout, stderr } = await status(...args);
      expect(stdout + stderr).not.toContain(token);
    }
  });

  it.each([[[]], [["--json"]]])("tells in one line that an agent does not run, with %j", async (args) => {
    const line = `Agent "my-agent" is not running. Start it with: npx -y @simplex-chat/mcp serve my-agent --data ${data}`;
    const told = async () => {
      const { code, stdout, stderr } = await status(...args);
      return { code, stdout, lines: withoutTimes(stderr) };
    };
    const notRunning = { code: 1, stdout: "", lines: [line] };
    expect(await told()).toEqual(notRunning);
    const program = await listening(at);
    await stop(program);
    expect(await told()).toEqual(notRunning);
  });

  it("tells that an agent does not run after it was killed", async () => {
    const program = await listening(at);
    program.signal("SIGKILL");
    await program.ended;
    expect(await status()).toMatchObject({ code: 1, stdout: "" });
  });

  it.each([
    ["no agent", []],
    ["an option that it has not", ["my-agent", "--port", "1"]],
  ])("refuses %s", async (_what, args) => {
    const { code, stdout, stderr } = await run({
      app: appWithoutLibrary(),
      args: ["status", ...args],
      home: at.home,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n\(--help shows the options\)\n$/);
  });
});
