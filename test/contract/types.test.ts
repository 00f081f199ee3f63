import { describe, expect, it } from "vitest";
import { CoreError, commandName } from "../../src/core/errors/core-error.js";
import { explain } from "../../src/core/errors/errors.js";
import { readResponse } from "../../src/core/requests.js";
import { type ResponseType, responses } from "../../src/core/responses.js";
import { readEvent } from "../../src/core/types.js";
import { passedOver } from "./passed-over.js";
import { readTranscript, transcriptNames } from "./transcript.js";

const isRead = (type: string): type is ResponseType => type in responses;

/** Answers that only the other people's commands get: they are no part of what this program sends. */
const OTHERS = [
  "acceptingContactRequest",
  "chatCleared",
  "chatContentTypes",
  "chatItemReaction",
  "chatRunning",
  "chatStarted",
  "chatStopped",
  "chatTags",
  "connectionAliasUpdated",
  "contactAliasUpdated",
  "contactInfo",
  "contactPrefsUpdated",
  "contactRequestRejected",
  "forwardPlan",
  "groupAliasUpdated",
  "groupInfo",
  "groupMemberInfo",
  "invitation",
  "memberAccepted",
  "memberContactAccepted",
  "memberSupportChatRead",
  "membersBlockedForAllUser",
  "newMemberContact",
  "newMemberContactSentInv",
  "reactionMembers",
  "sentGroupInvitation",
  "userAcceptedGroupSent",
  "userContactLink",
  "userContactLinkCreated",
  "userContactLinkDeleted",
  "userContactLinkUpdated",
  "userProfileNoChange",
  "userProfileUpdated",
  "usersList",
];

/** Paths at which a variant was not known, with its tag. */
function* unknownVariants(value: unknown, path = ""): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const { type, tag } = value as { type?: unknown; tag?: unknown };
  if (type === "unknown" && typeof tag === "string") yield `${path.replace(/\.\d+/g, "")}: ${tag}`;
  for (const [key, part] of Object.entries(value)) {
    if (key !== "json") yield* unknownVariants(part, `${path}.${key}`);
  }
}

describe("the recordings of the real core are read through the types", () => {
  for (const name of transcriptNames()) {
    it(`every answer, error and event of ${name}`, () => {
      const unknown = new Set<string>();
      for (const { number, cmd, resp, error, event } of readTranscript(name).lines) {
        const where = `${name}:${number}`;
        if (cmd !== undefined && resp) {
          if (!isRead(resp.type)) expect(OTHERS, where).toContain(resp.type);
          else {
            const read = readResponse(cmd, resp, [resp.type]);
            for (const path of unknownVariants(read)) unknown.add(path);
            expect([...passedOver(read, resp)], where).toEqual([]);
          }
        }
        if (cmd !== undefined && error) {
          const thrown = CoreError.from(
            commandName(cmd),
            Object.assign(new Error("x"), { chatError: error }),
          );
          expect(thrown.message, where).toMatch(/^SimpleX core: \S.{2,300}$/);
          expect(explain(thrown), where).toMatch(/^[A-Z].*[.]$/);
        }
        if (event) {
          const read = readEvent(event);
          for (const path of unknownVariants(read)) unknown.add(path);
          expect([...passedOver(read, event)], where).toEqual([]);
        }
      }
      // Everything in a chat that is no message is read by its text alone.
      expect([...unknown].filter((path) => !/\.content: /.test(path))).toEqual([]);
    });
  }
});
