import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { simulatedOnly } from "../world/flow-test.js";
import type { SimulatedWorld } from "../world/simulated.js";
import { listedActions, withAction } from "./listed.js";
import { meet, type Scene, scene } from "./scenes.js";
import { edits, expectCommands, isOfList, localTime, posts, savesCounter } from "./support.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NONE = { wait: 0 };
const CLOCK = "the clock is moved";

/** A card of a message to Bob. */
function card(number: number, chat: string, text = "t") {
  return {
    pending: `I want to send a message to contact Bob: \`${text}\`\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
    done: `I sent a message to contact Bob: \`${text}\`\nApproved by Alice.`,
    not: (ending: string) => `I wanted to send a message to contact Bob: \`${text}\`\n${ending}`,
  };
}

const bob = (world: SimulatedWorld, options = {}) => scene(world, { kind: "contact", ...options });

/** Lets time go by up to `ms` after the start of the test's clock. */
async function passUntil(world: SimulatedWorld, time: number): Promise<void> {
  await world.pass(time - world.clock.now());
}

/** A pending message whose call is lost. */
async function pendingAlone({ owner, client, chat }: Scene, text = "t", number = 1): Promise<void> {
  const call = client.call("send", { chat, text, ...NONE });
  await owner.sees(card(number, chat, text).pending);
  call.cut();
  await withAction(client, { action: number, open: false });
}

describe.each(ERAS)("a pending action of a client of the %s era", (era) => {
  simulatedOnly(CLOCK, "expires for all its calls, and can be approved no more", async ({ world }) => {
    const { agent, owner, client, G, peer, chat } = await bob(world, { era, expireHours: 2 });
    const start = world.clock.now();
    const text = card(1, chat);
    const calls = [client.call("send", { chat, text: "t" })];
    const shown = await owner.sees(text.pending);
    calls.push(client.call("send", { chat, text: "t" }));
    for (const call of calls) {
      await call.progressed(
        `Action 1 waits for an approver until ${localTime(start + 2 * HOUR, world.clock.now())}.`,
      );
    }
    expect(await listedActions(client)).toEqual([
      expect.objectContaining({
        state: "pending",
        created: new Date(start).toISOString(),
        expires: new Date(start + 2 * HOUR).toISOString(),
      }),
    ]);
    await passUntil(world, start + 2 * HOUR - 1);
    expect(shown.text).toBe(text.pending);
    expect(calls.map(({ settled }) => settled)).toEqual([false, false]);
    await world.pass(1);
    for (const call of calls) {
      expect(await call.result).toEqual({
        data: { action: 1, status: "expired", chat },
        text: `{"action":1,"status":"expired","chat":"${chat}"}`,
        isError: true,
      });
    }
    await owner.sees(text.not("Expired."));
    expect(shown.versions).toEqual([text.pending, text.not("Expired.")]);
    for (const command of ["/approve 1", `/approve ${chat} 1`, "/reject 1 too late"]) {
      expect(await owner.answerTo(command)).toBe("Action 1 is not pending.");
    }
    await world.settle();
    expect(await listedActions(client)).toEqual([]);
    const refused = posts(G, "Action 1 is not pending.");
    expectCommands(
      agent.newCommands().filter((one) => !isOfList(one)),
      [
        `/_get chat ${chat} count=0`,
        savesCounter(G, 2),
        posts(G, text.pending),
        edits(G, text.not("Expired.")),
        refused,
        refused,
        refused,
      ],
    );
    expect(peer.inbox).toEqual([]);
    expect(agent.logged).toEqual([]);
  });
});

describe("expiry", () => {
  simulatedOnly(CLOCK, "comes after --expire-hours for every tool, as each card says", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner({ expireHours: 1 });
    const hazel = await world.person("Hazel");
    const { chat: group } = await meet(agent, hazel, "group");
    const { chat: contact } = await meet(agent, await world.person("Bob"), "contact");
    const link = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
    const client = await agent.client("modern");
    agent.newCommands();
    const calls = [
      client.call("connect", { target: link, message: "hello" }),
      client.call("send", { chat: group, text: "one\ntwo" }),
      client.call("leave", { chat: group }),
      client.call("leave", { chat: contact }),
    ];
    const wanted = [
      `I wanted to connect to bot Echo (${link}), as myself, with the message: \`hello\`\nExpired.`,
      "I wanted to send a message to group Trail:\n`one`\n`two`\nExpired.",
      `I wanted to leave group Trail (${group}).\nExpired.`,
      `I wanted to delete contact Bob (${contact}).\nExpired.`,
    ];
    for (const call of calls) await call.progressed(/^Action \d waits for an approver/);
    await world.pass(HOUR);
    for (const call of calls)
      expect(await call.result).toMatchObject({ isError: true, data: { status: "expired" } });
    await world.settle();
    expect(owner.cards.slice(1).toSorted()).toEqual(wanted.toSorted());
    const actions = /^\/_(connect (?!plan)|prepare|delete|leave|send (?!#1 ))/;
    expect(agent.newCommands().filter((one) => actions.test(one))).toEqual([]);
  });

  simulatedOnly(CLOCK, "is looked for every minute, and before each owner command", async ({ world }) => {
    const set = await bob(world);
    const { owner, chat, peer } = set;
    const start = world.clock.now();
    await pendingAlone(set, "first", 1);
    await world.pass(30 * SECOND);
    await pendingAlone(set, "second", 2);
    await pendingAlone(set, "third", 3);
    await world.pass(20 * SECOND);
    await pendingAlone(set, "fourth", 4);
    const [second, fourth] = [card(2, chat, "second"), card(4, chat, "fourth")];
    const until = (time: number) => `\`${localTime(time + 23 * HOUR, world.clock.now())}\``;
    const command = (number: number) => card(number, chat).pending.split("\n")[1];
    expect(await owner.answerTo("/pending")).toBe(
      [
        "4 pending actions:",
        ...[start, start + 30 * SECOND, start + 30 * SECOND, start + 50 * SECOND].flatMap((time, index) => [
          `Action ${index + 1}: send a message to contact Bob (${chat}), until ${until(time)}`,
          command(index + 1),
        ]),
      ].join("\n"),
    );

    await passUntil(world, start + 23 * HOUR);
    await owner.sees(card(1, chat, "first").not("Expired."));
    // Due now, but the minute is not over.
    await passUntil(world, start + 30 * SECOND + 23 * HOUR);
    await owner.sees(second.pending);
    expect(await owner.answerTo(`/approve ${chat} 2`)).toBe("Action 2 is not pending.");
    await owner.sees(second.not("Expired."));
    await owner.sees(card(3, chat, "third").not("Expired."));
    // The fourth has 20 seconds more.
    await passUntil(world, start + 50 * SECOND + 23 * HOUR - 1);
    expect(owner.cards).toContain(fourth.pending);
    await owner.says("/approve 4");
    await owner.sees(fourth.done);
    await peer.got("fourth");
    await world.settle();
    expect(peer.inbox.map(({ text }) => text)).toEqual(["fourth"]);
  });

  for (const command of ["/pending", "/help", "/list", "/nonsense", "/approve", "/revoke @99"]) {
    simulatedOnly(CLOCK, `is looked for before ${command}, too`, async ({ world }) => {
      const set = await bob(world);
      const { owner, chat } = set;
      await pendingAlone(set, "first", 1);
      await world.pass(30 * SECOND);
      await pendingAlone(set, "second", 2);
      await world.pass(23 * HOUR);
      expect(owner.cards).toContain(card(2, chat, "second").pending);
      await owner.says(command);
      await owner.sees(card(2, chat, "second").not("Expired."));
      if (command === "/pending") await owner.sees("No pending actions.");
    });
  }

  simulatedOnly(CLOCK, "is not overtaken by a standing approval", async ({ world }) => {
    const set = await bob(world);
    const { owner, chat, peer } = set;
    await pendingAlone(set, "first", 1);
    await world.pass(30 * SECOND);
    await pendingAlone(set, "due", 2);
    await world.pass(5 * SECOND);
    await pendingAlone(set, "in time", 3);
    await world.pass(23 * HOUR - 5 * SECOND);
    expect(await owner.answerTo(`/approve ${chat} all`)).toMatch(/^Approved for contact Bob/);
    await owner.sees(card(2, chat, "due").not("Expired."));
    await owner.sees(card(3, chat, "in time").done);
    await peer.got("in time");
    await world.settle();
    expect(peer.inbox).toHaveLength(1);
  });

  simulatedOnly(CLOCK, "is not for what an owner let through in time", async ({ world }) => {
    const { owner, client, peer, chat, peerChat } = await bob(world, { expireHours: 1 });
    const call = client.call("send", { chat, text: "t", wait: 86_400, idle: 3600 });
    await owner.sees(card(1, chat).pending);
    await world.pass(HOUR - 1);
    await owner.says("/approve 1");
    await call.progressed(/^0 messages in/);
    await world.pass(2 * HOUR);
    expect(call.settled).toBe(false);
    await peer.send(peerChat, "here I am");
    await call.progressed(/^1 messages in/);
    await world.pass(HOUR);
    expect((await call.result).data).toMatchObject({ status: "done", responses: [{ text: "here I am" }] });
  });
});

describe("an action that nobody waits for", () => {
  simulatedOnly(CLOCK, "tells that it expired for a minute, and is forgotten then", async ({ world }) => {
    const set = await bob(world);
    const { owner, client, chat } = set;
    await pendingAlone(set);
    await world.pass(23 * HOUR);
    await owner.sees(card(1, chat).not("Expired."));
    expect(await listedActions(client)).toMatchObject([{ action: 1, state: "expired", open: false }]);
    expect(await client.use("send", { chat, text: "t" })).toMatchObject({
      isError: true,
      data: { action: 1, status: "expired", chat },
    });
    await world.settle();
    expect(await listedActions(client)).toEqual([]);

    await pendingAlone(set, "t", 2);
    await world.pass(23 * HOUR + MINUTE);
    await owner.sees(card(2, chat).not("Expired."));
    expect(await listedActions(client)).toEqual([]);
    client.call("send", { chat, text: "t" });
    await owner.sees(card(3, chat).pending);
  });

  simulatedOnly(CLOCK, "and was decided is kept until it would have expired", async ({ world }) => {
    const set = await bob(world);
    const { owner, client, peer, chat, peerChat } = set;
    await pendingAlone(set, "done", 1);
    await pendingAlone(set, "rejected", 2);
    await owner.says("/approve 1");
    await owner.says("/reject 2");
    await peer.got("done");
    await peer.send(peerChat, "thanks");
    await world.pass(23 * HOUR - 1);
    expect(await listedActions(client)).toMatchObject([
      { action: 1, state: "done", open: false },
      { action: 2, state: "rejected", open: false },
    ]);
    await world.pass(1);
    expect(await listedActions(client)).toEqual([]);
    // Its replies were not returned: they are unread messages.
    expect((await client.use("receive", { chat })).data).toMatchObject({
      messages: [{ text: "thanks" }],
      more: 0,
    });
    client.call("send", { chat, text: "rejected" });
    await owner.sees(card(3, chat, "rejected").pending);
    expect(peer.inbox).toHaveLength(1);
  });
});

describe("the 24 hours in which SimpleX edits a message", () => {
  simulatedOnly(CLOCK, "are not over when the wait for a connection ends", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const G = agent.controlChat;
    const shy = await world.person("Shy");
    const link = await shy.makeAddress({ autoAccept: false });
    const client = await agent.client("modern");
    const start = world.clock.now();

    const lost = client.call("connect", { target: link });
    const shown = await owner.sees(/^I want to connect/);
    lost.cut();
    await withAction(client, { action: 1, open: false });
    await world.pass(23 * HOUR - MINUTE);
    const call = client.call("connect", { target: link, wait: 86_400 });
    await call.progressed(/^Action 1 waits for an approver/);
    await owner.says("/approve 1");
    await call.progressed(/^Action 1 waits for the connection/);
    const end = start + 23 * HOUR + 50 * MINUTE;
    expect(call.progress.at(-1)).toBe(
      `Action 1 waits for the connection until ${localTime(end, world.clock.now())}.`,
    );
    await passUntil(world, end - 1);
    expect(call.settled).toBe(false);
    agent.newCommands();
    await world.pass(1);
    expect((await call.result).data).toEqual({ action: 1, status: "done", connected: false, messages: [] });
    const done = `I connected to contact Shy (${link}), as myself.\nApproved by Alice.`;
    await owner.sees(done);
    expect(shown.versions).toHaveLength(2);
    await world.settle();
    expectCommands(agent.newCommands(), [edits(G, done)]);
  });

  simulatedOnly(
    CLOCK,
    "may be over when something took longer: it is told by a message",
    async ({ world }) => {
      const set = await bob(world);
      const { agent, owner, G, chat, peer } = set;
      const text = card(1, chat);
      const shown = owner.sees(text.pending);
      await pendingAlone(set);
      await world.pass(22 * HOUR);
      const sending = agent.api.holdNext(new RegExp(`^/_send ${chat}`));
      await owner.says("/approve 1");
      const { release } = await sending;
      await world.pass(2 * HOUR + MINUTE);
      agent.newCommands();
      release();
      await owner.sees(text.done);
      expect((await shown).versions).toEqual([text.pending]);
      expect(owner.cards.slice(1)).toEqual([text.pending, text.done]);
      await peer.got("t");
      await world.settle();
      expectCommands(agent.newCommands(), [edits(G, text.done), posts(G, text.done)]);
      // Its commands are still there to tap.
      expect(await owner.answerTo(`/approve ${chat} 1`)).toBe("Action 1 is not pending.");
      expect(peer.inbox).toHaveLength(1);
    },
  );

  simulatedOnly(
    CLOCK,
    "do not help where the network fails: an edit is tried three times",
    async ({ world }) => {
      const set = await bob(world);
      const { agent, owner, client, G, chat } = set;
      const text = card(1, chat);
      const timeout = {
        type: "errorAgent",
        agentError: { type: "BROKER", brokerAddress: "smp://x@y", brokerErr: { type: "TIMEOUT" } },
      };
      await pendingAlone(set);
      agent.newCommands();
      for (const _ of [1, 2, 3]) agent.api.failNext(/^\/_update item/, timeout);
      await owner.says("/reject 1");
      await withAction(client, { action: 1, state: "rejected" });
      await world.pass(2 * SECOND);
      const rejected = text.not("Rejected by Alice.");
      await owner.sees(rejected);
      await world.settle();
      expectCommands(
        agent.newCommands().filter((one) => !isOfList(one)),
        [edits(G, rejected), edits(G, rejected), edits(G, rejected), posts(G, rejected)],
      );
      // Whatever became of the card, the decision stands.
      expect((await client.use("send", { chat, text: "t" })).data).toMatchObject({ status: "rejected" });
    },
  );
});

describe("timers", () => {
  simulatedOnly(CLOCK, "there is one for all actions, and none without any", async ({ world }) => {
    const set = await bob(world);
    const { agent, owner, client, chat } = set;
    const timers = async () => {
      await world.settle();
      return world.clock.timers;
    };
    expect(await timers()).toBe(0);
    for (const number of [1, 2, 3]) await pendingAlone(set, `${number}`, number);
    expect(await timers()).toBe(1);
    // A call repeats its progress.
    const call = client.call("send", { chat, text: "1", ...NONE });
    await call.progressed(/^Action 1 waits/);
    expect(await timers()).toBe(2);
    await world.pass(10 * MINUTE);
    expect(await timers()).toBe(2);
    for (const number of [1, 2, 3]) await owner.says(`/reject ${number}`);
    await call.result;
    expect(await timers()).toBe(1);
    for (const text of ["2", "3"]) await client.use("send", { chat, text });
    expect(await timers()).toBe(0);

    await pendingAlone(set, "4", 4);
    expect(await timers()).toBe(1);
    await world.pass(23 * HOUR + MINUTE);
    expect(await timers()).toBe(0);

    await pendingAlone(set, "5", 5);
    await agent.stop();
    expect(await timers()).toBe(0);
  });
});
