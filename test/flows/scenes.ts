import type { ChatRef } from "../../src/core/types.js";
import type { AgentOptions, TestAgent } from "../world/agent.js";
import type { Era, TestClient } from "../world/client.js";
import { numberAt } from "../world/json.js";
import type { Owner } from "../world/owner.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";

/** An agent with its owner and one peer that it is connected to. */
export interface Scene {
  agent: TestAgent;
  owner: Owner;
  client: TestClient;
  /** The control chat, as the agent numbers it. */
  G: ChatRef;
  peer: Person;
  /** The chat with the peer, as the agent and as the peer number it. */
  chat: ChatRef;
  peerChat: ChatRef;
}

export interface SceneOptions extends AgentOptions {
  /** Which chat the agent and its peer have; default a business. */
  kind?: "business" | "contact" | "bot" | "group";
  era?: Era;
}

/** Set past the server: the agent's commands so far are dropped. */
export async function scene(world: World, options: SceneOptions = {}): Promise<Scene> {
  const { kind = "business", era = "modern", ...agentOptions } = options;
  const { agent, owner } = await world.agentWithOwner(agentOptions);
  const peer = await world.person(NAMES[kind], kind === "bot" ? { peerType: "bot" } : {});
  const { chat, peerChat } = await meet(agent, peer, kind);
  const client = await agent.client(era);
  await world.settle();
  agent.newCommands();
  return { agent, owner, client, G: agent.controlChat, peer, chat, peerChat };
}

const NAMES = { business: "Ridgeline", contact: "Bob", bot: "Echo", group: "Hazel" } as const;

/** Connects the agent to a peer, past the server. */
export async function meet(
  agent: TestAgent,
  peer: Person,
  kind: "business" | "contact" | "bot" | "group",
): Promise<{ chat: ChatRef; peerChat: ChatRef }> {
  const hands = await agent.hands();
  if (kind === "group") {
    const { chat: peerChat, link } = await peer.makeGroup("Trail");
    return { chat: await hands.join(link), peerChat };
  }
  const chat = await hands.join(await peer.makeAddress({ business: kind === "business" }));
  if (kind !== "business") return { chat, peerChat: await peer.contact("My Agent") };
  const joined = await peer.waitFor(
    "the agent in the business chat",
    ({ type }) => type === "joinedGroupMember",
  );
  return { chat, peerChat: `#${numberAt(joined, "groupInfo", "groupId")}` };
}

/** Gives an owner's standing approval for messages to the chat, past the server, as an earlier run stored it. */
export async function givesAll(world: World, agent: TestAgent, chat: ChatRef, by = "Alice"): Promise<void> {
  const hands = await agent.hands();
  const approval = {
    approvedBy: by,
    approvedById: await hands.member(agent.controlChat, by),
    approvedAt: new Date(world.clock.now()).toISOString(),
  };
  await hands.run(`/_set custom ${chat} ${JSON.stringify({ simplexMcp: approval })}`);
}
