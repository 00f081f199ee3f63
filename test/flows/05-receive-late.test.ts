import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { flow } from "../world/flow-test.js";
import type { Held } from "../world/recorded-api.js";
import { type Scene, scene } from "./scenes.js";
import { textsOf } from "./support.js";

/** Seconds: longer than anything takes, in the real world too. */
const WAIT = 60;

/** An owner's command that is being handled until it is released: events wait behind it. */
async function busyWithOwner({ agent, owner }: Scene): Promise<Held> {
  const held = agent.api.holdNext(/^\/_get chats/);
  await owner.says("/list");
  return await held;
}

describe.each(ERAS)(
  "a message whose event waits behind an owner's command, by a client of the %s era",
  (era) => {
    flow("is not given again to a call that waits when the event is handled", async ({ world }) => {
      const set = await scene(world, { kind: "contact", era });
      const { agent, client, peer, chat, peerChat } = set;
      const command = await busyWithOwner(set);
      await peer.send(peerChat, "one");
      await (await agent.hands()).got("one");
      expect(textsOf(await client.use("receive", { chat }))).toEqual(["one"]);
      await world.settle();
      const call = client.call("receive", { chat, wait: WAIT });
      await call.progressed(/^No new messages/);
      command.release();
      await world.settle();
      expect(call.settled).toBe(false);
      await peer.send(peerChat, "two");
      expect((await call.result).data).toMatchObject({ messages: [{ text: "two" }], more: 0 });
    });

    flow("is not given to a second call while the first has it on its way", async ({ world }) => {
      const set = await scene(world, { kind: "contact", era });
      const { agent, client, peer, chat, peerChat } = set;
      const command = await busyWithOwner(set);
      await peer.send(peerChat, "one");
      await (await agent.hands()).got("one");
      const marking = agent.api.holdNext(/^\/_read chat items/);
      expect(textsOf(await client.use("receive", { chat }))).toEqual(["one"]);
      const mark = await marking;
      const call = client.call("receive", { wait: WAIT });
      command.release();
      await world.settle();
      mark.release();
      await call.progressed(/^No new messages/);
      await peer.send(peerChat, "two");
      expect((await call.result).data).toMatchObject({ messages: [{ text: "two" }], more: 0 });
    });
  },
);
