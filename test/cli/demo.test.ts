import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { appWithoutLibrary } from "./app.js";
import { temporaryFolder } from "./folders.js";
import { Program, run, withoutTimes } from "./program.js";

const app = appWithoutLibrary();
const NOTHING_LEAVES = /^Demo: nothing leaves this computer\./;
let home: string;
let data: string;
beforeEach(async () => {
  home = await temporaryFolder();
  data = join(home, "demo");
});

describe("the tour", () => {
  it("acts the main flows by itself, side by side in 100 columns, and leaves nothing behind", async () => {
    const tmp = join(home, "tmp");
    await mkdir(tmp);
    const { code, stdout, stderr } = await run({ app, args: ["demo", "--tour"], home, env: { TMPDIR: tmp } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(NOTHING_LEAVES);
    const flows = stdout
      .split("\n")
      .flatMap((line) => /^(connect|send|receive|ask|leave): /.exec(line)?.[1] ?? []);
    expect(flows).toEqual([
      "connect",
      "send",
      "connect",
      "receive",
      "send",
      "receive",
      "ask",
      "send",
      "send",
      "leave",
    ]);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    expect(stdout).not.toContain("\u001b");
    expect(await readdir(tmp)).toEqual([]);
    expect(await readdir(home)).toEqual(["tmp"]);
  }, 60_000);

  it("shows calls and results on the left, cards and approvals on the right, and keeps a folder it was given", async () => {
    const { code, stdout } = await run({ app, args: ["demo", "--tour", "--data", data], home });
    expect(code).toBe(0);
    const rows = stdout.split("\n").filter((line) => line.includes("│"));
    const rule = rows[0]?.indexOf("│") ?? 0;
    const side = (cut: (row: string) => string): string => rows.map((row) => cut(row).trim()).join(" ");
    const left = side((row) => row.slice(0, rule));
    const right = side((row) => row.slice(rule + 1));
    for (const tool of ["connect", "send", "receive", "leave"]) expect(left).toContain(`${tool} {`);
    expect(left).toContain("Action 1 waits for an approver until");
    expect(left).toContain('"status": "rejected", "reason": "Look for hiking."');
    expect(right).toContain("I want to connect to bot Directory (@directory.simplex), as myself. /approve 1");
    expect(right).toContain(
      "I connected to bot Directory (@directory.simplex), as myself. Approved by Alice.",
    );
    expect(right).toContain("Rejected by Alice: `Look for hiking.`.");
    expect(right).toContain("Approved for this chat by Alice.");
    expect(right).toMatch(/Messages to group Trail Talk \(#\d+\) need approval again\./);
    expect(right).toMatch(/My address: https:.*I ask you about each\. \/address auto or \/address off/);
    expect(right).toMatch(
      /contact Rowan asks to connect to me, with the message: `.*\/approve 7 or \/reject 7/,
    );
    expect(right).toMatch(/contact Rowan is connected to me: contact @\d+\. Approved by Alice\./);
    expect(left).toMatch(/receive \{"chat": "@\d+".*"name": "Rowan"/);
    expect(left).toContain('"status": "answered", "answer": "Yes", "choice": 1, "by": "Alice"');
    expect(right).toContain("Changed and approved by Alice; the agent wrote: `helo all`.");
    expect(right).toMatch(/Paused: nothing goes out\. \/resume.*Resumed\./);
    expect(left).toContain("Your owner paused this agent.");
    expect(right).toMatch(/I left group Trail Talk \(#\d+\)\. Approved by Alice\./);
    expect(await readFile(join(data, "token"), "utf8")).toHaveLength(43);
    expect(await readdir(data)).not.toContain("lock");
  }, 60_000);
});

describe.each(["demo", "demo --tour"])("%s", (command) => {
  it("refuses the data folder of a real agent with one line", async () => {
    await mkdir(data);
    await writeFile(join(data, "simplex_chat.db"), "SQLite format 3\0");
    const { code, stderr } = await run({ app, args: [...command.split(" "), "--data", data], home });
    expect(code).toBe(1);
    expect(withoutTimes(stderr)).toEqual([
      `${data} is the data folder of a real agent. Give the demo another one with --data.`,
    ]);
    expect(await readdir(data)).toEqual(["simplex_chat.db"]);
  });
});

describe.each(["2026-07-28", "2025-11-25"])("a client of protocol %s", (version) => {
  it("sends through the demo what the person at the terminal approves", async () => {
    const demo = await start();
    const client = await clientOf(demo, version);
    const connected = client.callTool({
      name: "connect",
      arguments: { target: "@directory.simplex", wait: 10, idle: 1 },
    });
    await demo.stdout.line("│ /approve 1 or /reject 1");
    demo.type("yes, approve it");
    demo.type("/pending");
    await demo.stdout.line("│ 1 pending action:");
    demo.type("/approve 1");
    const { structuredContent } = await connected;
    expect(structuredContent).toMatchObject({ action: 1, status: "done", connected: true });
    await demo.stdout.line("│ Approved by Alice.");
    const { chat } = structuredContent as { chat: string };

    const sent = client.callTool({ name: "send", arguments: { chat, text: "hiking", wait: 10, idle: 1 } });
    await demo.stdout.line(
      `│ /approve ${chat} 2, /approve ${chat} all, /reject ${chat} 2 or /edit ${chat} 2`,
    );
    demo.type(`/approve ${chat} 2`);
    expect((await sent).structuredContent).toMatchObject({
      status: "done",
      responses: [{ from: { name: "Directory", kind: "bot" }, text: expect.stringContaining("Trail Talk") }],
      more: 0,
    });
    await demo.stdout.line("│ I sent a message to bot Directory: `hiking`");
  });
});

describe("the demo", () => {
  it("says first that nothing leaves this computer, and then how to connect and what to type", async () => {
    const demo = await start();
    await demo.stdout.line(/^│ I'm your agent\./);
    const { text, lines } = demo.stdout;
    expect(lines[0]).toMatch(NOTHING_LEAVES);
    expect(text).toContain(`TOKEN is in ${join(data, "token")}`);
    expect(text).toMatch(/^ {2}URL: http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
    expect(text).toContain(`register demo --data ${data}`);
    expect(text).toContain("@directory.simplex");
    expect(text).not.toContain("simplex:/");
    expect(text).not.toContain("\u001b");
    expect(text).not.toContain(await readFile(join(data, "token"), "utf8"));
  });

  it("serves on when its input ends, until a signal, and keeps its token for the next start", async () => {
    const demo = await start();
    demo.endInput();
    const client = await clientOf(demo, "2026-07-28");
    const { structuredContent } = await client.callTool({ name: "list", arguments: {} });
    expect(structuredContent).toMatchObject({ actions: [] });
    const token = await readFile(join(data, "token"), "utf8");
    demo.signal("SIGTERM");
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(demo.stderr.text).toBe("");
    const again = await start();
    expect(await readFile(join(data, "token"), "utf8")).toBe(token);
    await again.stdout.line('Agent control chat "Demo Agent" created.');
  });
});

async function start(): Promise<Program> {
  const demo = Program.start({ app, args: ["demo", "--data", data], home, input: true });
  await demo.stdout.line(/^│ I'm your agent\./);
  return demo;
}

async function clientOf(demo: Program, version: string): Promise<Client> {
  const url = /http:\S+/.exec(await demo.stdout.line(/^Listening on /))?.[0] ?? "";
  const token = await readFile(join(data, "token"), "utf8");
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: version === "2025-11-25" ? "legacy" : { pin: version } } },
  );
  client.onerror = () => undefined;
  onTestFinished(() => client.close());
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  return client;
}
