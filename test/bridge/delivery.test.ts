import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import { type Scene, scene } from "../flows/scenes.js";
import { flow } from "../world/flow-test.js";
import { until } from "../world/until.js";
import type { World } from "../world/world.js";

/** More than a pipe holds: each answer is some 25 kB. */
const LISTS = 40;
/** The id of the call that matters. */
const CALL = 99;

/** The bridge in the hands of the test, which reads nothing of it until it says so. */
function startBridge({ agent }: Scene): ChildProcess & { text: () => string } {
  const executable = join(inject("missing"), "bin/simplex-mcp.cjs");
  const child = spawn(process.execPath, [executable, "bridge", agent.name, "--data", agent.folder], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.pause().on("data", (chunk) => {
    text += String(chunk);
  });
  child.stdout.pause();
  return Object.assign(child, { text: () => text });
}

function ask(child: ChildProcess, id: number, method: string, params: object): void {
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
}

/** A message was sent, and the bridge has the result, which does not fit into the pipe. */
async function stuck(world: World) {
  const set = await scene(world, { kind: "contact" });
  const { owner, chat, peer } = set;
  const child = startBridge(set);
  for (let id = 1; id <= LISTS; id += 1) ask(child, id, "tools/list", {});
  const input = { chat, text: "I am in", wait: 0, idle: 1 };
  ask(child, CALL, "tools/call", { name: "send", arguments: input });
  await owner.sees(/^I want to send/);
  await owner.says("/approve 1");
  await peer.got("I am in");
  await world.settle();
  return { ...set, child, input };
}

const listed = async ({ client }: Scene) => (await client.use("list")).data?.actions;

flow("a result that the bridge could not write is not delivered, and is given again", async ({ world }) => {
  const set = await stuck(world);
  const { child, client, input, peer } = set;
  expect(await listed(set)).toMatchObject([{ action: 1, state: "done" }]);
  child.kill("SIGKILL");
  expect((await client.use("send", input)).data).toMatchObject({ action: 1, status: "done" });
  await world.settle();
  expect(await listed(set)).toEqual([]);
  expect(peer.inbox.map(({ text }) => text)).toEqual(["I am in"]);
});

flow("a result is delivered once the client's pipe has it", async ({ world }) => {
  const set = await stuck(world);
  const { child, client, input } = set;
  expect(await listed(set)).toMatchObject([{ action: 1, state: "done" }]);
  child.stdout?.resume();
  await until("the result", () => child.text().includes(`"id":${CALL}`));
  let actions = await listed(set);
  while (Array.isArray(actions) && actions.length > 0) actions = await listed(set);
  // The same call is another action.
  const again = client.call("send", input);
  await again.progressed(/^Action 2 waits/);
  again.cancel();
  await expect(again.result).rejects.toThrow();
});
