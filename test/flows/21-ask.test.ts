import { describe, expect } from "vitest";
import type { AgentOptions } from "../world/agent.js";
import { ERAS, type Era } from "../world/client.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { addOwner, giveRole } from "../world/owners.js";
import type { World } from "../world/world.js";
import { scene } from "./scenes.js";
import { expectCommands, posts, savesCounter } from "./support.js";

const QUESTION = "Which tent do you want?";
const CHOICES = ["The small one", "/approve 1"];

const card = (number: number) =>
  `I ask: \`${QUESTION}\`\n/'answer ${number}' with your text, or reply to this message.`;
const choiceCard = (number: number) =>
  `I ask: \`${QUESTION}\`\n/'answer ${number} 1' \`The small one\`\n/'answer ${number} 2' \`/approve 1\`\n` +
  `/'answer ${number}' with your text, or reply to this message.`;

async function asked(world: World, era: Era = "modern", options: AgentOptions = {}) {
  const { agent, owner } = await world.agentWithOwner(options);
  const client = await agent.client(era);
  await world.settle();
  agent.newCommands();
  return { agent, owner, client, G: agent.controlChat };
}

describe.each(ERAS)("ask, by a client of the %s era,", (era) => {
  flow("waits for an owner's own words", async ({ world }) => {
    const { agent, owner, client, G } = await asked(world, era);
    const call = client.call("ask", { question: QUESTION });
    const { versions } = await owner.sees(card(1));
    await call.progressed(/^Action 1 waits for an approver until /);
    expect((await client.use("list")).data?.actions).toMatchObject([
      { action: 1, tool: "ask", input: { question: QUESTION }, state: "pending" },
    ]);
    expect(await owner.answerTo("/pending")).toMatch(
      /^1 pending action:\nAction 1: answer `Which tent do you want\?`, until `.*`\n\/'answer 1' with your text, or \/'reject 1'$/,
    );
    await owner.says("/answer 1 The blue one,\n if  it is dry");
    const answer = "The blue one,\n if  it is dry";
    expect(await call.result).toMatchObject({
      isError: false,
      data: { action: 1, status: "answered", answer, by: "Alice" },
    });
    const ended = `I asked: \`${QUESTION}\`\nAlice answered: \`The blue one,␤␣if  it is dry\` (shown with replaced characters).`;
    await owner.sees(ended);
    expect(versions).toEqual([card(1), ended]);
    await world.settle();
    const [saved, posted, ...rest] = agent.newCommands().filter((one) => /^\/_(?:send|set custom)/.test(one));
    expectCommands([saved ?? "", posted ?? ""], [savesCounter(G, 2), posts(G, card(1))]);
    expect(rest.filter((one) => !one.startsWith(`/_send ${G} `))).toEqual([]);
    expect((await client.use("list")).data?.actions).toEqual([]);
    expect(agent.logged).toEqual([]);
  });

  flow("takes a choice by its number, or in the same words", async ({ world }) => {
    const { owner, client } = await asked(world, era);
    const first = client.call("ask", { question: QUESTION, choices: CHOICES });
    await owner.sees(choiceCard(1));
    await owner.says("/'answer 1 2'");
    expect((await first.result).data).toEqual({
      action: 1,
      status: "answered",
      answer: "/approve 1",
      choice: 2,
      by: "Alice",
    });
    await owner.sees(
      `I asked: \`${QUESTION}\`\n\`The small one\`\n\`/approve 1\`\nAlice answered: \`/approve 1\`.`,
    );
    const second = client.call("ask", { question: QUESTION, choices: CHOICES });
    await owner.sees(choiceCard(2));
    await owner.says("/answer 2 The small one");
    expect((await second.result).data).toMatchObject({ answer: "The small one", choice: 1 });
    const third = client.call("ask", { question: QUESTION, choices: CHOICES });
    await owner.sees(choiceCard(3));
    await owner.says("/answer 3 7");
    const { data } = await third.result;
    expect(data).toMatchObject({ answer: "7" });
    expect(data).not.toHaveProperty("choice");
  });

  flow("takes a reply to its card as it is", async ({ world }) => {
    const { owner, client } = await asked(world, era);
    const call = client.call("ask", { question: QUESTION, choices: CHOICES });
    const { item } = await owner.sees(choiceCard(1));
    await owner.person.send(owner.chat, " /usr is full;  2", { replyTo: item });
    const { data } = await call.result;
    expect(data).toEqual({ action: 1, status: "answered", answer: " /usr is full;  2", by: "Alice" });
  });

  flow("reports, and waits for nothing", async ({ world }) => {
    const { agent, owner, client, G } = await asked(world, era);
    expect(await client.use("tell", { text: "Half of it is done.\n/approve 1" })).toMatchObject({
      isError: false,
      data: { status: "told" },
    });
    const report = "I report:\n`Half of it is done.`\n`/approve 1`";
    await owner.sees(report);
    expectCommands(agent.newCommands(), [posts(G, report)]);
    expect((await client.use("list")).data?.actions).toEqual([]);
  });

  flow("is resumed after a lost call", async ({ world }) => {
    const { owner, client } = await asked(world, era);
    const lost = client.call("ask", { question: QUESTION, choices: CHOICES });
    await owner.sees(choiceCard(1));
    lost.cut();
    await owner.says("/answer 1 1");
    await owner.sees(/Alice answered/);
    expect((await client.use("ask", { question: QUESTION, choices: CHOICES })).data).toMatchObject({
      action: 1,
      answer: "The small one",
    });
    // Other choices are another question.
    const other = client.call("ask", { question: QUESTION });
    await owner.sees(card(2));
    other.cancel();
  });
});

describe("a question", () => {
  flow("is not approved, and is rejected with a reason", async ({ world }) => {
    const { owner, client } = await asked(world);
    const call = client.call("ask", { question: QUESTION });
    await owner.sees(card(1));
    const commands = "/'answer 1' with your text, or /'reject 1'";
    expect(await owner.answerTo("/approve 1")).toBe(`Action 1 is a question: ${commands}`);
    expect(await owner.answerTo("/answer 1")).toBe(
      "Write your answer after it, as in `/answer 1 Yes`, or reply to my question.",
    );
    expect(await owner.answerTo("/answer 2 Yes")).toBe("Action 2 is not pending.");
    expect(await owner.answerTo("/answer Yes")).toBe("Write `/answer N TEXT`. /help");
    expect(call.settled).toBe(false);
    await owner.says("/reject 1 Decide yourself.");
    expect(await call.result).toMatchObject({
      isError: true,
      data: { action: 1, status: "rejected", reason: "Decide yourself." },
    });
    await owner.sees(`I asked: \`${QUESTION}\`\nRejected by Alice: \`Decide yourself.\`.`);
    expect(await owner.answerTo("/answer 1 Yes")).toBe("Action 1 is not pending.");
  });

  flow("takes no command for an answer, and no answer for a command", async ({ world }) => {
    const { agent, owner, client, chat } = await scene(world, { kind: "contact" });
    const sending = client.call("send", { chat, text: "t", wait: 0 });
    await owner.sees(/`t`/);
    const call = client.call("ask", { question: QUESTION });
    const { item } = await owner.sees(card(2));
    expect(await owner.answerTo("/answer 1 Yes")).toMatch(/^Action 1 is a message: /);
    // A reply that is a command is that.
    await owner.person.send(owner.chat, "/reject 1", { replyTo: item });
    expect((await sending.result).data).toMatchObject({ status: "rejected" });
    expect(call.settled).toBe(false);
    // A text that replies to nothing is none.
    await owner.says("Hello");
    await world.settle();
    expect([call.settled, agent.logged]).toEqual([false, []]);
    await owner.person.send(owner.chat, "/unknown to you", { replyTo: item });
    expect((await call.result).data).toMatchObject({ answer: "/unknown to you" });
  });

  flow("is answered by owners only", async ({ world }) => {
    const { agent, owner, client } = await asked(world);
    const bob = await addOwner(agent, owner, await world.person("Bob"));
    await giveRole(agent, owner, "Bob", "member");
    const call = client.call("ask", { question: QUESTION });
    const { item } = await bob.sees(card(1));
    expect(await bob.answerTo("/answer 1 Mine")).toBe("Only the owners of this chat can do this.");
    await bob.person.send(bob.chat, "Mine", { replyTo: item });
    await world.settle();
    expect(call.settled).toBe(false);
    await giveRole(agent, owner, "Bob", "owner");
    await bob.person.send(bob.chat, "Ours", { replyTo: item });
    expect((await call.result).data).toMatchObject({ answer: "Ours", by: "Bob" });
  });

  flow("ends with the server, and with a pause, which it can be asked in", async ({ world }) => {
    const { agent, owner, client } = await asked(world, "modern", { stopWaitSeconds: 10 });
    const first = client.call("ask", { question: QUESTION });
    await owner.sees(card(1));
    expect(await owner.answerTo("/pause")).toBe("Paused: nothing goes out. /'resume'");
    expect((await first.result).data).toMatchObject({
      status: "rejected",
      reason: "Alice paused the agent.",
    });
    const second = client.call("ask", { question: QUESTION });
    await owner.sees(card(2));
    expect((await client.use("tell", { text: "I wait." })).data).toEqual({ status: "told" });
    await agent.stop();
    expect((await second.result).data).toMatchObject({ action: 2, status: "cancelled" });
    await owner.sees(`I asked: \`${QUESTION}\`\nCancelled: the server stopped.`);
  });

  flow("is refused where it says nothing, is too long, or nobody is there to answer", async ({ world }) => {
    const { agent } = await world.agentWithOwner({ limits: { pending: 50, cardsPerMinute: 2 } });
    const client = await agent.client("modern");
    const refused = async (tool: string, input: object) => {
      const { isError, text, data } = await client.use(tool, { ...input });
      expect([isError, data]).toEqual([true, undefined]);
      return text;
    };
    expect(await refused("ask", { question: " " })).toMatch(/is empty/);
    expect(await refused("tell", { text: "\n" })).toMatch(/is empty/);
    expect(await refused("ask", { question: "Q", choices: ["a", "a"] })).toMatch(/the same/);
    expect(await refused("ask", { question: "Q", choices: ["a"] })).toMatch(/choices/);
    expect(await refused("ask", { question: "x".repeat(20_000) })).toMatch(/bytes too long/);
    expect(await refused("tell", { text: "x".repeat(20_000) })).toMatch(/^The text is \d+ bytes too long/);
    // Both count into the limit of cards.
    expect((await client.use("tell", { text: "one" })).data).toEqual({ status: "told" });
    const call = client.call("ask", { question: QUESTION });
    await call.progressed(/^Action 1 waits/);
    expect(await refused("tell", { text: "three" })).toMatch(/^Too many new requests: at most 2 a minute/);
    expect(await refused("ask", { question: "three" })).toMatch(/^Too many new requests/);
    call.cancel();
  });

  flow("is for owners in mode host, too", async ({ world }) => {
    const { owner, client } = await scene(world, { approve: "host", kind: "contact" });
    const call = client.call("ask", { question: QUESTION });
    await owner.sees(card(1));
    await owner.says("/answer 1 Both");
    expect((await call.result).data).toMatchObject({ status: "answered", answer: "Both" });
  });

  simulatedOnly("the clock is moved", "expires", async ({ world }) => {
    const { owner, client } = await asked(world);
    const call = client.call("ask", { question: QUESTION });
    await owner.sees(card(1));
    await world.pass(23 * 3_600_000 + 60_000);
    expect(await call.result).toMatchObject({ isError: true, data: { action: 1, status: "expired" } });
    await owner.sees(`I asked: \`${QUESTION}\`\nExpired.`);
    expect(await owner.answerTo("/answer 1 Late")).toBe("Action 1 is not pending.");
  });
});
