import { chatError } from "./errors.js";
import { groupJson } from "./group-json.js";
import { roleRank } from "./group-preferences.js";
import { isCurrent, membershipOf } from "./group-rows.js";
import type { GroupRow, Role } from "./rows.js";
import type { User } from "./user.js";

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
