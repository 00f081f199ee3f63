import { z } from "zod";
import { Connection, ConnLink, CustomData, LocalProfile } from "./people.js";
import { optionalText, text } from "./tolerant.js";

export const GroupMember = z.object({
  /** The local row: what commands and outgoing mentions name. */
  groupMemberId: z.number(),
  /** The member within the group, the same for everybody: what the wire, quotes and received mentions name. */
  memberId: z.string(),
  memberRole: text,
  /** `user` (we), `invitee`, `host`, `pre`, `post`. */
  memberCategory: z.string(),
  memberStatus: z.string(),
  blockedByAdmin: z.boolean().default(false),
  localDisplayName: z.string(),
  memberProfile: LocalProfile,
  /** Set when the member is a contact, too. */
  memberContactId: z.number().optional(),
  invitedBy: z.object({ type: z.string(), byContactId: z.number().optional() }).optional(),
  activeConn: Connection.optional(),
  supportChat: z.object({ unread: z.number() }).optional(),
  /** When this row was made: the id of a deleted last row comes again. */
  createdAt: z.string(),
});
export type GroupMember = z.infer<typeof GroupMember>;

/** Kept whole: the core replaces the profile by what it is given. */
export const GroupProfile = z
  .looseObject({
    displayName: text,
    fullName: text,
    shortDescr: optionalText,
    /** The welcome message. */
    description: optionalText,
    groupPreferences: z.record(z.string(), z.unknown()).optional().catch(undefined),
  })
  .catch({ displayName: "", fullName: "" });
export type GroupProfile = z.infer<typeof GroupProfile>;

export const BusinessChat = z.object({
  /** `business`: the other side is one; `customer`: we are. */
  chatType: z.string(),
  businessId: z.string(),
  customerId: z.string(),
});
export type BusinessChat = z.infer<typeof BusinessChat>;

/** The preferences that are read, complete with the defaults; of another shape they are none. */
const FullGroupPreferences = z
  .object({ timedMessages: z.object({ enable: z.string(), ttl: z.number().optional() }).optional() })
  .catch({});

export const GroupInfo = z.object({
  groupId: z.number(),
  /** A channel over chat relays. */
  useRelays: z.boolean().default(false),
  localDisplayName: z.string(),
  groupProfile: GroupProfile,
  businessChat: BusinessChat.optional().catch(undefined),
  fullGroupPreferences: FullGroupPreferences,
  /** We as a member. */
  membership: GroupMember,
  /** Stays for good, also when connected: look at `membership`. */
  preparedGroup: z
    .object({
      connLinkToConnect: ConnLink,
      connLinkPreparedConnection: z.boolean(),
      connLinkStartedConnection: z.boolean(),
    })
    .optional(),
  customData: CustomData.optional(),
  createdAt: z.string(),
  chatTs: z.string().optional(),
});
export type GroupInfo = z.infer<typeof GroupInfo>;

export const GroupLink = z.object({ connLinkContact: ConnLink, acceptMemberRole: z.string() });
export type GroupLink = z.infer<typeof GroupLink>;
