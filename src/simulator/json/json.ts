import type { ConnRow, ContactRow, Json, Prepared, ProfileRow, RequestRow } from "../data/rows.js";
import { timestamp } from "../data/time.js";
import type { Database } from "../database/database.js";
import { fullPreferences, mergedPreferences, type Sides } from "./contact-preferences.js";

/** An object without the keys whose value is undefined: the core leaves absent values out. */
export function present(fields: Record<string, unknown>): Json {
  const json: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) json[key] = fields[key];
  return json;
}

/** The same for a known type; its optional keys may be given as undefined. */
export function defined<T extends object>(fields: { [K in keyof Required<T>]: T[K] | undefined }): T {
  return present({ ...fields }) as T;
}

/** `LocalProfile`: a profile as it is stored. */
export function localProfile(row: ProfileRow): Json {
  return present({
    profileId: row.profileId,
    displayName: row.displayName,
    fullName: row.fullName,
    shortDescr: row.shortDescr,
    image: row.image,
    contactLink: row.contactLink,
    preferences: row.preferences,
    peerType: row.peerType,
    localAlias: row.localAlias,
    contactDomain: row.contactDomain,
    contactDomainVerified: row.contactDomainVerified,
  });
}

/** `Profile`: a profile as it travels. */
export function plainProfile(row: ProfileRow): Json {
  return present({
    displayName: row.displayName,
    fullName: row.fullName,
    shortDescr: row.shortDescr,
    image: row.image,
    contactLink: row.contactLink,
    preferences: row.preferences,
    peerType: row.peerType,
    contactDomain: row.contactDomain,
  });
}

export function userJson(db: Database): Json {
  const { user } = db;
  if (!user) throw new Error("no user");
  return present({
    userId: user.userId,
    agentUserId: String(user.userId),
    userContactId: user.userContactId,
    localDisplayName: user.localDisplayName,
    // The core reads the name from the user's row.
    profile: localProfile({
      ...db.profiles.at(user.profileId),
      displayName: user.localDisplayName,
      preferences: user.preferences,
    }),
    fullPreferences: fullPreferences(user.preferences),
    activeUser: true,
    activeOrder: 1,
    showNtfs: true,
    sendRcptsContacts: true,
    sendRcptsSmallGroups: true,
    autoAcceptMemberContacts: user.autoAcceptShown,
    userMemberProfileUpdatedAt: user.memberProfileUpdatedAt && timestamp(user.memberProfileUpdatedAt),
    userChatRelay: false,
    clientService: false,
  });
}

export function connJson(db: Database, conn: ConnRow): Json {
  return present({
    connId: conn.connId,
    agentConnId: conn.agentConnId,
    connChatVersion: conn.chatVersion,
    peerChatVRange: { minVersion: 1, maxVersion: conn.peerVersion },
    connLevel: conn.connLevel,
    viaContact: conn.viaContact,
    viaUserContactLink: db.links.get(conn.viaUserContactLink) && conn.viaUserContactLink,
    viaGroupLink: conn.viaGroupLink,
    groupLinkId: conn.groupLinkId,
    xContactId: conn.xContactId,
    customUserProfileId: conn.customUserProfileId,
    connType: conn.connType,
    connStatus: { type: conn.connStatus },
    contactConnInitiated: conn.contactConnInitiated,
    localAlias: conn.localAlias,
    entityId: conn.entityId,
    pqSupport: conn.pqSupport,
    pqEncryption: conn.pqSupport,
    pqSndEnabled: conn.pqSndEnabled,
    pqRcvEnabled: conn.pqRcvEnabled,
    authErrCounter: conn.authErrCounter,
    quotaErrCounter: 0,
    createdAt: timestamp(conn.createdAt),
  });
}

/** Whose preferences meet in the chat with a contact. */
export function sidesOf(db: Database, contact: ContactRow): Sides {
  const conn = db.conns.get(contact.connId);
  return {
    user: db.user?.preferences,
    forContact: contact.userPreferences,
    contact: db.profiles.get(contact.profileId)?.preferences,
    incognito: conn?.customUserProfileId !== undefined,
  };
}

export function contactJson(db: Database, contact: ContactRow): Json {
  const conn = db.conns.get(contact.connId);
  return present({
    contactId: contact.contactId,
    localDisplayName: contact.localDisplayName,
    profile: localProfile(db.profiles.at(contact.profileId)),
    activeConn: conn && connJson(db, conn),
    contactUsed: contact.contactUsed,
    contactStatus: contact.contactStatus,
    chatSettings: contact.chatSettings,
    userPreferences: contact.userPreferences,
    mergedPreferences: mergedPreferences(sidesOf(db, contact)),
    createdAt: timestamp(contact.createdAt),
    updatedAt: timestamp(contact.updatedAt),
    chatTs: timestamp(contact.chatTs),
    preparedContact: contact.prepared && preparedContact(contact.prepared),
    contactRequestId: contact.contactRequestId,
    contactGroupMemberId: contact.contactGroupMemberId,
    contactGrpInvSent: contact.contactGrpInvSent,
    groupDirectInv: contact.groupDirectInv,
    chatTags: [],
    chatDeleted: contact.chatDeleted,
    customData: contact.customData,
  });
}

const preparedContact = (prepared: Prepared): Json =>
  present({
    connLinkToConnect: prepared.link,
    uiConnLinkType: prepared.mode,
    welcomeSharedMsgId: prepared.welcomeSharedMsgId,
    requestSharedMsgId: prepared.requestSharedMsgId,
  });

/** `PendingContactConnection`. */
export function pendingJson(conn: ConnRow): Json {
  return present({
    pccConnId: conn.connId,
    pccAgentConnId: conn.agentConnId,
    pccConnStatus: { type: conn.connStatus },
    viaContactUri: conn.viaContactUri,
    groupLinkId: conn.groupLinkId,
    customUserProfileId: conn.customUserProfileId,
    connLinkInv: conn.connLinkInv,
    localAlias: conn.localAlias,
    createdAt: timestamp(conn.createdAt),
    updatedAt: timestamp(conn.updatedAt),
  });
}

/** `UserContactRequest`. */
export function requestJson(db: Database, request: RequestRow): Json {
  return present({
    contactRequestId: request.contactRequestId,
    agentInvitationId: request.agentInvitationId,
    contactId_: request.contactId,
    businessGroupId_: request.businessGroupId,
    userContactLinkId_: request.userContactLinkId,
    cReqChatVRange: { minVersion: 1, maxVersion: 19 },
    localDisplayName: request.localDisplayName,
    profileId: request.profileId,
    profile: localProfile(db.profiles.at(request.profileId)),
    createdAt: timestamp(request.createdAt),
    updatedAt: timestamp(request.updatedAt),
    xContactId: request.xContactId,
    pqSupport: true,
    welcomeSharedMsgId: request.welcomeSharedMsgId,
    requestSharedMsgId: request.requestSharedMsgId,
  });
}
