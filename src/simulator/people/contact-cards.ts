import type { CoreJson } from "../../core/api/chat-api.js";
import { profileForRequest } from "../connections/own-profile.js";
import { commandError, storeError } from "../data/errors.js";
import type { ContactRow } from "../data/rows.js";
import { contactJson, plainProfile } from "../json/json.js";
import { linkGone, sameShort } from "../network/links.js";
import { parseSimplexLink } from "../text/simplex-links.js";
import type { User } from "../user/user.js";
import { openRequest, postRequest } from "./link-requests.js";

/** A contact that is only a card, such as the preset ones: its profile tells its address, nobody has asked it yet. */
export function cardWith(user: User, link: { full?: string; short?: string }): ContactRow | undefined {
  for (const contact of user.db.contacts.values()) {
    const { contactLink } = user.db.profiles.at(contact.profileId);
    if (contactLink === undefined || contact.prepared || user.db.conns.get(contact.connId)) continue;
    if (contact.contactStatus !== "active") continue;
    if (contactLink === link.full || (link.short !== undefined && sameShort(contactLink, link.short)))
      return contact;
  }
  return undefined;
}

/** `/_connect contact UID C`: asks the address on a contact's card. */
export function connectCard(user: User, contactId: number, incognito: boolean): CoreJson {
  const { db } = user;
  const contact = db.contacts.get(contactId);
  if (!contact) throw storeError("contactNotFound", { contactId });
  if (db.conns.get(contact.connId)) throw commandError("contact already has connection");
  const { contactLink } = db.profiles.at(contact.profileId);
  if (contactLink === undefined) throw commandError("no address in contact profile");
  const conn = openRequest(user, { connFullLink: fullLink(user, contactLink) }, incognito);
  conn.entityId = contactId;
  contact.connId = conn.connId;
  contact.contactUsed = true;
  postRequest(user, conn, { profile: profileForRequest(user, conn), joining: false }, undefined, undefined);
  const profile = db.profiles.get(conn.customUserProfileId);
  return user.answer("sentInvitationToContact", {
    contact: contactJson(db, contact),
    ...(profile && { customUserProfile: plainProfile(profile) }),
  });
}

function fullLink(user: User, link: string): string {
  if (!parseSimplexLink(link)?.short) return link;
  const published = user.network.linkOfShort(link);
  if (!published) throw linkGone(link);
  return published.link.connFullLink;
}
