import { expect, test } from "vitest";
import type { Reaction } from "../../../../src/simulator/data/item-rows.js";
import { EarlyReactions } from "../../../../src/simulator/database/early-reactions.js";
import { SimulatedNetwork } from "../../../../src/simulator/network.js";
import { connect, Person } from "../person.js";

const STRANGE = { type: "x", y: [1] };

test("A reaction that no app knows is given back as the peer wrote it", async () => {
  const network = new SimulatedNetwork();
  const alice = await Person.start(network, "Alice");
  const bob = await Person.start(network, "Bob");
  await connect(network, alice, bob);
  await alice.say("@4", "hello");
  await network.idle();
  const { chat } = await bob.run("/_get chat @4 count=1");
  const [item] = (chat as { chatItems: { meta: { itemId: number } }[] }).chatItems;
  network.faults.reactAs(STRANGE, "Bob");
  await bob.run(`/_reaction @4 ${item?.meta.itemId} on {"type":"emoji","emoji":"👍"}`);
  await network.idle();

  const event = alice.events.find(({ type }) => type === "chatItemReaction");
  expect(event).toMatchObject({ added: true, reaction: { chatReaction: { reaction: STRANGE } } });
  const reactions = [{ reaction: STRANGE, userReacted: false, totalReacted: 1 }];
  expect(await alice.run("/_get chat @4 count=1")).toMatchObject({ chat: { chatItems: [{ reactions }] } });
});

test("An app that knows eight reactions refuses any other", async () => {
  const network = new SimulatedNetwork();
  const alice = await Person.start(network, "Alice");
  for (const reaction of [STRANGE, { type: "emoji", emoji: "🎉" }, { type: "emoji", emoji: 5 }]) {
    expect(await alice.failing(`/_reaction @2 1 on ${JSON.stringify(reaction)}`)).toMatchObject({
      errorType: { type: "commandError", message: "Failed reading: empty" },
    });
  }
});

test("Reactions to a message that is not here yet are kept for it, and saved", () => {
  const one: Reaction = { reaction: STRANGE, by: "member", at: 1 };
  const early = new EarlyReactions();
  early.change("#1", "message", (given) => [...given, one]);
  early.change("#1", "message", (given) => [...given, { ...one, by: "another" }]);
  const loaded = new EarlyReactions();
  loaded.load(JSON.parse(JSON.stringify(early)));
  expect(loaded.take("#2", "message")).toBeUndefined();
  expect(loaded.take("#1", "message")).toEqual([one, { ...one, by: "another" }]);
  expect(loaded.take("#1", "message")).toBeUndefined();
});
