import type { Json } from "./values.js";

export interface Mention {
  readonly memberId: string;
}

export interface Quote {
  /** Whose message: ours, or the peer's (a group's member by its memberId). */
  readonly sent: boolean;
  readonly memberId?: string;
  readonly sharedMsgId?: string;
  readonly sentAt: number;
  readonly content: Json;
  readonly formattedText?: readonly Json[];
}

export interface Reaction {
  /** As who reacted wrote it: the core keeps every JSON object. */
  readonly reaction: Json;
  /** memberId of who reacted, or "" for ourselves, or "contact". */
  readonly by: string;
  readonly at: number;
}

export interface ItemVersion {
  readonly chatItemVersionId: number;
  readonly text: string;
  readonly formattedText?: readonly Json[];
  readonly itemVersionTs: number;
  readonly createdAt: number;
}

/** What became of a group item at one member. */
export interface MemberDelivery {
  status: "new" | "sent" | "rcvd" | "error" | "forwarded" | "inactive";
  sentViaProxy?: boolean;
}

export interface ItemRow {
  itemId: number;
  /** `@contactId`, `#groupId` or `*noteFolderId`. */
  chat: string;
  /** Support chats: the groupMemberId whose chat it is, 0 for our own. */
  scope?: number;
  sent: boolean;
  /** groupMemberId of the author, for received items of groups. */
  memberId?: number;
  content: Json;
  text: string;
  status: Json;
  itemTs: number;
  /** The wire's time stamp has whole seconds; our own items have fractions. */
  sharedMsgId?: string;
  sentViaProxy?: boolean;
  forwarded?: Json;
  deleted?: Json;
  edited: boolean;
  timed?: { ttl: number; deleteAt?: number };
  live?: boolean;
  userMention: boolean;
  hasLink: boolean;
  forwardedByMember?: number;
  asGroup: boolean;
  fileId?: number;
  createdAt: number;
  updatedAt: number;
  mentions?: { readonly [name: string]: Mention };
  formattedText?: readonly Json[];
  quote?: Quote;
  reactions?: Reaction[];
  versions?: ItemVersion[];
  deliveries?: Record<number, MemberDelivery>;
  /** How many of `deliveries` there are, were taken by the servers, were received. */
  deliveryCounts?: { total: number; sent: number; received: number };
}
