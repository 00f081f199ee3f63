import { beforeEach, expect, test } from "vitest";
import { SimulatedNetwork } from "../../../../src/simulator/network.js";
import { Person } from "../person.js";

const ASK = '/_address_settings 1 {"businessAddress":false}';
const AUTO = '/_address_settings 1 {"businessAddress":false,"autoAccept":{"acceptIncognito":false}}';
const DOWN = { type: "errorAgent", agentError: { type: "BROKER" } };

let network: SimulatedNetwork;
let alice: Person;
let bob: Person;
let link: { connFullLink: string; connShortLink: string };

beforeEach(async () => {
  network = new SimulatedNetwork();
  alice = await Person.start(network, "Alice");
  bob = await Person.start(network, "Bob");
  link = (await alice.run("/_address 1")).connLinkContact as typeof link;
  await alice.run(ASK);
});

const ask = (): Promise<unknown> => bob.run(`/_connect 1 incognito=off ${link.connFullLink}`);

/** Bob prepares the contact and asks; the id of his contact. */
async function askPrepared(text: string): Promise<number> {
  const { connLink, connectionPlan } = await bob.run(`/_connect plan 1 ${link.connShortLink}`);
  const { connFullLink } = connLink as typeof link;
  const { contactAddressPlan } = connectionPlan as { contactAddressPlan: { contactSLinkData_: object } };
  const data = JSON.stringify(contactAddressPlan.contactSLinkData_);
  const { chat } = await bob.run(`/_prepare contact 1 ${connFullLink} ${link.connShortLink} ${data}`);
  const { contactId } = (chat as { chatInfo: { contact: { contactId: number } } }).chatInfo.contact;
  await bob.run(`/_connect contact @${contactId} text ${text}`);
  return contactId;
}

test("An acceptance without the network fails, and works when the network is back", async () => {
  await ask();
  await network.idle();
  network.faults.networkDown(true, "Alice");
  expect(await alice.failing("/_accept 1")).toMatchObject(DOWN);
  network.faults.networkDown(false, "Alice");
  await alice.run("/_accept 1");
  await network.idle();
  expect(alice.types.at(-1)).toBe("contactConnected");
  expect(bob.types).toContain("contactConnected");
});

test("A request of somebody who gave up while we were away is accepted by itself, and never connected", async () => {
  await alice.run(AUTO);
  network.faults.networkDown(true, "Alice");
  const contactId = await askPrepared("hello");
  await network.idle();
  await bob.run(`/_delete @${contactId}`);
  await network.idle();
  network.faults.networkDown(false, "Alice");
  await network.idle();
  expect(alice.types.slice(-2)).toEqual(["newChatItems", "acceptingContactRequest"]);
  expect(await alice.failing("/_accept 1")).toMatchObject({
    agentError: { type: "SMP", smpErr: { type: "AUTH" } },
  });
});

test("What could not be asked is asked again with the same words", async () => {
  network.faults.networkDown(true, "Bob");
  const { connLink } = { connLink: link };
  const { chat } = await bob.run(
    `/_prepare contact 1 ${connLink.connFullLink} ${connLink.connShortLink} ${JSON.stringify({ profile: { displayName: "Alice", fullName: "" }, business: false })}`,
  );
  const { contactId } = (chat as { chatInfo: { contact: { contactId: number } } }).chatInfo.contact;
  expect(await bob.failing(`/_connect contact @${contactId} text hello`)).toMatchObject(DOWN);
  network.faults.networkDown(false, "Bob");
  expect(await bob.run(`/_connect contact @${contactId} text hello`)).toMatchObject({
    type: "startedConnectionToContact",
  });
  await network.idle();
  expect(alice.types.at(-1)).toBe("receivedContactRequest");
});

test("A one-time link is its own maker's to look at, and the first other's who does", async () => {
  const { connLinkInvitation } = await alice.run("/_connect 1 incognito=off");
  const { connFullLink, connShortLink } = connLinkInvitation as typeof link;
  const carol = await Person.start(network, "Carol");
  const plan = (type: string) => ({ connectionPlan: { invitationLinkPlan: { type } } });
  const taken = { agentError: { type: "SMP", smpErr: { type: "AUTH" } } };
  expect(await alice.run(`/_connect plan 1 ${connShortLink}`)).toMatchObject(plan("ownLink"));
  expect(await bob.run(`/_connect plan 1 ${connShortLink}`)).toMatchObject(plan("ok"));
  expect(await carol.failing(`/_connect plan 1 ${connShortLink}`)).toMatchObject(taken);
  expect(await carol.failing(`/_connect 1 incognito=off ${connFullLink}`)).toMatchObject(taken);
  expect(await bob.run(`/_connect plan 1 ${connShortLink}`)).toMatchObject(plan("ok"));
  await bob.run(`/_connect 1 incognito=off ${connFullLink}`);
  await network.idle();
  expect(bob.types).toContain("contactConnected");
});

test("Who ends between a confirmation and the connection is connected at the next start", async () => {
  const { connLinkInvitation } = await alice.run("/_connect 1 incognito=off");
  await alice.leave();
  await bob.run(`/_connect 1 incognito=off ${(connLinkInvitation as typeof link).connFullLink}`);
  await network.idle();
  const api = network.open("Alice");
  const seen: string[] = [];
  api.onAny(({ type }) => {
    seen.push(type);
    if (type === "contactConnecting") void api.close();
  });
  await api.startChat();
  await network.idle();
  expect(seen).toContain("contactConnecting");
  expect(seen).not.toContain("contactConnected");
  const again = await Person.start(network, "Alice");
  await network.idle();
  expect(again.types).toContain("contactConnected");
  expect(bob.types).toContain("contactConnected");
});
