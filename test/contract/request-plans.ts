import { connectByInvitation } from "./flow-plans.js";
import { makeSentFiles } from "./plan-files.js";
import type { Plan } from "./replay.js";
import { restarts } from "./restarts.js";
import type { World } from "./world.js";

const AGENT = { displayName: "My Agent", fullName: "", peerType: "bot" };

/** The members of Alice's group, as they joined after the agent. */
const MEMBERS = ["Bob", "Carol", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon"];

const PREFERENCES = { directMessages: { enable: "on" }, history: { enable: "on" } };

/** Alice makes a group. */
async function makeGroup(
  world: World,
  displayName: string,
  groupPreferences: object = PREFERENCES,
): Promise<void> {
  const profile = { displayName, fullName: "", groupPreferences };
  await world.unrecorded(async () => world.run("Alice", `/_group 1 ${JSON.stringify(profile)}`));
}

/** Somebody joins a host's group through its link. */
async function joinByLink(world: World, host: string, groupId: number, who: string): Promise<void> {
  const made = await world.run(host, `/_get link #${groupId}`).catch(async () => {
    return world.run(host, `/_create link #${groupId} member`);
  });
  const { connLinkContact } = made.groupLink as { connLinkContact: { connShortLink: string } };
  const plan = await world.run(who, `/_connect plan 1 ${connLinkContact.connShortLink}`);
  const { connFullLink, connShortLink } = plan.connLink as { connFullLink: string; connShortLink: string };
  const { groupLinkPlan } = plan.connectionPlan as { groupLinkPlan: { groupSLinkData_: object } };
  const data = JSON.stringify(groupLinkPlan.groupSLinkData_);
  const prepared = await world.run(
    who,
    `/_prepare group 1 ${connFullLink} ${connShortLink} direct=on ${data}`,
  );
  const { chatInfo } = prepared.chat as { chatInfo: { groupInfo: { groupId: number } } };
  await world.run(who, `/_connect group #${chatInfo.groupInfo.groupId}`);
  await world.idle();
}

/** The recording names the agent's row among somebody's members, in a group of theirs, before it shows it. */
async function knowMember(world: World, who: string, recorded: number, group = "#1"): Promise<void> {
  const { group: listed } = await world.run(who, `/_members ${group}`);
  const { members } = listed as { members: { groupMemberId: number; localDisplayName: string }[] };
  const agent = members.find(({ localDisplayName }) => localDisplayName.startsWith("My Agent"));
  world.translation.pair(`${who} member`, recorded, agent?.groupMemberId);
}

/** The recording names an item of somebody's group before it shows it. */
async function knowItem(world: World, who: string, recorded: number, text: string): Promise<void> {
  await world.idle();
  const { chat } = await world.run(who, "/_get chat #1 count=100");
  const { chatItems } = chat as { chatItems: { meta: { itemId: number; itemText: string } }[] };
  const item = chatItems.find(({ meta }) => meta.itemText === text);
  if (!item) throw new Error(`${who} has no item ${text}`);
  world.translation.pair(`${who} item`, recorded, item.meta.itemId);
}

/** The groups that Alice made before these lines. */
const groupsBefore = (names: Readonly<Record<number, string>>): NonNullable<Plan["before"]> =>
  Object.fromEntries(
    Object.entries(names).map(([line, name]) => [line, async (world: World) => makeGroup(world, name)]),
  );

/** The steps that the recordings of people who come to the agent leave out. Each has a world of its own. */
export const REQUEST_PLANS: Record<string, Plan> = {
  "31-requests-over-restarts": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of [
        "pBob",
        "pCarol",
        "Dan",
        "pEve",
        "Fay",
        "pGus",
        "Hal",
        "pIvy",
        "Jon",
        "pKim",
        "Quin",
        "pLea",
        "Max",
        "Oli",
        "pNed",
        "Pat",
      ])
        await world.newUser(who);
    },
    before: {
      ...restarts("31"),
      // Its process had ended when the agent had the request.
      164: async (world) => world.network.faults.networkDown(true, "agent"),
      165: async (world) => {
        await world.idle();
        await world.closeUser("Hal");
        world.network.faults.networkDown(false, "agent");
      },
    },
  },
  "32-one-time-links": {
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Bob", "Carol", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy"]) await world.newUser(who);
    },
    before: restarts("32"),
  },
  "33-group-invitations": {
    leftOut: ["chatItemsStatusesUpdated"],
    interleaved: true,
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Alice", "Bob"]) await world.newUser(who);
      await world.unrecorded(async () => {
        await connectByInvitation(world, "Alice", "agent");
        await world.idle();
        await connectByInvitation(world, "agent", "Bob");
        await world.idle();
        await connectByInvitation(world, "Alice", "Bob");
      });
    },
    before: {
      ...restarts("33"),
      ...groupsBefore({
        2: "Running",
        27: "Stopped",
        29: "Stopped two",
        74: "Refused",
        102: "Leave while invited",
        114: "Twice",
        136: "Withdrawn",
        161: "Deleted",
        224: "Came back",
      }),
      174: async (world) => {
        await makeGroup(world, "Two hosts");
        await world.unrecorded(async () => {
          await world.run("Alice", "/_add #8 5 admin");
          await world.idle();
          await world.run("Bob", "/_join #1");
        });
      },
    },
  },
  "34-member-contacts": {
    leftOut: ["chatItemsStatusesUpdated"],
    // The last of the members to meet.
    skip: [[6, 7]],
    observed: ["agent", ...MEMBERS],
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Alice", ...MEMBERS]) await world.newUser(who);
      const preferences = { directMessages: { enable: "on" } };
      await makeGroup(world, "Room", preferences);
      await makeGroup(world, "Short lived", preferences);
      await world.unrecorded(async () => {
        for (const who of ["agent", ...MEMBERS]) await joinByLink(world, "Alice", 1, who);
        for (const who of ["agent", "Ivy"]) await joinByLink(world, "Alice", 2, who);
      });
    },
    before: {
      ...restarts("34"),
      62: async (world) => knowMember(world, "Fay", 7),
      90: async (world) => knowMember(world, "Hal", 6),
      149: async (world) => knowMember(world, "Eve", 6),
      165: async (world) => knowMember(world, "Gus", 5),
      194: async (world) => knowMember(world, "Ivy", 14, "#2"),
      216: async (world) => knowMember(world, "Jon", 9),
      202: async (world) => void (await world.run("Alice", "/_delete #2")),
    },
  },
  "35-reactions-edits-deletions": {
    leftOut: ["chatItemsStatusesUpdated"],
    observed: ["agent", "Bob", "Dan"],
    setUp: async (world) => {
      await world.newUser("agent", AGENT);
      for (const who of ["Alice", "Bob", "Carol", "Mod", "Dan"]) await world.newUser(who);
      makeSentFiles(world, "35", { agent: AGENT.displayName });
      await makeGroup(world, "Room");
      await world.unrecorded(async () => {
        await connectByInvitation(world, "agent", "Bob");
        for (const who of ["agent", "Bob", "Carol", "Mod"]) await joinByLink(world, "Alice", 1, who);
        await world.run("Alice", "/_member role #1 5 moderator");
      });
    },
    before: {
      ...restarts("35"),
      // He reacted before he heard of the deletion.
      29: async (world) => world.network.faults.networkDown(true, "Bob"),
      31: async (world) => world.network.faults.networkDown(false, "Bob"),
      45: async (world) => knowItem(world, "Carol", 19, "group one"),
      // The largest edit that passes, and its removal.
      111: async (world) => {
        const edit = { msgContent: { type: "text", text: "y".repeat(15_434) }, mentions: {} };
        await world.unrecorded(async () => {
          await world.say("agent", `/_update item #1 34 json ${JSON.stringify(edit)}`);
          await world.say("agent", "/_delete item #1 34 internal");
        });
      },
      // What Alice passed on came later than what Bob sent.
      228: async (world) => world.network.faults.networkDown(true, "Alice"),
      249: async (world) => world.network.faults.networkDown(false, "Alice"),
      48: async (world) => knowItem(world, "Alice", 22, "group one"),
      66: async (world) => knowItem(world, "Carol", 20, "Bob's own"),
      98: async (world) => knowItem(world, "Carol", 21, "nobody"),
      161: async (world) => knowItem(world, "Mod", 26, "to be moderated"),
      227: async (world) => {
        await world.unrecorded(async () => joinByLink(world, "Alice", 1, "Dan"));
        await knowItem(world, "Dan", 17, "before Dan");
      },
    },
  },
};
