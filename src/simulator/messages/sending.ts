import type { CoreJson } from "../../core/api/chat-api.js";
import { readyConn } from "../connections/connections.js";
import { announcedProfile } from "../connections/own-profile.js";
import type { Composed, MsgContent } from "../data/composed.js";
import { chatError, commandError } from "../data/errors.js";
import type { ItemRow } from "../data/item-rows.js";
import type { ConnRow, MemberRow } from "../data/rows.js";
import type { NewMessage, Wire } from "../data/wire.js";
import { type FileRecipient, startUpload } from "../files/uploads.js";
import { trackDeliveries } from "../groups/group-delivery.js";
import { isActive, isCurrent, memberConn, membershipOf, others } from "../groups/group-rows.js";
import { addItem } from "../items/items.js";
import { startTimer } from "../items/timed.js";
import { contactFeatureEnabled } from "../json/contact-preferences.js";
import { groupJson } from "../json/group-json.js";
import { featureName, groupFeatureAllowed, roleRank } from "../json/group-preferences.js";
import { aChatItem } from "../json/item-json.js";
import { contactJson, sidesOf } from "../json/json.js";
import { hasLink, parseMarkdown } from "../text/markdown.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";
import { prepare, type SendOptions } from "./outgoing-message.js";

const DISABLED_AT = 10;

/** `/_send`: stores and sends messages. */
export function sendMessages(
  user: User,
  chat: Chat,
  composed: readonly Composed[],
  options: SendOptions,
): CoreJson {
  if (chat.contact) checkContact(user, chat, composed);
  else checkGroup(user, chat, composed);
  const quotes = composed.filter((one) => one.quotedItemId !== undefined).length;
  if (composed.length > 1 && (options.live || quotes > 1)) {
    throw commandError("invalid multi send: live and more than one quote not supported");
  }
  const prepared = composed.map((one, index) =>
    prepare(user, chat, one, options, options.forwarded?.[index]),
  );
  const refused = prepared.flatMap((one) => (one.error ? [one.error] : []));
  const accepted = prepared.filter((one) => !one.error);
  if (accepted.length === 0 && refused[0]) throw refused[0];
  if (refused.length > 0)
    user.emit({ type: "chatErrors", chatErrors: refused.map((error) => error.chatError) });
  const items = accepted.map(({ item, file }) => {
    const added = addItem(user, { ...item, chat: chat.key, scope: chat.scope });
    if (file) startUpload(user, added, file, fileRecipients(user, chat));
    return added;
  });
  transmit(
    user,
    chat,
    accepted.map((one) => one.wire),
    items,
  );
  for (const item of items) startTimer(user, item);
  const view = { now: user.now() };
  return user.answer("newChatItems", { chatItems: items.map((item) => aChatItem(user.db, item, view)) });
}

function checkContact(user: User, { contact }: Chat, composed: readonly Composed[]): void {
  if (!contact) return;
  if (composed.some((one) => one.mentions.size > 0)) {
    throw commandError("mentions are not supported in this chat");
  }
  const conn = user.db.conns.get(contact.connId);
  const json = contactJson(user.db, contact);
  if (conn && conn.authErrCounter >= DISABLED_AT) throw chatError("contactDisabled", { contact: json });
  const connected = conn?.connStatus === "ready" || conn?.connStatus === "sndReady";
  if (!readyConn(user, contact))
    throw chatError(connected ? "contactNotActive" : "contactNotReady", { contact: json });
  const sides = sidesOf(user.db, contact);
  for (const { content, file } of composed) {
    refuseReport(content);
    if (content.type === "voice" && !contactFeatureEnabled("voice", sides))
      throw notAllowed("Voice messages");
    if (file && content.type !== "voice" && !contactFeatureEnabled("files", sides))
      throw notAllowed("Files and media");
  }
}

const notAllowed = (feature: string) => commandError(`feature not allowed ${feature}`);

function refuseReport(content: MsgContent): void {
  if (content.type === "report") throw commandError("sending reports via this API is not supported");
}

function checkGroup(user: User, { group, scope }: Chat, composed: readonly Composed[]): void {
  if (!group) throw commandError("not supported");
  const membership = membershipOf(user, group);
  const pending =
    membership.memberStatus === "pending_review" || membership.memberStatus === "pending_approval";
  if (!isActive(membership) && !(pending && scope !== undefined)) throw commandError("not current member");
  if (scope === undefined && roleRank(membership.memberRole) < roleRank("author")) {
    throw chatError("groupUserRole", { groupInfo: groupJson(user.db, group), requiredRole: "author" });
  }
  const allowed = (feature: string) => groupFeatureAllowed(group.profile, feature, membership.memberRole);
  for (const { content, file } of composed) {
    refuseReport(content);
    if (content.type === "voice" && !allowed("voice")) throw notAllowed(featureName("voice"));
    if (file && content.type !== "voice" && !allowed("files")) throw notAllowed(featureName("files"));
    const formatted = parseMarkdown(content.text);
    const simplex = formatted?.some(({ format }) => format?.type === "simplexLink");
    if (simplex && hasLink(formatted) && !allowed("simplexLinks"))
      throw notAllowed(featureName("simplexLinks"));
  }
}

function transmit(user: User, chat: Chat, wires: readonly NewMessage[], items: readonly ItemRow[]): void {
  if (chat.contact) {
    const conn = readyConn(user, chat.contact);
    if (conn) user.post(conn, wires);
    return;
  }
  const members = recipients(user, chat);
  for (const item of items)
    trackDeliveries(
      item,
      members.map(({ member }) => member),
    );
  const before = profileUpdate(user, chat);
  for (const { conn } of members) user.post(conn, [...before, ...wires]);
}

/** Who gets a message of a group: all, or in a support chat its member and the moderators. */
export function recipients(user: User, chat: Chat): Array<{ member: MemberRow; conn: ConnRow }> {
  if (!chat.group) return [];
  const reached: Array<{ member: MemberRow; conn: ConnRow }> = [];
  const pending = chat.supported && !isCurrent(chat.supported) ? [chat.supported] : [];
  for (const member of [...others(user, chat.group), ...pending]) {
    const conn = memberConn(user, member);
    const inScope =
      !chat.supported || member === chat.supported || roleRank(member.memberRole) >= roleRank("moderator");
    if (conn && inScope && member.groupMemberId !== chat.group.membershipId) reached.push({ member, conn });
  }
  return reached;
}

/** Who is told where a file is, once it is uploaded. */
function fileRecipients(user: User, chat: Chat): FileRecipient[] {
  if (!chat.contact) {
    return recipients(user, chat).map(({ member, conn }) => ({
      conn,
      name: member.localDisplayName,
      memberId: member.groupMemberId,
    }));
  }
  const conn = readyConn(user, chat.contact);
  return conn ? [{ conn, name: chat.contact.localDisplayName }] : [];
}

/** A changed profile of ours goes to the group before the next message. */
function profileUpdate(user: User, { group }: Chat): Wire[] {
  const updatedAt = user.db.user?.memberProfileUpdatedAt;
  if (!group || updatedAt === undefined || updatedAt <= group.memberProfileSentAt) return [];
  const membership = membershipOf(user, group);
  if (membership.profileId !== user.db.user?.profileId) return [];
  group.memberProfileSentAt = user.now();
  const profile = announcedProfile(user, user.db.profiles.at(membership.profileId));
  return [{ kind: "memberProfile", eventId: user.random.id(), profile }];
}
