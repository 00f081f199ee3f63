import { Fifo } from "../data/fifo.js";
import type { FileRow } from "../data/file-rows.js";
import type { ItemRow } from "../data/item-rows.js";
import type {
  ConnRow,
  ContactRow,
  GroupRow,
  Json,
  LinkRow,
  MemberRow,
  MemberStatus,
  ProfileRow,
  RequestRow,
  UserRow,
} from "../data/rows.js";
import type { Envelope } from "../data/wire.js";
import { DisplayNames } from "../text/display-names.js";
import { ChatIndex } from "./chat-index.js";
import { EarlyReactions } from "./early-reactions.js";
import { Table } from "./table.js";

/** The statuses of those who count as members: they get messages. */
export const CURRENT: ReadonlySet<MemberStatus> = new Set<MemberStatus>([
  "introduced",
  "intro-inv",
  "accepted",
  "announced",
  "connected",
  "complete",
  "creator",
]);

/** Everything that one user stores, with the indexes that find it. It survives a stop and can be saved. */
export class Database {
  user: UserRow | undefined;
  readonly profiles = new Table<ProfileRow>();
  readonly contacts = new Table<ContactRow>();
  readonly groups = new Table<GroupRow>();
  readonly members = new Table<MemberRow>();
  readonly conns = new Table<ConnRow>();
  readonly items = new Table<ItemRow>(true);
  readonly links = new Table<LinkRow>();
  readonly requests = new Table<RequestRow>();
  readonly files = new Table<FileRow>();
  /** The files that descriptors belong to: one of each file received, one a recipient of each file sent. */
  readonly descriptions = new Table<number>();
  readonly earlyReactions = new EarlyReactions();
  readonly names = new DisplayNames();
  /** Queued for the servers: what `/sql agent` counts in `snd_message_deliveries`. */
  readonly outbox = new Fifo<Envelope>();
  readonly notes = { createdAt: 0, updatedAt: 0, chatTs: 0, favorite: false, unread: false };
  smpServers: readonly string[] | undefined;
  xftpServers: readonly string[] | undefined;
  startedBefore = false;
  lastVersionId = 0;
  /** Pairs of members that we introduced as their host (see `pairOf`), and whether they are connected by now. */
  readonly introductions = new Map<string, boolean>();

  private readonly byAgentConn = new Map<string, ConnRow>();
  private readonly groupMembers = new Map<number, Map<number, MemberRow>>();
  private readonly byMemberId = new Map<string, MemberRow>();
  private readonly bySharedMsgId = new Map<string, ItemRow>();
  private readonly chats = new Map<string, ChatIndex>();
  private readonly current = new Map<number, number>();
  private readonly withSupport = new Map<number, Set<MemberRow>>();

  conn(agentConnId: string): ConnRow | undefined {
    return this.byAgentConn.get(agentConnId);
  }

  addConn(make: (id: number) => ConnRow): ConnRow {
    const conn = this.conns.insert(make);
    this.byAgentConn.set(conn.agentConnId, conn);
    return conn;
  }

  deleteConn(conn: ConnRow): void {
    this.conns.delete(conn.connId);
    this.byAgentConn.delete(conn.agentConnId);
  }

  /** The rows of a group's members, our own among them, by groupMemberId in the order they were made. */
  membersOf(groupId: number): ReadonlyMap<number, MemberRow> {
    return this.membersMap(groupId);
  }

  addMember(make: (id: number) => MemberRow): MemberRow {
    const member = this.members.insert(make);
    this.indexMember(member);
    return member;
  }

  setMemberId(member: MemberRow, memberId: string): void {
    this.byMemberId.delete(`${member.groupId}|${member.memberId}`);
    member.memberId = memberId;
    this.byMemberId.set(`${member.groupId}|${memberId}`, member);
  }

  memberByMemberId(groupId: number, memberId: string | undefined): MemberRow | undefined {
    return memberId === undefined ? undefined : this.byMemberId.get(`${groupId}|${memberId}`);
  }

  /** How many members of the group count as such, with ourselves. */
  currentMembers(groupId: number): number {
    return this.current.get(groupId) ?? 0;
  }

  setMemberStatus(member: MemberRow, status: MemberStatus): void {
    this.count(member, -1);
    member.memberStatus = status;
    this.count(member, 1);
    if (status === "pending_review" || status === "pending_approval") this.noteSupport(member);
  }

  /** The members that have, or are pending and so may have, a support chat. */
  supported(groupId: number): Iterable<MemberRow> {
    return this.withSupport.get(groupId) ?? [];
  }

  noteSupport(member: MemberRow): void {
    const members = this.withSupport.get(member.groupId);
    if (members) members.add(member);
    else this.withSupport.set(member.groupId, new Set([member]));
  }

  private count(member: MemberRow, by: number): void {
    if (!CURRENT.has(member.memberStatus)) return;
    this.current.set(member.groupId, this.currentMembers(member.groupId) + by);
  }

  deleteMember(member: MemberRow): void {
    this.count(member, -1);
    this.withSupport.get(member.groupId)?.delete(member);
    this.members.delete(member.groupMemberId);
    this.membersMap(member.groupId).delete(member.groupMemberId);
    this.byMemberId.delete(`${member.groupId}|${member.memberId}`);
    if (member.contactId === undefined) this.names.release(member.localDisplayName);
  }

  addItem(make: (id: number) => ItemRow): ItemRow {
    const item = this.items.insert(make);
    this.indexItem(item);
    return item;
  }

  itemByShared(chat: string, sharedMsgId: string | undefined): ItemRow | undefined {
    return sharedMsgId === undefined ? undefined : this.bySharedMsgId.get(`${chat}|${sharedMsgId}`);
  }

  setShared(item: ItemRow, sharedMsgId: string): void {
    item.sharedMsgId = sharedMsgId;
    this.bySharedMsgId.set(`${item.chat}|${sharedMsgId}`, item);
  }

  addFile(item: ItemRow, make: (id: number) => FileRow): FileRow {
    const file = this.files.insert(make);
    item.fileId = file.fileId;
    return file;
  }

  /** Makes the row of a descriptor and gives its id. */
  addDescription(fileId: number): number {
    let made = 0;
    this.descriptions.insert((id) => {
      made = id;
      return fileId;
    });
    return made;
  }

  private deleteFile({ fileId, receiving, sending }: FileRow): void {
    const descriptions = receiving ? [receiving] : (sending?.recipients ?? []);
    for (const { descrId } of descriptions) this.descriptions.delete(descrId);
    this.files.delete(fileId);
  }

  deleteItem(item: ItemRow): void {
    const file = this.files.get(item.fileId);
    if (file) this.deleteFile(file);
    this.items.delete(item.itemId);
    this.indexOf(item).remove(item);
    if (item.sharedMsgId) this.bySharedMsgId.delete(`${item.chat}|${item.sharedMsgId}`);
  }

  /** The index of a chat, or of a support chat in it. */
  chat(chat: string, scope?: number): ChatIndex {
    const key = scope === undefined ? chat : `${chat}/${scope}`;
    let index = this.chats.get(key);
    if (!index) {
      index = new ChatIndex(chat.startsWith("#"));
      this.chats.set(key, index);
    }
    return index;
  }

  indexOf(item: ItemRow): ChatIndex {
    return this.chat(item.chat, item.scope);
  }

  /** The indexes of a chat with those of its support chats. */
  *chatsOf(chat: string): Iterable<ChatIndex> {
    for (const [key, index] of this.chats) if (key === chat || key.startsWith(`${chat}/`)) yield index;
  }

  deleteChat(chat: string): void {
    for (const index of [...this.chatsOf(chat)]) {
      for (const { itemId } of [...index.order].reverse()) this.deleteItem(this.items.at(itemId));
    }
  }

  setStatus(item: ItemRow, status: Json): void {
    item.status = status;
    const index = this.indexOf(item);
    if (status.type === "rcvNew") index.markUnread(item.itemId, item.userMention);
    else index.read(item.itemId);
  }

  private membersMap(groupId: number): Map<number, MemberRow> {
    let members = this.groupMembers.get(groupId);
    if (!members) {
      members = new Map();
      this.groupMembers.set(groupId, members);
    }
    return members;
  }

  private indexMember(member: MemberRow): void {
    this.membersMap(member.groupId).set(member.groupMemberId, member);
    this.byMemberId.set(`${member.groupId}|${member.memberId}`, member);
    this.count(member, 1);
    if (member.supportChat || member.memberStatus.startsWith("pending")) this.noteSupport(member);
  }

  private indexItem(item: ItemRow): void {
    const index = this.indexOf(item);
    index.add(item);
    if (item.status.type === "rcvNew") index.markUnread(item.itemId, item.userMention);
    if (!item.sharedMsgId) return;
    this.bySharedMsgId.set(`${item.chat}|${item.sharedMsgId}`, item);
    const early = this.earlyReactions.take(item.chat, item.sharedMsgId);
    if (early) item.reactions = early;
  }

  /** Finds the loaded rows again. */
  index(): void {
    for (const conn of this.conns.values()) this.byAgentConn.set(conn.agentConnId, conn);
    for (const member of this.members.values()) this.indexMember(member);
    for (const item of this.items.values()) this.indexItem(item);
  }
}
