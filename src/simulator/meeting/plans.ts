import type { CoreJson } from "../../core/api/chat-api.js";
import { agentError, chatError, commandError } from "../data/errors.js";
import type { ConnLink, ConnRow, ContactRow, GroupRow } from "../data/rows.js";
import { groupJson } from "../json/group-json.js";
import { contactJson, present } from "../json/json.js";
import { isWhole, linkGone, type PublishedLink, queueOf, sameShort, serverOf } from "../network/links.js";
import { cardWith } from "../people/contact-cards.js";
import { parseNameDomain, parseSimplexLink } from "../text/simplex-links.js";
import type { User } from "../user/user.js";
import { isOpenTo } from "./one-time-links.js";
import { contactPlan, groupPlan, invitationLinkPlan, type Plan, type Variant } from "./plan-forms.js";

/** `/_connect plan`: what a link or name is, and whether we know it. */
export function connectionPlan(user: User, target: string, resolve: boolean): CoreJson {
  const { link, plan } = planTarget(user, target, resolve);
  return user.answer("connectionPlan", { connLink: link, connectionPlan: plan });
}

export function planTarget(user: User, target: string, resolve: boolean): { link: ConnLink; plan: Plan } {
  if (/^[@#]/.test(target)) return planName(user, target, resolve);
  const link = parseSimplexLink(target);
  if (!link || link.linkType === "channel" || !isWhole(target)) throw chatError("invalidConnReq");
  if (link.linkType === "relay") throw commandError("chat relay links are not supported in this version");
  if (link.short) return planShort(user, target, resolve);
  return { link: { connFullLink: link.simplexUri }, plan: planFull(user, link.simplexUri) };
}

function planName(user: User, target: string, resolve: boolean): { link: ConnLink; plan: Plan } {
  const name = target.slice(1);
  const domain = parseNameDomain(name);
  if (!domain || (target.startsWith("@") && !name.includes("."))) throw chatError("invalidConnReq");
  const full = name.includes(".") ? name : `${name}.simplex`;
  const links = user.network.names.get(full.toLowerCase());
  const found = target.startsWith("@") ? links?.contact : links?.group;
  const server = user.network.serverFor(user).address;
  user.reach(server);
  if (found === undefined) {
    throw agentError({
      type: "SMP",
      serverAddress: server,
      smpErr: { type: "NAME", nameErr: { type: "NOT_FOUND" } },
    });
  }
  const { link, plan } = planTarget(user, found, resolve);
  const variant = plan.contactAddressPlan;
  if (variant?.type !== "ok" || !claims(variant.contactSLinkData_, full)) return { link, plan };
  return { link, plan: contactPlan({ ...variant, verifiedDomain: { ...domain } }) };
}

/** Whether the profile of the link's data says that the name is its own. */
function claims(data: unknown, domain: string): boolean {
  const profile = (data as { profile?: { contactDomain?: { domain?: unknown } } } | undefined)?.profile;
  return profile?.contactDomain?.domain === domain;
}

function planShort(user: User, short: string, resolve: boolean): { link: ConnLink; plan: Plan } {
  const known = knownByShort(user, short);
  if (known && !(resolve && known.group)) return known;
  user.reach(serverOf(short));
  const published = user.network.linkOfShort(short);
  if (!published || !isOpenTo(user, published)) {
    const connecting = published && connectingPlan(user, published);
    if (connecting) return connecting;
    throw linkGone(short);
  }
  if (known?.group) return { link: known.link, plan: refreshed(user, known.group, published) };
  if (published.kind === "invitation") published.takenBy = user.database;
  const link = published.fetched ?? published.link;
  return { link, plan: planFull(user, link.connFullLink, published) };
}

/** An invitation that we used is answered while it connects. */
function connectingPlan(user: User, published: PublishedLink): { link: ConnLink; plan: Plan } | undefined {
  const plan = planFull(user, published.link.connFullLink);
  // The link as it was made: its server gives out no data any more.
  return plan.invitationLinkPlan?.type === "connecting" ? { link: published.link, plan } : undefined;
}

interface Known {
  readonly link: ConnLink;
  readonly plan: Plan;
  readonly group?: GroupRow;
}

/** A short link that is stored with a chat is answered without asking its server. */
function knownByShort(user: User, short: string): Known | undefined {
  const { db } = user;
  for (const row of db.links.values()) {
    if (sameShort(row.link.connShortLink, short)) return { link: row.link, plan: ownPlan(user, row.groupId) };
  }
  for (const conn of db.conns.values()) {
    if (conn.connLinkInv && conn.connStatus === "new" && sameShort(conn.connLinkInv.connShortLink, short)) {
      return {
        link: conn.connLinkInv,
        plan: invitationLinkPlan({ type: "ownLink" }),
      };
    }
  }
  for (const contact of db.contacts.values()) {
    const { prepared } = contact;
    if (!prepared || !sameShort(prepared.link.connShortLink, short) || !isActive(user, contact)) continue;
    const plan = prepared.mode === "inv" ? invitationLinkPlan : contactPlan;
    return { link: prepared.link, plan: plan({ type: "known", contact: contactJson(db, contact) }) };
  }
  for (const group of db.groups.values()) {
    if (!sameShort(group.prepared?.link.connShortLink, short) || hasLeft(user, group)) continue;
    return {
      link: group.prepared?.link ?? { connFullLink: "" },
      plan: knownGroup(user, group, false),
      group,
    };
  }
  return undefined;
}

function ownPlan(user: User, groupId: number | undefined): Plan {
  const group = user.db.groups.get(groupId);
  return group
    ? groupPlan({ type: "ownLink", groupInfo: groupJson(user.db, group) })
    : contactPlan({ type: "ownLink" });
}

const knownGroup = (user: User, group: GroupRow, groupUpdated: boolean): Plan =>
  groupPlan({ type: "known", groupInfo: groupJson(user.db, group), groupUpdated, linkOwners: [] });

/** With `resolve=on` the profile of a known group is taken from its link's data. */
function refreshed(user: User, group: GroupRow, published: PublishedLink): Plan {
  const profile = published.data.groupProfile as GroupRow["profile"] | undefined;
  const changed = profile !== undefined && JSON.stringify(profile) !== JSON.stringify(group.profile);
  if (changed) {
    const fromGroup = groupJson(user.db, group);
    group.profile = profile;
    user.emitOf("groupUpdated", { fromGroup, toGroup: groupJson(user.db, group) });
  }
  return knownGroup(user, group, changed);
}

function isActive(user: User, contact: ContactRow): boolean {
  return contact.contactStatus === "active" && user.db.conns.get(contact.connId)?.connStatus !== "deleted";
}

/** Whether we left the group, were removed, or it was deleted. */
function hasLeft(user: User, group: GroupRow): boolean {
  return ["left", "removed", "deleted"].includes(user.db.members.at(group.membershipId).memberStatus);
}

/** The plan for a full link; `published` brings the data of its short link. */
export function planFull(user: User, full: string, published?: PublishedLink): Plan {
  const queue = queueOf(full);
  const row = [...user.db.links.values()].find((link) => link.queue === queue);
  if (row) return ownPlan(user, row.groupId);
  const conn = latestConn(user, queue);
  if (/^[^#]*\/invitation/.test(full)) return invitationPlan(user, conn, published);
  return full.includes("groupLinkId")
    ? groupLinkPlan(user, queue, conn, published)
    : addressPlan(user, full, conn, published);
}

/** The connection that was asked through a queue last. */
function latestConn(user: User, queue: string | undefined): ConnRow | undefined {
  let latest: ConnRow | undefined;
  if (queue === undefined) return undefined;
  for (const conn of user.db.conns.values()) if (conn.viaQueue === queue) latest = conn;
  return latest;
}

function invitationPlan(user: User, conn: ConnRow | undefined, published: PublishedLink | undefined): Plan {
  const ok = invitationLinkPlan({ type: "ok", ...(published && { contactSLinkData_: published.data }) });
  if (!conn || conn.connStatus === "ready" || conn.connStatus === "deleted") return ok;
  if (conn.contactConnInitiated)
    return conn.connStatus === "new" ? invitationLinkPlan({ type: "ownLink" }) : ok;
  const contact = user.db.contacts.get(conn.entityId);
  return invitationLinkPlan({
    type: "connecting",
    ...(contact && { contact_: contactJson(user.db, contact) }),
  });
}

function addressPlan(
  user: User,
  full: string,
  conn: ConnRow | undefined,
  published: PublishedLink | undefined,
): Plan {
  const { db } = user;
  const ok = contactPlan({ type: "ok", ...(published && { contactSLinkData_: published.data }) });
  if (!conn) {
    const short = published?.link.connShortLink;
    const card = cardWith(user, { full, ...(short !== undefined && { short }) });
    return card ? contactPlan({ type: "contactViaAddress", contact: contactJson(db, card) }) : ok;
  }
  if (conn.connType === "member") {
    const group = db.groups.get(db.members.get(conn.entityId)?.groupId);
    return group && isJoined(user, group) ? knownGroup(user, group, false) : ok;
  }
  const contact = db.contacts.get(conn.entityId);
  if (!contact) return contactPlan({ type: "connectingConfirmReconnect" });
  if (!isActive(user, contact)) return ok;
  const type = conn.connStatus === "ready" ? "known" : "connectingProhibit";
  return contactPlan({ type, contact: contactJson(db, contact) });
}

const ACTIVE = ["pending_approval", "pending_review", "connected", "complete", "creator", "rejected"];

const isJoined = (user: User, group: GroupRow): boolean =>
  ACTIVE.includes(user.db.members.at(group.membershipId).memberStatus);

function groupLinkPlan(
  user: User,
  queue: string | undefined,
  conn: ConnRow | undefined,
  published: PublishedLink | undefined,
): Plan {
  const ok = groupPlan(
    present({
      type: "ok",
      groupSLinkInfo_: published && { direct: true, groupRelays: [] },
      groupSLinkData_: published?.data,
    }) as Variant,
  );
  const group = [...user.db.groups.values()].find(
    (one) => queueOf(one.viaGroupLinkUri ?? "") === queue && !hasLeft(user, one),
  );
  if (group && isJoined(user, group)) return knownGroup(user, group, false);
  if (group?.prepared?.prepared) {
    const { chatError: error } = commandError("found connection entity is not RcvDirectMsgConnection");
    return { type: "error", chatError: error };
  }
  if (!conn || conn.connStatus === "deleted") return ok;
  if (conn.entityId === undefined) return groupPlan({ type: "connectingConfirmReconnect" });
  if (group) return groupPlan({ type: "connectingProhibit", groupInfo_: groupJson(user.db, group) });
  return ok;
}
