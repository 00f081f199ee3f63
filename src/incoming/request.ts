import type { IncomingFields } from "../actions/action.js";
import type { Core } from "../core/core.js";
import { isChatNotFound } from "../core/errors/errors.js";
import type { AChat, ChatItem, ChatRef, Contact, GroupInfo } from "../core/types.js";
import { contactKind, describeChat, groupKind } from "../messages/chats.js";
import { asksAsMember, asksToConnect, isInvitation } from "../messages/waiting.js";
import type { RequestId } from "./line.js";

/** Somebody asks, and this is all that the core has of it. */
export interface Request extends RequestId {
  /** What a card shows; its texts are unfiltered and whole. */
  fields: IncomingFields;
  /** By which the core knows it, where that is not the chat's number. */
  contactRequestId?: number;
  /** Changes with whatever makes it another request than the one that was shown. */
  mark: string;
}

/** A request's own items come before anything else in its chat. */
const ITEMS = 20;

/** How far back in the chat with the inviting contact the newest invitation is looked for. */
const INVITATIONS = 100;

/** The request as it is now; undefined when there is none in this chat, or it can no more be told whose it is. */
export async function readRequest(core: Core, chat: ChatRef): Promise<Request | undefined> {
  const page = await chatPage(core, chat, ITEMS);
  if (!page) return undefined;
  const { chatInfo, chatItems } = page;
  if (chatInfo.type === "group" && isInvitation(chatInfo.groupInfo)) {
    return await readInvitation(core, chat, chatInfo.groupInfo);
  }
  if (chatInfo.type !== "direct") return undefined;
  if (asksToConnect(chatInfo.contact)) return readContactRequest(chat, chatInfo.contact, chatItems);
  return asksAsMember(chatInfo.contact) ? await readMemberRequest(core, chat, chatInfo.contact) : undefined;
}

/** All that wait, oldest first; or those by the agent's address. */
export async function waitingRequests(
  core: Core,
  userId: number,
  { byAddress = false }: { byAddress?: boolean } = {},
): Promise<RequestId[]> {
  // Newest first.
  const chats = (await core.getChats(userId)).toReversed();
  const waiting = chats.filter(
    ({ chatInfo }) => !byAddress || (chatInfo.type === "direct" && asksToConnect(chatInfo.contact)),
  );
  return waiting
    .flatMap((chat) => requestId(chat) ?? [])
    .toSorted((one, other) => Date.parse(one.made) - Date.parse(other.made));
}

/** Which request this chat of the core is; undefined where it is none. */
export function requestId({ chatInfo }: Pick<AChat, "chatInfo">): RequestId | undefined {
  if (chatInfo.type === "direct") {
    const { contact } = chatInfo;
    return asksToConnect(contact) || asksAsMember(contact) ? contactId(contact) : undefined;
  }
  if (chatInfo.type !== "group" || !isInvitation(chatInfo.groupInfo)) return undefined;
  const { groupId, createdAt } = chatInfo.groupInfo;
  return { chat: `#${groupId}`, made: createdAt };
}

export function contactId({ contactId: id, createdAt }: Contact): RequestId {
  return { chat: `@${id}`, made: createdAt };
}

function readContactRequest(chat: ChatRef, contact: Contact, items: readonly ChatItem[]): Request {
  const { contactRequestId, profile, createdAt: made } = contact;
  const messages = items.flatMap(({ content, meta }) =>
    content.type === "rcvMsgContent" ? [{ item: meta.itemId, text: content.msgContent.text }] : [],
  );
  const message = messages
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n");
  const fields = {
    tool: "request" as const,
    chat,
    kind: contactKind(profile.peerType),
    name: profile.displayName,
    ...(message === "" ? {} : { message }),
  };
  return request({ chat, made }, fields, { contactRequestId, items: messages.map(({ item }) => item) });
}

async function readMemberRequest(core: Core, chat: ChatRef, contact: Contact): Promise<Request | undefined> {
  const { groupDirectInv, profile, createdAt: made } = contact;
  const id = groupDirectInv?.fromGroupId_;
  const group = id === undefined ? undefined : await chatPage(core, `#${id}`, 0);
  const named = group && describeChat(group.chatInfo);
  if (!named) return undefined;
  const { chat: ref, kind, name } = named;
  const fields = {
    tool: "member" as const,
    chat,
    name: profile.displayName,
    group: { chat: ref, kind, name },
  };
  return request({ chat, made }, fields, {});
}

async function readInvitation(core: Core, chat: ChatRef, group: GroupInfo): Promise<Request | undefined> {
  const { membership, groupProfile, createdAt: made } = group;
  const by = membership.invitedBy?.byContactId;
  const inviter = by === undefined ? undefined : await chatPage(core, `@${by}`, INVITATIONS);
  const named = inviter && describeChat(inviter.chatInfo);
  if (!named) return undefined;
  const fields = {
    tool: "invitation" as const,
    chat,
    group: { chat, kind: groupKind(group), name: groupProfile.displayName },
    by: { chat: named.chat, kind: named.kind, name: named.name },
    // Of a second invitation the membership does not tell.
    role: newestRole(inviter.chatItems, group.groupId) ?? membership.memberRole,
  };
  return request({ chat, made }, fields, {});
}

function newestRole(items: readonly ChatItem[], groupId: number): string | undefined {
  const invitation = items.findLast(
    ({ content }) => content.type === "rcvGroupInvitation" && content.groupInvitation.groupId === groupId,
  );
  return invitation?.content.type === "rcvGroupInvitation" ? invitation.content.memberRole : undefined;
}

function request(
  id: RequestId,
  fields: IncomingFields,
  { contactRequestId, ...more }: { contactRequestId?: number | undefined; items?: number[] },
): Request {
  return {
    ...id,
    fields,
    ...(contactRequestId === undefined ? {} : { contactRequestId }),
    mark: JSON.stringify([fields, contactRequestId, more]),
  };
}

async function chatPage(core: Core, chat: ChatRef, count: number): Promise<AChat | undefined> {
  try {
    return (await core.getChat(chat, { count })).chat;
  } catch (error) {
    if (isChatNotFound(error)) return undefined;
    throw error;
  }
}
