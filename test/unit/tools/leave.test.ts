import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { ChatRef } from "../../../src/core/types.js";
import type { AgentDeps } from "../../../src/tools/call/agent.js";
import type { KnownChat } from "../../../src/tools/call/known-chat.js";
import { leaveChat } from "../../../src/tools/leave.js";

const DEPARTURE = { by: "Alice", reason: "The owner left this chat." };

function known(name: string): KnownChat {
  return { chat: "@4", kind: "contact", name, info: { type: "direct" } } as unknown as KnownChat;
}

function world() {
  const done: string[] = [];
  const answers: (() => void)[] = [];
  const folders: (() => void)[] = [];
  const wait = (ends: (() => void)[]) => new Promise<void>((resolve) => ends.push(resolve));
  const deps = {
    core: {
      deleteChat: (chat: ChatRef) => {
        done.push(`delete ${chat}`);
        return wait(answers);
      },
    },
    files: { left: () => wait(folders) },
    watch: { left: () => undefined },
    actions: { leftChat: (chat: ChatRef) => done.push(`left ${chat}`) },
    leaving: new Map(),
    freed: { add: async () => undefined },
    log: () => undefined,
  } as unknown as AgentDeps;
  return { deps, done, answers, folders };
}

it("a chat that is left twice at once is deleted once", async () => {
  const { deps, done, answers, folders } = world();
  const both = [leaveChat(deps, known("Bob"), DEPARTURE), leaveChat(deps, known("Bob"), DEPARTURE)];
  await turn();
  answers[0]?.();
  await turn();
  for (const end of folders) end();
  await Promise.all(both);
  expect(done).toEqual(["delete @4", "left @4"]);
});

it("another chat with its number is left, though the folders of the first are being deleted", async () => {
  const { deps, done, answers, folders } = world();
  const first = leaveChat(deps, known("Bob"), DEPARTURE);
  await turn();
  answers[0]?.();
  await turn();
  const second = leaveChat(deps, known("Carol"), DEPARTURE);
  await turn();
  answers[1]?.();
  await turn();
  for (const end of folders) end();
  await Promise.all([first, second]);
  expect(done).toEqual(["delete @4", "left @4", "delete @4", "left @4"]);
  expect(deps.leaving.size).toBe(0);
});
