import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChatRef } from "../../../src/core/types.js";
import { movePeopleIn, type People } from "../../../src/demo/world/people.js";
import { type Incoming, Person } from "../../../src/demo/world/person.js";
import { CHATTER, ROUTE, VISITOR } from "../../../src/demo/world/scripts.js";
import { SimulatedNetwork } from "../../../src/simulator/network.js";
import type { Clock } from "../../../src/time/clock.js";

/** People think no time at all: who could answer too early does. */
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (_ms, fn) => {
    queueMicrotask(fn);
    return () => undefined;
  },
};

/** Milliseconds. */
const PATIENCE = { timeout: 10_000 };

let network: SimulatedNetwork;
let people: People;
let guest: Person;
let inbox: Incoming[];
let log: string[];
beforeEach(async () => {
  log = [];
  inbox = [];
  network = new SimulatedNetwork({ clock });
  people = await movePeopleIn(network, { log: (line) => log.push(line) });
  guest = await Person.start(network.open("Gil"), { displayName: "Gil", fullName: "" }, clock);
  guest.onMessage((message) => inbox.push(message));
});
afterEach(async () => {
  await guest.close();
  await people.close();
  expect(log).toEqual([]);
});

describe("the people of the demo", () => {
  it("answer a message that came with the request to connect, once they are connected", async () => {
    await connect("@echo.simplex", "hello");
    await expect.poll(texts, PATIENCE).toContain("echo: hello");
    await connect("@ridgeline.simplex", "Do you have tents?");
    await expect.poll(texts, PATIENCE).toContainEqual(expect.stringContaining("tents from 12 a night"));
  });

  it("have a directory whose links lead to groups", async () => {
    const chat = await connect("@directory.simplex", "all");
    await expect.poll(texts, PATIENCE).toContainEqual(expect.stringContaining("Found 2 groups."));
    const found = inbox.find((message) => message.chat === chat && message.text.startsWith("Found"));
    const links = found?.text.match(/^https:\S+$/gm) ?? [];
    expect(links).toHaveLength(2);
    for (const link of links) await guest.join(link);
  });

  it("talk in the group: who is asked answers, and no answer is answered", async () => {
    const directory = await connect("@directory.simplex", "hiking");
    await expect.poll(texts, PATIENCE).toContainEqual(expect.stringContaining("Found 1 group."));
    const link = /https:\S+/.exec(
      inbox.find(({ chat, text }) => chat === directory && /Found/.test(text))?.text ?? "",
    );
    const group = await guest.join(link?.[0] ?? "");
    await expect.poll(texts, PATIENCE).toContain("Hello Gil!");
    // The other members are introduced to the guest; who is not connected yet would not hear.
    await network.idle();
    await guest.say(group, "Which route is dry, @Fern?");
    await guest.say(group, "Which route is dry?");
    await people.chatter();
    const written = (): string[] =>
      inbox.flatMap(({ chat, member }) => (chat === group && member ? [member.name] : []));
    // The route and the welcome of the history, the greeting, two answers and one line of chatter.
    await expect.poll(() => written().length, PATIENCE).toBe(6);
    await network.idle();
    expect(written().sort()).toEqual(["Fern", "Fern", "Hazel", "Hazel", "Switchback", "Switchback"]);
  });

  it("have posted a route that who comes later can download", async () => {
    const folder = await mkdtemp(join(tmpdir(), "guest-"));
    const path = join(folder, ROUTE.name);
    const complete = new Promise<void>((resolve) => {
      guest.onEvent((event) => {
        if (event.type === "rcvFileDescrReady") {
          void guest.core.receiveFile(event.rcvFileTransfer.fileId, { path });
        }
        if (event.type === "rcvFileComplete") resolve();
      });
    });
    await guest.join(people.trail);
    await complete;
    expect(await readFile(path, "utf8")).toBe(ROUTE.content);
    expect(texts()).toContain(ROUTE.text);
    await rm(folder, { recursive: true });
  });

  it("have one among them who asks to connect, once, when the address is known, and who then answers", async () => {
    const address = await addressOf(guest);
    people.passOn(address);
    people.passOn(address);
    await expect.poll(() => texts(), PATIENCE).toEqual([VISITOR.asks]);
    const [first] = inbox;
    await guest.say(first?.chat ?? "@0", "When do you want to walk?");
    await expect.poll(texts, PATIENCE).toContainEqual(expect.stringContaining("Saturday"));
    await network.idle();
    expect(inbox).toHaveLength(2);
  });

  it("have something to say by themselves once a guest is in the group, and then rest", async () => {
    const network = new SimulatedNetwork({ clock });
    const talkative = await movePeopleIn(network, { chatterMs: 1, log: (line) => log.push(line) });
    const gil = await Person.start(network.open("Gil"), { displayName: "Gil", fullName: "" }, clock);
    const said: string[] = [];
    gil.onMessage(({ text }) => said.push(text));
    await gil.join(talkative.trail);
    for (const { text } of CHATTER) await expect.poll(() => said, PATIENCE).toContain(text);
    await network.idle();
    // The route and the welcome of the history and the greeting, too.
    expect(said).toHaveLength(CHATTER.length + 3);
    await gil.close();
    await talkative.close();
  });
});

/** The guest's address, where requests are accepted. */
const addressOf = (person: Person): Promise<string> =>
  person.openAddress({ business: false, welcome: "Welcome." });

function texts(): string[] {
  return inbox.map(({ text }) => text);
}

/** Connects to the address that a name leads to. */
async function connect(name: string, message: string): Promise<ChatRef> {
  const { core, user } = guest;
  const { connLink, plan } = await core.connectPlan(user.userId, name);
  const address = plan.type === "contactAddress" ? plan.contactAddressPlan : undefined;
  const data = address?.type === "ok" ? address.contactSLinkData_ : undefined;
  if (!data) throw new Error(`unexpected plan of ${name}`);
  const { chatInfo } = await core.prepareContact(user.userId, connLink, data.json, name.slice(1));
  if (chatInfo.type === "direct") {
    await core.connectPreparedContact(chatInfo.contact.contactId, false, message);
    return `@${chatInfo.contact.contactId}`;
  }
  if (chatInfo.type !== "group") throw new Error(`unexpected chat of ${name}`);
  await core.connectPreparedGroup(chatInfo.groupInfo.groupId, false, message);
  return `#${chatInfo.groupInfo.groupId}`;
}
