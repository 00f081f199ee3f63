import type { ChatRef } from "../../src/core/types.js";
import type { AgentOptions, TestAgent } from "../world/agent.js";
import type { TestClient } from "../world/client.js";
import type { Owner } from "../world/owner.js";
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
