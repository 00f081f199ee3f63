import type { Clock } from "../time/clock.js";
import type { ChatApiLike } from "./api/chat-api.js";
import { type ChatsQuery, commands, type Pagination } from "./commands.js";
import { CoreSession } from "./core-session.js";
import type { Gate } from "./requests.js";
import type { Response } from "./responses.js";
import type {
  AChat,
  AChatItem,
  AddressSettings,
  ChatRef,
  ComposedMessage,
  ConnectionPlan,
  ConnLink,
  Contact,
  GroupInfo,
  GroupLink,
  GroupMember,
  GroupProfile,
  NavInfo,
  PendingContactConnection,
  UpdatedMessage,
  UserContactLink,
} from "./types.js";

/**
 * The SimpleX core, one method a command. Every method rejects with `CoreError` when the core refuses or its answer
 * cannot be read. Answers and the events they cause come in no fixed order.
 */
export class Core extends CoreSession {
  readonly #log: (line: string) => void;
  #toldUnreadable = new Set<string>();

  /** With a `gate`, what others may notice goes out through it. */
  constructor(api: ChatApiLike, clock?: Clock, log: (line: string) => void = () => undefined, gate?: Gate) {
    super(api, clock, gate);
    this.#log = log;
  }

  /** The same core, for one whose commands pass a gate. */
  through(gate: Gate): Core {
    const core = new Core(this.api, this.clock, this.#log, gate);
    core.#toldUnreadable = this.#toldUnreadable;
    core.onAnswer((answer) => this.requests.onAnswer?.(answer));
    return core;
  }

  // Lists

  /** Groups we left or were removed from are among them: look at `membership.memberStatus`. */
  async listGroups(userId: number): Promise<GroupInfo[]> {
    return (await this.requests.read(commands.groups(userId), "groupsList")).groups;
  }

  async listContacts(userId: number): Promise<Contact[]> {
    return (await this.requests.read(commands.contacts(userId), "contactsList")).contacts;
  }

  /**
   * Newest first, each with its last item and its real unread numbers. A chat that cannot be read is of the type
   * `unreadable`, and is told of on stderr once.
   */
  async getChats(userId: number, query: ChatsQuery = {}): Promise<AChat[]> {
    const { chats } = await this.requests.read(commands.chats(userId, query), "apiChats");
    for (const { chatInfo } of chats) {
      if (chatInfo.type === "unreadable") this.#tellUnreadable(chatInfo.chat ?? "of unknown number");
    }
    return chats;
  }

  /** Everybody who ever was in the group, except us: look at `memberStatus`. And how many could not be read. */
  async listMembers(
    groupId: number,
  ): Promise<{ groupInfo: GroupInfo; members: GroupMember[]; unreadable: number }> {
    const { group } = await this.requests.read(commands.members(groupId), "groupMembers");
    const { read, unreadable } = group.members;
    return { groupInfo: group.groupInfo, members: read, unreadable };
  }

  // Groups and chats

  /** Without preferences history and direct messages are off. */
  async newGroup(userId: number, profile: GroupProfile): Promise<GroupInfo> {
    return (await this.requests.act(commands.newGroup(userId, profile), "groupCreated")).groupInfo;
  }

  /** Replaces the whole profile: what is left out goes back to its default. */
  async updateGroupProfile(groupId: number, profile: GroupProfile): Promise<GroupInfo> {
    return (await this.requests.act(commands.groupProfile(groupId, profile), "groupUpdated")).toGroup;
  }

  async setCustomData(chat: ChatRef, data: object | undefined): Promise<void> {
    await this.requests.repeat(commands.customData(chat, data), "cmdOk");
  }

  async createGroupLink(groupId: number, role: "member" | "observer"): Promise<GroupLink> {
    return (await this.requests.act(commands.createLink(groupId, role), "groupLinkCreated")).groupLink;
  }

  /** Rejects with `isGroupLinkNotFound` when there is none. */
  async getGroupLink(groupId: number): Promise<GroupLink> {
    return (await this.requests.read(commands.groupLink(groupId), "groupLink")).groupLink;
  }

  /** Whoever was let in by the link before still joins. */
  async deleteGroupLink(groupId: number): Promise<void> {
    await this.requests.repeat(commands.deleteLink(groupId), "groupLinkDeleted");
  }

  /** The members whose role changed, with their new role. */
  async setMembersRole(groupId: number, memberIds: readonly number[], role: string): Promise<GroupMember[]> {
    return (await this.requests.repeat(commands.memberRole(groupId, memberIds, role), "membersRoleUser"))
      .members;
  }

  async removeMembers(groupId: number, memberIds: readonly number[]): Promise<GroupMember[]> {
    return (await this.requests.repeat(commands.remove(groupId, memberIds), "userDeletedMembers")).members;
  }

  async leaveGroup(groupId: number): Promise<GroupInfo> {
    return (await this.requests.repeat(commands.leave(groupId), "leftMemberUser")).groupInfo;
  }

  /** Deletes the chat with its items and files; `notify` tells the contact, or the members of an own group. */
  async deleteChat(chat: ChatRef, { notify }: { notify: boolean }): Promise<void> {
    const command = commands.deleteChat(chat, notify);
    const types = ["contactDeleted", "groupDeletedUser"] as const;
    await (notify ? this.requests.repeat(command, ...types) : this.requests.keepAgain(command, ...types));
  }

  async deletePendingConnection(connId: number): Promise<void> {
    await this.requests.act(commands.deleteConnection(connId), "contactConnectionDeleted");
  }

  // Connecting

  /** What a link or name is, and whether we know it. Asks the network, for up to tens of seconds. */
  async connectPlan(userId: number, target: string): Promise<{ connLink: ConnLink; plan: ConnectionPlan }> {
    const answer = await this.requests.read(commands.connectPlan(userId, target), "connectionPlan");
    return { connLink: answer.connLink, plan: answer.connectionPlan };
  }

  /** A contact, or for a business address a group. `linkData`: the `json` of the plan's link data. */
  async prepareContact(userId: number, link: ConnLink, linkData: unknown, domain?: string): Promise<AChat> {
    const text = commands.prepareContact(userId, link, linkData, domain);
    return (await this.requests.act(text, "newPreparedChat")).chat;
  }

  async prepareGroup(
    userId: number,
    link: ConnLink,
    { direct, linkData, domain }: { direct: boolean; linkData: unknown; domain?: string },
  ): Promise<AChat> {
    const text = commands.prepareGroup(userId, link, direct, linkData, domain);
    return (await this.requests.act(text, "newPreparedChat")).chat;
  }

  /** `contactAlreadyExists` when its connection was started before: nothing is sent then. */
  async connectPreparedContact(
    contactId: number,
    incognito: boolean,
    message?: string,
  ): Promise<Response<"startedConnectionToContact" | "contactAlreadyExists">> {
    const text = commands.connectContact(contactId, incognito, message);
    return await this.requests.act(text, "startedConnectionToContact", "contactAlreadyExists");
  }

  /** Only a business takes a `message`. */
  async connectPreparedGroup(groupId: number, incognito: boolean, message?: string): Promise<GroupInfo> {
    const text = commands.connectGroup(groupId, incognito, message);
    return (await this.requests.act(text, "startedConnectionToGroup")).groupInfo;
  }

  /** Only after a plan that says ok: on a known group it would make us a member twice. */
  async connectLink(userId: number, incognito: boolean, link: ConnLink): Promise<PendingContactConnection> {
    const text = commands.connectLink(userId, incognito, link);
    return (await this.requests.act(text, "sentInvitation", "sentConfirmation")).connection;
  }

  async connectContactViaAddress(userId: number, incognito: boolean, contactId: number): Promise<Contact> {
    const text = commands.connectViaAddress(userId, incognito, contactId);
    return (await this.requests.act(text, "sentInvitationToContact")).contact;
  }

  // Being found

  /** Our address. Rejects with `isAddressNotFound` when there is none. */
  async showAddress(userId: number): Promise<UserContactLink> {
    return (await this.requests.read(commands.showAddress(userId), "userContactLink")).contactLink;
  }

  /** Requests to it wait. Rejects with `isAddressExists` when there is one. */
  async createAddress(userId: number): Promise<ConnLink> {
    return (await this.requests.act(commands.createAddress(userId), "userContactLinkCreated"))
      .connLinkContact;
  }

  /** Replaces the settings as a whole. Those who wait already go on waiting. */
  async setAddress(userId: number, settings: AddressSettings): Promise<void> {
    await this.requests.repeat(commands.addressSettings(userId, settings), "userContactLinkUpdated");
  }

  /** Those who wait can still be let in. */
  async deleteAddress(userId: number): Promise<void> {
    await this.requests.act(commands.deleteAddress(userId), "userContactLinkDeleted");
  }

  /** A link that one person can use. */
  async createInvitation(userId: number): Promise<ConnLink> {
    return (await this.requests.act(commands.createInvitation(userId), "invitation")).connLinkInvitation;
  }

  /** The contact can be written to at once. Rejects with `isLinkGone` for good when the person gave up. */
  async acceptRequest(contactRequestId: number): Promise<void> {
    await this.requests.act(commands.acceptRequest(contactRequestId), "acceptingContactRequest");
  }

  /** Deletes its contact, a connected one too, if the request was accepted before! The person learns nothing. */
  async rejectRequest(contactRequestId: number): Promise<void> {
    await this.requests.act(commands.rejectRequest(contactRequestId), "contactRequestRejected");
  }

  async acceptMemberContact(contactId: number): Promise<void> {
    await this.requests.act(commands.acceptMemberContact(contactId), "memberContactAccepted");
  }

  /** Accepts the invitation of a contact. */
  async joinGroup(groupId: number): Promise<void> {
    await this.requests.act(commands.joinGroup(groupId), "userAcceptedGroupSent");
  }

  // Messages

  /** `navInfo` comes with `around` and `initial` pages. */
  async getChat(
    chat: ChatRef,
    page: Pagination,
    search?: string,
  ): Promise<{ chat: AChat; navInfo?: NavInfo }> {
    return await this.requests.read(commands.chat(chat, page, search), "apiChat");
  }

  /** `fileServers`: where the item's file is, on cores that tell. */
  async getItemInfo(chat: ChatRef, itemId: number): Promise<{ item: AChatItem; fileServers?: string[] }> {
    const info = await this.requests.read(commands.itemInfo(chat, itemId), "chatItemInfo");
    return { item: info.chatItem, fileServers: info.chatItemInfo.fileXftpServers };
  }

  /** Ids that are read already or of other chats are ignored. */
  async readItems(chat: ChatRef, itemIds: readonly number[]): Promise<void> {
    if (itemIds.length === 0) return;
    await this.requests.keepAgain(commands.readItems(chat, itemIds), "itemsReadForChat");
  }

  /** The items as sent; no event follows for them. */
  async sendMessages(chat: ChatRef, messages: readonly ComposedMessage[]): Promise<AChatItem[]> {
    return (await this.requests.act(commands.send(chat, messages), "newChatItems")).chatItems;
  }

  /** Only own messages, for 24 hours. */
  async updateItem(chat: ChatRef, itemId: number, message: UpdatedMessage): Promise<AChatItem> {
    const text = commands.updateItem(chat, itemId, message);
    return (await this.requests.act(text, "chatItemUpdated", "chatItemNotChanged")).chatItem;
  }

  /** `broadcast` deletes own messages for everybody, `internal` any item here only. */
  async deleteItems(
    chat: ChatRef,
    itemIds: readonly number[],
    mode: "broadcast" | "internal" | "internalMark",
  ): Promise<void> {
    await this.requests.act(commands.deleteItems(chat, itemIds, mode), "chatItemsDeleted");
  }

  // Files

  /** `approvedRelays`: also from servers that are not in the user's list. `path` must not exist, its folder must. */
  async receiveFile(
    fileId: number,
    options: { path?: string; approvedRelays?: boolean } = {},
  ): Promise<Response<"rcvFileAccepted" | "rcvFileAcceptedSndCancelled">> {
    const text = commands.receiveFile(fileId, options);
    return await this.requests.act(text, "rcvFileAccepted", "rcvFileAcceptedSndCancelled");
  }

  async cancelFile(fileId: number): Promise<void> {
    await this.requests.keep(commands.cancelFile(fileId), "rcvFileCancelled", "sndFileCancelled");
  }

  #tellUnreadable(chat: string): void {
    if (this.#toldUnreadable.has(chat)) return;
    this.#toldUnreadable.add(chat);
    this.#log(`The chat ${chat} cannot be read, and is passed over. Update the server if this stays.`);
  }
}
