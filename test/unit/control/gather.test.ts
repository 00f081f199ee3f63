import { describe, expect, test } from "vitest";
import { GATHER_MS, GatheredOutcomes } from "../../../src/control/gathered.js";
import { gathered } from "../../../src/control/texts/gather.js";
import { FakeClock } from "../../world/clock.js";
import { settle } from "../actions/support.js";

const END = "Approved for this chat by Alice. /'revoke @4'";
const card = (text: string, end = END) => `I sent a message to contact Bob: \`${text}\`\n${end}`;

describe("cards that are gathered", () => {
  test("have one ending where they end alike", () => {
    const failed = "Approved for this chat by Alice; failed: `no`. /'revoke @4'";
    const cards = [card("1"), card("2"), card("3", failed), card("4")];
    expect(gathered(cards, () => true)).toEqual([
      `I sent a message to contact Bob: \`1\`\nI sent a message to contact Bob: \`2\`\n${END}\n` +
        `I sent a message to contact Bob: \`3\`\n${failed}\nI sent a message to contact Bob: \`4\`\n${END}`,
    ]);
  });

  test("are in as few messages as hold them, whole", () => {
    const cards = ["1", "2", "3", "4", "5"].map((text) => card(text));
    const most = (gathered(cards.slice(0, 2), () => true)[0] ?? "").length;
    const messages = gathered(cards, (text) => text.length <= most);
    expect(messages).toEqual([
      gathered(cards.slice(0, 2), () => true)[0],
      gathered(cards.slice(2, 4), () => true)[0],
      cards[4],
    ]);
    expect(gathered(cards, () => false)).toEqual(cards);
  });

  test("may be none", () => {
    expect(gathered([], () => true)).toEqual([]);
  });
});

describe("outcomes", () => {
  function outcomes() {
    const said: string[] = [];
    const clock = new FakeClock({ settle });
    const say = async (text: string) => void said.push(text);
    return { said, clock, all: new GatheredOutcomes({ say, clock }) };
  }

  test("are told at once, and those of the next seconds together, chat by chat", async () => {
    const { said, clock, all } = outcomes();
    for (const [index, text] of ["1", "2", "3"].entries()) void all.show("@4", card(text), index);
    void all.show("@5", "I sent\nApproved.", 4);
    await settle();
    expect(said).toEqual([card("1"), "I sent\nApproved."]);
    await clock.advance(GATHER_MS - 1);
    expect(said).toHaveLength(2);
    await clock.advance(1);
    expect(said.slice(2)).toEqual(gathered([card("2"), card("3")], () => true));
    // The next ones are within seconds of these.
    void all.show("@4", card("5"), 5);
    await clock.advance(GATHER_MS);
    expect(said.at(-1)).toBe(card("5"));
    await clock.advance(GATHER_MS);
    expect(clock.timers).toBe(0);
    void all.show("@4", card("6"), 6);
    await settle();
    expect(said.at(-1)).toBe(card("6"));
  });

  test("are shown when they were posted, and at the stop at once", async () => {
    const { said, all } = outcomes();
    const shown: string[] = [];
    for (const text of ["1", "2", "3"]) void all.show("@4", card(text), 1).then(() => shown.push(text));
    await settle();
    expect(shown).toEqual(["1"]);
    all.stop();
    await settle();
    expect(shown).toEqual(["1", "2", "3"]);
    void all.show("@4", card("4"), 4);
    await settle();
    expect(said).toEqual([card("1"), ...gathered([card("2"), card("3")], () => true), card("4")]);
  });
});
