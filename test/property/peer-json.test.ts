/** Whatever peers write, nothing but itself fails: every tool and every command of the owner goes on. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import { type FileScene, fileScene } from "../flows/files.js";
import { messagesOf } from "../flows/support.js";
import { contactOf } from "../flows/trail.js";
import type { OpenCall, TestClient, ToolResult } from "../world/client.js";
import type { SeenFile } from "../world/files.js";
import { at, listAt } from "../world/json.js";
import { type Changeable, changeable, PLACES, putInto, written } from "../world/peer-json.js";
import type { Person } from "../world/person.js";
import { SimulatedWorld } from "../world/simulated.js";
import { until } from "../world/until.js";

const RUNS = 20;
const TIMEOUT = 240_000;

let world: SimulatedWorld;
let scene: FileScene;
let told: Changeable;
let client: TestClient;
let file: SeenFile;
let bob: { person: Person; chat: ChatRef; theirs: ChatRef };
let address: string;
/** The agent's own address. */
let ours: string;

beforeAll(async () => {
  world = new SimulatedWorld();
  const onOpen = (api: Parameters<typeof changeable>[0]) => {
    told = changeable(api);
  };
  scene = await fileScene(world, { limits: { pending: 100, cardsPerMinute: 1000 }, onOpen });
  const { agent, switchback, switchbacks, owner, chat, post } = scene;
  bob = await contactOf(world, agent, "Bob");
  address = await (await world.person("Carol")).makeAddress();
  ours = await (await agent.hands()).makeAddress({ autoAccept: false });
  client = await agent.client("modern");
  // What is to be shaped: reactions, a quote, a mention, a file.
  const said = await switchback.send(switchbacks, "said");
  await switchback.react(switchbacks, said, "👍");
  const me = await switchback.member(switchbacks, "My Agent");
  await switchback.send(switchbacks, "hello @'My Agent'", { replyTo: said, mentions: { "My Agent": me } });
  file = await post("trail.txt", "a trail");
  for (const ref of [chat, bob.chat]) {
    const call = client.call("send", { chat: ref, text: "first", wait: 0 });
    await call.progressed(/waits for an approver/);
    await owner.says(`/approve ${ref} all`);
    await done(call.result);
  }
  await done(client.use("receive", { limit: 100 }));
}, TIMEOUT);
afterAll(() => world.close(), TIMEOUT);

async function done(result: Promise<ToolResult>): Promise<ToolResult> {
  const got = await result;
  expect(got.isError, got.text).toBe(false);
  return got;
}

/** A message came, by the core's own word. */
async function itemOf(text: string): Promise<number> {
  return await until(`the message ${text}`, () => {
    const items = told.events
      .filter(({ type }) => type === "newChatItems")
      .flatMap((event) => listAt(event, "chatItems"));
    const id = at(
      items.find((item) => at(item, "chatItem", "meta", "itemText") === text),
      "chatItem",
      "meta",
      "itemId",
    );
    return typeof id === "number" ? id : undefined;
  });
}

/** The owner gets an answer of this form. */
async function answered(command: string, form: RegExp): Promise<string> {
  const { owner } = scene;
  const answers = () => owner.cards.filter((card) => form.test(card));
  const before = answers().length;
  await owner.says(command);
  return await until(`an answer to ${command}`, () =>
    answers().length > before ? answers().at(-1) : undefined,
  );
}

/** A call that asks the owner, or is refused with a sentence for the agent. */
async function asked(call: OpenCall): Promise<void> {
  const refused = call.result.then(({ text, isError }) => {
    if (isError) expect(text).not.toMatch(/could not be read|call stack|undefined/i);
  });
  await Promise.race([refused, call.progressed(/waits for an approver/).catch(() => undefined)]);
}

let run = 0;

/** All that the agent and its owner can do, while peers write. */
async function everything(): Promise<void> {
  const { agent, switchback, switchbacks, chat } = scene;
  run += 1;
  const [inGroup, alone] = [`group ${run}`, `alone ${run}`];
  const waiting = client.call("receive", { wait: 600, limit: 1 });
  await waiting.progressed(/^No new messages/);
  await switchback.send(switchbacks, inGroup);
  await bob.person.send(bob.theirs, alone);
  const items = [await itemOf(inGroup), await itemOf(alone)];
  const received = messagesOf(await done(waiting.result));
  for (let calls = 0; calls < 3 && received.length < items.length; calls += 1)
    received.push(...messagesOf(await done(client.use("receive"))));
  expect(received.map(({ item }) => item).toSorted()).toEqual(items.toSorted());

  for (const [index, ref] of [chat, bob.chat].entries()) {
    const history = messagesOf(await done(client.use("history", { chat: ref, limit: 100 })));
    expect(history.map(({ item }) => item)).toContain(items[index]);
    await done(client.use("send", { chat: ref, text: `answer ${run}`, wait: 0 }));
    await asked(client.call("send", { chat: ref, text: `quote ${run}`, reply_to: items[index], wait: 0 }));
  }
  const { chats, more } = (await done(client.use("list"))).data ?? {};
  expect(chats).toMatchObject(
    expect.arrayContaining([chat, bob.chat].map((ref) => expect.objectContaining({ chat: ref }))),
  );
  expect(more).toBeUndefined();
  expect((await done(client.use("members", { chat }))).data).toMatchObject({ members: [{}, {}], more: 0 });

  // Somebody asks to be let in.
  await (await world.person(`Stranger ${run}`)).startJoining(ours, `let me in ${run}`);
  await world.settle();
  await asked(client.call("download", { chat, item: file.item, wait: 0 }));
  await asked(client.call("connect", { target: address, wait: 0 }));
  await asked(client.call("leave", { chat: bob.chat }));
  await answered("/list", /^2 chats:\n/);
  await answered("/help", /^N is the number/);
  const pending = await answered("/pending", /^(?:\d+ pending actions?:|No pending actions\.)/);
  expect(pending).toMatch(/^Action \d+: let in (?:contact|bot|agent) /m);
  for (const [, number] of pending.matchAll(/^Action (\d+):/gm)) await scene.owner.says(`/reject ${number}`);
  await world.settle();
  await answered("/pending", /^No pending actions\.$/);
  const status = await fetch(agent.server.url.replace(/mcp$/, "status"), {
    headers: { Authorization: `Bearer ${agent.server.token}` },
  });
  expect(status.status).toBe(200);
  await status.text();
  expect(agent.logged.filter((line) => /could not|cannot|stack/.test(line))).toEqual([]);
  // Acts are counted by the minute.
  await world.pass(61_000);
}

it(
  "is any JSON in any place that a peer can shape",
  async () => {
    const control = scene.agent.controlChat;
    await everything();
    const change = fc.tuple(fc.constantFrom(...PLACES), written);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 12 }), async (changes) => {
        told.change = (json) => putInto(json, changes, control);
        await everything();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  TIMEOUT,
);
