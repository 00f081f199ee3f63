import type { ConnLink, GroupProfile, Json, Role } from "./values.js";
import type { Wire } from "./wire.js";

export type { ConnLink, GroupProfile, Json, Role } from "./values.js";

/** The rows of a user's database. Plain data, so that a database can be saved as JSON. Times are ms since 1970. */
export interface ProfileRow {
  profileId: number;
  displayName: string;
  fullName: string;
  shortDescr?: string;
  image?: string;
  contactLink?: string;
  preferences?: Json;
  peerType?: string;
  localAlias: string;
  contactDomain?: Json;
  contactDomainVerified?: boolean;
}

export interface UserRow {
  userId: number;
  userContactId: number;
  localDisplayName: string;
  profileId: number;
  /** Preferences as set with the profile; absent keys have the defaults. */
  preferences?: Json;
  autoAcceptMemberContacts: boolean;
  /** What the core shows of `autoAcceptMemberContacts`: as it was when it was opened. */
  autoAcceptShown: boolean;
  memberProfileUpdatedAt?: number;
}

export type ConnStatus =
  | "new"
  | "prepared"
  | "joined"
  | "requested"
  | "accepted"
  | "sndReady"
  | "ready"
  | "deleted";

export interface ConnRow {
  connId: number;
  agentConnId: string;
  connType: "contact" | "member";
  connStatus: ConnStatus;
  /** The contact or member; absent while the connection is pending. */
  entityId?: number;
  viaContact?: number;
  viaUserContactLink?: number;
  viaGroupLink: boolean;
  groupLinkId?: string;
  xContactId?: string;
  customUserProfileId?: number;
  contactConnInitiated: boolean;
  connLevel: number;
  pqSupport: boolean;
  pqSndEnabled?: boolean;
  pqRcvEnabled?: boolean;
  peerVersion: number;
  chatVersion: number;
  localAlias: string;
  authErrCounter: number;
  createdAt: number;
  updatedAt: number;
  /** The queue that the connection was asked through: a contact address, a group link or an invitation. */
  viaQueue?: string;
  viaContactUri: boolean;
  /** Our own one-time invitation, while it is not used. */
  connLinkInv?: ConnLink;
}

export interface Prepared {
  readonly link: ConnLink;
  readonly mode: "con" | "inv";
  readonly welcomeSharedMsgId?: string;
  readonly requestSharedMsgId?: string;
  /** Groups: the connection was prepared, and started. */
  readonly prepared?: boolean;
  readonly started?: boolean;
}

export interface ContactRow {
  contactId: number;
  localDisplayName: string;
  profileId: number;
  connId?: number;
  contactUsed: boolean;
  contactStatus: "active" | "deleted" | "deletedByUser";
  chatSettings: Json;
  userPreferences: Json;
  createdAt: number;
  updatedAt: number;
  chatTs: number;
  /** The item that `chatTs` is of, or the last one before the chat. */
  touchedBy?: number;
  prepared?: Prepared;
  contactRequestId?: number;
  contactGroupMemberId?: number;
  contactGrpInvSent: boolean;
  groupDirectInv?: Json;
  /** A member's invitation to a direct contact: the connection through which it is accepted. */
  invitedThrough?: string;
  chatDeleted: boolean;
  unreadChat: boolean;
  customData?: Json;
}

export interface GroupRow {
  groupId: number;
  localDisplayName: string;
  profile: GroupProfile;
  localAlias: string;
  businessChat?: {
    readonly chatType: "business" | "customer";
    readonly businessId: string;
    readonly customerId: string;
  };
  /** groupMemberId of our own row. */
  membershipId: number;
  chatSettings: Json;
  createdAt: number;
  updatedAt: number;
  chatTs: number;
  /** The item that `chatTs` is of, or the last one before the chat. */
  touchedBy?: number;
  memberProfileSentAt: number;
  prepared?: Prepared;
  viaGroupLinkUri?: string;
  /** An invitation by a contact: the connection through which it is accepted. */
  invitedThrough?: string;
  customData?: Json;
  unreadChat: boolean;
  /** The next `indexInGroup`. */
  nextIndex: number;
}

export type MemberCategory = "user" | "invitee" | "host" | "pre" | "post";

export type MemberStatus =
  | "rejected"
  | "removed"
  | "left"
  | "deleted"
  | "unknown"
  | "invited"
  | "pending_approval"
  | "pending_review"
  | "introduced"
  | "intro-inv"
  | "accepted"
  | "announced"
  | "connected"
  | "complete"
  | "creator";

export interface SupportChat {
  chatTs: number;
  unread: number;
  memberAttention: number;
  mentions: number;
  lastMsgFromMemberTs?: number;
}

export interface MemberRow {
  groupMemberId: number;
  groupId: number;
  indexInGroup: number;
  memberId: string;
  memberRole: Role;
  memberCategory: MemberCategory;
  memberStatus: MemberStatus;
  showMessages: boolean;
  blockedByAdmin: boolean;
  invitedBy: Json;
  invitedByGroupMemberId?: number;
  localDisplayName: string;
  profileId: number;
  contactId?: number;
  connId?: number;
  chatVersion: number;
  createdAt: number;
  updatedAt: number;
  supportChat?: SupportChat;
  /** Kept until the connection with a member works that we accepted or that is our host. */
  pending?: Wire[];
  /** A business's customer: the id of its requests. */
  xContactId?: string;
  /** The direct contact being made from this member. */
  directContactId?: number;
}

export interface LinkRow {
  userContactLinkId: number;
  /** The queue of the link at the server. */
  queue: string;
  link: ConnLink;
  /** A group's link; our own address without. */
  groupId?: number;
  groupLinkId?: string;
  acceptMemberRole?: Role;
  agentConnId: string;
  settings: Json;
}

export interface RequestRow {
  contactRequestId: number;
  agentInvitationId: string;
  contactId?: number;
  businessGroupId?: number;
  userContactLinkId?: number;
  localDisplayName: string;
  profileId: number;
  createdAt: number;
  updatedAt: number;
  xContactId: string;
  welcomeSharedMsgId?: string;
  requestSharedMsgId?: string;
  /** The requester's connection. */
  from: string;
  accepted: boolean;
}
