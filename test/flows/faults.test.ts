/** Each command of an ordinary day, failed once for good with each class of error: the rows of spec/reliability.md. */
import { describe, expect } from "vitest";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import { agentError, chatError, storeError } from "../../src/simulator/data/errors.js";
import type { ToolResult } from "../world/client.js";
import { simulatedOnly } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import { type Scene, scene } from "./scenes.js";

const CLOCK = "the clock";

const ERRORS = {
  busy: storeError("dBBusyError", { message: "SQLite3 returned ErrorBusy" }),
  store: storeError("internalError", { message: "disk I/O error" }),
  network: agentError({ type: "BROKER", brokerAddress: "smp.example", brokerErr: { type: "TIMEOUT" } }),
  agent: agentError({ type: "INTERNAL", internalErr: "broken" }),
  invalid: chatError("commandError", { message: "Failed reading: empty" }),
};

/** More often than a command is tried. */
const FOR_GOOD = 10;

function fails({ agent }: Scene, command: RegExp, error: CoreJson): void {
  for (let count = 0; count < FOR_GOOD; count += 1) agent.api.failNext(command, error);
}

async function allTries(world: World): Promise<void> {
  for (let tries = 0; tries < FOR_GOOD; tries += 1) await world.pass(1000);
  await world.settle();
}

/** The operator was told this, and the agent serves its client and its owner as if nothing had been. */
async function alive({ agent, client, owner }: Scene, logged: readonly unknown[] = []): Promise<void> {
  expect(agent.logged).toEqual(logged);
  agent.api.failNothing();
  expect((await client.use("list")).isError).toBe(false);
  expect(await owner.answerTo("/pending")).toBe("No pending actions.");
}

const saysWhy = ({ isError, text, data }: ToolResult): void => {
  expect(isError || data?.status === "failed", text).toBe(true);
  expect(text.length).toBeGreaterThan(20);
};

for (const [name, { chatError: error }] of Object.entries(ERRORS)) {
  describe(`a core that answers with an error: ${name}`, () => {
    simulatedOnly(
      CLOCK,
      "an approved message that is refused is not sent, and both are told",
      async ({ world }) => {
        const all = await scene(world, { kind: "contact" });
        const { agent, owner, client, chat, peer } = all;
        const call = client.call("send", { chat, text: "once", wait: 0, idle: 1 });
        await owner.sees(/^I want to send/);
        fails(all, new RegExp(`^/_send ${chat} `), error);
        await owner.says(`/approve ${chat} 1`);
        await allTries(world);
        saysWhy(await call.result);
        await owner.sees(/Approved by Alice; failed: /);
        expect(agent.api.commands.filter((one) => one.startsWith(`/_send ${chat} `))).toHaveLength(1);
        await alive(all, [expect.stringMatching(/^Action 1 failed: ./)]);
        await world.settle();
        expect(peer.inbox).toEqual([]);
      },
    );

    simulatedOnly(
      CLOCK,
      "a card that cannot be shown ends its call, and nothing is sent",
      async ({ world }) => {
        const all = await scene(world, { kind: "contact" });
        const { client, chat, G, peer } = all;
        fails(all, new RegExp(`^/_send ${G} `), error);
        const call = client.call("send", { chat, text: "unseen", wait: 0, idle: 1 });
        await allTries(world);
        saysWhy(await call.result);
        await alive(all);
        expect(peer.inbox).toEqual([]);
      },
    );

    simulatedOnly(CLOCK, "a history that cannot be read ends its call", async ({ world }) => {
      const all = await scene(world, { kind: "contact" });
      const { client, chat } = all;
      fails(all, new RegExp(`^/_get chat ${chat} `), error);
      const call = client.call("history", { chat });
      await allTries(world);
      saysWhy(await call.result);
      await alive(all);
    });

    simulatedOnly(CLOCK, "a link that cannot be read ends its call", async ({ world }) => {
      const all = await scene(world, { kind: "contact" });
      const { client } = all;
      const target = await (await world.person("Dora")).makeAddress();
      fails(all, /^\/_connect plan /, error);
      const call = client.call("connect", { target, wait: 0, idle: 1 });
      await allTries(world);
      saysWhy(await call.result);
      await alive(all);
    });
  });
}

describe("a core that answers late", () => {
  simulatedOnly(
    CLOCK,
    "a message that is answered late holds no other call, and is sent once",
    async ({ world }) => {
      const all = await scene(world, { kind: "contact" });
      const { agent, owner, client, chat, peer } = all;
      const held = agent.api.holdNext(new RegExp(`^/_send ${chat} `));
      const call = client.call("send", { chat, text: "late", wait: 0, idle: 1 });
      await owner.sees(/^I want to send/);
      await owner.says(`/approve ${chat} 1`);
      const { release } = await held;
      expect((await client.use("list")).isError).toBe(false);
      await owner.says(`/approve ${chat} 1`);
      await world.settle();
      release();
      expect((await call.result).data).toMatchObject({ status: "done" });
      await peer.got("late");
      expect(agent.api.commands.filter((one) => one.startsWith(`/_send ${chat} `))).toHaveLength(1);
    },
  );
});
