import { CHAT_VERSION } from "../connections/connections.js";
import { storeError, unparsable } from "../data/errors.js";
import { isObject, needed, objectIn, textIn } from "../data/parsed.js";
import type { ConnRow, GroupProfile, GroupRow, Json, MemberRow } from "../data/rows.js";
import { CURRENT } from "../database/database.js";
import { parseGroupPreferences } from "../json/group-preferences.js";
import { defined } from "../json/json.js";
import { addProfile, DEFAULT_SETTINGS } from "../people/contacts.js";
import type { User } from "../user/user.js";

export const groupChat = (group: GroupRow): string => `#${group.groupId}`;

/** Reads a `GroupProfile`; throws as the core does on what it cannot parse. */
export function parseGroupProfile(json: unknown): GroupProfile {
  if (!isObject(json)) throw unparsable();
  const { groupPreferences } = json;
  const preferences = groupPreferences === undefined ? undefined : parseGroupPreferences(groupPreferences);
  if (groupPreferences !== undefined && !preferences) throw unparsable();
  const { displayName, fullName, shortDescr, image } = namedProfile(json);
  return defined<GroupProfile>({
    displayName,
    fullName,
    shortDescr,
    description: textIn(json, "description"),
    image,
    groupPreferences: preferences,
    memberAdmission: objectIn(json, "memberAdmission"),
  });
}

type NamedProfile = Pick<GroupProfile, "displayName" | "fullName" | "shortDescr" | "image">;

/** The name, picture and description of a profile: a group's, a member's or a business's. */
export function namedProfile(json: Json): NamedProfile {
  return defined<NamedProfile>({
    displayName: needed(textIn(json, "displayName")),
    fullName: needed(textIn(json, "fullName")),
    shortDescr: textIn(json, "shortDescr"),
    image: textIn(json, "image"),
  });
}

export function addGroup(user: User, profile: GroupProfile, more: Partial<GroupRow> = {}): GroupRow {
  const now = user.now();
  return user.db.groups.insert((groupId) => ({
    groupId,
    localDisplayName: user.db.names.take(profile.displayName),
    profile,
    localAlias: "",
    membershipId: 0,
    chatSettings: DEFAULT_SETTINGS,
    createdAt: now,
    updatedAt: now,
    chatTs: now,
    touchedBy: user.db.items.latestId,
    memberProfileSentAt: now,
    unreadChat: false,
    nextIndex: 0,
    ...more,
  }));
}

export type NewMember = Pick<
  MemberRow,
  "memberId" | "memberRole" | "memberCategory" | "memberStatus" | "invitedBy"
> & {
  /** The profile of another member; our own row has none of its own. */
  readonly profile?: Json;
  readonly invitedByGroupMemberId?: number | undefined;
  readonly contactId?: number;
};

export function addMemberRow(user: User, group: GroupRow, member: NewMember): MemberRow {
  const { db } = user;
  const now = user.now();
  const own = db.user;
  if (!own) throw new Error("no user");
  const contact = db.contacts.get(member.contactId);
  const profileId =
    contact?.profileId ?? (member.profile ? addProfile(user, member.profile).profileId : own.profileId);
  const contactId = contact?.contactId ?? (member.profile ? undefined : own.userContactId);
  const name = contact?.localDisplayName ?? (member.profile ? undefined : own.localDisplayName);
  return db.addMember((groupMemberId) => ({
    groupMemberId,
    groupId: group.groupId,
    indexInGroup: group.nextIndex++,
    memberId: member.memberId,
    memberRole: member.memberRole,
    memberCategory: member.memberCategory,
    memberStatus: member.memberStatus,
    showMessages: true,
    blockedByAdmin: false,
    invitedBy: member.invitedBy,
    ...(member.invitedByGroupMemberId !== undefined && {
      invitedByGroupMemberId: member.invitedByGroupMemberId,
    }),
    localDisplayName: name ?? db.names.take(db.profiles.at(profileId).displayName),
    profileId,
    ...(contactId !== undefined && { contactId }),
    chatVersion: CHAT_VERSION,
    createdAt: now,
    updatedAt: now,
  }));
}

export function group(user: User, groupId: number): GroupRow {
  const row = user.db.groups.get(groupId);
  if (!row) throw storeError("groupNotFound", { groupId });
  return row;
}

export const membershipOf = (user: User, row: GroupRow): MemberRow => user.db.members.at(row.membershipId);

/** Whether a member is in the group, and not only on its way. */
export const isActive = ({ memberStatus }: MemberRow): boolean =>
  ["connected", "complete", "creator"].includes(memberStatus);

export const isCurrent = (member: MemberRow): boolean => CURRENT.has(member.memberStatus);

/** The connection of a member through which it can be reached now. */
export function memberConn(user: User, member: MemberRow): ConnRow | undefined {
  const conn = user.db.conns.get(member.connId);
  return conn && (conn.connStatus === "ready" || conn.connStatus === "sndReady") ? conn : undefined;
}

/** The current members but ourselves. */
export function* others(user: User, row: GroupRow): Iterable<MemberRow> {
  for (const member of user.db.membersOf(row.groupId).values()) {
    if (member.groupMemberId !== row.membershipId && isCurrent(member)) yield member;
  }
}

/** The member that invited or accepted us. */
export function hostOf(user: User, group: GroupRow): MemberRow | undefined {
  for (const member of user.db.membersOf(group.groupId).values())
    if (member.memberCategory === "host") return member;
  return undefined;
}
