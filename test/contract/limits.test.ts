import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import { connectByInvitation } from "./flow-plans.js";
import { readTranscript } from "./transcript.js";
import { World } from "./world.js";

/** The command of a probe with its unit `n` times. */
type Command = (n: number) => string;

const DAY = 86_400;
const world = new World();
/** Ids in the agent's database. */
const ids = { group: 0, contact: 0, hazel: 0, own: 0, received: 0, direct: 0 };

afterAll(() => world.close());

beforeAll(async () => {
  await world.newUser("agent", { displayName: "My Agent", fullName: "", peerType: "bot" });
  await world.newUser("Hazel");
  await world.newUser("Bob");
  await connectByInvitation(world, "agent", "Bob");
  const preferences = { timedMessages: { enable: "on", ttl: DAY } };
  await world.run(
    "Hazel",
    `/_group 1 {"displayName":"Trail","fullName":"","groupPreferences":${JSON.stringify(preferences)}}`,
  );
  const { groupLink } = await world.run("Hazel", "/_create link #1 member");
  const { connFullLink, connShortLink } = (groupLink as { connLinkContact: Record<string, string> })
    .connLinkContact;
  await world.run("agent", `/_connect 1 incognito=off ${connFullLink} ${connShortLink}`);
  await world.idle();
  await world.run("Hazel", '/_send #1 json [{"msgContent":{"type":"text","text":"12345678"}}]');
  await world.idle();
  const { groups } = (await world.run("agent", "/_groups 1")) as unknown as { groups: { groupId: number }[] };
  const { contacts } = (await world.run("agent", "/_contacts 1")) as unknown as {
    contacts: { contactId: number }[];
  };
  ids.group = groups[0]?.groupId ?? 0;
  ids.contact = contacts[0]?.contactId ?? 0;
  const { group } = (await world.run("agent", `/_members #${ids.group}`)) as unknown as {
    group: { members: { groupMemberId: number }[] };
  };
  ids.hazel = group.members[0]?.groupMemberId ?? 0;
  ids.received = itemIdOf(await world.run("agent", `/_get chat #${ids.group} count=1`));
  ids.own = itemIdOf(await world.run("agent", send(`#${ids.group}`, "q")));
  ids.direct = itemIdOf(await world.run("agent", send(`@${ids.contact}`, "q")));
  await world.idle();
});

function itemIdOf(answer: CoreJson): number {
  return Number(/"itemId":(\d+)/.exec(JSON.stringify(answer))?.[1]);
}

function send(chat: string, text: string, more: object = {}, options = ""): string {
  return `/_send ${chat}${options} json ${JSON.stringify([{ msgContent: { type: "text", text }, ...more }])}`;
}

function edit(chat: string, item: number, text: string, mentions = {}): string {
  return `/_update item ${chat} ${item} json ${JSON.stringify({ msgContent: { type: "text", text }, mentions })}`;
}

const group = () => `#${ids.group}`;
const contact = () => `@${ids.contact}`;
const xs = (n: number) => "x".repeat(n);

/** Probes of 18-limits that need no more than text: what the simulated core is asked for each. */
const PROBES: Record<string, Command> = {
  "group text 'x'": (n) => send(group(), xs(n)),
  "group text emoji 😀 (4 bytes)": (n) => send(group(), "😀".repeat(n)),
  "group text double quotes (escaped 2)": (n) => send(group(), '"'.repeat(n)),
  "group text U+0001": (n) => send(group(), "\u0001".repeat(n)),
  "group one mention @Hazel": (n) => send(group(), `@Hazel ${xs(n)}`, { mentions: { Hazel: ids.hazel } }),
  "group quote of host's 8 bytes": (n) => send(group(), xs(n), { quotedItemId: ids.received }),
  "group live": (n) => send(group(), xs(n), {}, " live=on"),
  "group ttl=600": (n) => send(group(), xs(n), {}, " ttl=600"),
  "group edit": (n) => edit(group(), ids.own, xs(n)),
  "group edit one mention": (n) => edit(group(), ids.own, `@Hazel ${xs(n)}`, { Hazel: ids.hazel }),
  "direct 'x' (compressible)": (n) => send(contact(), xs(n)),
  "direct edit 'x'": (n) => edit(contact(), ids.direct, xs(n)),
};

describe("the simulated core's limits", () => {
  for (const line of readTranscript("18").lines) {
    const command = PROBES[line.probe ?? ""];
    if (command === undefined) continue;
    it(`are the core's for ${line.probe}`, async () => {
      const answer = await world.run("agent", command(Number(line.maxPasses)));
      expect(answer.type).not.toBe("error");
      const refused = world.run("agent", command(Number(line.maxPasses) + 1));
      await expect(refused).rejects.toMatchObject({ chatError: line.error });
    });
  }

  it("hold for the support chat too", async () => {
    const line = readTranscript("27").lines.find(({ probe }) => probe === "support chat of a member");
    const largest = Number(line?.maxPasses) - ttlBytes(DAY);
    const support = `${group()}(_support)`;
    expect((await world.run("agent", send(support, xs(largest)))).type).toBe("newChatItems");
    await expect(world.run("agent", send(support, xs(largest + 1)))).rejects.toMatchObject({
      chatError: line?.error,
    });
  });
});

/** This group has disappearing messages, the one of 27 had not. */
function ttlBytes(ttl: number): number {
  return `,"ttl":${ttl}`.length;
}
