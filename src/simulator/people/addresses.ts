import type { CoreJson } from "../../core/api/chat-api.js";
import { deleteLinkQueue } from "../connections/connections.js";
import { ownAddress, publish, republish } from "../connections/link-data.js";
import { ownProfile } from "../connections/own-profile.js";
import { commandError, storeError, unparsable } from "../data/errors.js";
import type { Json, LinkRow } from "../data/rows.js";
import { present } from "../json/json.js";
import { makeLink } from "../network/links.js";
import type { User } from "../user/user.js";
import { changeProfile } from "./profiles.js";

function address(user: User): LinkRow {
  const link = ownAddress(user);
  if (!link) throw storeError("userContactLinkNotFound");
  return link;
}

export function createAddress(user: User): CoreJson {
  if (ownAddress(user)) throw storeError("duplicateContactLink");
  const server = user.network.serverFor(user);
  user.reach(server.address);
  const { queue, link } = makeLink(user.random, server, "contact");
  const row = user.db.links.insert((userContactLinkId) => ({
    userContactLinkId,
    queue,
    link,
    agentConnId: user.random.id(),
    settings: { businessAddress: false },
  }));
  publish(user, row, "contact", server.address);
  return user.answer("userContactLinkCreated", { connLinkContact: link });
}

export function showAddress(user: User): CoreJson {
  return user.answer("userContactLink", { contactLink: linkJson(address(user)) });
}

const linkJson = (row: LinkRow): Json => ({
  userContactLinkId: row.userContactLinkId,
  connLinkContact: row.link,
  shortLinkDataSet: true,
  shortLinkLargeDataSet: true,
  addressSettings: row.settings,
});

export function deleteAddress(user: User): CoreJson {
  const row = address(user);
  const { userContactLinkId } = row;
  user.db.links.delete(userContactLinkId);
  for (const request of user.db.requests.values())
    if (request.userContactLinkId === userContactLinkId) delete request.userContactLinkId;
  for (const conn of user.db.conns.values())
    if (conn.viaUserContactLink === userContactLinkId) delete conn.viaUserContactLink;
  deleteLinkQueue(user, row.queue, row.agentConnId);
  if (ownProfile(user).contactLink !== undefined) {
    changeProfile(user, (profile) => {
      delete profile.contactLink;
    });
  }
  return user.answer("userContactLinkDeleted");
}

export function setAddress(user: User, settings: Json): CoreJson {
  const { businessAddress, autoAccept, autoReply } = settings;
  if (typeof businessAddress !== "boolean") throw unparsable();
  const row = address(user);
  const accept = autoAccept as { acceptIncognito?: unknown } | undefined;
  if (accept && typeof accept.acceptIncognito !== "boolean") throw unparsable();
  if (accept?.acceptIncognito === true) {
    throw commandError("incognito not allowed for address with short link data");
  }
  row.settings = present({ businessAddress, autoAccept, autoReply });
  republish(user, row);
  return user.answer("userContactLinkUpdated", { contactLink: linkJson(row) });
}

/** Puts our address into our profile, or takes it out. */
export function profileAddress(user: User, on: boolean): CoreJson {
  const row = address(user);
  return changeProfile(user, (profile) => {
    if (on) profile.contactLink = row.link.connShortLink ?? row.link.connFullLink;
    else delete profile.contactLink;
  });
}
