import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { SimulatedNetwork } from "../../../src/simulator/network.js";
import { FakeClock } from "../../world/clock.js";
import { connect, Person } from "./person.js";

async function pair(network = new SimulatedNetwork()): Promise<[SimulatedNetwork, Person, Person]> {
  const alice = await Person.start(network, "Alice");
  const bob = await Person.start(network, "Bob");
  await connect(network, alice, bob);
  return [network, alice, bob];
}

const statusOf = async (person: Person, chat: string): Promise<unknown> => {
  const { chat: page } = await person.run(`/_get chat ${chat} count=1`);
  return (page as { chatItems: Array<{ meta: { itemStatus: unknown } }> }).chatItems[0]?.meta.itemStatus;
};

describe("a message", () => {
  test("is sent, received and read back, with its statuses on the way", async () => {
    const [network, alice, bob] = await pair();
    const { chatItems } = await alice.say("@4", "hello");
    expect(chatItems).toMatchObject([{ chatItem: { meta: { itemStatus: { type: "sndNew" } } } }]);
    await network.idle();
    expect(await bob.heard("@4")).toEqual(["hello"]);
    expect(await statusOf(alice, "@4")).toEqual({
      type: "sndRcvd",
      msgRcptStatus: "ok",
      sndProgress: "complete",
    });
  });

  test("waits at the servers while its receiver is stopped", async () => {
    const [network, alice, bob] = await pair();
    await bob.leave();
    await alice.say("@4", "are you there?");
    await network.idle();
    expect(await statusOf(alice, "@4")).toEqual({ type: "sndSent", sndProgress: "complete" });
    const again = await Person.start(network, "Bob");
    await network.idle();
    expect(await again.heard("@4")).toEqual(["are you there?"]);
    expect(again.types).toContain("newChatItems");
  });

  test("waits in the sender's database while no server can be reached", async () => {
    const [network, alice, bob] = await pair();
    network.faults.networkDown(true, "Alice");
    await alice.say("@4", "later");
    await network.idle();
    expect(await statusOf(alice, "@4")).toEqual({ type: "sndNew" });
    const count = "/sql agent SELECT count(1) FROM snd_message_deliveries";
    expect(await alice.run(count)).toMatchObject({ rows: ["count(1)", "1"] });
    await alice.leave();
    network.faults.networkDown(false, "Alice");
    const again = await Person.start(network, "Alice");
    await network.idle();
    expect(await bob.heard("@4")).toEqual(["later"]);
    expect(await again.run(count)).toMatchObject({ rows: ["count(1)", "0"] });
  });

  test("disappears when its time has come, also after a restart", async () => {
    const clock = new FakeClock({ settle: () => network.idle() });
    const network = new SimulatedNetwork({ clock });
    const [, alice] = await pair(network);
    await alice.run('/_set prefs @4 {"timedMessages":{"allow":"yes","ttl":60}}');
    await network.idle();
    await alice.say("@4", "first");
    await clock.advance(59_000);
    expect(alice.types).not.toContain("chatItemsDeleted");
    await clock.advance(1000);
    expect(alice.types).toContain("chatItemsDeleted");
    await alice.say("@4", "second");
    await network.idle();
    await alice.leave();
    await clock.advance(61_000);
    const again = await Person.start(network, "Alice");
    await network.idle();
    expect(again.types).toEqual(["chatItemsDeleted"]);
  });
});

describe("one database opened twice", () => {
  test("answers both; what comes in goes to the one that started last", async () => {
    const [network, alice, bob] = await pair();
    const second = await Person.start(network, "Bob");
    await network.idle();
    expect(bob.types).toContain("contactConnected");
    bob.events.length = 0;
    await alice.say("@4", "to whom?");
    await network.idle();
    expect(bob.types).toEqual([]);
    expect(second.types).toEqual(["newChatItems"]);
    expect(await bob.heard("@4")).toEqual(["to whom?"]);
  });

  test("tells who sent a message what became of it", async () => {
    const [network, , bob] = await pair();
    const second = await Person.start(network, "Bob");
    await network.idle();
    bob.events.length = 0;
    await bob.say("@4", "from the first");
    await network.idle();
    expect(bob.types).toEqual(["chatItemsStatusesUpdated"]);
    expect(second.types).toEqual(["chatItemsStatusesUpdated"]);
  });
});

describe("a network", () => {
  test("can be saved and loaded, with what waited at its servers", async () => {
    const [network, alice, bob] = await pair();
    await alice.say("@4", "before");
    await network.idle();
    await bob.leave();
    await alice.say("@4", "while Bob was away");
    await network.idle();
    await alice.leave();
    const folder = mkdtempSync(join(tmpdir(), "network-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "network.json");
    network.registerName("alice.simplex", { contact: "simplex:/a" });
    network.save(path);

    const loaded = SimulatedNetwork.load(path);
    expect(loaded.names.get("alice.simplex")).toEqual({ contact: "simplex:/a" });
    const bobAgain = await Person.start(loaded, "Bob");
    const aliceAgain = await Person.start(loaded, "Alice");
    await loaded.idle();
    expect(await bobAgain.heard("@4")).toEqual(["before", "while Bob was away"]);
    await bobAgain.say("@4", "back again");
    await loaded.idle();
    expect(await aliceAgain.heard("@4")).toEqual(["back again"]);
  });

  test("is idle only when slow handlers have been given all that came", async () => {
    const [network, alice, bob] = await pair();
    bob.events.length = 0;
    bob.api.onAny(async () => {
      for (let turns = 0; turns < 50; turns++) await setImmediate();
    });
    for (const text of ["one", "two", "three"]) await alice.say("@4", text);
    await network.idle();
    expect(bob.types).toEqual(["newChatItems", "newChatItems", "newChatItems"]);
  });

  test("makes the same ids from the same seed, others from another", async () => {
    const linkOf = async (seed: number): Promise<unknown> => {
      const alice = await Person.start(new SimulatedNetwork({ seed }), "Alice");
      return (await alice.run("/_address 1")).connLinkContact;
    };
    expect(await linkOf(7)).toEqual(await linkOf(7));
    expect(await linkOf(8)).not.toEqual(await linkOf(7));
  });

  test("leads a name to its link, whatever the case of its letters", async () => {
    const network = new SimulatedNetwork();
    const bot = await Person.start(network, "Bot");
    const person = await Person.start(network, "Alice");
    const { connLinkContact } = await bot.run("/_address 1");
    const { connShortLink: contact = "" } = connLinkContact as { connShortLink?: string };
    network.registerName("Directory.simplex", { contact });
    expect(await person.run("/_connect plan 1 @directory.SIMPLEX")).toMatchObject({
      connLink: connLinkContact,
      connectionPlan: { type: "contactAddress", contactAddressPlan: { type: "ok" } },
    });
    expect(await person.failing("/_connect plan 1 @unknown.simplex")).toMatchObject({
      agentError: { type: "SMP", smpErr: { nameErr: { type: "NOT_FOUND" } } },
    });
  });

  test("knows the peer type of agents only where it is asked to", async () => {
    const profile = { displayName: "Agent", fullName: "", peerType: "agent" };
    const create = `/_create user ${JSON.stringify({ profile, pastTimestamp: false })}`;
    const older = new Person(new SimulatedNetwork().open("Agent"));
    expect(await older.failing(create)).toMatchObject({ errorType: { message: "Failed reading: empty" } });
    const newer = new Person(new SimulatedNetwork({ peerTypeAgent: true }).open("Agent"));
    expect(await newer.run(create)).toMatchObject({ user: { profile: { peerType: "agent" } } });
  });

  test("answers the version that it was given", async () => {
    const api = new SimulatedNetwork({ coreVersion: "8.1" }).open("Alice");
    expect(await api.sendChatCmd("/version")).toMatchObject({ versionInfo: { version: "8.1" } });
  });
});

describe("faults", () => {
  test("fail what needs a server while none can be reached", async () => {
    const network = new SimulatedNetwork();
    const alice = await Person.start(network, "Alice");
    network.faults.networkDown(true);
    expect(await alice.failing("/_address 1")).toMatchObject({
      type: "errorAgent",
      agentError: { type: "BROKER", brokerErr: { type: "NETWORK" } },
    });
    network.faults.networkDown(false);
    expect((await alice.run("/_address 1")).type).toBe("userContactLinkCreated");
  });

  test("keep a database busy for a number of commands", async () => {
    const network = new SimulatedNetwork();
    const alice = await Person.start(network, "Alice");
    const bob = await Person.start(network, "Bob");
    network.faults.databaseBusy(2, "Alice");
    for (let times = 0; times < 2; times++) {
      expect(await alice.failing("/user")).toMatchObject({ storeError: { type: "dBBusyError" } });
    }
    expect((await alice.run("/user")).type).toBe("activeUser");
    expect((await bob.run("/user")).type).toBe("activeUser");
  });

  test("fail the next command that matches, once, for the one who is meant", async () => {
    const network = new SimulatedNetwork();
    const alice = await Person.start(network, "Alice");
    const bob = await Person.start(network, "Bob");
    const error = { type: "errorStore", storeError: { type: "internalError", message: "full" } };
    network.faults.failNext((command) => command.startsWith("/_contacts"), error, "Alice");
    expect((await bob.run("/_contacts 1")).type).toBe("contactsList");
    expect((await alice.run("/_groups 1")).type).toBe("groupsList");
    expect(await alice.failing("/_contacts 1")).toEqual(error);
    expect((await alice.run("/_contacts 1")).type).toBe("contactsList");
  });
});
