import { z } from "zod";
import type { CoreJson } from "../api/chat-api.js";
import { CoreError } from "../errors/core-error.js";
import { AChat, AChatItem, ChatInfo, ChatItemDeletion } from "./chats.js";
import { FileTransferMeta, RcvFileDescr, RcvFileTransfer } from "./files.js";
import { GroupInfo, GroupMember } from "./groups.js";
import { ChatDir, ChatItem, Reaction } from "./items.js";
import { Contact } from "./people.js";
import { bytes, each, text } from "./tolerant.js";

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}

const ofContact = { contact: Contact };
const ofMember = { groupInfo: GroupInfo, member: GroupMember };
const ofHost = { groupInfo: GroupInfo, hostMember: GroupMember };
const ofItem = { chatItem: AChatItem };
const ofReceived = { chatItem_: AChatItem.optional(), rcvFileTransfer: RcvFileTransfer };
const ofSent = { chatItem_: AChatItem.optional(), fileTransferMeta: FileTransferMeta };

/** Every event that is read; the core has many more, of which nothing is needed. */
const ChatEvents = [
  // Messages. `newChatItems` holds received messages and event items of any chat, and may be empty.
  event("newChatItems", { chatItems: each(AChatItem) }),
  // An edit, the end of a live message, a new file status; also for items never seen before.
  event("chatItemUpdated", ofItem),
  event("chatItemsDeleted", {
    chatItemDeletions: each(ChatItemDeletion),
    byUser: z.boolean(),
    /** A disappearing message whose time is up. */
    timed: z.boolean(),
  }),
  event("chatItemReaction", {
    added: z.boolean(),
    reaction: z.object({
      chatInfo: ChatInfo,
      chatReaction: z.object({
        chatDir: ChatDir,
        chatItem: ChatItem,
        reaction: Reaction,
      }),
    }),
  }),
  event("chatItemsStatusesUpdated", { chatItems: each(AChatItem) }),

  // Connections
  event("contactConnected", ofContact),
  event("contactSndReady", ofContact),
  event("contactDeletedByContact", ofContact),
  /** The core lets somebody in by itself, as the address says. */
  event("acceptingContactRequest", ofContact),
  event("contactUpdated", { fromContact: Contact, toContact: Contact }),
  event("chatInfoUpdated", { chatInfo: ChatInfo }),

  // Requests to us. Several of one person carry the same contact.
  event("receivedContactRequest", { chat_: AChat.optional() }),
  event("newMemberContactReceivedInv", { ...ofContact, groupInfo: GroupInfo, member: GroupMember }),
  /** The role of the membership may be that of an earlier invitation. */
  event("receivedGroupInvitation", { groupInfo: GroupInfo, contact: Contact, memberRole: text }),

  // Groups. `joinedGroupMember` comes to the host of the member, `connectedToGroupMember` to everybody else.
  event("groupLinkConnecting", ofHost),
  event("businessLinkConnecting", { ...ofHost, fromContact: Contact }),
  event("userJoinedGroup", ofHost),
  event("joinedGroupMember", ofMember),
  event("joinedGroupMemberConnecting", { ...ofHost, member: GroupMember }),
  event("connectedToGroupMember", ofMember),
  event("memberAcceptedByOther", { ...ofMember, acceptingMember: GroupMember }),
  event("groupMemberUpdated", { groupInfo: GroupInfo, fromMember: GroupMember, toMember: GroupMember }),
  event("memberRole", { ...ofMember, byMember: GroupMember, fromRole: text, toRole: text }),
  event("leftMember", ofMember),
  event("deletedMember", { groupInfo: GroupInfo, byMember: GroupMember, deletedMember: GroupMember }),
  /** We were removed, by `member`. */
  event("deletedMemberUser", ofMember),
  event("groupDeleted", ofMember),
  event("groupUpdated", { fromGroup: GroupInfo, toGroup: GroupInfo, member_: GroupMember.optional() }),

  // Files. The item of `rcvFileSndCancelled` and of the `sndFile…` events may show an old status: read it again.
  event("rcvFileDescrReady", { ...ofItem, rcvFileTransfer: RcvFileTransfer, rcvFileDescr: RcvFileDescr }),
  event("rcvFileAccepted", ofItem),
  event("rcvFileStart", ofItem),
  // Sizes are of the encrypted file.
  event("rcvFileProgressXFTP", { ...ofReceived, receivedSize: bytes, totalSize: bytes }),
  event("rcvFileComplete", ofItem),
  event("rcvFileError", { ...ofReceived, agentError: z.unknown() }),
  event("rcvFileWarning", { ...ofReceived, agentError: z.unknown() }),
  event("rcvFileSndCancelled", { ...ofItem, rcvFileTransfer: RcvFileTransfer }),
  event("sndFileProgressXFTP", { ...ofSent, sentSize: bytes, totalSize: bytes }),
  event("sndFileCompleteXFTP", { ...ofItem, fileTransferMeta: FileTransferMeta }),
  event("sndFileError", { ...ofSent, errorMessage: z.string() }),
  event("sndFileWarning", { ...ofSent, errorMessage: z.string() }),

  // Failures that belong to no item
  event("chatErrors", { chatErrors: z.array(z.unknown()) }),
  event("messageError", { severity: z.string(), errorMessage: z.string() }),
] as const;

export type ChatEvent = z.infer<(typeof ChatEvents)[number]>;

const schemas = new Map<string, z.ZodType<ChatEvent>>(
  ChatEvents.map((schema) => [schema.shape.type.value, schema]),
);

/** The event, or undefined for a type that is not read. Throws `CoreError` when its shape is wrong. */
export function readEvent(raw: CoreJson): ChatEvent | undefined {
  const schema = schemas.get(raw.type);
  if (!schema) return undefined;
  const event = schema.safeParse(raw);
  if (!event.success) throw CoreError.unreadable(`event ${raw.type}`, event.error);
  return event.data;
}
