import { expect, test } from "vitest";
import { SimulatedNetwork } from "../../../../src/simulator/network.js";
import { Person } from "../person.js";

interface ListedChat {
  readonly chatInfo: {
    readonly contact?: { readonly contactId: number; readonly profile: { contactLink?: string } };
  };
}

/** A new user: one of its preset contacts, contact 3, is a card with an address. */
async function withCard(): Promise<{ network: SimulatedNetwork; alice: Person; address: string }> {
  const network = new SimulatedNetwork();
  const alice = await Person.start(network, "Alice");
  const { chats } = await alice.run("/_get chats 1 count=10");
  const card = (chats as ListedChat[]).find(({ chatInfo }) => chatInfo.contact?.contactId === 3);
  return { network, alice, address: card?.chatInfo.contact?.profile.contactLink ?? "" };
}

test("The address on a contact's card is recognised", async () => {
  const { alice, address } = await withCard();
  expect(await alice.run(`/_connect plan 1 ${address}`)).toMatchObject({
    connectionPlan: {
      type: "contactAddress",
      contactAddressPlan: { type: "contactViaAddress", contact: { contactId: 3 } },
    },
  });
});

test("A card's address that cannot be reached fails as any address", async () => {
  const { alice } = await withCard();
  expect(await alice.failing("/_connect contact 1 incognito=off 3")).toMatchObject({
    type: "errorAgent",
    agentError: { type: "BROKER" },
  });
});

test("A contact without an address in its profile cannot be asked, nor one that is connected", async () => {
  const { network, alice } = await withCard();
  const bob = await Person.start(network, "Bob");
  const { connLinkContact } = await bob.run("/_address 1");
  await bob.run('/_address_settings 1 {"businessAddress":false,"autoAccept":{"acceptIncognito":false}}');
  await alice.run(`/_connect 1 incognito=off ${(connLinkContact as { connFullLink: string }).connFullLink}`);
  await network.idle();
  const connected = await alice.failing("/_connect contact 1 incognito=off 4");
  expect(connected).toMatchObject({ errorType: { message: "contact already has connection" } });
  await bob.run("/_delete @4 entity notify=on");
  await network.idle();
  const noAddress = await alice.failing("/_connect contact 1 incognito=off 1");
  expect(noAddress).toMatchObject({ errorType: { message: "no address in contact profile" } });
});
