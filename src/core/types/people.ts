import { z } from "zod";
import { optionalText, text } from "./tolerant.js";

/** What is read of a profile. It comes from the other side unfiltered: the empty name, and every other JSON. */
const profile = {
  displayName: text,
  fullName: text,
  shortDescr: optionalText,
  /** `human`, `bot`, `agent`; absent for most members of groups, whatever they are. What is no text is no person. */
  peerType: z.string().optional().catch("unknown"),
  contactLink: optionalText,
};

export const Profile = z.object(profile).catch({ displayName: "", fullName: "", peerType: "unknown" });
export type Profile = z.infer<typeof Profile>;

export const LocalProfile = z
  .object({ ...profile, localAlias: text })
  .catch({ displayName: "", fullName: "", peerType: "unknown", localAlias: "" });
export type LocalProfile = z.infer<typeof LocalProfile>;

export const User = z.object({
  userId: z.number(),
  /** The contact that the core makes of the user: it is read like others, and is nobody to talk to. */
  userContactId: z.number().optional(),
  localDisplayName: z.string(),
  profile: LocalProfile,
  /** As it was when the core was opened. */
  autoAcceptMemberContacts: z.boolean().optional(),
});
export type User = z.infer<typeof User>;

/** Status of a connection: `ready`, `sndReady`, `deleted`, `joined`, … */
export const ConnStatus = z.object({ type: z.string() });
export type ConnStatus = z.infer<typeof ConnStatus>;

export const Connection = z.object({
  connId: z.number(),
  /** base64url; hex of its bytes is the agent database's `conn_id`. */
  agentConnId: z.string(),
  connStatus: ConnStatus,
  /** We made the link, or used an address. */
  contactConnInitiated: z.boolean().optional(),
  /** Set where an address was used. */
  xContactId: z.string().optional(),
  authErrCounter: z.number().default(0),
});
export type Connection = z.infer<typeof Connection>;

/** A link in its full form, which every command takes, and its short form where there is one. */
export const ConnLink = z.object({ connFullLink: z.string(), connShortLink: z.string().optional() });
export type ConnLink = z.infer<typeof ConnLink>;

/** An object that this program stores with a chat; keys of other programs are kept. */
export const CustomData = z.record(z.string(), z.unknown());
export type CustomData = z.infer<typeof CustomData>;

const Timer = z.object({ ttl: z.number().optional() });

/** The preferences that are read, of both sides; of another shape they are none. */
const MergedPreferences = z
  .object({
    timedMessages: z
      .object({
        enabled: z.object({ forUser: z.boolean() }),
        userPreference: z.object({ preference: Timer }),
        contactPreference: Timer,
      })
      .optional(),
  })
  .optional()
  .catch(undefined);

export const Contact = z.object({
  contactId: z.number(),
  localDisplayName: z.string(),
  profile: LocalProfile,
  /** Absent for contacts that are prepared, preset, or deleted but kept. */
  activeConn: Connection.optional(),
  /** `active`, `deleted` (by the other side), `deletedByUser`. */
  contactStatus: z.string(),
  /** Stays for good, also when connected: look at `activeConn`. */
  preparedContact: z.object({ connLinkToConnect: ConnLink }).optional(),
  /** Came by our address; may stay for good. */
  contactRequestId: z.number().optional(),
  /** A member of a group made it, with us. Stays for good. */
  groupDirectInv: z
    .object({ fromGroupId_: z.number().optional(), groupDirectInvStartedConnection: z.boolean() })
    .optional(),
  mergedPreferences: MergedPreferences,
  customData: CustomData.optional(),
  createdAt: z.string(),
  chatTs: z.string().optional(),
  chatDeleted: z.boolean().default(false),
});
export type Contact = z.infer<typeof Contact>;

export const ContactRequest = z.object({
  contactRequestId: z.number(),
  localDisplayName: z.string(),
  profile: Profile,
});
export type ContactRequest = z.infer<typeof ContactRequest>;

/** A connection by link that is no contact or group yet. Its id is `activeConn.connId` of what it becomes. */
export const PendingContactConnection = z.object({
  pccConnId: z.number(),
  pccAgentConnId: z.string(),
  pccConnStatus: ConnStatus,
  /** Our link that made it. */
  connLinkInv: ConnLink.optional(),
  createdAt: z.string(),
});
export type PendingContactConnection = z.infer<typeof PendingContactConnection>;

/** Kept whole: the core replaces them by what it is given. */
export const AddressSettings = z.looseObject({
  businessAddress: z.boolean(),
  /** Whoever asks is let in. */
  autoAccept: z.object({ acceptIncognito: z.boolean() }).nullish(),
});
export type AddressSettings = z.infer<typeof AddressSettings>;

/** Our address. */
export const UserContactLink = z.object({ connLinkContact: ConnLink, addressSettings: AddressSettings });
export type UserContactLink = z.infer<typeof UserContactLink>;
