import { type ChatRef, parseChatRef } from "../../src/core/types.js";
import type { AgentOptions, TestAgent } from "../world/agent.js";
import type { TestClient } from "../world/client.js";
import type { Owner } from "../world/owner.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";

/** An agent with an owner and an address. */
export interface Reachable {
  agent: TestAgent;
  owner: Owner;
  client: TestClient;
  /** The control chat, as the agent numbers it. */
  G: ChatRef;
  /** The agent's address. */
  link: string;
}

export async function reachable(world: World, options: AgentOptions = {}): Promise<Reachable> {
  const { agent, owner } = await world.agentWithOwner(options);
  const link = linkIn(await owner.answerTo("/address"));
  const client = await agent.client("modern");
  await world.settle();
  agent.newCommands();
  return { agent, owner, client, G: agent.controlChat, link };
}

/** The link in a text of the server. */
export function linkIn(text: string): string {
  const link = /(?:https|simplex):\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`there is no link in ${text}`);
  return link;
}

/** Somebody who is a contact of the agent, by a one-time link. */
export interface Friend {
  person: Person;
  /** The agent, as the person numbers it. */
  contact: ChatRef;
  /** The person, as the agent does. */
  chat: ChatRef;
}

export async function friend(world: World, { agent, owner }: Reachable, name: string): Promise<Friend> {
  const person = await world.person(name);
  const contact = await person.join(linkIn(await owner.answerTo("/invite")));
  const { text } = await owner.sees(new RegExp(`^${name} is connected to me by a one-time link`));
  await world.settle();
  agent.newCommands();
  const chat = parseChatRef(/@\d+/.exec(text)?.[0] ?? "");
  if (!chat) throw new Error(`there is no chat in ${text}`);
  return { person, contact, chat };
}

/** Invites the agent into a group, as the apps do. */
export async function inviteAgent(
  { person, contact }: Friend,
  group: ChatRef,
  role: "member" | "observer" | "admin" = "member",
): Promise<void> {
  await person.run(`/_add ${group} ${contact.slice(1)} ${role}`);
}

/** The first contact of a new agent. */
export const FIRST = "@4";

/** The card of a request, and how it ends. */
export function requestCard(number: number, who: string, message?: string) {
  const asked = (ending: string) => `${who} asked to connect to me.\n${ending}`;
  return {
    pending:
      message === undefined
        ? `${who} asks to connect to me.\n/'approve ${number}' or /'reject ${number}'`
        : `${who} asks to connect to me, with the message: ${message}\n/'approve ${number}' or /'reject ${number}'`,
    done: (chat: string) => `${who} is connected to me: contact ${chat}.\nApproved by Alice.`,
    not: asked,
  };
}
