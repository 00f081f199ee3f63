import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { benchOptions, until } from "./agent.mjs";

const DIST = new URL("../../dist/", import.meta.url).href;

/** An agent alone in this heap: its core, its owner and its groups are in a worker's. */
export async function farAgent({ groups = 1, limits = { pending: 50, cardsPerMinute: 1000 } } = {}) {
  const { serve } = await import(new URL("serve/serve.js", DIST).href);
  const { systemClock: clock } = await import(new URL("time/system-clock.js", DIST).href);
  const worker = new Worker(new URL("world-worker.mjs", import.meta.url), { workerData: { dist: DIST } });
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  const asked = new Map();
  /** @type {((event: any) => void)[]} */
  const handlers = [];
  let lastId = 0;
  worker.on("message", ({ id, answer, failed, event }) => {
    if (event) for (const handler of handlers) handler(event);
    const one = asked.get(id);
    asked.delete(id);
    if (failed) one?.reject(Object.assign(new Error(failed.message), failed.rest));
    else one?.resolve(answer);
  });
  const ask = (/** @type {string} */ act, /** @type {unknown[]} */ ...args) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      asked.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, act, args });
    });
  /** @type {(command: string) => void} */
  let onCommand = () => undefined;
  /** @type {string[]} */
  const printed = [];
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-bench-"));
  const server = await serve(await benchOptions(folder), {
    openCore: async () => ({
      startChat: () => ask("start"),
      close: () => ask("close"),
      onAny: (/** @type {any} */ handler) => handlers.push(handler),
      sendChatCmd: (/** @type {string} */ command) => {
        onCommand(command);
        return ask("send", command);
      },
    }),
    clock,
    print: (/** @type {string} */ line) => printed.push(line),
    log: console.error,
    actionLimits: limits,
  });
  await ask(
    "own",
    printed.find((line) => line.startsWith("https://")),
  );
  await until(() => printed.some((line) => line.startsWith("Add the agent")));
  await ask("groups", groups);
  return {
    url: server.url,
    token: server.token,
    chats: Array.from({ length: groups }, (_, i) => `#${i + 2}`),
    /** @param {(command: string) => void} listener */
    onCommand: (listener) => {
      onCommand = listener;
    },
    /** @param {(event: any) => void} handler */
    onEvent: (handler) => void handlers.push(handler),
    /** The owner says something in the control chat. @param {string} text */
    say: (text) => ask("say", text),
    /** Messages of the host, one group after the other. @param {number} from @param {number} count */
    post: (from, count) => ask("post", from, count),
    close: async () => {
      await server.stop();
      await worker.terminate();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
