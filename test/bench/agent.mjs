import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * An agent on the simulated network, with its owner and a few groups of one host.
 * @param {(path: string) => Promise<any>} dist
 */
export async function agent(dist, { groups = 3, limits = { pending: 50, cardsPerMinute: 10 } } = {}) {
  const { SimulatedNetwork } = await dist("simulator/network.js");
  const { Person } = await dist("demo/world/person.js");
  const { serve } = await dist("serve/serve.js");
  const { systemClock: clock } = await dist("time/system-clock.js");
  const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-bench-"));
  const network = new SimulatedNetwork();
  const api = network.open("agent");
  /** @type {(command: string) => void} */
  let onCommand = () => undefined;
  /** @type {(event: any) => void} */
  let onEvent = () => undefined;
  /** @type {string[]} */
  const printed = [];
  const server = await serve(await benchOptions(folder), {
    openCore: async () => ({
      startChat: () => api.startChat(),
      close: () => api.close(),
      onAny: (/** @type {any} */ handler) =>
        api.onAny((/** @type {any} */ event) => {
          onEvent(event);
          handler(event);
        }),
      sendChatCmd: (/** @type {string} */ command) => {
        onCommand(command);
        return api.sendChatCmd(command);
      },
    }),
    clock,
    print: (/** @type {string} */ line) => printed.push(line),
    log: console.error,
    actionLimits: limits,
  });
  const link = printed.find((line) => line.startsWith("https://"));
  const owner = await Person.start(network.open("owner"), { displayName: "Alice", fullName: "" }, clock);
  const control = await owner.join(link);
  await until(() => printed.some((line) => line.startsWith("Add the agent")));
  const host = await Person.start(network.open("host"), { displayName: "Hazel", fullName: "" }, clock);
  /** @type {string[]} */
  const chats = [];
  /** @type {string[]} */
  const hosts = [];
  for (let i = 0; i < groups; i++) {
    const group = await host.openGroup({ displayName: `Group ${i}`, fullName: "" });
    const { connLink } = await api.sendChatCmd(`/_connect plan 1 ${group.link}`);
    await api.sendChatCmd(`/_connect 1 incognito=off ${connLink.connFullLink}`);
    await network.idle();
    chats.push(`#${i + 2}`);
    hosts.push(group.chat);
  }
  return {
    url: server.url,
    token: server.token,
    api,
    network,
    chats,
    /** Tells each command that the server sends to the core. @param {(command: string) => void} listener */
    onCommand: (listener) => {
      onCommand = listener;
    },
    /** Tells each event that the server gets from the core. @param {(event: any) => void} listener */
    onEvent: (listener) => {
      onEvent = listener;
    },
    /** The host writes to the group of this index. @param {number} group @param {string} text */
    post: (group, text) => host.say(hosts[group] ?? "", text),
    /** The owner says something in the control chat. @param {string} text */
    say: (text) => owner.say(control, text),
    close: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param {() => boolean} holds */
export async function until(holds) {
  const end = performance.now() + 120_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error("what was waited for did not come");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function freePort() {
  const { createServer } = await import("node:net");
  const { once } = await import("node:events");
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** What a benched server is asked for. @param {string} dataFolder */
export async function benchOptions(dataFolder) {
  return {
    agent: "bench",
    displayName: "Bench",
    dataFolder,
    port: await freePort(),
    approve: "requests",
    owners: { kind: "any" },
    resetOwners: false,
    expireHours: 23,
    stopWaitSeconds: 0,
    qrCode: "none",
    smpServers: [],
    xftpServers: [],
    holdSeconds: 0,
  };
}
