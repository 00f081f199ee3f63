import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ActionFields, ChatRef, NamedChat, Remainder } from "../../src/actions/action.js";
import { commandLine } from "../../src/control/texts/cards.js";
import { chatList, helpText, pendingList } from "../../src/control/texts/lists.js";
import { meetingTexts } from "../../src/control/texts/meeting-texts.js";
import type { Announcement } from "../../src/control/texts/owner-texts.js";
import {
  askTexts,
  editTexts,
  fileTexts,
  greeting,
  ineffective,
  leaveTexts,
  ownerTexts,
  pauseTexts,
  refusals,
  standingTexts,
} from "../../src/control/texts/replies.js";
import { parseMarkdown } from "../../src/simulator/text/markdown.js";
import { isPlainName } from "../../src/text/plain-name.js";
import { isServerWord } from "../../src/text/server-words.js";
import { actionFields, foreignChat, foreignName, foreignText } from "./foreign-text.js";

/** What the server says besides cards, with the foreign names in it. */
interface Said {
  text: string;
  names: string[];
}
type Saying = fc.Arbitrary<Said>;
/** One for each text of a group: a new text is missing until it has its own. */
type Sayings<Texts> = { [Name in keyof Texts]: Saying };

const LINK = "https://smp16.simplex.im/a#S04Z5sgP";
const number = fc.integer({ min: 1, max: 999_999 });
const amount = fc.nat(5000);
const ref = foreignChat.map(({ chat }) => chat);
const member = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), foreignName)
  .map(([groupMemberId, displayName]) => ({ groupMemberId, memberProfile: { displayName } }));

const fixed = (text: string): Saying => fc.constant({ text, names: [] });
function said<Args extends unknown[]>(
  args: { [Index in keyof Args]: fc.Arbitrary<Args[Index]> },
  make: (...args: Args) => string | Announcement,
): Saying {
  return fc.tuple<Args>(...args).map((values) => {
    const made = make(...values);
    return { text: typeof made === "string" ? made : made.chat, names: values.flatMap(namesIn) };
  });
}

/** Every string in it is foreign, and may be a name. */
function namesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

const wordsOf = (text: string): string[] =>
  text.split(/[\s.,:;()@#+\u2068\u2069-]+/).filter((word) => /\p{L}/u.test(word));
const offeredCommands = (fields: ActionFields) => commandLine(7, fields).match(/\/'[^']*'/g) ?? [];
const fixedOf = <Texts extends Record<string, string>>(texts: Texts): Saying[] =>
  Object.values(texts).map(fixed);

const ofRefusals: Sayings<typeof refusals> = {
  notPending: said([number], refusals.notPending),
  notAnOwner: fixed(refusals.notAnOwner),
  notListed: fixed(refusals.notListed),
  unknownCommand: fixed(refusals.unknownCommand),
  malformed: fixed(refusals.malformed("`/approve N`, `/approve CHAT N` or `/approve CHAT all`")),
  unknownChat: said([ref], refusals.unknownChat),
  failed: said([foreignText], refusals.failed),
  hostMode: fixed(refusals.hostMode),
  otherChat: said([number, actionFields], refusals.otherChat),
  wrongKind: said([number, actionFields], refusals.wrongKind),
  unknownServers: said([number, actionFields], refusals.unknownServers),
};
const ofEdits: Sayings<typeof editTexts> = {
  copy: said([foreignText], (old) => editTexts.copy("/edit #15 12", old)),
  tooLong: said([number, amount], editTexts.tooLong),
  noText: said([number, actionFields], editTexts.noText),
};
const ofAsking: Sayings<typeof askTexts> = {
  report: said([foreignText], askTexts.report),
  answerMissing: said([number], askTexts.answerMissing),
  noText: said([number], askTexts.noText),
};
const ofPause: Sayings<Omit<typeof pauseTexts, "reason">> = {
  paused: fixed(pauseTexts.paused),
  resumed: fixed(pauseTexts.resumed),
  since: said([foreignName], (by) => pauseTexts.since(by, "2026-12-01 14:05")),
  notSaved: said([foreignText], pauseTexts.notSaved),
};
/** Until some time of the same day or of another, or so many more. */
const remainder: fc.Arbitrary<Remainder> = fc.oneof(
  fc.constant({}),
  fc.oneof(fc.nat(3_600_000), fc.nat(4_000_000_000)).map((until) => ({ until })),
  fc.nat(10_000).map((left) => ({ left })),
);
const ofStanding: Sayings<typeof standingTexts> = {
  messagesApproved: said(
    [foreignChat, foreignName, remainder, fc.constant(0)],
    standingTexts.messagesApproved,
  ),
  nothingPending: said([foreignChat], standingTexts.nothingPending),
  renumbered: said([foreignChat, number, fc.constantFrom("2h", "10", undefined)], (chat, action, end) =>
    standingTexts.renumbered(chat, action, end),
  ),
  messagesEnded: said([foreignChat], standingTexts.messagesEnded),
  downloadsApproved: said(
    [foreignChat, foreignName, remainder, fc.constant(0)],
    standingTexts.downloadsApproved,
  ),
  downloadsEnded: said([foreignChat], standingTexts.downloadsEnded),
};
const ofLeaving: Sayings<typeof leaveTexts> = {
  left: said([foreignChat, foreignName], leaveTexts.left),
  leaveWhich: said([foreignChat, fc.constant("kdfam")], leaveTexts.leaveWhich),
  deleteWhich: said([foreignChat, fc.constant("kdfam")], leaveTexts.deleteWhich),
  notLeft: said([foreignChat, foreignText], leaveTexts.notLeft),
  filesKept: said([foreignChat, foreignText, amount, amount], leaveTexts.filesKept),
  filesDeleted: said([ref, amount, amount], leaveTexts.filesDeleted),
  filesNotDeleted: said([ref, foreignText], leaveTexts.filesNotDeleted),
};
const ofFiles: Sayings<typeof fileTexts> = {
  notForwarded: said([number, foreignText], fileTexts.notForwarded),
  refused: said([foreignChat, foreignText, foreignText], fileTexts.refused),
  notSent: said([foreignChat, foreignText, foreignText], fileTexts.notSent),
};
const ofOwners: Sayings<Omit<typeof ownerTexts, "owners" | "linkAddsObserver" | "noOwnerLeft">> = {
  joinedAsOwner: said([member], ownerTexts.joinedAsOwner),
  joinedBySameLink: said([member], ownerTexts.joinedBySameLink),
  programRemoved: said([member], ownerTexts.programRemoved),
  notMadeOwner: said([member, foreignText], ownerTexts.notMadeOwner),
  notRemoved: said([member, foreignText], ownerTexts.notRemoved),
  joinedAsObserver: said([member], ownerTexts.joinedAsObserver),
  notListedYet: said([member, fc.array(member, { maxLength: 3 })], ownerTexts.notListedYet),
  renamed: said([member, fc.array(member, { maxLength: 3 })], ownerTexts.renamed),
  noListedOwnerLeft: said([member], ownerTexts.noListedOwnerLeft),
};
const ofMeeting: Sayings<typeof meetingTexts> = {
  address: said([fc.boolean()], (isAuto) => meetingTexts.address(LINK, isAuto)),
  addressIsAuto: fixed(meetingTexts.addressIsAuto),
  addressDeleted: fixed(meetingTexts.addressDeleted),
  noAddress: fixed(meetingTexts.noAddress),
  oneTimeLink: fixed(meetingTexts.oneTimeLink(LINK)),
  linksDeleted: said([amount], meetingTexts.linksDeleted),
  noRequests: fixed(meetingTexts.noRequests),
  allAsked: fixed(meetingTexts.allAsked),
  waiting: said([amount, fc.record({ more: fc.boolean() })], meetingTexts.waiting),
  connected: said(
    [
      foreignName,
      fc.nat().map((id): ChatRef => `@${id}`),
      fc.constantFrom("link" as const, "address" as const),
    ],
    meetingTexts.connected,
  ),
  othersConnected: said([amount], meetingTexts.othersConnected),
};

const fits = () => 0;
const approval = fc.tuple(foreignName, remainder).map(([by, end]) => ({ by, ...end }));
const listed = fc.record(
  { chat: foreignChat, unread: amount, messagesApproved: approval, filesApproved: approval },
  { requiredKeys: ["chat", "unread"] },
);
const lists: Saying[] = [
  fixed(helpText),
  fixed(greeting),
  said([fc.array(listed, { maxLength: 3 })], (chats) =>
    chatList(
      chats.map(({ chat, ...facts }): NamedChat & typeof facts => ({ ...chat, ...facts })),
      0,
      fits,
    ),
  ),
  said([fc.array(actionFields, { maxLength: 3 })], (all) =>
    pendingList(
      all.map((fields) => ({ number: 7, fields, expires: 0 })),
      8.64e10,
      fits,
    ),
  ),
];

const GROUPS: Record<string, Saying[]> = {
  refusals: Object.values(ofRefusals),
  "commands without effect": fixedOf(ineffective),
  edits: Object.values(ofEdits),
  asking: Object.values(ofAsking),
  pause: Object.values(ofPause),
  "standing approvals": Object.values(ofStanding),
  leaving: Object.values(ofLeaving),
  files: Object.values(ofFiles),
  owners: Object.values(ofOwners),
  meeting: Object.values(ofMeeting),
  lists,
};

describe.each(Object.entries(GROUPS))("what the server says of %s", (_, sayings) => {
  test.each(sayings.map((saying, index) => [index, saying] as const))(
    "holds nothing that the apps read as anything but code and commands (%i)",
    (_index, saying) => {
      fc.assert(
        fc.property(saying, ({ text, names }) => {
          const plain = new Set(names.filter(isPlainName).flatMap(wordsOf));
          let bare = "";
          for (const { format, text: part } of parseMarkdown(text) ?? [{ text, format: undefined }]) {
            if (format === undefined) bare += part;
            else if (format.type === "uri") expect(part).toBe(LINK);
            // A new contact, whom the apps find nowhere.
            else if (format.type === "mention") expect(bare).toMatch(/: contact $/);
            else expect(["snippet", "command"]).toContain(format.type);
          }
          expect(bare).not.toMatch(/(?<!\()[#@]\d/);
          if (names.length === 0) return;
          expect(wordsOf(bare).filter((word) => !isServerWord(word) && !plain.has(word))).toEqual([]);
        }),
        { numRuns: 200 },
      );
    },
  );
});

test("a command that is offered is one of the card's", () => {
  fc.assert(
    fc.property(actionFields, (fields) => {
      const parts = parseMarkdown(refusals.wrongKind(7, fields)) ?? [];
      const commands = parts.filter(({ format }) => format?.type === "command").map(({ text }) => text);
      expect(commands).toEqual(offeredCommands(fields));
    }),
    { numRuns: 200 },
  );
});
