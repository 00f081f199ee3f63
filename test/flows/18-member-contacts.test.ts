import { describe, expect } from "vitest";
import { flow, withSeeds } from "../world/flow-test.js";
import { numberAt } from "../world/json.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";
import { FIRST, reachable } from "./reachable.js";
import { edits, expectCommands, posts, savesCounter } from "./support.js";

/** The first group after the control chat. */
const TRAIL = "#2";
const WHO = `Hazel of group Trail (${TRAIL})`;
const asks = (number: number) => `${WHO} asks to connect to me.\n/'approve ${number}' or /'reject ${number}'`;
const connected = `${WHO} is connected to me: contact ${FIRST}.\nApproved by Alice.`;
const asked = (ending: string) => `${WHO} asked to connect to me.\n${ending}`;

/** The agent in a group of Hazel. */
async function hazelsGroup(world: World) {
  const scene = await reachable(world);
  const hazel = await world.person("Hazel");
  const { chat: group, link } = await hazel.makeGroup("Trail");
  await (await scene.agent.hands()).join(link);
  await hazel.waitFor("the agent", ({ type }) => type === "joinedGroupMember");
  await world.settle();
  scene.agent.newCommands();
  return { ...scene, hazel, group };
}

/** Opens a chat with the agent, as the apps do. */
async function ask(hazel: Person, group: string, text?: string): Promise<`@${number}`> {
  const member = await hazel.member(`#${Number(group.slice(1))}`, "My Agent");
  const made = await hazel.run(`/_create member contact ${group} ${member}`);
  const contact = `@${numberAt(made, "contact", "contactId")}` as const;
  await hazel.run(`/_invite member contact ${contact}${text === undefined ? "" : ` text ${text}`}`);
  return contact;
}

async function approved({ world }: { world: World }): Promise<void> {
  const { agent, owner, client, G, hazel, group } = await hazelsGroup(world);
  await ask(hazel, group, "Can I ask you directly?");
  await owner.sees(asks(1));
  await world.settle();
  await owner.says("/approve 1");
  await owner.sees(connected);
  const reads = [`/_get chat ${FIRST} count=20`, `/_get chat ${TRAIL} count=0`];
  expectCommands(agent.newCommands(), [
    ...reads,
    savesCounter(G, 2),
    posts(G, asks(1)),
    ...reads,
    `/_accept member contact ${FIRST}`,
    edits(G, connected),
  ]);
  expect((await client.use("receive")).data?.messages).toMatchObject([
    { chat: FIRST, text: "Can I ask you directly?" },
  ]);
}

describe("a member of a group asks for a chat of the two", () => {
  flow("and an owner approves", approved);
  withSeeds(4, "and an owner approves", approved);

  flow(
    "and an owner rejects: the contact is gone here, and asking anew is a new request",
    async ({ world }) => {
      const { agent, owner, client, G, hazel, group } = await hazelsGroup(world);
      const contact = await ask(hazel, group);
      await owner.sees(asks(1));
      const { data } = await client.use("list");
      expect(data).toMatchObject({ chats: [{ chat: TRAIL }], actions: [] });
      expect(JSON.stringify((await client.use("history", { chat: TRAIL })).data)).not.toContain("direct");
      expect((await client.use("send", { chat: FIRST, text: "Hello" })).text).toBe(
        `There is no chat ${FIRST}. list shows the chats.`,
      );
      agent.newCommands();
      await owner.says("/reject 1");
      await owner.sees(asked("Rejected by Alice."));
      await world.settle();
      expectCommands(agent.newCommands(), [
        [edits(G, asked("Rejected by Alice.")), `/_get chat ${FIRST} count=0`],
        `/_delete ${FIRST} full notify=on`,
      ]);
      await hazel.deleteChat(contact);
      await ask(hazel, group, "Please");
      await owner.sees(asks(2));
    },
  );

  flow("again while the first waits: nothing changes", async ({ world }) => {
    const { owner, hazel, group } = await hazelsGroup(world);
    const contact = await ask(hazel, group, "first");
    await owner.sees(asks(1));
    await hazel.deleteChat(contact);
    await ask(hazel, group, "second");
    await world.settle();
    expect(owner.cards.filter((text) => text.startsWith(WHO))).toEqual([asks(1)]);
    await owner.says("/approve 1");
    await owner.sees(connected);
  });

  flow("of a group that the agent has left: it cannot be accepted any more", async ({ world }) => {
    const { agent, owner, hazel, group } = await hazelsGroup(world);
    await ask(hazel, group);
    await owner.sees(asks(1));
    await owner.says(`/leave ${TRAIL}`);
    await owner.sees(`Left group Trail (${TRAIL}), requested by Alice.`);
    agent.newCommands();
    await owner.says("/approve 1");
    await owner.sees(
      asked(
        "Approved by Alice; failed: `The group was left or deleted, so this request cannot be accepted any more.`.",
      ),
    );
    expect(agent.newCommands().filter((one) => one.startsWith("/_accept"))).toEqual([]);
    expect(await owner.answerTo("/requests")).toBe("No requests.");
  });

  flow("is asked about, also where the core had let members in by itself", async ({ world }) => {
    const { agent, owner, hazel, group } = await hazelsGroup(world);
    await agent.api.sendChatCmd("/_set accept member contacts 1 on");
    await agent.restart();
    expect(agent.newCommands().filter((one) => one.startsWith("/_set accept"))).toEqual([
      "/_set accept member contacts 1 off",
    ]);
    await ask(hazel, group);
    await owner.sees(asks(1));
    await agent.restart();
    await world.settle();
    expect(agent.newCommands().filter((one) => one.startsWith("/_set accept"))).toEqual([]);
    await owner.sees("1 request waits. /'requests'");
    await owner.says("/requests");
    await owner.sees(asks(2));
    await owner.says("/approve 2");
    await owner.sees(connected);
  });
});
