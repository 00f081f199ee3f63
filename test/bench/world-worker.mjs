import { parentPort, workerData } from "node:worker_threads";

/** The simulated network and its people, in a heap of their own: `far-agent.mjs` asks, by name. */
const dist = (/** @type {string} */ path) => import(new URL(path, workerData.dist).href);
const { SimulatedNetwork } = await dist("simulator/network.js");
const { Person } = await dist("demo/world/person.js");
const { systemClock: clock } = await dist("time/system-clock.js");

const network = new SimulatedNetwork();
const api = network.open("agent");
api.onAny((/** @type {any} */ event) => parentPort?.postMessage({ event }));
/** @type {any} */
let owner;
/** @type {any} */
let host;
/** @type {string} */
let control;
/** @type {string[]} */
const groups = [];

/** @type {Record<string, (...args: any[]) => unknown>} */
const acts = {
  send: (command) => api.sendChatCmd(command),
  start: () => api.startChat(),
  close: () => api.close(),
  own: async (link) => {
    owner = await Person.start(network.open("owner"), { displayName: "Alice", fullName: "" }, clock);
    control = await owner.join(link);
  },
  say: async (text) => void (await owner.say(control, text)),
  groups: async (count) => {
    host = await Person.start(network.open("host"), { displayName: "Hazel", fullName: "" }, clock);
    for (let i = 0; i < count; i++) {
      const { chat, link } = await host.openGroup({ displayName: `Group ${i}`, fullName: "" });
      const { connLink } = await api.sendChatCmd(`/_connect plan 1 ${link}`);
      await api.sendChatCmd(`/_connect 1 incognito=off ${connLink.connFullLink}`);
      await network.idle();
      groups.push(chat);
    }
  },
  post: async (from, count) => {
    for (let i = from; i < from + count; i++) await host.say(groups[i % groups.length], `message ${i}`);
    await network.idle();
  },
};

parentPort?.on("message", async ({ id, act, args }) => {
  try {
    parentPort?.postMessage({ id, answer: await acts[act]?.(...args) });
  } catch (error) {
    const { message = String(error) } = /** @type {Error} */ (error);
    parentPort?.postMessage({ id, failed: { message, rest: { .../** @type {object} */ (error) } } });
  }
});
