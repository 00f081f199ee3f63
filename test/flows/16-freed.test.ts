import { describe, expect } from "vitest";
import { simulatedOnly } from "../world/flow-test.js";
import { Owner } from "../world/owner.js";
import type { World } from "../world/world.js";
import { meet, type Scene, scene } from "./scenes.js";

const WHY = "ids of deleted chats come again there as in the core, if nothing else takes them";
const SHORT = { wait: 0 };

/** Bob is gone, and Mallory has his number. */
async function renumbered(world: World): Promise<Scene> {
  const set = await scene(world, { kind: "contact" });
  const { agent, owner, chat } = set;
  await owner.answerTo(`/leave ${chat}`);
  await world.pass(1000);
  const mallory = await world.person("Mallory");
  const next = await meet(agent, mallory, "contact");
  expect(next.chat).toBe(chat);
  await world.settle();
  return { ...set, peer: mallory, peerChat: next.peerChat };
}

/** The card of a send to Mallory, with its number, which is named in the command for all. */
async function asks({ owner, client, chat }: Scene, text: string, number: number) {
  const call = client.call("send", { chat, text, ...SHORT });
  await owner.sees(
    `I want to send a message to contact Mallory: \`${text}\`\n` +
      `/'approve ${chat} ${number}', /'approve ${chat} ${number} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
  );
  return call;
}

describe("a number that another chat had before", () => {
  simulatedOnly(WHY, "is approved for all with its action alone, over a restart, too", async ({ world }) => {
    const set = await renumbered(world);
    const { agent, owner, chat, peer } = set;
    // The tap on Bob's card comes late.
    const nothing = `No message to contact Mallory (${chat}) is pending.`;
    expect(await owner.answerTo(`/approve ${chat} all`)).toBe(nothing);
    await asks(set, "one", 1);
    const which = `Another chat had the number of contact Mallory (${chat}) before. To approve all for this one: `;
    expect(await owner.answerTo(`/approve ${chat} all`)).toBe(`${which}/'approve ${chat} 1 all'`);
    expect(await owner.answerTo(`/approve ${chat} all 90m`)).toBe(`${which}/'approve ${chat} 1 all 90m'`);
    expect(await owner.answerTo(`/approve ${chat} all 10`)).toBe(`${which}/'approve ${chat} 1 all 10'`);
    await world.settle();
    expect(peer.inbox).toEqual([]);

    await agent.restart();
    const again = { ...set, client: await agent.client("modern") };
    const call = await asks(again, "two", 2);
    expect(await owner.answerTo(`/approve ${chat} 1 all`)).toBe("Action 1 is not pending.");
    expect(await owner.answerTo(`/approve ${chat} all`)).toBe(`${which}/'approve ${chat} 2 all'`);
    await owner.says(`/approve ${chat} 2 all`);
    await owner.sees(`Approved for contact Mallory (${chat}) by Alice. /'revoke ${chat}'`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    expect((await again.client.use("send", { chat, text: "three", ...SHORT })).data).toMatchObject({
      status: "done",
    });
  });

  simulatedOnly(WHY, "is remembered by a new control chat, too", async ({ world }) => {
    const set = await renumbered(world);
    await set.agent.restart({ resetOwners: true });
    const carol = await Owner.join(await world.person("Carol"), await set.agent.ownerLink());
    await carol.sees(/^I'm your agent/);
    await asks({ ...set, owner: carol, client: await set.agent.client("modern") }, "one", 1);
  });

  simulatedOnly(WHY, "is left when the owner says so once more", async ({ world }) => {
    const set = await renumbered(world);
    const { agent, owner, client, chat } = set;
    const ask = await owner.answerTo(`/leave ${chat}`);
    const form = new RegExp(
      `^Another chat had the number of contact Mallory \\(${chat}\\) before\\. To delete this one: /'(leave ${chat} [a-z]{5})'$`,
    );
    expect(ask).toMatch(form);
    const command = form.exec(ask)?.[1];
    expect(await owner.answerTo(`/leave ${chat} wrong`)).toBe(ask);
    expect((await client.use("list")).data).toMatchObject({ chats: [{ chat, name: "Mallory" }] });
    expect(await owner.answerTo(`/${command}`)).toBe(
      `Deleted contact Mallory (${chat}), requested by Alice.`,
    );
    // The same word is none for the next one.
    await world.pass(1000);
    const next = await meet(agent, await world.person("Zed"), "contact");
    expect(next.chat).toBe(chat);
    expect(await owner.answerTo(`/${command}`)).toMatch(/^Another chat had the number of contact Zed/);
  });

  simulatedOnly(WHY, "keeps its files until the owner says so once more", async ({ world }) => {
    const { owner, chat } = await renumbered(world);
    const ask = await owner.answerTo(`/delete ${chat} files`);
    const form = new RegExp(
      `^Another chat had the number of contact Mallory \\(${chat}\\) before\\. To delete the files of both: /'(delete ${chat} files [a-z]{5})'$`,
    );
    expect(ask).toMatch(form);
    expect(await owner.answerTo(`/${form.exec(ask)?.[1]}`)).toMatch(/^Deleted 0 files from /);
  });

  simulatedOnly(WHY, "is the same one while its deletion fails", async ({ world }) => {
    const set = await scene(world, { kind: "contact" });
    const { agent, owner, client, chat } = set;
    agent.api.failNext(/^\/_delete/, { type: "error", errorType: { type: "internalError", message: "no" } });
    expect(await owner.answerTo(`/leave ${chat}`)).toMatch(/^Deleting contact Bob .* failed/);
    const call = client.call("send", { chat, text: "one", ...SHORT });
    await owner.sees(/\/'approve @\d+ 1', \/'approve @\d+ all'/);
    expect(await owner.answerTo(`/leave ${chat}`)).toBe(`Deleted contact Bob (${chat}), requested by Alice.`);
    expect((await call.result).data).toMatchObject({ status: "rejected" });
  });
});
