import { expect, test } from "vitest";
import type { RequestFields } from "../../../src/actions/action.js";
import { cardOverflow, cardText } from "../../../src/control/texts/cards.js";
import { cutToCard } from "../../../src/control/texts/cut-message.js";
import { textTooLong } from "../../../src/control/texts/size.js";

const request = (message: string): RequestFields => ({
  tool: "request",
  chat: "@7",
  kind: "contact",
  name: "Bob",
  message,
});

test("a message that the card holds stays as it is", () => {
  const fields = request("Hello\nthere");
  expect(cutToCard(fields, textTooLong)).toBe(fields);
});

test.each([
  ["letters", "x".repeat(20_000)],
  ["pictures", "👍".repeat(6000)],
  ["lines", "\n".repeat(15_000)],
  ["what cannot be seen", "\u202E".repeat(15_000)],
])("of %s as much is shown as fits, and the rest is counted", (_, message) => {
  const cut = cutToCard(request(message), textTooLong);
  if (cut.tool !== "request") throw new Error("it is another kind of card");
  const { message: shown = "", notShown = 0 } = cut;
  expect([...shown].length + notShown).toBe([...message].length);
  expect(message.startsWith(shown)).toBe(true);
  expect(notShown).toBeGreaterThan(0);
  expect(cardOverflow(cut, textTooLong)).toBe(0);
  expect(cardText(1, cut, { state: "pending" })).toContain(
    `(${notShown.toLocaleString("en-US")} more characters are not shown)`,
  );
  const one = [...message].slice(0, [...shown].length + 1).join("");
  expect(cardOverflow({ ...cut, message: one, notShown: notShown - 1 }, textTooLong)).toBeGreaterThan(0);
});
