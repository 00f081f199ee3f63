import { storeError, unparsable } from "../data/errors.js";
import type { ContactRow, GroupRow, MemberRow } from "../data/rows.js";
import type { User } from "./user.js";

/** The REF of a command. */
export interface Ref {
  readonly kind: "@" | "#" | "*" | ":" | "<@";
  readonly id: number;
  /** `(_support)` is ours, `(_support:17)` the member's. */
  readonly support?: number;
}

/** The text of a REF, to be put into the form of a command. */
export const REF = "[@#*]\\d+(?:\\(_support(?::\\d+)?\\))?";

export function parseRef(text: string): Ref {
  const [, kind, id, support, member] = /^(@|#|\*|:|<@)(\d+)(\(_support(?::(\d+))?\))?$/.exec(text) ?? [];
  if (kind === undefined || (support !== undefined && kind !== "#")) throw unparsable();
  return {
    kind: kind as Ref["kind"],
    id: Number(id),
    ...(support !== undefined && { support: Number(member ?? 0) }),
  };
}

/** A chat that exists, as a command names it. */
export interface Chat {
  readonly key: string;
  readonly scope?: number;
  readonly contact?: ContactRow;
  readonly group?: GroupRow;
  /** The member whose support chat it is. */
  readonly supported?: MemberRow;
}

export function findChat({ db }: User, ref: Ref): Chat {
  const key = `${ref.kind}${ref.id}`;
  if (ref.kind === "*") {
    if (ref.id !== 1) throw storeError("noteFolderNotFound", { noteFolderId: ref.id });
    return { key };
  }
  if (ref.kind === "@") {
    const contact = db.contacts.get(ref.id);
    if (!contact) throw storeError("contactNotFound", { contactId: ref.id });
    return { key, contact };
  }
  const group = db.groups.get(ref.id);
  if (!group) throw storeError("groupNotFound", { groupId: ref.id });
  if (ref.support === undefined) return { key, group };
  const supported = db.membersOf(ref.id).get(ref.support === 0 ? group.membershipId : ref.support);
  if (!supported) throw storeError("groupMemberNotFound", { groupMemberId: ref.support });
  return { key, group, supported, scope: ref.support };
}
