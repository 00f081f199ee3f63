import { describe, expect } from "vitest";
import { simulatedOnly } from "../world/flow-test.js";
import type { SimulatedWorld } from "../world/simulated.js";
import { type Reachable, reachable } from "./reachable.js";

const HOUR_MS = 3_600_000;
const CROWD = "a crowd, and a clock that is moved";

/** So many strangers ask, one after the other. */
async function crowd(world: SimulatedWorld, { link }: Reachable, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1) {
    const person = await world.person(`Stranger ${number}`);
    await person.startJoining(link);
  }
  await world.settle();
}

const cardsOf = ({ owner }: Reachable) => owner.cards.filter((text) => /asks to connect to me\./.test(text));
const noticesOf = ({ owner }: Reachable) => owner.cards.filter((text) => /requests? waits?\./.test(text));

describe("many ask to connect", () => {
  simulatedOnly(
    CROWD,
    "20 get cards, the others theirs as those are decided, told of once an hour",
    async ({ world }) => {
      const scene = await reachable(world);
      const { owner } = scene;
      await crowd(world, scene, 1, 25);
      expect(cardsOf(scene)).toHaveLength(20);
      expect(noticesOf(scene)).toEqual([]);
      await world.pass(10_000);
      expect(noticesOf(scene)).toEqual(["5 more requests wait. /'requests'"]);

      await owner.says("/reject 3");
      await owner.sees("contact Stranger 21 asks to connect to me.\n/'approve 21' or /'reject 21'");
      await owner.says("/approve 21");
      await owner.sees("contact Stranger 22 asks to connect to me.\n/'approve 22' or /'reject 22'");
      expect(cardsOf(scene)).toHaveLength(20);

      await crowd(world, scene, 26, 27);
      await world.pass(HOUR_MS - 20_000);
      expect(noticesOf(scene)).toHaveLength(1);
      await world.pass(20_000);
      expect(noticesOf(scene)).toEqual([
        "5 more requests wait. /'requests'",
        "5 more requests wait. /'requests'",
      ]);
      // Nothing new came.
      await world.pass(2 * HOUR_MS);
      expect(noticesOf(scene)).toHaveLength(2);
      expect(await owner.answerTo("/requests")).toBe("5 more requests wait. /'requests'");
      expect(cardsOf(scene)).toHaveLength(20);
    },
  );

  simulatedOnly(
    CROWD,
    "expired cards make room for those in line, and come back by /requests alone",
    async ({ world }) => {
      const scene = await reachable(world);
      await crowd(world, scene, 1, 22);
      await world.pass(23 * HOUR_MS + 60_000);
      await scene.owner.sees(/^contact Stranger 22 asks/);
      await world.settle();
      expect(cardsOf(scene)).toHaveLength(2);
      await scene.owner.says("/requests");
      await scene.owner.sees(/^contact Stranger 18 asks/);
      await world.settle();
      expect(cardsOf(scene)).toHaveLength(20);
      expect(noticesOf(scene).at(-1)).toBe("2 more requests wait. /'requests'");
    },
  );

  simulatedOnly(
    CROWD,
    "a thousand in a minute neither flood the owner nor hold up the agent",
    async ({ world }) => {
      const scene = await reachable(world, { limits: { pending: 50, cardsPerMinute: 10 } });
      const { agent, owner, client, link } = scene;
      const echo = await (await world.person("Echo", { peerType: "bot" })).makeAddress();
      const people = await Promise.all(
        Array.from({ length: 1000 }, (_, index) => world.person(`Stranger ${index + 1}`)),
      );
      agent.newCommands();
      const first = people.slice(0, 800).map((person) => person.startJoining(link));
      const calls = Array.from({ length: 10 }, (_, index) =>
        client.call("connect", { target: echo, message: `Hello ${index}` }),
      );
      await Promise.all(first);
      // The core pages chats by their time.
      for (let next = 800; next < people.length; next += 10) {
        await world.pass(20);
        await Promise.all(people.slice(next, next + 10).map((person) => person.startJoining(link)));
      }
      await world.settle();
      // All ten of the agent's own cards of this minute are there, among no more than twenty others.
      expect(owner.cards.filter((text) => text.startsWith("I want to connect"))).toHaveLength(10);
      expect(cardsOf(scene)).toHaveLength(20);
      await world.pass(60_000);
      expect(noticesOf(scene)).toEqual(["980 more requests wait. /'requests'"]);
      // Those in line cost nothing but their place.
      const commands = agent.newCommands();
      expect(commands.filter((one) => /^\/_get chat @/.test(one))).toHaveLength(20);
      expect(commands.filter((one) => one.startsWith("/_send"))).toHaveLength(31);
      for (const call of calls) call.cancel();
      expect((await client.use("list")).data).toMatchObject({ chats: [] });
      const pages = agent.newCommands().filter((one) => one.startsWith("/_get chats"));
      expect(pages.length).toBeLessThan(7);
    },
  );

  simulatedOnly(
    CROWD,
    "under auto each of ten a minute is told of, and the others are counted",
    async ({ world }) => {
      const scene = await reachable(world);
      await scene.owner.answerTo("/address auto");
      await crowd(world, scene, 1, 13);
      const told = () => scene.owner.cards.filter((text) => text.includes("connected to me"));
      expect(told()).toHaveLength(10);
      await world.pass(60_000);
      expect(told().at(-1)).toBe("3 more people are connected to me. /list");
      expect(scene.agent.logged).toEqual([]);
    },
  );
});
