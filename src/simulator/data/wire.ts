import type { ConnLink, GroupProfile, Json, Role } from "./values.js";

/** What one database hands to the servers for another. All data on it is immutable. */
export interface Envelope {
  /** The sender's connection. */
  readonly from: string;
  /** The receiver's connection, or the queue of a link; absent until the servers are asked. */
  readonly to?: string;
  readonly messages: readonly Wire[];
}

/** A delivery from the servers to a database. */
export interface Delivery extends Envelope {
  readonly to: string;
  /** When the servers took it. */
  readonly at: number;
}

/** A member as it is introduced. */
export interface MemberInfo {
  readonly memberId: string;
  readonly role: Role;
  readonly profile: Json;
}

/** A quoted message: by its id and author, with its content. */
export interface WireQuote {
  readonly sharedMsgId?: string;
  readonly sentAt: number;
  /** Direct chats: whether the sender of the quote wrote it. */
  readonly sent: boolean;
  readonly memberId?: string;
  readonly content: Json;
}

/** A file that a message offers: where it is follows. */
export interface WireFile {
  readonly name: string;
  readonly size: number;
}

export interface NewMessage {
  readonly kind: "message";
  readonly sharedMsgId: string;
  readonly content: Json;
  readonly live?: boolean;
  readonly ttl?: number;
  readonly forward?: boolean;
  readonly quote?: WireQuote;
  readonly mentions?: { readonly [name: string]: { readonly memberId: string } };
  readonly file?: WireFile;
  /** Support chat of this member. */
  readonly scope?: string;
}

export interface UpdateMessage {
  readonly kind: "update";
  readonly sharedMsgId: string;
  readonly content: Json;
  readonly live?: boolean;
  readonly ttl?: number;
  readonly mentions?: { readonly [name: string]: { readonly memberId: string } };
  readonly scope?: string;
}

export interface DeleteMessage {
  readonly kind: "delete";
  readonly eventId: string;
  readonly sharedMsgId: string;
  /** The author, when another member's message is moderated. */
  readonly memberId?: string;
  readonly scope?: string;
}

export interface ReactionMessage {
  readonly kind: "reaction";
  readonly sharedMsgId: string;
  /** Groups: the author of the message reacted to. */
  readonly memberId?: string;
  /** Of apps `{"type":"emoji","emoji":"👍"}`; what others send is kept, too. */
  readonly reaction: Json;
  readonly add: boolean;
  readonly scope?: string;
}

/** A part of the descriptor of a message's file. */
export interface FileDescrMessage {
  readonly kind: "fileDescr";
  readonly sharedMsgId: string;
  readonly part: string;
  /** From 1 on. */
  readonly partNo: number;
  readonly complete: boolean;
  readonly scope?: string;
}

export interface FileCancelMessage {
  readonly kind: "fileCancel";
  readonly sharedMsgId: string;
  readonly scope?: string;
}

export type RequestWire = Extract<Wire, { kind: "request" }>;

/** Messages that a host may forward from a member to members that are not connected to it yet. */
export type ChatWire =
  | NewMessage
  | UpdateMessage
  | DeleteMessage
  | ReactionMessage
  | FileDescrMessage
  | FileCancelMessage;

export interface GroupInvitation {
  readonly profile: GroupProfile;
  readonly businessChat?: { readonly businessId: string; readonly customerId: string };
  /** The joiner's place in the group. */
  readonly member: { readonly memberId: string; readonly role: Role };
  readonly host: MemberInfo;
  readonly pendingReview: boolean;
}

export type Wire =
  | {
      readonly kind: "request";
      readonly profile: Json;
      readonly xContactId: string;
      readonly message?: { readonly content: Json; readonly sharedMsgId: string };
      readonly welcomeSharedMsgId?: string;
      /** The joiner of a group (or a prepared business chat): its profile is a member's. */
      readonly joining: boolean;
    }
  | {
      readonly kind: "confirm";
      readonly profile?: Json;
      readonly group?: GroupInvitation;
      readonly peer: string;
    }
  | {
      readonly kind: "info";
      readonly profile?: Json;
      /** The sender asked for the connection: who accepted answers that it is connected. */
      readonly asked?: boolean;
    }
  | {
      readonly kind: "connected";
      /** Of the receiver to itself, by its own servers: it has the other's confirmation and all that came with it. */
      readonly confirmed?: boolean;
    }
  | ChatWire
  | { readonly kind: "receipt"; readonly sharedMsgIds: readonly string[] }
  | { readonly kind: "profile"; readonly eventId: string; readonly profile: Json }
  | { readonly kind: "contactDeleted"; readonly eventId: string }
  | { readonly kind: "probe"; readonly database: string }
  | {
      readonly kind: "invite";
      readonly eventId: string;
      readonly invitation: GroupInvitation;
      readonly fromRole: Role;
      /** The connection through which the invitation is accepted. */
      readonly through: string;
    }
  | { readonly kind: "memberProfile"; readonly eventId: string; readonly profile: Json }
  | { readonly kind: "hostProfile"; readonly profile: Json }
  | {
      readonly kind: "memberNew";
      readonly eventId: string;
      readonly member: MemberInfo;
      readonly scope?: string;
    }
  | { readonly kind: "memberIntro"; readonly member: MemberInfo; readonly scope?: string }
  | { readonly kind: "memberInvite"; readonly memberId: string; readonly through: string }
  | {
      readonly kind: "memberForward";
      readonly member: MemberInfo;
      readonly through: string;
      readonly scope?: string;
    }
  | { readonly kind: "memberConnected"; readonly memberId: string }
  | { readonly kind: "memberRole"; readonly eventId: string; readonly memberId: string; readonly role: Role }
  | {
      readonly kind: "memberRemoved";
      readonly eventId: string;
      readonly memberId: string;
      readonly withMessages: boolean;
    }
  | {
      readonly kind: "memberBlocked";
      readonly eventId: string;
      readonly memberId: string;
      readonly blocked: boolean;
    }
  | { readonly kind: "left"; readonly eventId: string }
  | { readonly kind: "groupDeleted"; readonly eventId: string }
  | { readonly kind: "groupProfile"; readonly eventId: string; readonly profile: GroupProfile }
  | { readonly kind: "pendingReview" }
  | {
      readonly kind: "memberAccepted";
      readonly eventId: string;
      readonly memberId: string;
      readonly role: Role;
    }
  | { readonly kind: "forward"; readonly memberId: string; readonly at: number; readonly message: ChatWire }
  | {
      readonly kind: "directInvite";
      readonly link: ConnLink;
      readonly through: string;
      readonly message?: { readonly content: Json; readonly sharedMsgId: string };
    };
