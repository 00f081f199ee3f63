/**
 * The command strings of the core: only these are ever sent. Arguments are separated by blanks; JSON and free text
 * come last and run to the end of the string.
 */
import { CoreError } from "./errors/core-error.js";
import type {
  AddressSettings,
  ChatRef,
  ComposedMessage,
  ConnLink,
  GroupProfile,
  UpdatedMessage,
} from "./types.js";

/** Which items of a chat a page holds; always ascending. The item named by `after` and `before` is not in it. */
export type Pagination =
  | { count: number }
  | { after: number; count: number }
  | { before: number; count: number }
  | { around: number; count: number }
  /** Around the first unread item, or the last `initial` items. The one page with real unread numbers. */
  | { initial: number };

export interface ChatsQuery {
  count?: number;
  /** ISO 8601 times of chats. */
  before?: string;
  after?: string;
  /** Only chats with unread items. Not together with `search`. */
  unread?: boolean;
  /** Part of a name or description, not of messages. */
  search?: string;
  /** Connections by link that are no chat yet, too. */
  pending?: boolean;
}

export interface NewProfile {
  displayName: string;
  fullName: string;
  peerType?: string;
  [key: string]: unknown;
}

export const commands = {
  activeUser: () => "/user",
  createUser: (profile: NewProfile) => `/_create user ${JSON.stringify({ profile, pastTimestamp: false })}`,
  network: (socksProxy: string | undefined) =>
    `/network socks=${word(socksProxy ?? "off")} smp-proxy=always smp-proxy-fallback=protected`,
  tempFolder: (path: string) => `/_temp_folder ${path}`,
  version: () => "/version",
  smpServers: (addresses: readonly string[]) => `/smp ${addresses.map(word).join(" ")}`,
  xftpServers: (addresses: readonly string[]) => `/xftp ${addresses.map(word).join(" ")}`,
  userServers: (user: number) => `/_servers ${user}`,

  groups: (user: number) => `/_groups ${user}`,
  contacts: (user: number) => `/_contacts ${user}`,
  chats: (user: number, query: ChatsQuery) => `/_get chats ${user}${chatsArguments(query)}`,
  members: (group: number) => `/_members #${group}`,

  newGroup: (user: number, profile: GroupProfile) => `/_group ${user} ${JSON.stringify(profile)}`,
  groupProfile: (group: number, profile: GroupProfile) =>
    `/_group_profile #${group} ${JSON.stringify(profile)}`,
  customData: (chat: ChatRef, data: object | undefined) =>
    `/_set custom ${chat}${data ? ` ${JSON.stringify(data)}` : ""}`,
  createLink: (group: number, role: string) => `/_create link #${group} ${role}`,
  groupLink: (group: number) => `/_get link #${group}`,
  deleteLink: (group: number) => `/_delete link #${group}`,
  memberRole: (group: number, members: readonly number[], role: string) =>
    `/_member role #${group} ${members.join(",")} ${role}`,
  remove: (group: number, members: readonly number[]) => `/_remove #${group} ${members.join(",")}`,
  leave: (group: number) => `/_leave #${group}`,
  deleteChat: (chat: ChatRef, notify: boolean) => `/_delete ${chat} full notify=${onOff(notify)}`,
  deleteConnection: (connection: number) => `/_delete :${connection}`,

  connectPlan: (user: number, target: string) => `/_connect plan ${user} ${linkWord(target)}`,
  prepareContact: (user: number, link: ConnLink, data: unknown, domain?: string) =>
    `/_prepare contact ${user} ${linkWords(link)}${domainWord(domain)} ${JSON.stringify(data)}`,
  prepareGroup: (user: number, link: ConnLink, direct: boolean, data: unknown, domain?: string) =>
    `/_prepare group ${user} ${linkWords(link)} direct=${onOff(direct)}${domainWord(domain)} ${JSON.stringify(data)}`,
  connectContact: (contact: number, incognito: boolean, message?: string) =>
    `/_connect contact @${contact} incognito=${onOff(incognito)}${firstMessage(message)}`,
  connectGroup: (group: number, incognito: boolean, message?: string) =>
    `/_connect group #${group} incognito=${onOff(incognito)}${firstMessage(message)}`,
  connectLink: (user: number, incognito: boolean, link: ConnLink) =>
    `/_connect ${user} incognito=${onOff(incognito)} ${linkWords(link)}`,
  connectViaAddress: (user: number, incognito: boolean, contact: number) =>
    `/_connect contact ${user} incognito=${onOff(incognito)} ${contact}`,

  showAddress: (user: number) => `/_show_address ${user}`,
  createAddress: (user: number) => `/_address ${user}`,
  addressSettings: (user: number, settings: AddressSettings) =>
    `/_address_settings ${user} ${JSON.stringify(settings)}`,
  deleteAddress: (user: number) => `/_delete_address ${user}`,
  createInvitation: (user: number) => `/_connect ${user} incognito=off`,
  acceptRequest: (request: number) => `/_accept ${request}`,
  rejectRequest: (request: number) => `/_reject ${request}`,
  acceptMemberContact: (contact: number) => `/_accept member contact @${contact}`,
  autoAcceptMemberContacts: (user: number, on: boolean) =>
    `/_set accept member contacts ${user} ${onOff(on)}`,
  joinGroup: (group: number) => `/_join #${group}`,

  chat: (chat: ChatRef, page: Pagination, search?: string) =>
    `/_get chat ${chat} ${pageWords(page)}${search ? ` search=${line(search)}` : ""}`,
  readItems: (chat: ChatRef, items: readonly number[]) => `/_read chat items ${chat} ${items.join(",")}`,
  itemInfo: (chat: ChatRef, item: number) => `/_get item info ${chat} ${item}`,
  send: (chat: ChatRef, messages: readonly ComposedMessage[]) =>
    `/_send ${chat} json ${JSON.stringify(messages)}`,
  updateItem: (chat: ChatRef, item: number, message: UpdatedMessage) =>
    `/_update item ${chat} ${item} json ${JSON.stringify({ msgContent: message.msgContent, mentions: message.mentions ?? {} })}`,
  deleteItems: (chat: ChatRef, items: readonly number[], mode: "broadcast" | "internal" | "internalMark") =>
    `/_delete item ${chat} ${items.join(",")} ${mode}`,

  receiveFile: (file: number, { path, approvedRelays }: { path?: string; approvedRelays?: boolean }) =>
    `/freceive ${file}${approvedRelays ? " approved_relays=on" : ""} encrypt=off${path ? ` ${path}` : ""}`,
  cancelFile: (file: number) => `/fcancel ${file}`,

  /** Messages queued for these connections (`agentConnId`, base64url) that no server has yet. */
  undelivered: (connections: readonly string[]) =>
    `/sql agent SELECT count(1) FROM snd_message_deliveries WHERE failed = 0 AND conn_id IN (${connections.map(blob).join(",")})`,
};

/** The most chats the core gives when no number is asked for. */
const ALL_CHATS = 5000;

function chatsArguments({ count, before, after, unread, search, pending }: ChatsQuery): string {
  const filter = search
    ? { type: "search", search }
    : unread
      ? { type: "filters", favorite: false, unread: true }
      : undefined;
  const page = before ? ` before=${word(before)}` : after ? ` after=${word(after)}` : "";
  const limit = count ?? (page || filter ? ALL_CHATS : undefined);
  return [
    pending ? " pcc=on" : "",
    page,
    limit === undefined ? "" : ` count=${limit}`,
    filter ? ` ${JSON.stringify(filter)}` : "",
  ].join("");
}

function pageWords(page: Pagination): string {
  return Object.entries(page)
    .sort(([a], [b]) => Number(a === "count") - Number(b === "count"))
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}

function linkWords({ connFullLink, connShortLink }: ConnLink): string {
  return connShortLink ? `${word(connFullLink)} ${word(connShortLink)}` : word(connFullLink);
}

function domainWord(domain: string | undefined): string {
  return domain ? ` domain=${word(domain)}` : "";
}

function firstMessage(text: string | undefined): string {
  return text ? ` json ${JSON.stringify({ type: "text", text })}` : "";
}

function onOff(value: boolean): "on" | "off" {
  return value ? "on" : "off";
}

/** An argument that is one word: a blank would begin the next argument, NUL would end the command. */
function word(text: string): string {
  if (!isWord(text)) throw new RangeError("An argument of a core command is empty or holds blanks.");
  return text;
}

/** A link or name that somebody typed: what is not one word is no link. */
function linkWord(text: string): string {
  if (isWord(text)) return text;
  throw new CoreError("/_connect plan", "not a link", {
    chatError: { type: "error", errorType: { type: "invalidConnReq" } },
  });
}

function isWord(text: string): boolean {
  return /^[^\s\0]+$/.test(text);
}

/** Free text at the end of a command; NUL would end it early. */
function line(text: string): string {
  return text.replaceAll("\0", "");
}

function blob(base64url: string): string {
  return `x'${Buffer.from(base64url, "base64url").toString("hex")}'`;
}
