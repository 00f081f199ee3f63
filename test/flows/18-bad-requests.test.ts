import { describe, expect } from "vitest";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { renamed } from "../world/renamed.js";
import { FIRST, linkIn, reachable, requestCard } from "./reachable.js";

const GONE = "`The person took the request back, so it cannot be accepted any more.`";

describe("strangers", () => {
  flow("with names and messages like commands, cards and owners are shown as they are", async ({ world }) => {
    const { agent, owner, link } = await reachable(world);
    const bob = await world.person("Alice is an owner now");
    await bob.startJoining(link, "ok`\n/'approve 1'\nApproved by Alice.\n/approve 1");
    const { text } = await owner.sees(/asks to connect to me/);
    expect(text).toBe(
      [
        "contact `Alice is an owner now` asks to connect to me, with the message:",
        "`okˋ`",
        "`/'approve 1'`",
        "`Approved by Alice.`",
        "`/approve 1` (shown with replaced characters)",
        "/'approve 1' or /'reject 1'",
      ].join("\n"),
    );
    await world.settle();
    expect(agent.newCommands().filter((one) => /^\/_accept/.test(one))).toEqual([]);
  });

  simulatedOnly(
    "a name that no app allows",
    "with a name of lines and marks get one line",
    async ({ world }) => {
      const { agent, owner, link } = await reachable(world);
      const evil = "Eve\n/'approve 1'\u202E";
      renamed(agent.api, new Map([["Eve", evil]]));
      const eve = await world.person("Eve");
      await eve.startJoining(link);
      await owner.sees(
        "contact `Eve␤/'approve 1'\\u{202E}` (shown with replaced characters) asks to connect to me.\n/'approve 1' or /'reject 1'",
      );
    },
  );

  flow("with a message that no card holds: it is cut, and the card says so", async ({ world }) => {
    const { owner, client, link } = await reachable(world);
    const bob = await world.person("Bob");
    const long = `${"\u202E".repeat(2500)}end`;
    await bob.startJoining(link, long);
    const { text } = await owner.sees(/^contact Bob asks/);
    // Not all of it is printed when this fails.
    expect(text.slice(-100)).toMatch(
      / \([\d,]+ more characters are not shown\)\n\/'approve 1' or \/'reject 1'$/,
    );
    expect(text.includes("end")).toBe(false);
    await owner.says("/approve 1");
    await owner.sees(requestCard(1, "contact Bob").done(FIRST));
    const [message] = Object(await client.use("receive")).data.messages;
    expect(message.text.endsWith("end")).toBe(true);
  });
});

describe("a request that is another one at the approval", () => {
  flow("has another name: it is not accepted, and can be asked about anew", async ({ world }) => {
    const { agent, owner, link } = await reachable(world);
    const bob = await world.person("Bob");
    const full = await fullLink(bob, link);
    await bob.run(`/_connect 1 incognito=off ${full} ${link}`);
    await owner.sees(requestCard(1, "contact Bob").pending);
    await bob.rename("Alice");
    await bob.run(`/_connect 1 incognito=off ${full} ${link}`);
    await world.settle();
    // Asking again while waiting changes nothing.
    expect(owner.cards.filter((text) => text.includes("asks to connect"))).toEqual([
      requestCard(1, "contact Bob").pending,
    ]);
    agent.newCommands();
    await owner.says("/approve 1");
    await owner.sees(
      requestCard(1, "contact Bob").not(
        "Approved by Alice; failed: `It asks otherwise now than on this card. Write /requests to see it as it is.`.",
      ),
    );
    expect(agent.newCommands().filter((one) => /^\/_(?:accept|reject)/.test(one))).toEqual([]);
    await owner.says("/requests");
    await owner.sees(requestCard(2, "contact Alice").pending);
    await owner.says("/approve 2");
    await owner.sees(requestCard(2, "contact Alice").done(FIRST));
  });

  flow("was made anew: the dead one fails and goes, the other is let in", async ({ world }) => {
    const { agent, owner, link } = await reachable(world);
    const bob = await world.person("Bob");
    const chat = await bob.startJoining(link, "first");
    await owner.sees(requestCard(1, "contact Bob", "`first`").pending);
    await bob.deleteChat(chat);
    await bob.startJoining(link, "second");
    // Two of one name are told apart.
    await owner.sees(requestCard(2, "contact Bob (@5)", "`second`").pending);
    agent.newCommands();
    await owner.says("/approve 1");
    await owner.sees(requestCard(1, `contact Bob (${FIRST})`).not(`Approved by Alice; failed: ${GONE}.`));
    await world.settle();
    expect(agent.newCommands().filter((one) => /^\/_(?:accept|reject)/.test(one))).toEqual([
      "/_accept 1",
      "/_reject 1",
    ]);
    await owner.says("/approve 2");
    await owner.sees(/^contact Bob(?: \(@5\))? is connected to me: contact @5\.\nApproved by Alice\.$/);
    expect(await owner.answerTo("/requests")).toBe("No requests.");
  });

  flow("was let in by hand meanwhile: a rejection does not touch the contact", async ({ world }) => {
    const { agent, owner, client, link } = await reachable(world);
    const bob = await world.person("Bob");
    const chat = await bob.startJoining(link);
    await owner.sees(requestCard(1, "contact Bob").pending);
    await (await agent.hands()).run("/_accept 1");
    await bob.connected(chat);
    await world.settle();
    agent.newCommands();
    await owner.says("/reject 1");
    await owner.sees(requestCard(1, "contact Bob").not("Rejected by Alice."));
    await world.settle();
    expect(agent.newCommands().filter((one) => /^\/_(?:reject|delete)/.test(one))).toEqual([]);
    expect((await client.use("list")).data?.chats).toMatchObject([{ chat: FIRST, connected: true }]);
  });

  flow("stays when the address goes, and is let in all the same", async ({ world }) => {
    const { owner, link } = await reachable(world);
    const bob = await world.person("Bob");
    await bob.startJoining(link);
    await owner.sees(requestCard(1, "contact Bob").pending);
    await owner.answerTo("/address off");
    await owner.says("/approve 1");
    await owner.sees(requestCard(1, "contact Bob").done(FIRST));
    const carol = await world.person("Carol");
    await expect(carol.prepare(link)).rejects.toThrow();
    expect(linkIn(await owner.answerTo("/address"))).not.toBe(link);
  });
});

describe("what fails of it", () => {
  simulatedOnly(
    "a command is failed",
    "a card that could not be posted is tried again in a minute",
    async ({ world }) => {
      const { agent, owner, link } = await reachable(world);
      agent.api.failNext(/^\/_send .*asks to connect/, {
        type: "error",
        errorType: { type: "internalError", message: "no" },
      });
      const bob = await world.person("Bob");
      await bob.startJoining(link);
      await world.settle();
      expect(owner.cards.filter((text) => text.includes("asks to connect"))).toEqual([]);
      await world.pass(60_000);
      await owner.sees(requestCard(2, "contact Bob").pending);
    },
  );

  simulatedOnly(
    "the owner leaves",
    "without an owner a request waits, and is shown to the next one",
    async ({ world }) => {
      const { agent, owner, link } = await reachable(world);
      await owner.person.leave(owner.chat);
      await agent.prints(/^No owner is left/);
      const bob = await world.person("Bob");
      await bob.startJoining(link);
      await world.settle();
      await agent.restart();
      const { Owner } = await import("../world/owner.js");
      const next = await Owner.join(await world.person("Carol"), await agent.ownerLink());
      await next.sees("1 request waits. /'requests'");
      await next.says("/requests");
      await next.sees(requestCard(1, "contact Bob").pending);
    },
  );
});

/** The full form of a short link. */
async function fullLink(person: { run(command: string): Promise<unknown> }, link: string): Promise<string> {
  const plan: { connLink: { connFullLink: string } } = Object(await person.run(`/_connect plan 1 ${link}`));
  return plan.connLink.connFullLink;
}
