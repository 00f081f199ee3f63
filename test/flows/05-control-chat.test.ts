import { expect } from "vitest";
import { flow } from "../world/flow-test.js";
import { scene } from "./scenes.js";
import { textsOf } from "./support.js";

flow("what owners write among themselves is never received, at once or by a wait", async ({ world }) => {
  const { client, owner, peer, peerChat } = await scene(world, { kind: "contact" });
  // Unread for ever: nobody but the owners reads the control chat.
  await owner.says("Shall we let it?");
  await world.settle();
  expect((await client.use("receive")).data).toEqual({ messages: [], more: 0 });

  const call = client.call("receive", { wait: 60 });
  await call.progressed(/^No new messages/);
  await owner.says("I think so.");
  await world.settle();
  await peer.send(peerChat, "hello");
  expect(textsOf(await call.result)).toEqual(["hello"]);
});
