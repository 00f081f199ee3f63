import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { agent, until } from "../agent.mjs";

setFlagsFromString("--expose-gc");
/** @type {() => void} */
const collectGarbage = runInNewContext("gc");

/** Calls of `send` that wait for their owner all at once, decided in random order. @type {import("../table.mjs").MakeRows} */
export async function rows({ dist, rounds }) {
  const calls = rounds(1000);
  const ours = await agent(dist, { groups: 1, limits: { pending: calls, cardsPerMinute: calls } });
  const [chat = ""] = ours.chats;
  // The clients have a heap of their own, so that what is measured is the server.
  const worker = new Worker(new URL("../send-worker.mjs", import.meta.url), {
    workerData: { url: ours.url, token: ours.token, chat, calls },
  });
  await once(worker, "message");
  /** @type {Promise<{ text: string, action: number, item: number }[]>} */
  const results = once(worker, "message").then(([message]) => message);
  let cards = 0;
  ours.onCommand((command) => {
    if (command.includes("I want to send")) cards += 1;
  });
  const before = heap();
  worker.postMessage("go");
  await until(() => cards === calls);
  const perCall = (heap() - before) / calls / 1024;
  const start = performance.now();
  for (const number of shuffled(calls)) await ours.say(`/approve ${number}`);
  const answers = await results;
  const decided = (performance.now() - start) / calls;
  const wrong = await mismatches(ours, chat, answers);
  await worker.terminate();
  await ours.close();
  if (wrong > 0 || answers.length !== calls)
    throw new Error(`${wrong} of ${answers.length} calls got another's result`);
  return [
    { what: `heap of a waiting send, of ${calls} at once`, value: perCall, unit: "kB" },
    { what: "approved, sent and answered, each its own result", value: decided, unit: "ms a call" },
  ];
}

function heap() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** 1 to `count`, in an order of chance. @param {number} count */
function shuffled(count) {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [numbers[i], numbers[j]] = [numbers[j] ?? 0, numbers[i] ?? 0];
  }
  return numbers;
}

/**
 * How many calls were told of a message that is not theirs.
 * @param {{ api: import("../../../src/core/api/chat-api.js").ChatApiLike }} ours @param {string} chat @param {{ text: string, action: number, item: number }[]} answers
 */
async function mismatches({ api }, chat, answers) {
  const answer = await api.sendChatCmd(`/_get chat ${chat} count=${answers.length + 100}`);
  const { chatItems } = /** @type {{ chatItems: { meta: { itemId: number, itemText: string } }[] }} */ (
    answer.chat
  );
  const texts = new Map(chatItems.map(({ meta }) => [meta.itemId, meta.itemText]));
  return answers.filter(({ item, text }) => texts.get(item) !== text).length;
}
