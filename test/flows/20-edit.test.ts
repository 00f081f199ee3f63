import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { flow } from "../world/flow-test.js";
import { fileScene, REPORT } from "./files.js";
import { scene } from "./scenes.js";
import { trail } from "./trail.js";

const SHORT = { wait: 0 };

describe.each(ERAS)("/edit, for a client of the %s era,", (era) => {
  flow("sends the owner's text, exactly as it was written", async ({ world }) => {
    const { owner, client, chat, peer } = await scene(world, { kind: "contact", era });
    const call = client.call("send", { chat, text: "Send me teh key", ...SHORT });
    const card = `I want to send a message to contact Bob: \`Send me teh key\`\n/'approve ${chat} 1', /'approve ${chat} all', /'reject ${chat} 1' or /'edit ${chat} 1'`;
    const { versions } = await owner.sees(card);
    const help = `Copy, change and send: \`/edit ${chat} 1 Send me teh key\``;
    expect(await owner.answerTo(`/'edit ${chat} 1'`)).toBe(help);
    expect(await owner.answerTo("/edit 1 ")).toBe(help);
    const text = "Please  send:\n  /approve 1\n\n'the key'";
    await owner.says(`/edit ${chat} 1 ${text}`);
    expect((await call.result).data).toMatchObject({
      action: 1,
      status: "done",
      text,
      changed_by_owner: true,
    });
    await peer.got(text);
    await owner.sees(/^I sent /);
    const [, done = ""] = versions;
    expect(done.split("\n")).toEqual([
      "I sent a message to contact Bob:",
      "`Please  send:`",
      expect.stringContaining("/approve 1`"),
      "`␤`",
      expect.stringMatching(/^`'the key'`/),
      "Changed and approved by Alice; the agent wrote: `Send me teh key`.",
    ]);
    expect(await owner.answerTo("/edit 1 again")).toBe("Action 1 is not pending.");
    await world.settle();
    expect(peer.inbox.map((message) => message.text)).toEqual([text]);
  });

  flow("changes the message of a connect", async ({ world }) => {
    const { owner, client, G } = await scene(world, { kind: "contact", era });
    const carol = await world.person("Carol");
    const target = await carol.makeAddress();
    const call = client.call("connect", { target, message: "Hi", wait: 2, idle: 1 });
    await owner.sees(/^I want to connect/);
    expect(await owner.answerTo("/edit 1")).toBe("Copy, change and send: `/edit 1 Hi`");
    expect(await owner.answerTo(`/edit ${G} 1 Hello`)).toMatch(/^Action 1 is a connection: /);
    expect(await owner.answerTo(`/edit 1 ${"x".repeat(10_100)}`)).toBe(
      "That is 100 bytes too long. Action 1 is still pending.",
    );
    await owner.says("/edit 1 Hello, Carol");
    await owner.sees(/^I connected to .*\nChanged and approved by Alice; the agent wrote: `Hi`\.$/);
    await world.settle();
    await world.pass(2000);
    expect((await call.result).data).toMatchObject({
      status: "done",
      text: "Hello, Carol",
      changed_by_owner: true,
    });
    await carol.waitFor("the request", (event) => JSON.stringify(event).includes("Hello, Carol"));
  });
});

describe("/edit", () => {
  flow("keeps the quote, and mentions that are still in the text", async ({ world }) => {
    const set = await trail(world);
    const { agent, owner, hazel, switchback, chat, hazels } = set;
    const hands = await agent.hands();
    const [one, two] = [await hands.member(chat, "Hazel"), await hands.member(chat, "Switchback")];
    await hazel.send(hazels, "Who comes?");
    await world.settle();
    const client = await agent.client("modern");
    const received = await client.use("receive", { chat });
    const item = Object(received.data?.messages)[0].item;
    const call = client.call("send", { chat, text: "I do", reply_to: item, mention: [one, two], ...SHORT });
    await owner.sees(/^I want to send .*`@Hazel @Switchback I do`/);
    await owner.says("/edit 1 We do, @Switchback");
    expect((await call.result).data).toMatchObject({ status: "done", text: "We do, @Switchback" });
    await owner.sees(
      "I sent a message to group Trail: `We do, @Switchback` replying to Hazel: `Who comes?` mentioning @Switchback\n" +
        "Changed and approved by Alice; the agent wrote: `@Hazel @Switchback I do`.",
    );
    await switchback.got("We do, @Switchback");
    const sent = (await agent.commands(new RegExp(`^/_send ${chat} `))).slice(`/_send ${chat} json `.length);
    expect(JSON.parse(sent)).toEqual([
      {
        msgContent: { type: "text", text: "We do, @Switchback" },
        mentions: { Switchback: two },
        quotedItemId: item,
      },
    ]);
  });

  flow("keeps the file, and gives it a text", async ({ world }) => {
    const { agent, owner, chat, hazel, put } = await fileScene(world);
    const client = await agent.client("modern");
    const call = client.call("send", { chat, file: await put("report.pdf", REPORT), ...SHORT });
    await owner.sees(/^I want to send .*attaching/);
    await owner.says("/edit 1 The report");
    expect((await call.result).data).toMatchObject({ status: "done", text: "The report" });
    await owner.sees(
      /^I sent a message to group Trail: `The report`, attaching file .*\nChanged and approved by Alice; the agent wrote no text\.$/,
    );
    await hazel.got("The report");
  });

  flow("refuses what does not fit, and leaves the action as it was", async ({ world }) => {
    const { owner, client, chat, peer } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, text: "short", ...SHORT });
    await owner.sees(/`short`/);
    expect(await owner.answerTo(`/edit 1 ${"x".repeat(15_000)}`)).toMatch(
      /^That is \d+ bytes too long\. Action 1 is still pending\.$/,
    );
    expect(call.settled).toBe(false);
    await owner.says("/approve 1");
    const { data } = await call.result;
    expect(data).toMatchObject({ status: "done" });
    expect(data).not.toHaveProperty("changed_by_owner");
    await world.settle();
    expect(peer.inbox.map(({ text }) => text)).toEqual(["short"]);
  });

  flow("tells a long text of the agent as far as there is room", async ({ world }) => {
    const { owner, client, chat } = await scene(world, { kind: "contact" });
    const call = client.call("send", { chat, text: "a".repeat(9000), ...SHORT });
    await owner.sees(/`aaa/);
    await owner.says(`/edit 1 ${"b".repeat(9000)}`);
    expect((await call.result).data).toMatchObject({ status: "done", text: "b".repeat(9000) });
    await owner.sees(
      new RegExp(`\\nChanged and approved by Alice; the agent wrote: \`${"a".repeat(300)}…\`\\.$`),
    );
  });

  flow("is for texts only, and loses against a decision and a pause", async ({ world }) => {
    const { agent, owner, client, chat, peer } = await scene(world, { kind: "contact" });
    const leaving = client.call("leave", { chat });
    await owner.sees(/^I want to delete/);
    expect(await owner.answerTo("/edit 1 Bye")).toBe(
      `Action 1 has no text to change: /'approve ${chat} 1' or /'reject ${chat} 1'`,
    );
    expect(await owner.answerTo("/edit")).toBe("Write `/edit N TEXT` or `/edit CHAT N TEXT`. /help");
    leaving.cancel();
    const call = client.call("send", { chat, text: "old", ...SHORT });
    await owner.sees(/`old`/);
    const reading = agent.api.holdNext(new RegExp(`^/_get chat ${chat}`));
    await owner.says("/edit 2 new");
    const { release } = await reading;
    expect(await owner.answerTo("/approve 2")).toBe("Action 2 is not pending.");
    expect(await owner.answerTo("/pause")).toMatch(/^Paused/);
    release();
    expect((await call.result).data).toMatchObject({ status: "failed", text: "new" });
    await owner.sees(
      "I wanted to send a message to contact Bob: `new`\nChanged and approved by Alice; the agent wrote: `old`; failed: " +
        "`Your owner paused this agent. Nothing goes out until it is resumed.`.",
    );
    await world.settle();
    expect(peer.inbox).toEqual([]);
  });
});
