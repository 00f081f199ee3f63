import { describe, expect } from "vitest";
import { flow } from "../world/flow-test.js";
import { until } from "../world/until.js";
import { scene } from "./scenes.js";

/** The card of a message on its way to the core. */
const CARD = /^\/_send #\d+ json .*I want to send/;

describe("a decision about a number that was foreseen", () => {
  flow("comes to nothing: it was said before the core had the card", async ({ world }) => {
    const { agent, owner, client, chat, peer } = await scene(world, { kind: "contact" });
    const posting = agent.api.holdNext(CARD);
    const call = client.call("send", { chat, text: "hello", wait: 0 });
    const card = await posting;
    await owner.says("/approve 1");
    await owner.says(`/reject ${chat} 1`);
    await world.settle();
    card.release();
    await owner.sees(/^I want to send .*`hello`/);
    const refused = () => owner.cards.filter((text) => text === "Action 1 is not pending.");
    await until("the answers to both", () => refused().length === 2);
    expect(call.settled).toBe(false);
    expect(await owner.answerTo("/pending")).toMatch(/^1 pending action:/);
    expect(peer.inbox).toEqual([]);
    await owner.says("/approve 1");
    expect((await call.result).data).toMatchObject({ action: 1, status: "done" });
  });
});
