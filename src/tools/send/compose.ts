/** What a message is made of, checked against the chat as it stands now. */
import type { SendFields } from "../../actions/action.js";
import { isItemNotFound } from "../../core/errors/errors.js";
import {
  isConnectedGroup,
  isCurrent,
  isRole,
  type MessageSize,
  type Quote,
  quoteOf,
  roleAtLeast,
} from "../../core/limits.js";
import type { ChatInfo, ChatItem, ChatRef, GroupMember } from "../../core/types.js";
import { isDeleted } from "../../messages/items.js";
import { isOwn, senderOf } from "../../messages/sender.js";
import { looksOf } from "../../text/look-alike.js";
import type { AgentDeps } from "../call/agent.js";
import { type KnownChat, readChat } from "../call/known-chat.js";
import { isMentioned, mentionText, withMentions } from "../call/text.js";
import { ToolError } from "../call/tool.js";

export interface TextRequest {
  chat: ChatRef;
  text: string;
  replyTo: number | undefined;
  mention: readonly number[];
  /** An owner's words: they stay as they are, and who is not named in them is not mentioned. */
  isExact?: boolean;
}

/** A member by the name that is unique here, and as it is mentioned in a text. */
export interface MentionName {
  key: string;
  token: string;
  member: number;
}

/** A message but for its file. */
export interface Composed {
  known: KnownChat;
  fields: SendFields;
  /** How those who were to be mentioned are named. */
  names: readonly MentionName[];
  /** The name as it stands in the text, to the member. */
  mentions: Record<string, number>;
  /** Mentioned members whose names look like those of others in the group. Who joins later changes nothing. */
  namesakes: ReadonlySet<number>;
  /** What its size depends on, besides its content and file. */
  size: Omit<MessageSize, "content" | "file">;
}

interface Mentioned {
  members: GroupMember[];
  namesakes: ReadonlySet<number>;
}

const NOBODY: Mentioned = { members: [], namesakes: new Set() };

/** Rejects with what the agent can do about it. */
export async function compose(
  deps: AgentDeps,
  { chat, text, replyTo, mention, isExact = false }: TextRequest,
): Promise<Composed> {
  const known = await readChat(deps, chat);
  checkSendable(known);
  const quoted = replyTo === undefined ? undefined : await quotedItem(deps, chat, replyTo);
  const { members, namesakes } = mention.length === 0 ? NOBODY : await mentionedMembers(deps, known, mention);
  const all = mentionNames(members);
  const tokens = all.map(({ token }) => token);
  const whole = isExact ? text : withMentions(text, tokens);
  const names = isExact ? all.filter(({ token }) => isMentioned(text, token)) : all;
  return {
    known,
    names: all,
    fields: {
      tool: "send",
      chat,
      kind: known.kind,
      name: known.name,
      text: whole,
      ...(quoted ? { replyTo: quoteOnCard(quoted, known.info, deps.viewer.name) } : {}),
      mentions: members
        .filter(({ groupMemberId }) => names.some(({ member }) => member === groupMemberId))
        .map((member) => ({ member: member.groupMemberId, name: member.memberProfile.displayName })),
    },
    mentions: Object.fromEntries(names.map(({ key, member }) => [key, member])),
    namesakes,
    size: sizeOf(
      known.info,
      names.map(({ key }) => key),
      quoted ? quoteOf(quoted) : undefined,
    ),
  };
}

function checkSendable({ info, chat, connected, role }: KnownChat): void {
  if (info.type === "group" && isConnectedGroup(info.groupInfo) && role !== undefined) {
    if (!roleAtLeast(role, "author")) {
      const cannot = isRole(role)
        ? `The agent is ${role} in ${chat} and may not write there.`
        : `The agent has a role in ${chat} that may not write there.`;
      throw new ToolError(`${cannot} Ask an admin for another role.`);
    }
    return;
  }
  if (connected) return;
  throw new ToolError(`The agent is not connected to ${chat}. list tells when it is.`);
}

function quoteOnCard({ chatDir, meta, content }: ChatItem, info: ChatInfo, agentName: string) {
  const text = "msgContent" in content ? content.msgContent.text : "";
  const { name, member } = senderOf(chatDir, info, agentName);
  return {
    item: meta.itemId,
    ...(member === undefined ? {} : { member }),
    ...(isOwn(chatDir) ? { own: true } : {}),
    name,
    text,
  };
}

async function quotedItem(deps: AgentDeps, chat: ChatRef, id: number): Promise<ChatItem> {
  const notThere = new ToolError(
    `There is no message ${id} in ${chat} to reply to. history shows its messages.`,
  );
  try {
    const { chat: page } = await deps.core.getChat(chat, { around: id, count: 0 });
    const found = page.chatItems.find((item) => item.meta.itemId === id);
    if (!found || !("msgContent" in found.content) || isDeleted(found)) throw notThere;
    return found;
  } catch (error) {
    if (isItemNotFound(error)) throw notThere;
    throw error;
  }
}

async function mentionedMembers(
  deps: AgentDeps,
  { info, chat }: KnownChat,
  ids: readonly number[],
): Promise<Mentioned> {
  if (info.type !== "group")
    throw new ToolError(`${chat} is a contact: only members of a group can be mentioned.`);
  const current = (await deps.core.listMembers(info.groupInfo.groupId)).members.filter(isCurrent);
  const members = [...new Set(ids)].map((id) => {
    const member = current.find((one) => one.groupMemberId === id);
    if (!member) throw new ToolError(`There is no member ${id} in ${chat}. members shows who is there.`);
    return member;
  });
  return { members, namesakes: withNamesakes(members, current) };
}

/** Those whose names look like that of anybody else. */
function withNamesakes(members: readonly GroupMember[], all: readonly GroupMember[]): Set<number> {
  const looks = members.map((one) => looksOf(one.memberProfile.displayName));
  const found = new Set<number>();
  for (const { groupMemberId, memberProfile } of all) {
    const others = [...looksOf(memberProfile.displayName)];
    members.forEach((one, index) => {
      const isAlike = others.some((look) => looks[index]?.has(look));
      if (isAlike && one.groupMemberId !== groupMemberId) found.add(one.groupMemberId);
    });
  }
  return found;
}

/** How each is named in the text. Two of one name are told apart by the name that is unique here. */
function mentionNames(members: readonly GroupMember[]): MentionName[] {
  const taken = new Set<string>();
  return members.map((member) => {
    const { displayName } = member.memberProfile;
    const key = taken.has(displayName) ? member.localDisplayName : displayName;
    taken.add(key);
    const token = mentionText(key);
    if (token === undefined) {
      throw new ToolError(
        `Member ${member.groupMemberId} has a name that SimpleX cannot mention. Send without mention, or reply to a message of theirs.`,
      );
    }
    return { key, token, member: member.groupMemberId };
  });
}

function sizeOf(info: ChatInfo, mentions: string[], quote: Quote | undefined): Composed["size"] {
  const ttl = timerOf(info);
  return {
    chat: info.type === "group" ? "group" : "direct",
    mentions,
    ...(quote ? { quote } : {}),
    ...(ttl === undefined ? {} : { ttl }),
  };
}

/** Seconds after which messages of the chat disappear, where that is on. */
function timerOf(info: ChatInfo): number | undefined {
  if (info.type === "group") {
    const timed = info.groupInfo.fullGroupPreferences.timedMessages;
    return timed?.enable === "on" ? timed.ttl : undefined;
  }
  const timed = info.type === "direct" ? info.contact.mergedPreferences?.timedMessages : undefined;
  if (!timed?.enabled.forUser) return undefined;
  return timed.userPreference.preference.ttl ?? timed.contactPreference.ttl;
}
