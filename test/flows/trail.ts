import type { ChatRef } from "../../src/core/types.js";
import type { AgentOptions, TestAgent } from "../world/agent.js";
import type { Owner } from "../world/owner.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";

/** An agent with its owner, in the group Trail with Hazel, who made it, and Switchback. */
export interface Trail {
  world: World;
  agent: TestAgent;
  owner: Owner;
  hazel: Person;
  switchback: Person;
  /** The group as the agent, Hazel and Switchback number it. */
  chat: ChatRef;
  hazels: ChatRef;
  switchbacks: ChatRef;
}

export async function trail(world: World, options: AgentOptions = {}): Promise<Trail> {
  const [{ agent, owner }, hazel, switchback] = await Promise.all([
    world.agentWithOwner(options),
    world.person("Hazel"),
    world.person("Switchback"),
  ]);
  const { chat: hazels, link } = await hazel.makeGroup("Trail", { history: { enable: "off" } });
  const switchbacks = await switchback.join(link);
  const chat = await (await agent.hands()).join(link);
  await switchback.waitFor("the agent as a member", ({ type }) => type === "connectedToGroupMember");
  await world.settle();
  agent.newCommands();
  return { world, agent, owner, hazel, switchback, chat, hazels, switchbacks };
}

/** A person that the agent is connected to; `chat` is the agent's, `theirs` the person's. */
export async function contactOf(
  world: World,
  agent: TestAgent,
  name: string,
  peerType?: "bot",
): Promise<{ person: Person; chat: ChatRef; theirs: ChatRef }> {
  const person = await world.person(name, peerType ? { peerType } : {});
  const chat = await (await agent.hands()).join(await person.makeAddress());
  const theirs = await person.contact("My Agent");
  await world.settle();
  agent.newCommands();
  return { person, chat, theirs };
}

/** The last card of the owner that asks for something, once there is one. */
export async function approve(owner: Owner, number: number): Promise<void> {
  await owner.sees(new RegExp(`approve(?: [@#]\\d+)? ${number}'`));
  await owner.says(`/approve ${number}`);
}
