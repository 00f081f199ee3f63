import { chatError } from "../data/errors.js";
import type { GroupRow, Role } from "../data/rows.js";
import { groupJson } from "../json/group-json.js";
import { roleRank } from "../json/group-preferences.js";
import type { User } from "../user/user.js";
import { isCurrent, membershipOf } from "./group-rows.js";

/** Throws `groupUserRole` unless our role is at least this one, and we are in the group. */
export function needRole(user: User, row: GroupRow, requiredRole: Role): void {
  const membership = membershipOf(user, row);
  const groupInfo = groupJson(user.db, row);
  if (roleRank(membership.memberRole) < roleRank(requiredRole)) {
    throw chatError("groupUserRole", { groupInfo, requiredRole });
  }
  if (membership.memberStatus === "invited") throw chatError("groupNotJoined", { groupInfo });
  if (membership.memberStatus === "removed") throw chatError("groupMemberUserRemoved");
  if (!isCurrent(membership)) throw chatError("groupMemberNotActive");
}
