import type { CoreJson } from "../../src/core/api/chat-api.js";
import type { TestAgent } from "./agent.js";
import { at, numberAt } from "./json.js";
import { Owner } from "./owner.js";
import type { Person } from "./person.js";
import { until } from "./until.js";

/** `owner` invites somebody into the control chat, as the apps do; resolves when the agent is connected to them. */
export async function invite(
  agent: TestAgent,
  owner: Owner,
  guest: Person,
  role: "member" | "owner" = "member",
): Promise<Owner> {
  await guest.join(await owner.person.makeInvitation());
  const contact = await owner.person.contact(guest.name);
  await owner.person.run(`/_add ${owner.chat} ${contact.slice(1)} ${role}`);
  const invitation = await guest.waitFor("an invitation", ({ type }) => type === "receivedGroupInvitation");
  const chat = `#${numberAt(invitation, "groupInfo", "groupId")}` as const;
  await guest.run(`/_join ${chat}`);
  await guest.connected(chat);
  const connectedTo = (name: string) => (event: CoreJson) =>
    event.type === "connectedToGroupMember" && at(event, "member", "memberProfile", "displayName") === name;
  const hands = await agent.hands();
  await hands.waitFor(`the connection to ${guest.name}`, connectedTo(guest.name));
  await guest.waitFor("the connection to the agent", connectedTo("My Agent"));
  return new Owner(guest, chat);
}

/** `owner` gives somebody of the control chat another role; resolves when the agent knows of it. */
export async function giveRole(agent: TestAgent, owner: Owner, name: string, role: string): Promise<void> {
  const hands = await agent.hands();
  const before = hands.events.length;
  await owner.person.setRole(owner.chat, name, role);
  await until(`the role of ${name}, to the agent`, () =>
    hands.events
      .slice(before)
      .some(
        (event) =>
          event.type === "memberRole" &&
          at(event, "member", "memberProfile", "displayName") === name &&
          event.toRole === role,
      ),
  );
}

/** Invites somebody and makes them an owner, too. */
export async function addOwner(agent: TestAgent, owner: Owner, guest: Person): Promise<Owner> {
  const added = await invite(agent, owner, guest);
  await giveRole(agent, owner, guest.name, "owner");
  return added;
}
