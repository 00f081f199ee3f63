import type { GroupMember } from "../../core/types.js";
import { ownersEntry } from "../texts/owner-texts.js";

/** Who approves: any human owner of the chat; nobody yet (the set-up of a list); those of a list. */
export type OwnersPolicy = { kind: "any" } | { kind: "setup" } | { kind: "list"; entries: readonly string[] };

/** The `--owners` list does not fit the members of the control chat; the message says which entry. */
export class OwnersListError extends Error {
  override name = "OwnersListError";
}

/**
 * The policy of the option: absent, without a list, or `3:Alice,7:Bob`. Entries are kept as the server prints
 * them, so that they can be compared. Throws `OwnersListError` for what is no list.
 */
export function ownersPolicy(option: string | true | undefined): OwnersPolicy {
  if (option === undefined) return { kind: "any" };
  if (option === true) return { kind: "setup" };
  // A comma within a name is printed escaped.
  const entries = option.split(",").map((entry) => entry.trim());
  if (!entries.every((entry) => /^[1-9]\d*:./u.test(entry))) {
    throw new OwnersListError("--owners takes member ids with names, such as 3:Alice,7:Bob.");
  }
  return { kind: "list", entries };
}

export function isListed({ entries }: { entries: readonly string[] }, member: GroupMember): boolean {
  return entries.includes(ownersEntry(member));
}

/** A member of this id is listed, by whatever name. */
export function isListedId({ entries }: { entries: readonly string[] }, groupMemberId: number): boolean {
  return entries.some((entry) => entry.startsWith(`${groupMemberId}:`));
}

/** The members of the list, in its order. Throws when one is not there under this id and name. */
export function listedMembers(
  { entries }: { entries: readonly string[] },
  humans: readonly GroupMember[],
): GroupMember[] {
  return entries.map((entry) => {
    const found = humans.find((member) => ownersEntry(member) === entry);
    if (found) return found;
    const sameId = humans.find(({ groupMemberId }) => entry.startsWith(`${groupMemberId}:`));
    const present = humans.map(ownersEntry).join(", ");
    throw new OwnersListError(
      sameId
        ? `--owners: there is no ${entry}; that member is ${ownersEntry(sameId)}.`
        : `--owners: there is no ${entry} in the control chat.${present ? ` Its members: ${present}.` : ""}`,
    );
  });
}
