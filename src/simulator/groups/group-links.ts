import type { CoreJson } from "../../core/api/chat-api.js";
import { deleteLinkQueue } from "../connections/connections.js";
import { publish } from "../connections/link-data.js";
import { chatError, storeError, unparsable } from "../data/errors.js";
import type { GroupRow, LinkRow, Role } from "../data/rows.js";
import { groupJson } from "../json/group-json.js";
import { makeLink } from "../network/links.js";
import type { User } from "../user/user.js";
import { needRole } from "./group-rights.js";
import { group } from "./group-rows.js";

/** The link of a group, when there is one. */
export function linkOf(user: User, row: GroupRow): LinkRow | undefined {
  for (const link of user.db.links.values()) if (link.groupId === row.groupId) return link;
  return undefined;
}

function needLink(user: User, row: GroupRow): LinkRow {
  const link = linkOf(user, row);
  if (!link) throw storeError("groupLinkNotFound", { groupInfo: groupJson(user.db, row) });
  return link;
}

function checkLinkRole(user: User, row: GroupRow, role: Role): void {
  if (role === "author") throw unparsable();
  if (role === "member" || role === "observer") return;
  throw chatError("groupMemberInitialRole", { groupInfo: groupJson(user.db, row), initialRole: role });
}

/** `/_create link` */
export function createGroupLink(user: User, groupId: number, role: Role): CoreJson {
  const row = group(user, groupId);
  needRole(user, row, "admin");
  checkLinkRole(user, row, role);
  if (linkOf(user, row)) throw storeError("duplicateGroupLink", { groupInfo: groupJson(user.db, row) });
  const server = user.network.serverFor(user);
  user.reach(server.address);
  const groupLinkId = `${user.random.base64url(16)}==`;
  const { queue, link } = makeLink(user.random, server, "group", groupLinkId);
  const made = user.db.links.insert((userContactLinkId) => ({
    userContactLinkId,
    queue,
    link,
    groupId,
    groupLinkId,
    acceptMemberRole: role,
    agentConnId: user.random.id(),
    settings: {},
  }));
  publish(user, made, "group", server.address);
  return groupLinkAnswer(user, "groupLinkCreated", row, made);
}

function groupLinkAnswer(user: User, type: string, row: GroupRow, link: LinkRow): CoreJson {
  return user.answer(type, {
    groupInfo: groupJson(user.db, row),
    groupLink: {
      userContactLinkId: link.userContactLinkId,
      connLinkContact: link.link,
      shortLinkDataSet: true,
      shortLinkLargeDataSet: true,
      groupLinkId: link.groupLinkId,
      acceptMemberRole: link.acceptMemberRole,
    },
  });
}

/** `/_get link` */
export function getGroupLink(user: User, groupId: number): CoreJson {
  const row = group(user, groupId);
  return groupLinkAnswer(user, "groupLink", row, needLink(user, row));
}

/** `/_set link role` */
export function setGroupLinkRole(user: User, groupId: number, role: Role): CoreJson {
  const row = group(user, groupId);
  const link = needLink(user, row);
  checkLinkRole(user, row, role);
  link.acceptMemberRole = role;
  return groupLinkAnswer(user, "groupLink", row, link);
}

/** `/_delete link` */
export function deleteGroupLink(user: User, groupId: number): CoreJson {
  const row = group(user, groupId);
  dropLink(user, needLink(user, row));
  return user.answer("groupLinkDeleted", { groupInfo: groupJson(user.db, row) });
}

/** Deletes a link, here and at its server. */
export function dropLink(user: User, link: LinkRow | undefined): void {
  if (!link) return;
  user.db.links.delete(link.userContactLinkId);
  deleteLinkQueue(user, link.queue, link.agentConnId);
}
