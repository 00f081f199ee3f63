/** Who joins the control chat and who approves: lines for the chat and for the person at the terminal. */
import { displayName, foldedLine, literalText } from "../../text/literal.js";

/** A member as the core tells it; the name is unfiltered. */
export interface NamedMember {
  groupMemberId: number;
  memberProfile: { displayName: string };
}

/** One line for two places: in the chat its options are code, at the terminal they are ready to copy. */
export interface Announcement {
  chat: string;
  terminal: string;
}

/** An entry of the `--owners` list: the id and, as the second proof, the name in one line of visible characters. */
export function ownersEntry({ groupMemberId, memberProfile }: NamedMember): string {
  // A comma separates the entries.
  return `${groupMemberId}:${foldedLine(memberProfile.displayName).replaceAll(",", "\\u{2C}")}`;
}

export const ownerTexts = {
  linkAddsObserver: "The link adds an observer. Its ID and name are printed when it joins.",
  owners: (members: readonly NamedMember[]) => `Owners: ${members.map(ownersEntry).join(", ")}.`,
  joinedAsOwner: (member: NamedMember) =>
    `${nameOf(member)} joined (member ${member.groupMemberId}) and is now an owner. The link is deleted.`,
  joinedBySameLink: (member: NamedMember) =>
    `${nameOf(member)} joined by the same link and was removed (member ${member.groupMemberId}).`,
  programRemoved: (member: NamedMember) =>
    `${nameOf(member)} joined by the link and was removed (member ${member.groupMemberId}): an owner is a person, not a program.`,
  notMadeOwner: (member: NamedMember, error: string) =>
    sameLine(
      `${nameOf(member)} joined (member ${member.groupMemberId}) and could not be made owner: ${literalText(error)}. Restart the server.`,
    ),
  notRemoved: (member: NamedMember, error: string) =>
    sameLine(
      `${nameOf(member)} joined by the link and could not be removed (member ${member.groupMemberId}): ${literalText(error)}. Remove this member.`,
    ),
  noOwnerLeft: () => "No owner is left: nobody can approve actions. Restart the server to invite one.",

  /** The set-up with `--owners` alone: who joined, and the option that makes this member the owner. */
  joinedAsObserver: (member: NamedMember) =>
    announcement(
      `${nameOf(member)} joined (member ${member.groupMemberId}). Restart the server with `,
      ownersOption([member]),
    ),
  /** `listed`: who approves already. */
  notListedYet: (member: NamedMember, listed: readonly NamedMember[]) =>
    announcement(
      `${nameOf(member)} (member ${member.groupMemberId}) is now an owner and can't approve actions yet. Restart the server with `,
      ownersOption([...listed, member]),
    ),
  /** A listed member whose name is another one now. `listed`: who approves still. */
  renamed: (member: NamedMember, listed: readonly NamedMember[]) =>
    announcement(
      `${nameOf(member)} (member ${member.groupMemberId}) has another name than in --owners and can't approve actions now. Restart the server with `,
      ownersOption([...listed, member]),
    ),
  noListedOwnerLeft: (member: NamedMember) =>
    announcement(
      `${nameOf(member)} (member ${member.groupMemberId}) is no longer an owner. No owners remain: restart the server with `,
      "--reset-owners --owners",
    ),
} as const;

function sameLine(line: string): Announcement {
  return { chat: line, terminal: line };
}

function announcement(words: string, option: string): Announcement {
  return { chat: words + literalText(option), terminal: words + option };
}

/** `--owners 3:Alice,7:Bob`, quoted for a shell where a name needs it. */
function ownersOption(members: readonly NamedMember[]): string {
  const list = members.map(ownersEntry).join(",");
  return `--owners ${/^[\w:,-]+$/.test(list) ? list : `'${list.replaceAll("'", "'\\''")}'`}`;
}

function nameOf({ memberProfile }: NamedMember): string {
  return displayName(memberProfile.displayName);
}
