import type { CoreJson } from "../../core/api/chat-api.js";
import { notPrepared } from "../connections/connections.js";
import { memberProfile, ownProfile } from "../connections/own-profile.js";
import { chatError, storeError } from "../data/errors.js";
import { needed, objectIn } from "../data/parsed.js";
import type { ConnLink, GroupProfile, GroupRow, Json, MemberRow } from "../data/rows.js";
import { emptyStats, statsJson } from "../database/stats.js";
import {
  addGroup,
  addMemberRow,
  groupChat,
  hostOf,
  namedProfile,
  parseGroupProfile,
} from "../groups/group-rows.js";
import { addItem } from "../items/items.js";
import { groupJson } from "../json/group-json.js";
import { groupFeatureItems, PREPARED_BUSINESS_PREFERENCES } from "../json/group-preferences.js";
import { chatInfo, itemJson } from "../json/item-json.js";
import { plainProfile } from "../json/json.js";
import { bannerItem } from "../people/contacts.js";
import {
  messageIn,
  openRequest,
  postRequest,
  type RequestMessage,
  requestItem,
  welcomeItem,
} from "../people/link-requests.js";
import type { User } from "../user/user.js";

/** `/_prepare group`: makes the chat of a group that its link's data describes; nothing is sent. */
export function prepareGroup(user: User, link: ConnLink, data: Json): CoreJson {
  const profile = parseGroupProfile(data.groupProfile);
  const { description } = profile;
  const welcome = description === undefined ? undefined : { type: "text", text: description };
  return prepared(user, link, profile, welcome, undefined);
}

/** A business's chat is a group, prepared as such. */
export function prepareBusiness(user: User, link: ConnLink, data: Json): CoreJson {
  const profile = {
    ...namedProfile(needed(objectIn(data, "profile"))),
    groupPreferences: PREPARED_BUSINESS_PREFERENCES,
  };
  return prepared(user, link, profile, messageIn(data), "business");
}

function prepared(
  user: User,
  link: ConnLink,
  profile: GroupProfile,
  welcome: RequestMessage | undefined,
  business: "business" | undefined,
): CoreJson {
  const { db } = user;
  const { group, host } = addPrepared(user, link, profile, business, welcome !== undefined);
  const chat = groupChat(group);
  const from = { chat, sent: false, memberId: host.groupMemberId, asGroup: true };
  addItem(user, bannerItem(chat));
  for (const { text, fields } of groupFeatureItems(profile)) {
    addItem(user, { ...from, content: { type: "rcvGroupFeature", ...fields }, text });
  }
  const items = welcome ? [addItem(user, { ...welcomeItem(chat, welcome), ...from })] : [];
  const view = { now: user.now(), fresh: true };
  const json = {
    chatInfo: chatInfo(db, chat),
    chatItems: items.map((item) => itemJson(db, item, view)),
    chatStats: items[0] ? statsJson({ unreadCount: 1, minUnreadItemId: items[0].itemId }) : emptyStats(),
  };
  for (const item of items) db.setShared(item, group.prepared?.welcomeSharedMsgId ?? "");
  return user.answer("newPreparedChat", { chat: json });
}

const encode = (text: string): string => Buffer.from(text).toString("base64");

/** The rows of a prepared group: a host and a membership with placeholders until the host answers. */
function addPrepared(
  user: User,
  link: ConnLink,
  profile: GroupProfile,
  business: "business" | undefined,
  welcome: boolean,
): { group: GroupRow; host: MemberRow } {
  const { displayName } = profile;
  const random = user.random.base64url(12);
  const hostId = encode(`${displayName}_unknown_host_${random}`);
  const group = addGroup(user, profile, {
    prepared: { link, mode: "con", ...(welcome && { welcomeSharedMsgId: user.random.id() }) },
  });
  const userId = encode(`${group.localDisplayName}_user_unknown_id`);
  if (business) group.businessChat = { chatType: business, businessId: hostId, customerId: userId };
  const host = addMemberRow(user, group, {
    memberId: hostId,
    memberRole: "admin",
    memberCategory: "host",
    memberStatus: "accepted",
    invitedBy: { type: "unknown" },
    profile: { displayName: encode(random).slice(0, 7), fullName: "" },
  });
  host.chatVersion = 1;
  const membership = addMemberRow(user, group, {
    memberId: userId,
    memberRole: "member",
    memberCategory: "user",
    memberStatus: "unknown",
    invitedBy: { type: "unknown" },
    invitedByGroupMemberId: host.groupMemberId,
  });
  group.membershipId = membership.groupMemberId;
  return { group, host };
}

/** `/_connect group`: asks to join a prepared group. */
export function connectGroup(
  user: User,
  groupId: number,
  incognito: boolean,
  message: RequestMessage | undefined,
): CoreJson {
  const { db } = user;
  const group = db.groups.get(groupId);
  if (!group) throw storeError("groupNotFound", { groupId });
  if (!group.prepared) throw notPrepared("group");
  if (message && !group.businessChat) throw chatError("connReqMessageProhibited");
  group.viaGroupLinkUri = group.prepared.link.connFullLink;
  const conn = openGroupRequest(user, group, incognito);
  const host = hostOf(user, group);
  const membership = db.members.at(group.membershipId);
  if (host) {
    host.connId = conn.connId;
    conn.entityId = host.groupMemberId;
  }
  if (conn.customUserProfileId !== undefined) membership.profileId = conn.customUserProfileId;
  const requestSharedMsgId = user.random.id();
  group.prepared = {
    ...group.prepared,
    prepared: true,
    started: true,
    ...(message && { requestSharedMsgId }),
  };
  const sent = message && requestItem(user, groupChat(group), message, requestSharedMsgId);
  const own = db.profiles.get(conn.customUserProfileId) ?? ownProfile(user);
  postRequest(
    user,
    conn,
    { profile: memberProfile(own), joining: true },
    sent,
    group.prepared.welcomeSharedMsgId,
  );
  return user.answer("startedConnectionToGroup", {
    groupInfo: groupJson(db, group),
    ...(conn.customUserProfileId !== undefined && { customUserProfile: plainProfile(own) }),
    relayResults: [],
  });
}

/** Opens the request; when the link is gone the group stays prepared, as it now says. */
function openGroupRequest(user: User, group: GroupRow, incognito: boolean) {
  const { prepared: preparation } = group;
  if (!preparation) throw notPrepared("group");
  try {
    return openRequest(user, preparation.link, incognito, true);
  } catch (error) {
    group.prepared = { ...preparation, prepared: true };
    user.emitOf("chatInfoUpdated", { chatInfo: chatInfo(user.db, groupChat(group)) });
    throw error;
  }
}
