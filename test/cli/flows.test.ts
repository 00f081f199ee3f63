import { join } from "node:path";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { movePeopleIn } from "../../src/demo/world/people.js";
import { Phone } from "../../src/demo/world/phone.js";
import { echoAnswer, WELCOME } from "../../src/demo/world/scripts.js";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { systemClock } from "../../src/time/system-clock.js";
import { type Computer, computer, listening, mcpClient, stop } from "./agent.js";
import { CoreHost } from "./core-host.js";
import type { Program } from "./program.js";

const GREETING = "I'm your agent. I ask here before I connect, send, download a file or leave a chat.";

let network: SimulatedNetwork;
let at: Computer;
let data: string;
let phone: Phone;
beforeEach(async () => {
  network = new SimulatedNetwork();
  const people = await movePeopleIn(network, { log: (line) => expect.unreachable(line) });
  onTestFinished(() => people.close());
  phone = await Phone.start(network.open("Alice"), "Alice", systemClock);
  at = await computer(await CoreHost.listen(network));
  data = join(at.home, "data");
});

/** Starts the agent and lets Alice become its owner, by the link that it printed. */
async function owned(...args: string[]): Promise<Program> {
  const program = await listening(at, "--display-name", "My Agent", ...args);
  await phone.join(await program.stdout.line(/^https:\/\//));
  await program.stdout.line(/^Add the agent to /);
  await said(GREETING);
  return program;
}

/** Waits for the agent's message, or its new text, and gives the whole. */
async function said(begin: string): Promise<string> {
  return (await phone.next(({ own, text }) => !own && text.startsWith(begin))).text;
}

/** Calls a tool; resolves with its structured result. */
async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<CallToolResult["structuredContent"]> {
  return (await client.callTool({ name, arguments: args })).structuredContent;
}

/** Connects to the echo bot, with Alice's approval; resolves with its chat. */
async function connectToEcho(client: Client): Promise<string> {
  const connecting = call(client, "connect", { target: "@echo.simplex", wait: 20, idle: 1 });
  await said("I want to connect");
  await phone.send("/approve 1");
  const { chat } = Object(await connecting);
  return String(chat);
}

describe("flow 1: the owner joins", () => {
  it("tells the person at the terminal, and how to add the agent to Claude Code", async () => {
    const program = await owned();
    const { lines } = program.stdout;
    const listen = lines.findIndex((line) => line.startsWith("Listening on "));
    expect(lines.slice(listen + 1)).toEqual([
      expect.stringMatching(/^Alice joined \(member \d+\) and is now an owner\. The link is deleted\.$/),
      `Add the agent to Claude Code: npx -y @simplex-chat/mcp register my-agent --data ${data}`,
    ]);
    expect(program.stderr.text).toBe("");
  });

  it("goes on where nobody reads what it prints", async () => {
    const program = await listening(at);
    const link = await program.stdout.line(/^https:\/\//);
    program.stopReading();
    await phone.join(link);
    await said(GREETING);
    await stop(program);
  });

  it("needs no second owner at the next start", async () => {
    const first = await owned();
    first.signal("SIGTERM");
    await first.ended;
    const again = await listening(at);
    expect(again.stdout.text).not.toContain("https://");
  });
});

describe("flows 3 and 4, by a real client", () => {
  it("connects with approval, and sends with approval, and returns the answers", async () => {
    const program = await owned();
    const client = await mcpClient(at);

    const connecting = call(client, "connect", { target: "@echo.simplex", wait: 20, idle: 1 });
    expect(await said("I want")).toBe(
      "I want to connect to bot Echo (@echo.simplex), as myself.\n/'approve 1' or /'reject 1'",
    );
    await phone.send("/approve 1");
    expect(await said("I connected")).toBe(
      "I connected to bot Echo (@echo.simplex), as myself.\nApproved by Alice.",
    );
    const { chat, messages, ...connected } = Object(await connecting);
    expect(connected).toEqual({ action: 1, status: "done", connected: true });
    expect(messages).toMatchObject([{ from: { name: "Echo", kind: "bot" }, text: WELCOME.echo }]);

    const sending = call(client, "send", { chat, text: "Is anybody there?", wait: 20, idle: 1 });
    expect(await said("I want")).toBe(
      `I want to send a message to bot Echo: \`Is anybody there?\`\n/'approve ${chat} 2', /'approve ${chat} all', /'reject ${chat} 2' or /'edit ${chat} 2'`,
    );
    await phone.send(`/approve ${chat} 2`);
    expect(await said("I sent")).toBe(
      "I sent a message to bot Echo: `Is anybody there?`\nApproved by Alice.",
    );
    expect(await sending).toMatchObject({
      action: 2,
      status: "done",
      chat,
      responses: [{ from: { name: "Echo" }, text: echoAnswer("Is anybody there?") }],
      more: 0,
    });
    expect(program.stderr.text).toBe("");
  });

  it("returns the reason of a rejection", async () => {
    await owned();
    const client = await mcpClient(at);
    const connecting = call(client, "connect", { target: "@echo.simplex" });
    await said("I want");
    await phone.send("/reject 1 Not today");
    expect(await connecting).toMatchObject({ action: 1, status: "rejected", reason: "Not today" });
    expect(await said("I wanted")).toContain("Rejected by Alice: `Not today`.");
  });
});

describe("flow 8: mode host", () => {
  it("performs without approval, and says so at the terminal", async () => {
    const program = await owned("--approve", "host");
    expect(program.stdout.lines).toContain("Approval mode: host");
    const client = await mcpClient(at);
    const connected = await call(client, "connect", { target: "@echo.simplex", wait: 20, idle: 1 });
    expect(connected).toMatchObject({ action: 1, status: "done" });
    expect(program.stdout.lines).toContain("Action 1: performed without approval (mode host).");
  });
});

describe("flow 11: a stop with a pending action", () => {
  it("cancels it, and waits until its owner can see that", async () => {
    const program = await owned();
    const client = await mcpClient(at);
    const connecting = call(client, "connect", { target: "@echo.simplex" }).catch(() => undefined);
    await said("I want");
    program.signal("SIGINT");
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.stdout.lines.slice(-3)).toEqual([
      "Cancelled 1 action.",
      "Stopping: sending 1 cancelled card, up to 10 s. Ctrl-C to stop now.",
      "Stopped.",
    ]);
    expect(await said("I wanted")).toMatch(/\nCancelled: the server stopped\.$/);
    await connecting;
  });

  it("waits no longer at a second signal", async () => {
    const program = await owned("--stop-wait", "60");
    const client = await mcpClient(at);
    const connecting = call(client, "connect", { target: "@echo.simplex" }).catch(() => undefined);
    await said("I want");
    network.faults.networkDown(true, join(data, "simplex"));
    program.signal("SIGTERM");
    await program.stdout.line(/^Stopping: sending 1 cancelled card, up to 60 s\./);
    program.signal("SIGTERM");
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.stdout.lines.at(-1)).toBe("Stopped.");
    await connecting;
  });
});

describe("a crash with a pending action", () => {
  it("loses the action, whose number is never used again, and no chat", async () => {
    const first = await owned();
    const client = await mcpClient(at);
    const chat = await connectToEcho(client);
    // A client learns of the loss at its own time-out.
    void call(client, "send", { chat, text: "Lost" }).catch(() => undefined);
    await said("I want to send");
    first.signal("SIGKILL");
    await first.ended;

    await listening(at);
    await phone.send(`/approve ${chat} 2`);
    await said("Action 2 is not pending.");
    const again = call(await mcpClient(at), "send", { chat, text: "Once", wait: 20, idle: 1 });
    expect(await said("I want to send")).toContain("`Once`");
    await phone.send(`/approve ${chat} 3`);
    expect(await again).toMatchObject({
      action: 3,
      status: "done",
      responses: [{ text: echoAnswer("Once") }],
    });
  });
});
