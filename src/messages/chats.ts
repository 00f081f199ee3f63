/** What a chat is called. */
import { canSendToContact, isConnectedGroup } from "../core/limits.js";
import {
  type AChat,
  type ChatInfo,
  type ChatRef,
  type ConnLink,
  type Contact,
  chatRefOf,
  type GroupInfo,
} from "../core/types.js";
import { visibleName, visibleText } from "../text/for-agent.js";

/** What a chat is called on a card and in lists. */
export type ChatKind = "contact" | "bot" | "agent" | "group" | "channel" | "business";

export interface ChatDescription {
  chat: ChatRef;
  kind: ChatKind;
  /** From the other side, unfiltered; may be empty. */
  name: string;
  /** The link by which we connected, where the core keeps it. */
  address?: string;
  /** Messages can go both ways; our role in a group may still be too low to write. */
  connected: boolean;
  /** Our role, in groups. */
  role?: string;
}

/** Undefined for what is no chat of its own: support chats, notes, requests, pending connections. */
export function describeChat(info: ChatInfo): ChatDescription | undefined {
  const chat = chatRefOf(info);
  if (!chat) return undefined;
  if (info.type === "direct") return describeContact(chat, info.contact);
  return info.type === "group" ? describeGroup(chat, info.groupInfo) : undefined;
}

/** The same for the agent, with what peers wrote as a model may read it. */
export function visibleChat<Description extends ChatDescription>(description: Description): Description {
  const { name, address, role } = description;
  return {
    ...description,
    name: visibleName(name),
    ...(address === undefined ? {} : { address: visibleText(address) }),
    ...(role === undefined ? {} : { role: visibleName(role) }),
  };
}

function describeContact(chat: ChatRef, contact: Contact): ChatDescription {
  return {
    chat,
    kind: contactKind(contact.profile.peerType),
    name: contact.profile.displayName,
    ...address(contact.preparedContact),
    connected: canSendToContact(contact),
  };
}

function describeGroup(chat: ChatRef, group: GroupInfo): ChatDescription {
  return {
    chat,
    kind: groupKind(group),
    name: group.groupProfile.displayName,
    ...address(group.preparedGroup),
    connected: isConnectedGroup(group),
    role: group.membership.memberRole,
  };
}

/** An unknown or absent peer type is a person's app. */
export function contactKind(peerType: string | undefined): "contact" | "bot" | "agent" {
  return peerType === "bot" || peerType === "agent" ? peerType : "contact";
}

export function groupKind({
  businessChat,
  useRelays,
}: Pick<GroupInfo, "businessChat" | "useRelays">): ChatKind {
  if (businessChat?.chatType === "business") return "business";
  return useRelays ? "channel" : "group";
}

function address(prepared: { connLinkToConnect: ConnLink } | undefined): { address?: string } {
  if (!prepared) return {};
  const { connShortLink, connFullLink } = prepared.connLinkToConnect;
  return { address: connShortLink ?? connFullLink };
}

/** A contact that every profile is made with, never connected to, and silent so far. */
export function isUnusedPreset({ chatInfo, chatStats }: AChat): boolean {
  if (chatInfo.type !== "direct" || chatStats.unreadCount > 0) return false;
  return !chatInfo.contact.activeConn && !chatInfo.contact.preparedContact;
}
