import { existsSync, rmSync, writeFileSync } from "node:fs";
import type { ChatApiLike, CoreJson } from "../../../src/core/api/chat-api.js";
import type { AChatItem, ChatInfo, ChatRef } from "../../../src/core/types.js";
import { chatError, storeError } from "../core/fake-chat-api.js";
import { contactInfo, groupInfo, itemIn } from "../messages/make.js";

const fileError = (type: string, fields: object = {}) =>
  chatError({ type: "error", errorType: { type, ...fields } });

export const KNOWN_SERVER = "xftp://Q7y8X1FmyRs5_elz_zy2iKGa5QkOXFfVlXi1SAk16_w=@127.0.0.1:7002";
export const OTHER_SERVER =
  "xftp://PNJmMjGLmSKgKBHMSrHfHTvJRZMqbaYCBxOcZxJmXUY=@files.example,abc.onion:7999";

export const ALICE = {
  groupMemberId: 3,
  memberId: "YWxpY2U=",
  memberRole: "owner",
  memberCategory: "invitee",
  memberStatus: "connected",
  localDisplayName: "Alice",
  memberProfile: { displayName: "Alice" },
  createdAt: "2026-11-30T15:00:00Z",
};

/** What a sender offers, where it differs from a small report. */
export interface Offered {
  name?: string;
  /** Bytes. */
  size?: number;
  content?: object;
  /** It was told to an earlier run. */
  before?: boolean;
}

interface FileRecord {
  chat: ChatRef;
  item: number;
  servers: readonly string[] | undefined;
  approvedRelays: boolean;
}

/**
 * What the core does with files, as it was recorded: refusals, placeholders, states of items. The agent has the group
 * Trail (#15), the contact Ann (@4), and the control chat (#1) with its owner Alice. Tests play the other sides.
 */
export class FakeCore implements ChatApiLike {
  readonly commands: string[] = [];
  readonly chats = new Map<ChatRef, { info: ChatInfo; items: AChatItem[] }>();
  /** Answers to commands that begin so, before all others; an `Error` is thrown. */
  readonly answers = new Map<string, CoreJson | Error>();
  /** Called before each command is answered. */
  onCommand: (command: string) => void = () => undefined;
  /** As newer cores tell them with the item. */
  fileServers: string[] | undefined;
  #handlers: ((event: CoreJson) => void)[] = [];
  readonly #files = new Map<number, FileRecord>();
  #items = 99;

  constructor() {
    const customData = { simplexMcp: { control: true, nextAction: 1 } };
    this.#addChat(
      "#1",
      groupInfo(1, { customData, groupProfile: { displayName: "My Agent", fullName: "" } }),
    );
    this.#addChat("#15", groupInfo(15));
    this.#addChat("@4", contactInfo(4));
  }

  async startChat(): Promise<void> {}

  async close(): Promise<void> {}

  onAny(handler: (event: CoreJson) => void): void {
    this.#handlers.push(handler);
  }

  /** Hands an event over as the library does: not within the command that caused it. */
  emit(event: CoreJson): void {
    queueMicrotask(() => {
      for (const handler of this.#handlers) handler(structuredClone(event));
    });
  }

  async sendChatCmd(command: string): Promise<CoreJson> {
    this.commands.push(command);
    this.onCommand(command);
    for (const [start, answer] of this.answers) {
      if (!command.startsWith(start)) continue;
      if (answer instanceof Error) throw answer;
      return answer;
    }
    return structuredClone(this.#answer(command));
  }

  /** The commands that begin so. */
  sent(start: string): string[] {
    return this.commands.filter((command) => command.startsWith(start));
  }

  // The other sides

  /** A message with a file, whose event is seen unless `before` the server's start. */
  offer(chat: ChatRef, fileId: number, offered: Offered = {}): AChatItem {
    const { name = "report.pdf", size = 10, content = { type: "file", text: "" }, before = false } = offered;
    const { info, items } = this.chat(chat);
    this.#items += 1;
    const item = itemIn(info, this.#items, {
      text: "",
      content: { type: "rcvMsgContent", msgContent: content },
      file: {
        fileId,
        fileName: name,
        fileSize: size,
        fileStatus: { type: "rcvInvitation" },
        fileProtocol: "xftp",
      },
    });
    items.push(item);
    this.#files.set(fileId, { chat, item: this.#items, servers: undefined, approvedRelays: false });
    if (!before) this.emit({ type: "newChatItems", chatItems: [item] });
    return item;
  }

  /** The sender's upload is over. `silent`: the event was told to an earlier run. */
  upload(fileId: number, servers: readonly string[] = [KNOWN_SERVER], { silent = false } = {}): void {
    const file = this.#file(fileId);
    file.servers = servers;
    if (!silent) {
      this.emit({ ...this.#transferEvent("rcvFileDescrReady", fileId), rcvFileDescr: descriptor(servers) });
    }
    if (this.status(fileId) !== "rcvAccepted") return;
    if (this.#isRefused(file)) this.#refuse(fileId);
    else this.begin(fileId);
  }

  /** The core works on it. */
  begin(fileId: number): void {
    this.setStatus(fileId, { type: "rcvTransfer", rcvProgress: 0, rcvTotal: 1 });
    this.emit({ type: "rcvFileStart", chatItem: this.item(fileId) });
  }

  progress(fileId: number, received: number, total: number, { silent = false } = {}): void {
    this.setStatus(fileId, { type: "rcvTransfer", rcvProgress: received, rcvTotal: total });
    if (silent) return;
    this.emit({
      ...this.#transferEvent("rcvFileProgressXFTP", fileId),
      chatItem_: this.item(fileId),
      receivedSize: received,
      totalSize: total,
    });
  }

  /** The file is there, at `path` or where the core was told to put it. */
  complete(fileId: number, bytes: string, { silent = false, path = this.pathOf(fileId) } = {}): void {
    if (path === undefined) throw new Error(`File ${fileId} has no path`);
    writeFileSync(path, bytes);
    const { file } = this.item(fileId).chatItem;
    if (file) file.fileSource = { filePath: path };
    this.setStatus(fileId, { type: "rcvComplete" });
    if (!silent) this.emit({ type: "rcvFileComplete", chatItem: this.item(fileId) });
  }

  fail(fileId: number, rcvFileError: object): void {
    this.setStatus(fileId, { type: "rcvError", rcvFileError });
    this.emit({
      ...this.#transferEvent("rcvFileError", fileId),
      chatItem_: this.item(fileId),
      agentError: { type: "XFTP" },
    });
  }

  /** The sender cancels. In groups the event's item has the status from before. */
  cancelBySender(fileId: number): void {
    const old = structuredClone(this.item(fileId));
    this.setStatus(fileId, { type: "rcvCancelled" });
    this.emit({ ...this.#transferEvent("rcvFileSndCancelled", fileId), chatItem: old });
  }

  /** The sender deletes the message for everybody. */
  deleteBySender(fileId: number): void {
    const old = structuredClone(this.item(fileId));
    this.setStatus(fileId, { type: "rcvCancelled" });
    this.item(fileId).chatItem.meta.itemDeleted = { type: "deleted" };
    const deletion = { deletedChatItem: old, toChatItem: this.item(fileId) };
    this.emit({ type: "chatItemsDeleted", chatItemDeletions: [deletion], byUser: false, timed: false });
  }

  /** The sender deletes the message for everybody, where nothing stays of it: the number is free again. No event. */
  removeBySender(fileId: number): void {
    const { chat, item } = this.#file(fileId);
    const { items } = this.chat(chat);
    items.splice(
      items.findIndex(({ chatItem }) => chatItem.meta.itemId === item),
      1,
    );
    this.#files.delete(fileId);
  }

  /** The owner writes in the control chat. */
  ownerSays(text: string): void {
    const { info, items } = this.chat("#1");
    this.#items += 1;
    const item = itemIn(info, this.#items, { text, dir: { type: "groupRcv", groupMember: ALICE } });
    items.push(item);
    this.emit({ type: "newChatItems", chatItems: [item] });
  }

  /** The upload of a sent file is over, or failed. */
  sentOut(fileId: number, error?: string): void {
    const item = this.item(fileId);
    const fileTransferMeta = {
      fileId,
      fileName: item.chatItem.file?.fileName,
      filePath: item.chatItem.file?.fileSource?.filePath,
      fileSize: item.chatItem.file?.fileSize,
    };
    if (error === undefined) this.emit({ type: "sndFileCompleteXFTP", chatItem: item, fileTransferMeta });
    else this.emit({ type: "sndFileError", chatItem_: item, fileTransferMeta, errorMessage: error });
  }

  // What there is

  chat(ref: ChatRef): { info: ChatInfo; items: AChatItem[] } {
    const chat = this.chats.get(ref);
    if (!chat) throw storeError("groupNotFound", { groupId: Number(ref.slice(1)) });
    return chat;
  }

  item(fileId: number): AChatItem {
    const { chat, item } = this.#file(fileId);
    const found = this.chat(chat).items.find(({ chatItem }) => chatItem.meta.itemId === item);
    if (!found) throw storeError("chatItemNotFound", { itemId: item });
    return found;
  }

  status(fileId: number): string | undefined {
    return this.item(fileId).chatItem.file?.fileStatus.type;
  }

  setStatus(fileId: number, fileStatus: { type: string; [field: string]: unknown }): void {
    const { file } = this.item(fileId).chatItem;
    if (file) file.fileStatus = fileStatus;
  }

  pathOf(fileId: number): string | undefined {
    return this.item(fileId).chatItem.file?.fileSource?.filePath;
  }

  /** Messages of the server in the control chat, in their newest form. */
  get posts(): AChatItem["chatItem"][] {
    return this.chat("#1")
      .items.map(({ chatItem }) => chatItem)
      .filter(({ chatDir }) => chatDir.type === "groupSnd");
  }

  get postedTexts(): string[] {
    return this.posts.map(({ content }) => ("msgContent" in content ? content.msgContent.text : ""));
  }

  #addChat(ref: ChatRef, info: ChatInfo): void {
    this.chats.set(ref, { info, items: [] });
  }

  #file(fileId: number): FileRecord {
    const file = this.#files.get(fileId);
    if (!file) throw storeError("userNotFoundByFileId", { fileId });
    return file;
  }

  #transferEvent(type: string, fileId: number) {
    const item = this.item(fileId);
    const { fileName, fileSize } = item.chatItem.file ?? { fileName: "", fileSize: 0 };
    const rcvFileTransfer = {
      fileId,
      fileInvitation: { fileName, fileSize },
      fileStatus: { type: "new" },
      cancelled: false,
    };
    return { type, chatItem: item, rcvFileTransfer };
  }

  #isRefused({ servers, approvedRelays }: FileRecord): boolean {
    return !approvedRelays && (servers ?? []).some((server) => server !== KNOWN_SERVER);
  }

  /** Back to the offer; the path stays in the item, the placeholder goes. */
  #refuse(fileId: number): void {
    const path = this.pathOf(fileId);
    if (path !== undefined) rmSync(path, { force: true });
    this.setStatus(fileId, { type: "rcvInvitation" });
    this.emit({ type: "chatItemUpdated", chatItem: this.item(fileId) });
  }

  // Commands

  #answer(command: string): CoreJson {
    const [name = ""] = /^\/(?:_get chat|_get item info|_set custom|_update item|\S+)/.exec(command) ?? [];
    const rest = command.slice(name.length + 1);
    switch (name) {
      case "/_get chat":
        return this.#page(rest);
      case "/_get item info":
        return this.#itemInfo(rest);
      case "/_servers":
        return {
          type: "userServers",
          userServers: [{ smpServers: [], xftpServers: [{ server: KNOWN_SERVER, enabled: true }] }],
        };
      case "/_set custom":
        return this.#setCustomData(rest);
      case "/_groups":
        return { type: "groupsList", groups: this.#groups() };
      case "/_members":
        return { type: "groupMembers", group: { groupInfo: this.#groups()[0], members: [ALICE] } };
      case "/_send":
        return this.#send(rest);
      case "/_update item":
        return this.#update(rest);
      case "/freceive":
        return this.#receive(rest);
      case "/fcancel":
        return this.#cancel(Number(rest));
      case "/_leave":
        return { type: "leftMemberUser", groupInfo: this.#groups()[1] };
      case "/_delete":
        return this.#delete(rest);
      case "/_show_address":
        throw storeError("userContactLinkNotFound");
      case "/_read":
        return { type: "itemsReadForChat", chatInfo: this.chat("#15").info };
      default:
        throw new Error(`No answer to ${command}`);
    }
  }

  #groups(): unknown[] {
    return [...this.chats.values()].flatMap(({ info }) => (info.type === "group" ? [info.groupInfo] : []));
  }

  #page(rest: string): CoreJson {
    const [, ref = "", arg = "", id = "0", count = "0"] =
      /^(\S+) (?:(around|before)=(\d+) )?count=(\d+)$/.exec(rest) ?? [];
    const { info, items } = this.chat(ref as ChatRef);
    const chatStats = { unreadCount: 0, minUnreadItemId: 0 };
    const all = items.map(({ chatItem }) => chatItem);
    const index = all.findIndex(({ meta }) => meta.itemId === Number(id));
    if (arg !== "" && index < 0) throw storeError("chatItemNotFound", { itemId: Number(id) });
    const upTo = arg === "before" ? all.slice(0, index) : all;
    const chatItems =
      arg === "around" ? all.slice(index, index + 1) : Number(count) === 0 ? [] : upTo.slice(-Number(count));
    return { type: "apiChat", chat: { chatInfo: info, chatItems, chatStats } };
  }

  #itemInfo(rest: string): CoreJson {
    const [ref = "", id = ""] = rest.split(" ");
    const item = this.chat(ref as ChatRef).items.find(({ chatItem }) => chatItem.meta.itemId === Number(id));
    if (!item) throw storeError("chatItemNotFound", { itemId: Number(id) });
    return {
      type: "chatItemInfo",
      chatItem: item,
      chatItemInfo: this.fileServers ? { fileXftpServers: this.fileServers } : {},
    };
  }

  #setCustomData(rest: string): CoreJson {
    const [, ref = "", json] = /^(\S+)(?: (.*))?$/s.exec(rest) ?? [];
    const { info } = this.chat(ref as ChatRef);
    const data: unknown = json === undefined ? undefined : JSON.parse(json);
    const holder: { customData?: unknown } =
      info.type === "group" ? info.groupInfo : info.type === "direct" ? info.contact : {};
    holder.customData = data;
    return { type: "cmdOk" };
  }

  #send(rest: string): CoreJson {
    const [, ref = "", json = ""] = /^(\S+) json (.*)$/s.exec(rest) ?? [];
    const { info, items } = this.chat(ref as ChatRef);
    const [message] = JSON.parse(json);
    const path: string | undefined = message.fileSource?.filePath;
    if (path !== undefined && !existsSync(path)) throw fileError("fileNotFound", { message: path });
    this.#items += 1;
    const fileId = 1000 + this.#items;
    const item = itemIn(info, this.#items, {
      text: message.msgContent.text,
      dir: { type: info.type === "group" ? "groupSnd" : "directSnd" },
      content: { type: "sndMsgContent", msgContent: message.msgContent },
      meta: { itemStatus: { type: "sndNew" } },
      ...(path === undefined
        ? {}
        : {
            file: {
              fileId,
              fileName: path.replace(/^.*\//, ""),
              fileSize: 1,
              fileSource: { filePath: path },
              fileStatus: { type: "sndStored" },
              fileProtocol: "xftp",
            },
          }),
    });
    items.push(item);
    if (path !== undefined) {
      this.#files.set(fileId, {
        chat: ref as ChatRef,
        item: this.#items,
        servers: undefined,
        approvedRelays: false,
      });
    }
    return { type: "newChatItems", chatItems: [item] };
  }

  #update(rest: string): CoreJson {
    const [, ref = "", id = "", json = ""] = /^(\S+) (\d+) json (.*)$/s.exec(rest) ?? [];
    const item = this.chat(ref as ChatRef).items.find(({ chatItem }) => chatItem.meta.itemId === Number(id));
    if (!item) throw storeError("chatItemNotFound", { itemId: Number(id) });
    item.chatItem.content = { type: "sndMsgContent", msgContent: JSON.parse(json).msgContent };
    return { type: "chatItemUpdated", chatItem: item };
  }

  #receive(rest: string): CoreJson {
    const [, id = "", relays, path = ""] = /^(\d+)( approved_relays=on)? encrypt=off (.*)$/s.exec(rest) ?? [];
    const fileId = Number(id);
    const file = this.#file(fileId);
    const item = this.item(fileId);
    const { fileName } = item.chatItem.file ?? { fileName: "" };
    const status = this.status(fileId);
    if (status === "rcvCancelled") throw fileError("fileCancelled", { message: fileName });
    if (status !== "rcvInvitation" && status !== "rcvAborted") {
      throw fileError("fileAlreadyReceiving", { message: fileName });
    }
    if (existsSync(path)) throw fileError("fileAlreadyExists", { filePath: path });
    try {
      writeFileSync(path, "");
    } catch {
      throw fileError("fileWrite", { filePath: path, message: `${path}: withBinaryFile: does not exist` });
    }
    file.approvedRelays = relays !== undefined;
    if (item.chatItem.file) item.chatItem.file.fileSource = { filePath: path };
    if (this.#isRefused(file)) {
      this.#refuse(fileId);
      throw fileError("fileNotApproved", { fileId, unknownServers: file.servers });
    }
    this.setStatus(fileId, { type: "rcvAccepted" });
    const answer = structuredClone(item);
    // Its event may be seen before the answer.
    if (file.servers) this.begin(fileId);
    return { type: "rcvFileAccepted", chatItem: answer };
  }

  #cancel(fileId: number): CoreJson {
    const status = this.status(fileId);
    if (status === "rcvComplete") {
      throw fileError("fileCancel", { fileId, message: "file transfer is complete" });
    }
    const path = this.pathOf(fileId);
    if (path !== undefined) rmSync(path, { force: true });
    this.setStatus(fileId, { type: "rcvInvitation" });
    return { type: "rcvFileCancelled", chatItem_: this.item(fileId) };
  }

  #delete(rest: string): CoreJson {
    const [ref = ""] = rest.split(" ");
    const { info } = this.chat(ref as ChatRef);
    this.chats.delete(ref as ChatRef);
    return info.type === "group"
      ? { type: "groupDeletedUser", groupInfo: info.groupInfo }
      : { type: "contactDeleted", contact: info.type === "direct" ? info.contact : undefined };
  }
}

function descriptor(servers: readonly string[]) {
  const replicas = servers.map((server) => `- chunks:\n  - 1:abc\n  server: ${server}\n`).join("");
  return { fileDescrText: `party: recipient\nreplicas:\n${replicas}size: 64kb\n`, fileDescrComplete: true };
}
