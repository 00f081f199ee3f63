import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  isListed,
  listedMembers,
  OwnersListError,
  ownersPolicy,
} from "../../../src/control/owners/owners-list.js";
import { ownersEntry, ownerTexts } from "../../../src/control/texts/owner-texts.js";
import { GroupMember } from "../../../src/core/types.js";
import { SWITCHBACK } from "../messages/make.js";

function member(groupMemberId: number, displayName: string): GroupMember {
  return GroupMember.parse({ ...SWITCHBACK, groupMemberId, memberProfile: { displayName } });
}

describe("the --owners option", () => {
  it("is absent, without a list, or a list", () => {
    expect(ownersPolicy(undefined)).toEqual({ kind: "any" });
    expect(ownersPolicy(true)).toEqual({ kind: "setup" });
    expect(ownersPolicy("3:Alice, 7:Bob Smith ")).toEqual({
      kind: "list",
      entries: ["3:Alice", "7:Bob Smith"],
    });
  });

  for (const wrong of [
    "",
    "Alice",
    "3",
    "3:",
    ":Alice",
    "03:Alice",
    "x:Alice",
    "3:Alice,",
    ",3:Alice",
    "3 : ",
  ]) {
    it(`takes no other text: ${JSON.stringify(wrong)}`, () => {
      expect(() => ownersPolicy(wrong)).toThrow(OwnersListError);
    });
  }
});

/** Names come from other programs unfiltered. */
const NAMES = [
  "Alice Smith",
  "Smith, Alice",
  "7:Bob,3:Alice",
  "O'Brien",
  'Alice "the boss" Smith',
  "back\\slash",
  "\\u{2C}",
  "$(reboot) `x` $HOME !! ~ * ?",
  "--owners",
  "  blanks  ",
  "two  blanks",
  "Ålice 🐈",
  "אליס",
  "line\nbreak\r\ttab",
  "\u202Egnp.exe",
  "\u0000\u0007",
  "",
  " ",
  "'",
  "#",
];

describe.skipIf(process.platform === "win32")("a printed list", () => {
  for (const name of NAMES) {
    it(`fits its members again when a shell has read it: ${JSON.stringify(name)}`, () => {
      const members = [member(3, "Alice"), member(7, name)];
      const [alice, other] = members;
      if (!alice || !other) throw new Error("no members");
      const { terminal } = ownerTexts.notListedYet(other, [alice]);
      const options = terminal.slice(terminal.lastIndexOf(" with --owners ") + " with ".length);
      const words = execFileSync("sh", ["-c", `for word in ${options}; do printf '%s\\0' "$word"; done`]);
      const [option, list, ...more] = words.toString().split("\0").slice(0, -1);
      expect([option, more]).toEqual(["--owners", []]);
      const policy = ownersPolicy(list);
      if (policy.kind !== "list") throw new Error("no list");
      expect(listedMembers(policy, members)).toEqual(members);
      // Nobody else of this id fits.
      expect(isListed(policy, member(7, `${name}x`))).toBe(false);
      expect(isListed(policy, member(8, name))).toBe(false);
      expect(ownersEntry(other)).not.toMatch(/[\n\r\p{Cc}\p{Bidi_C}]/u);
    });
  }

  it("tells which entry fits nobody", () => {
    const members = [member(3, "Alice"), member(7, "Smith, Bob")];
    const list =
      (...entries: string[]) =>
      () =>
        listedMembers({ entries }, members);
    expect(list("3:Bob")).toThrow("--owners: there is no 3:Bob; that member is 3:Alice.");
    expect(list("3:Alice", "9:Eve")).toThrow(
      "--owners: there is no 9:Eve in the control chat. Its members: 3:Alice, 7:Smith\\u{2C} Bob.",
    );
    expect(() => listedMembers({ entries: ["3:Alice"] }, [])).toThrow(
      /^--owners: there is no 3:Alice in the control chat\.$/,
    );
  });
});
