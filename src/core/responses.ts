import { z } from "zod";
import { fieldOf } from "./api/json.js";
import { countedEach, each } from "./types/tolerant.js";
import {
  AChat,
  AChatItem,
  AnyChatInfo,
  ChatItemDeletion,
  ConnectionPlan,
  ConnLink,
  Contact,
  FileTransferMeta,
  GroupInfo,
  GroupLink,
  GroupMember,
  ListedChat,
  NavInfo,
  PendingContactConnection,
  RcvFileTransfer,
  User,
  UserContactLink,
  UserServers,
} from "./types.js";

/**
 * A group that cannot be read fails no other, but for one that holds data of this program or another: what is kept
 * there is not to be taken for lost.
 */
const Groups = z.array(z.unknown()).transform((all, context) =>
  all.flatMap((json, index) => {
    const group = GroupInfo.safeParse(json);
    if (group.success) return [group.data];
    if (fieldOf(json, "customData") === undefined) return [];
    for (const issue of group.error.issues)
      context.addIssue({ ...issue, code: "custom", path: [index, ...issue.path] });
    return z.NEVER;
  }),
);

function response<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}

/** The answers that are read, by their type. */
export const responses = {
  cmdOk: response("cmdOk", {}),
  activeUser: response("activeUser", { user: User }),
  networkConfig: response("networkConfig", {}),
  versionInfo: response("versionInfo", { versionInfo: z.object({ version: z.string() }) }),
  userServers: response("userServers", { userServers: z.array(UserServers) }),
  sQLResult: response("sQLResult", { rows: z.array(z.string()) }),

  contactsList: response("contactsList", { contacts: each(Contact) }),
  groupsList: response("groupsList", { groups: Groups }),
  apiChats: response("apiChats", { chats: each(ListedChat) }),
  groupMembers: response("groupMembers", {
    group: z.object({ groupInfo: GroupInfo, members: countedEach(GroupMember) }),
  }),

  groupCreated: response("groupCreated", { groupInfo: GroupInfo }),
  groupUpdated: response("groupUpdated", { toGroup: GroupInfo }),
  groupLinkCreated: response("groupLinkCreated", { groupLink: GroupLink }),
  groupLink: response("groupLink", { groupLink: GroupLink }),
  groupLinkDeleted: response("groupLinkDeleted", {}),
  membersRoleUser: response("membersRoleUser", { members: each(GroupMember) }),
  userDeletedMembers: response("userDeletedMembers", { members: each(GroupMember) }),
  leftMemberUser: response("leftMemberUser", { groupInfo: GroupInfo }),
  contactDeleted: response("contactDeleted", { contact: Contact }),
  groupDeletedUser: response("groupDeletedUser", { groupInfo: GroupInfo }),
  contactConnectionDeleted: response("contactConnectionDeleted", {}),

  connectionPlan: response("connectionPlan", { connLink: ConnLink, connectionPlan: ConnectionPlan }),
  newPreparedChat: response("newPreparedChat", { chat: AChat }),
  startedConnectionToContact: response("startedConnectionToContact", { contact: Contact }),
  startedConnectionToGroup: response("startedConnectionToGroup", { groupInfo: GroupInfo }),
  sentConfirmation: response("sentConfirmation", { connection: PendingContactConnection }),
  sentInvitation: response("sentInvitation", { connection: PendingContactConnection }),
  sentInvitationToContact: response("sentInvitationToContact", { contact: Contact }),
  contactAlreadyExists: response("contactAlreadyExists", { contact: Contact }),

  userContactLink: response("userContactLink", { contactLink: UserContactLink }),
  userContactLinkCreated: response("userContactLinkCreated", { connLinkContact: ConnLink }),
  userContactLinkUpdated: response("userContactLinkUpdated", { contactLink: UserContactLink }),
  userContactLinkDeleted: response("userContactLinkDeleted", {}),
  invitation: response("invitation", { connLinkInvitation: ConnLink }),
  acceptingContactRequest: response("acceptingContactRequest", { contact: Contact }),
  contactRequestRejected: response("contactRequestRejected", { contact_: Contact.optional() }),
  memberContactAccepted: response("memberContactAccepted", { contact: Contact }),
  userAcceptedGroupSent: response("userAcceptedGroupSent", { groupInfo: GroupInfo }),

  apiChat: response("apiChat", { chat: AChat, navInfo: NavInfo.optional() }),
  itemsReadForChat: response("itemsReadForChat", { chatInfo: AnyChatInfo }),
  chatItemInfo: response("chatItemInfo", {
    chatItem: AChatItem,
    chatItemInfo: z.object({
      /** The file's servers, where the core tells them. */
      fileXftpServers: z.array(z.string()).optional().catch(undefined),
    }),
  }),
  newChatItems: response("newChatItems", { chatItems: each(AChatItem) }),
  chatItemUpdated: response("chatItemUpdated", { chatItem: AChatItem }),
  chatItemNotChanged: response("chatItemNotChanged", { chatItem: AChatItem }),
  chatItemsDeleted: response("chatItemsDeleted", { chatItemDeletions: each(ChatItemDeletion) }),

  rcvFileAccepted: response("rcvFileAccepted", { chatItem: AChatItem }),
  rcvFileAcceptedSndCancelled: response("rcvFileAcceptedSndCancelled", { rcvFileTransfer: RcvFileTransfer }),
  rcvFileCancelled: response("rcvFileCancelled", { chatItem_: AChatItem.optional() }),
  sndFileCancelled: response("sndFileCancelled", {
    chatItem_: AChatItem.optional(),
    fileTransferMeta: FileTransferMeta,
  }),
};

export type ResponseType = keyof typeof responses;
/** Any of them. */
export type Answer = { [T in ResponseType]: z.infer<(typeof responses)[T]> }[ResponseType];
export type Response<Type extends ResponseType> = { [T in Type]: z.infer<(typeof responses)[T]> }[Type];
