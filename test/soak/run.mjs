import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { until } from "../bench/agent.mjs";
import { farAgent } from "../bench/far-agent.mjs";
import { client } from "../bench/mcp.mjs";
import { median, time } from "../bench/measure.mjs";

setFlagsFromString("--expose-gc");
/** @type {() => void} */
const collectGarbage = runInNewContext("gc");

const { values } = parseArgs({
  options: {
    chats: { type: "string", default: "1000" },
    messages: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "170" },
  },
});
const [chats, messages, seconds] = [values.chats, values.messages, values.seconds].map(Number);

/** Messages between two looks at the memory. */
const ROUND = 250;
const COMMAND_MS = 600;

const end = performance.now() + (seconds ?? 0) * 1000;
const ours = await farAgent({ groups: chats ?? 1 });
const reader = await client(ours.url, "modern", ours.token);
console.log(`${chats} chats are there.`);

/** @type {number[]} */
const latencies = [];
let asked = 0;
ours.onEvent((event) => {
  const isCommand = JSON.stringify(event.chatItems ?? "").includes("/pending");
  if (isCommand && event.type === "newChatItems") asked = performance.now();
});
let answered = 0;
ours.onCommand((command) => {
  if (asked === 0 || !command.startsWith("/_send #1 ")) return;
  latencies.push(performance.now() - asked);
  asked = 0;
  answered += 1;
});

/** @type {number[]} */
const heaps = [];
let sent = 0;
let commands = 0;
let nextCommand = 0;
const start = performance.now();
while (sent < (messages ?? 0) && performance.now() < end) {
  const posting = ours.post(sent, ROUND);
  if (performance.now() >= nextCommand && commands === answered) {
    nextCommand = performance.now() + COMMAND_MS;
    commands += 1;
    await ours.say("/pending");
  }
  const chat = ours.chats[commands % ours.chats.length] ?? "";
  await reader.callTool({ name: "receive", arguments: { chat, limit: 100 } });
  await posting;
  sent += ROUND;
  collectGarbage();
  heaps.push(process.memoryUsage().heapUsed / 1024 / 1024);
}
await until(() => commands === answered);
const took = (performance.now() - start) / 1000;
const half = Math.floor(heaps.length / 2);
const quarter = Math.floor(half / 2);
const [third = 0, last = 0] = [heaps.slice(half, half + quarter), heaps.slice(-quarter)].map(median);
const sorted = [...latencies].sort((a, b) => a - b);
const listed = await time(() => reader.callTool({ name: "list", arguments: {} }));
await reader.close();
await ours.close();
console.log(
  [
    `${sent} messages in ${took.toFixed(0)} s, ${(sent / took).toFixed(0)} a second`,
    `${commands} commands of an owner, ${((commands * 60) / took).toFixed(0)} a minute, each answered`,
    `from a command's event to its answer: median ${median(latencies).toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`,
    `heap of the agent: ${third.toFixed(1)} MB in the third quarter, ${last.toFixed(1)} MB in the last (${(last / third).toFixed(2)}x)`,
    `list afterwards: ${listed.toFixed(0)} ms`,
  ].join("\n"),
);
