import { McpServer } from "@modelcontextprotocol/server";
import { agent, until } from "../agent.mjs";
import { bareListener, client, ERAS } from "../mcp.mjs";
import { compare, median, time } from "../measure.mjs";

const MESSAGES = 200;

/**
 * `list` and `history` against a bare server whose tool gives the same result by the same schemas, `history` with a
 * search, and a long backlog in pages. @type {import("../table.mjs").MakeRows}
 */
export async function rows({ dist, rounds }) {
  /** @type {import("../table.mjs").Row[]} */
  const made = [];
  const ours = await agent(dist, { limits: { pending: 50, cardsPerMinute: 1000 } });
  const [chat = ""] = ours.chats;
  for (let i = 0; i < MESSAGES; i++) await ours.post(0, `message ${i} of a talk about ships and the sea`);
  await ours.network.idle();
  const calls = [
    { name: "list", arguments: {} },
    { name: "history", arguments: { chat } },
  ];
  for (const era of ERAS) {
    const ourClient = await client(ours.url, era, ours.token);
    for (const call of calls) {
      const { [call.name]: tool } = await dist(`tools/${call.name}.js`);
      const result = await ourClient.callTool(call);
      const bare = await bareListener(era, () => sameResult(tool, result));
      const bareClient = await client(bare.url, era);
      const [theirs = 0, own = 0] = await compare(rounds(500), [
        () => bareClient.callTool(call),
        () => ourClient.callTool(call),
      ]);
      made.push(
        { what: `${call.name}'s result from a bare SDK server, ${era}`, value: theirs, unit: "ms" },
        { what: `${call.name}, ${era}`, value: own, unit: "ms", of: theirs, aim: 1.15 },
      );
      await bareClient.close();
      await bare.close();
    }
    await ourClient.close();
  }
  const reader = await client(ours.url, "modern", ours.token);
  const [plain = 0, search = 0] = await compare(rounds(200), [
    () => reader.callTool({ name: "history", arguments: { chat } }),
    () => reader.callTool({ name: "history", arguments: { chat, search: `message ${MESSAGES - 1}` } }),
  ]);
  made.push({ what: `history with a search in ${MESSAGES} messages`, value: search, unit: "ms", of: plain });

  const backlog = rounds(10_000);
  const [, other = ""] = ours.chats;
  for (let i = 0; i < backlog; i++) await ours.post(1, `unread ${i}`);
  await ours.network.idle();
  /** @type {number[]} */
  const pages = [];
  let read = 0;
  while (read < backlog) {
    /** @type {any} */
    let page;
    pages.push(
      await time(async () => {
        page = await reader.callTool({ name: "receive", arguments: { chat: other, limit: 100 } });
      }),
    );
    const got = page.structuredContent?.messages?.length ?? 0;
    if (got === 0) throw new Error(`only ${read} of ${backlog} unread messages were got`);
    read += got;
  }
  const half = Math.floor(pages.length / 2);
  const early = median(pages.slice(0, half));
  made.push(
    { what: `a page of ${backlog} unread messages, of the first half`, value: early, unit: "ms" },
    { what: "the same, of the last half", value: median(pages.slice(half)), unit: "ms", of: early, aim: 1 },
    ...(await approval(ours, chat, rounds(100))),
  );
  await reader.close();
  await ours.close();
  return made;
}

/** A server of one tool that has the answer ready. @param {any} tool @param {any} result */
function sameResult(tool, result) {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  const { content, structuredContent } = result;
  server.registerTool(
    tool.name,
    { inputSchema: tool.input, outputSchema: tool.output, description: tool.description },
    () => ({ content, structuredContent }),
  );
  return server;
}

/**
 * From the event of an owner's `/approve` to the command that sends, and the events that came between.
 * @param {Awaited<ReturnType<typeof agent>>} ours @param {string} chat @param {number} count
 */
async function approval(ours, chat, count) {
  const sender = await client(ours.url, "modern", ours.token);
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const events = [];
  for (let i = 0; i < count; i++) {
    const text = `to approve ${i}`;
    let cards = 0;
    ours.onCommand((command) => {
      if (command.includes("I want to send")) cards += 1;
    });
    const call = sender.callTool({ name: "send", arguments: { chat, text, wait: 0 } });
    await until(() => cards > 0);
    await ours.network.idle();
    const number = i + 1;
    let decided = 0;
    let later = 0;
    let sent = 0;
    ours.onEvent((event) => {
      if (decided > 0) later += 1;
      else if (JSON.stringify(event).includes(`/approve ${number}`)) decided = performance.now();
    });
    ours.onCommand((command) => {
      if (sent > 0 || !command.startsWith(`/_send ${chat} `)) return;
      sent = performance.now();
      times.push(sent - decided);
      events.push(later);
    });
    await ours.say(`/approve ${number}`);
    await call;
  }
  ours.onCommand(() => undefined);
  ours.onEvent(() => undefined);
  await sender.close();
  return [
    { what: "owner's /approve to the command that sends", value: median(times), unit: "ms", aim: 1 },
    { what: "events in between", value: median(events), unit: "", aim: 0 },
  ];
}
