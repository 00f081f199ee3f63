import { describe, expect, test, vi } from "vitest";
import type { CoreJson } from "../../../../src/core/api/chat-api.js";
import { ChatAPIError } from "../../../../src/simulator/data/errors.js";
import { type Order, SimulatedNetwork } from "../../../../src/simulator/network.js";
import { connect, Person } from "../person.js";

async function pair(order: Order = "answerFirst"): Promise<[SimulatedNetwork, Person, Person]> {
  const network = new SimulatedNetwork({ order });
  const alice = await Person.start(network, "Alice");
  const bob = await Person.start(network, "Bob");
  await connect(network, alice, bob);
  return [network, alice, bob];
}

/** What a person sees of one command: its answer and events, in order. */
async function seen(network: SimulatedNetwork, person: Person, command: string): Promise<string[]> {
  const order: string[] = [];
  person.api.onAny(({ type }) => order.push(type));
  await person.run(command).then(({ type }) => order.push(`answer ${type}`));
  await network.idle();
  return order;
}

const DELETE_ADDRESS = "/_delete_address 1";

describe("the order of an answer and the events of its command", () => {
  test("can be held to the answer first", async () => {
    const [network, alice] = await pair("answerFirst");
    await alice.run("/_address 1");
    expect((await seen(network, alice, DELETE_ADDRESS))[0]).toBe("answer userContactLinkDeleted");
  });

  test("can be held to the events first", async () => {
    const [network, alice] = await pair("eventsFirst");
    const order = await seen(network, alice, '/_group 1 {"displayName":"Team","fullName":""}');
    expect(order.at(-1)).toBe("answer groupCreated");
    expect(order.length).toBeGreaterThan(1);
  });

  test("is either by default", async () => {
    const [network, alice] = await pair("random");
    const firsts = new Set<string | undefined>();
    for (let at = 0; at < 20; at++) {
      const order = await seen(network, alice, `/_group 1 {"displayName":"Team ${at}","fullName":""}`);
      firsts.add(order[0]);
    }
    expect(firsts).toEqual(new Set(["newChatItems", "answer groupCreated"]));
  });
});

describe("events", () => {
  test("are handed over one at a time, each to all handlers before the next", async () => {
    const [network, alice, bob] = await pair();
    const steps: string[] = [];
    for (const name of ["first", "second"]) {
      bob.api.onAny(async ({ type }) => {
        if (type !== "newChatItems") return;
        steps.push(`${name} begins`);
        await network.scheduler.turn();
        steps.push(`${name} ends`);
      });
    }
    await alice.say("@4", "one");
    await alice.say("@4", "two");
    await network.idle();
    const once = ["first begins", "first ends", "second begins", "second ends"];
    expect(steps).toEqual([...once, ...once]);
  });

  test("reach the other handlers and later events when a handler throws", async () => {
    const [network, alice, bob] = await pair();
    const print = vi.spyOn(console, "log").mockImplementation(() => {});
    bob.api.onAny(() => {
      throw new Error("a handler failed");
    });
    const texts: unknown[] = [];
    bob.api.onAny(({ type }) => texts.push(type));
    await alice.say("@4", "one");
    await alice.say("@4", "two");
    await network.idle();
    print.mockRestore();
    expect(texts.filter((type) => type === "newChatItems")).toHaveLength(2);
  });

  test("and answers share nothing with the database: changing one changes no later one", async () => {
    const [network, alice, bob] = await pair();
    await alice.say("@4", "one");
    await network.idle();
    const spoil = (json: unknown): void => {
      if (typeof json !== "object" || json === null) return;
      for (const key of Object.keys(json)) {
        spoil((json as Record<string, unknown>)[key]);
        (json as Record<string, unknown>)[key] = "spoilt";
      }
    };
    const read = async (): Promise<string> => JSON.stringify(await bob.run("/_get chat @4 count=10"));
    const before = await read();
    for (const event of bob.events) spoil(event);
    spoil(await bob.run("/_get chat @4 count=10"));
    expect((await read()) === before).toBe(true);
  });
});

describe("an api", () => {
  test("throws what the library throws: an error with the core's JSON", async () => {
    const api = new SimulatedNetwork().open("Alice");
    const error = await api.sendChatCmd("/_nonsense").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChatAPIError);
    expect(error).toMatchObject({
      name: "ChatAPIError",
      chatError: { type: "error", errorType: { type: "commandError", message: "Failed reading: empty" } },
    });
  });

  test("takes a command as a C string, without white space at its end", async () => {
    const network = new SimulatedNetwork();
    const alice = await Person.start(network, "Alice");
    expect((await alice.run("/user  \n")).type).toBe("activeUser");
    expect((await alice.run("/user\0 and more")).type).toBe("activeUser");
  });

  test("refuses commands once it is closed", async () => {
    const [, alice] = await pair();
    await alice.leave();
    await expect(alice.run("/user")).rejects.toThrow("chat api controller not initialized");
  });

  test("refuses what needs a started chat until it is started", async () => {
    const network = new SimulatedNetwork();
    const alice = new Person(network.open("Alice"));
    expect(await alice.failing("/_contacts 1")).toMatchObject({ errorType: { type: "noActiveUser" } });
    await alice.run('/_create user {"profile":{"displayName":"Alice","fullName":""},"pastTimestamp":false}');
    expect((await alice.run("/user")).type).toBe("activeUser");
    expect(await alice.failing("/_contacts 1")).toMatchObject({ errorType: { type: "chatNotStarted" } });
    await alice.api.startChat();
    expect((await alice.run("/_contacts 1")).type).toBe("contactsList");
  });

  test("loses the events that it has not handed over when it is closed", async () => {
    const [network, alice, bob] = await pair();
    bob.events.length = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    bob.api.onAny(() => held);
    for (const text of ["one", "two", "three"]) await alice.say("@4", text);
    while (bob.events.length === 0) await network.scheduler.turn();
    for (let turns = 0; turns < 50; turns++) await network.scheduler.turn();
    await bob.leave();
    release();
    await network.idle();
    expect(bob.types).toEqual(["newChatItems"]);
    const again = await Person.start(network, "Bob");
    expect(await again.heard("@4")).toEqual(["one", "two", "three"]);
  });

  test("keeps its commands and a log of commands and events", async () => {
    const clock = { now: () => 5000, elapsed: () => 0, after: () => () => {} };
    const network = new SimulatedNetwork({ clock });
    const alice = await Person.start(network, "Alice");
    await network.idle();
    expect(alice.api.commands.at(-1)).toEqual({ cmd: "/_start main=on", at: 5000 });
    expect(alice.api.log).toContainEqual({ cmd: "/users" });
    const events: CoreJson[] = alice.api.log.flatMap((entry) => ("event" in entry ? [entry.event] : []));
    expect(events.map(({ type }) => type)).toContain("connectionsDiff");
  });
});
