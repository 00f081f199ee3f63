import type { GroupRow, Json, MemberRow, Prepared, SupportChat } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import type { Database } from "../database/database.js";
import { fullGroupPreferences } from "./group-preferences.js";
import { connJson, localProfile, present } from "./json.js";

export function groupJson(db: Database, group: GroupRow): Json {
  return present({
    groupId: group.groupId,
    useRelays: false,
    localDisplayName: group.localDisplayName,
    groupProfile: group.profile,
    localAlias: group.localAlias,
    businessChat: group.businessChat,
    fullGroupPreferences: fullGroupPreferences(group.profile),
    membership: memberJson(db, db.members.at(group.membershipId), false),
    chatSettings: group.chatSettings,
    createdAt: timestamp(group.createdAt),
    updatedAt: timestamp(group.updatedAt),
    chatTs: timestamp(group.chatTs),
    userMemberProfileSentAt: timestamp(group.memberProfileSentAt),
    preparedGroup: group.prepared && preparedGroup(group.prepared),
    chatTags: [],
    customData: group.customData,
    groupSummary: { currentMembers: db.currentMembers(group.groupId) },
    membersRequireAttention: attention(db, group),
    viaGroupLinkUri: group.viaGroupLinkUri,
  });
}

const preparedGroup = (prepared: Prepared): Json =>
  present({
    connLinkToConnect: prepared.link,
    connLinkPreparedConnection: prepared.prepared ?? false,
    connLinkStartedConnection: prepared.started ?? false,
    welcomeSharedMsgId: prepared.welcomeSharedMsgId,
    requestSharedMsgId: prepared.requestSharedMsgId,
  });

const GONE: ReadonlySet<string> = new Set(["removed", "left", "rejected", "deleted"]);

/** Members pending, or with messages in their support chat that wait for an answer. */
function attention(db: Database, group: GroupRow): number {
  let count = 0;
  for (const member of db.supported(group.groupId)) {
    if (GONE.has(member.memberStatus)) continue;
    const pending = member.memberStatus === "pending_review" || member.memberStatus === "pending_approval";
    if (
      member.groupMemberId !== group.membershipId &&
      (pending || (member.supportChat?.memberAttention ?? 0) > 0)
    ) {
      count++;
    }
  }
  return count;
}

/** A member; with its connection where the core had it at hand, without where it read the member with an item. */
export function memberJson(db: Database, member: MemberRow, withConn: boolean): Json {
  const conn = withConn ? db.conns.get(member.connId) : undefined;
  const own = member.memberCategory === "user" && member.contactId === db.user?.userContactId;
  const profile = db.profiles.at(member.profileId);
  return present({
    groupMemberId: member.groupMemberId,
    groupId: member.groupId,
    indexInGroup: member.indexInGroup,
    memberId: member.memberId,
    memberRole: member.memberRole,
    memberCategory: member.memberCategory,
    memberStatus: member.memberStatus,
    memberSettings: { showMessages: member.showMessages },
    blockedByAdmin: member.blockedByAdmin,
    invitedBy: member.invitedBy,
    invitedByGroupMemberId: member.invitedByGroupMemberId,
    localDisplayName: member.localDisplayName,
    memberProfile: localProfile(own ? { ...profile, preferences: db.user?.preferences } : profile),
    memberContactId: member.contactId,
    memberContactProfileId: own ? db.user?.profileId : member.profileId,
    activeConn: conn && connJson(db, conn),
    memberChatVRange: { minVersion: 1, maxVersion: member.chatVersion },
    createdAt: timestamp(member.createdAt),
    updatedAt: timestamp(member.updatedAt),
    supportChat: member.supportChat && supportJson(member.supportChat),
  });
}

const supportJson = (chat: SupportChat): Json =>
  present({
    chatTs: timestamp(chat.chatTs),
    unread: chat.unread,
    memberAttention: chat.memberAttention,
    mentions: chat.mentions,
    lastMsgFromMemberTs: chat.lastMsgFromMemberTs && timestamp(chat.lastMsgFromMemberTs),
  });
