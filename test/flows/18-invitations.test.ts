import { describe, expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import { flow, withSeeds } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import { FIRST, type Friend, friend, inviteAgent, reachable } from "./reachable.js";
import { edits, expectCommands, posts, savesCounter } from "./support.js";

/** The first group after the control chat. */
const TRAIL = "#2";
const commands = (number: number) => `/'approve ${number}' or /'reject ${number}'`;
const asked = (number: number, role = "member") =>
  `Bob (${FIRST}) invites me to group Trail, as ${role}.\n${commands(number)}`;
const joined = `I joined group Trail (${TRAIL}), invited by Bob (${FIRST}).\nApproved by Alice.`;
const invited = (ending: string) => `Bob (${FIRST}) invited me to group Trail.\n${ending}`;

async function bobsGroup(world: World) {
  const scene = await reachable(world);
  const bob = await friend(world, scene, "Bob");
  const { chat: group } = await bob.person.makeGroup("Trail");
  return { ...scene, bob, group };
}

async function approved({ world }: { world: World }): Promise<void> {
  const { agent, owner, client, G, bob, group } = await bobsGroup(world);
  await inviteAgent(bob, group);
  await owner.sees(asked(1));
  await world.settle();
  await owner.says("/approve 1");
  await owner.sees(joined);
  const reads = [`/_get chat ${TRAIL} count=20`, `/_get chat ${FIRST} count=100`];
  expectCommands(agent.newCommands(), [
    ...reads,
    savesCounter(G, 2),
    posts(G, asked(1)),
    ...reads,
    `/_join ${TRAIL}`,
    edits(G, joined),
  ]);
  expect((await client.use("list", { search: "Trail" })).data?.chats).toMatchObject([
    { chat: TRAIL, kind: "group", name: "Trail", role: "member", connected: true },
  ]);
  await bob.person.send(group, "Welcome");
  expect((await client.use("receive", { chat: TRAIL, wait: 60 })).data?.messages).toMatchObject([
    { text: "Welcome" },
  ]);
}

/** The group that waits is none for the agent, nor does the chat with its inviter tell of it. */
async function expectHidden({ client }: Awaited<ReturnType<typeof bobsGroup>>): Promise<void> {
  const { data } = await client.use("list");
  expect(JSON.stringify(data)).not.toContain("Trail");
  const { data: history } = await client.use("history", { chat: FIRST });
  expect(JSON.stringify(history)).not.toContain("Trail");
  expect((await client.use("history", { chat: TRAIL })).text).toBe(
    `There is no chat ${TRAIL}. list shows the chats.`,
  );
}

async function membersOf({ person }: Friend, group: ChatRef): Promise<string> {
  return JSON.stringify(await person.run(`/_members ${group}`));
}

describe("a contact invites the agent into a group", () => {
  flow("and an owner approves: it joins", approved);
  withSeeds(4, "and it joins", approved);

  flow(
    "and an owner rejects: the group is gone here, and the contact may invite again",
    async ({ world }) => {
      const scene = await bobsGroup(world);
      const { agent, owner, G, bob, group } = scene;
      await inviteAgent(bob, group);
      await owner.sees(asked(1));
      await expectHidden(scene);
      agent.newCommands();
      await owner.says("/reject 1 No groups today");
      const rejected = invited("Rejected by Alice: `No groups today`.");
      await owner.sees(rejected);
      await world.settle();
      expectCommands(agent.newCommands(), [
        [edits(G, rejected), `/_get chat ${TRAIL} count=0`],
        `/_delete ${TRAIL} full notify=on`,
      ]);
      expect(await membersOf(bob, group)).toContain('"memberStatus":"invited"');
      await inviteAgent(bob, group);
      await owner.sees(asked(2));
    },
  );

  flow(
    "twice while the first waits: the card shows the first role, and no other is accepted",
    async ({ world }) => {
      const { agent, owner, bob, group } = await bobsGroup(world);
      await inviteAgent(bob, group, "observer");
      await owner.sees(asked(1, "observer"));
      await inviteAgent(bob, group, "member");
      await world.settle();
      expect(owner.cards.filter((text) => text.includes("invites me"))).toHaveLength(1);
      agent.newCommands();
      await owner.says("/approve 1");
      await owner.sees(
        invited(
          "Approved by Alice; failed: `It asks otherwise now than on this card. Write /requests to see it as it is.`.",
        ),
      );
      expect(agent.newCommands().filter((one) => one.startsWith("/_join"))).toEqual([]);
      await owner.says("/requests");
      await owner.sees(asked(2, "member"));
      await owner.says("/approve 2");
      await owner.sees(joined);
    },
  );

  flow(
    "and takes it back: only the approval finds that out, and nothing is left of it",
    async ({ world }) => {
      const { agent, owner, bob, group } = await bobsGroup(world);
      await inviteAgent(bob, group);
      await owner.sees(asked(1));
      await bob.person.remove(group, "My Agent");
      await world.settle();
      agent.newCommands();
      await owner.says("/approve 1");
      await owner.sees(
        invited("Approved by Alice; failed: `The invitation was taken back, or the group was deleted.`."),
      );
      await world.settle();
      expect(agent.newCommands().filter((one) => /^\/_(?:join|delete) /.test(one))).toEqual([
        `/_join ${TRAIL}`,
        `/_delete ${TRAIL} full notify=on`,
      ]);
      expect(await owner.answerTo("/requests")).toBe("No requests.");
    },
  );

  flow("that the agent waits for over a restart", async ({ world }) => {
    const { agent, owner, bob, group } = await bobsGroup(world);
    await inviteAgent(bob, group, "admin");
    await owner.sees(asked(1, "admin"));
    await agent.restart();
    await owner.sees("1 request waits. /'requests'");
    await owner.says("/requests");
    await owner.sees(asked(2, "admin"));
    await owner.says("/approve 2");
    await owner.sees(joined);
  });

  flow(
    "and is told of with the name and chat that they have at the approval, or not accepted",
    async ({ world }) => {
      const { owner, bob, group } = await bobsGroup(world);
      await inviteAgent(bob, group);
      await owner.sees(asked(1));
      await bob.person.rename("Robert");
      await world.settle();
      await owner.says("/approve 1");
      await owner.sees(
        /^Bob \(@4\) invited me to group Trail\.\nApproved by Alice; failed: `It asks otherwise/,
      );
      await owner.says("/requests");
      await owner.sees(`Robert (${FIRST}) invites me to group Trail, as member.\n${commands(2)}`);
    },
  );
});
