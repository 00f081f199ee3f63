import type { Json, LinkRow } from "../data/rows.js";
import { present } from "../json/json.js";
import type { PublishedLink } from "../network/links.js";
import type { User } from "../user/user.js";
import { profileForContact } from "./own-profile.js";

/** Our address, when there is one. */
export function ownAddress(user: User): LinkRow | undefined {
  for (const link of user.db.links.values()) if (link.groupId === undefined) return link;
  return undefined;
}

export function publish(user: User, row: LinkRow, kind: PublishedLink["kind"], server: string): void {
  user.network.publish({
    queue: row.queue,
    kind,
    database: user.database,
    link: row.link,
    server,
    data: linkData(user, row),
    used: false,
  });
}

/** What the short link of an address or group shows. */
function linkData(user: User, row: LinkRow): Json {
  const group = user.db.groups.get(row.groupId);
  if (group) return { groupProfile: group.profile };
  return present({
    profile: profileForContact(user, undefined),
    message: row.settings.autoReply,
    business: row.settings.businessAddress ?? false,
  });
}

/** Puts the present profile or settings into the data of the short links. */
export function republish(user: User, row: LinkRow | undefined): void {
  const link = user.network.linkOfQueue(row?.queue);
  if (row && link) link.data = linkData(user, row);
}
