import fc from "fast-check";
import { expect, test } from "vitest";
import { type ActionFields, type ActionState, isIncoming } from "../../src/actions/action.js";
import { cardOverflow, cardText, commandLine } from "../../src/control/texts/cards.js";
import { parseMarkdown } from "../../src/simulator/text/markdown.js";
import { target } from "../../src/text/literal.js";
import { isPlainName } from "../../src/text/plain-name.js";
import { isServerWord } from "../../src/text/server-words.js";
import { actionFields, actionState } from "./foreign-text.js";

const RUNS = { numRuns: 1000 };
const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

/** Names that stand plain on the card. */
function plainNames(fields: ActionFields, state: ActionState): string[] {
  const names = ["decision" in state && "by" in state.decision ? state.decision.by : ""];
  if ("by" in state) names.push(state.by);
  if ("name" in fields) names.push(fields.name);
  if (fields.tool === "download") names.push(fields.member);
  if (fields.tool === "invitation") names.push(fields.by.name);
  if (fields.tool === "invitation" || fields.tool === "member") names.push(fields.group.name);
  if (fields.tool === "send")
    names.push(fields.replyTo?.name ?? "", ...fields.mentions.map(({ name }) => name));
  return names.filter(isPlainName);
}

test("outside its code spans a card holds only the server's words, plain names and its commands", () => {
  fc.assert(
    fc.property(number, actionFields, actionState, (n, fields, state) => {
      const parts = parseMarkdown(cardText(n, fields, state)) ?? [{ text: cardText(n, fields, state) }];
      const commands = parts.filter(({ format }) => format?.type === "command").map(({ text }) => text);
      const offered = commandLine(n, fields).match(/\/'[^']*'/g) ?? [];
      const allowed =
        state.state === "pending" ? [offered] : [[], ["/'revoke CHAT'"], ["/'receive CHAT off'"]];
      const chat = "chat" in fields ? fields.chat : "";
      expect(allowed.map((list) => list.map((command) => command.replace("CHAT", chat)))).toContainEqual(
        commands,
      );

      const names = plainNames(fields, state);
      let words = "";
      for (const { format, text } of parts) {
        if (format === undefined) words += text;
        else if (format.type === "mention") {
          const isNamed = fields.tool === "send" && names.some((name) => name.startsWith(format.memberName));
          // The apps find no member to it.
          const isNewContact = isIncoming(fields) && fields.chat === `@${format.memberName}`;
          expect(isNamed || isNewContact).toBe(true);
          words += text;
        } else expect(["snippet", "command"]).toContain(format.type);
      }
      if (fields.tool === "connect") words = words.replace(`(${target(fields.target)})`, "");
      if (chat !== "") words = words.replace(isIncoming(fields) ? `: contact ${chat}.` : `(${chat})`, "");
      if (fields.tool === "invitation")
        words = words.replace(`(${fields.by.chat})`, "").replace(`(${chat})`, "");
      if (fields.tool === "invitation" || fields.tool === "member")
        words = words.replace(`(${fields.group.chat})`, "");
      words = words.replace(/ until \d\d:\d\d/, " until").replace(/, \d+ more/, ", more");
      words = words.replace(/\([\d,]+ (?=more characters? )/, "").replace(/\bone-time\b/, "");
      words = words.replace(/\d+(?:\.\d)? (?=bytes?|KB|MB|GB)/, "");
      words = words.replace(/ \((?:me|member \d+)\)/g, "");
      const ofNames = new Set(names.flatMap((name) => name.split(" ")));
      const foreign = words
        .split(/[\s.,:;()@\u2068\u2069]+/)
        .filter((word) => word !== "" && !isServerWord(word) && !ofNames.has(word));
      expect(foreign).toEqual([]);
    }),
    RUNS,
  );
});

test("a card says in its first words what the agent wants, and ends with its commands or its ending", () => {
  fc.assert(
    fc.property(number, actionFields, actionState, (n, fields, state) => {
      const lines = cardText(n, fields, state).split("\n");
      expect(lines[0]).toMatch(
        isIncoming(fields)
          ? /(?: invite[sd] me to | (?:asks|asked) to connect to me\b| is connected to me: contact @?|^I joined )/
          : /^I (?:want(?:ed)? to (?:connect|send|download|leave|delete|make|have)|connected|sent|downloaded|left|deleted|made) /,
      );
      const last = lines.at(-1) ?? "";
      if (state.state === "pending") expect(last).toBe(commandLine(n, fields));
      else expect(last).toMatch(/^(?:Approved|Performed|Rejected|Expired|Cancelled)\b/);
    }),
    RUNS,
  );
});

test("no card outgrows the room that was measured for it", () => {
  const size = (text: string, isEdit: boolean) => Buffer.byteLength(JSON.stringify(text)) + (isEdit ? 54 : 0);
  fc.assert(
    fc.property(number, actionFields, actionState, (n, fields, state) => {
      const longest = cardOverflow(fields, size);
      expect(size(cardText(n, fields, state), state.state !== "pending")).toBeLessThanOrEqual(longest);
    }),
    RUNS,
  );
});
