/** Chats that the core has already, and that are none yet: somebody asks, and no owner has let them in. */
import type { ChatInfo, ChatItem, Contact, GroupInfo } from "../core/types.js";

/** Neither tools nor owners dispose of it as of a chat. */
export function isWaiting(info: ChatInfo): boolean {
  if (info.type === "direct") return asksToConnect(info.contact) || asksAsMember(info.contact);
  return info.type === "group" && isInvitation(info.groupInfo);
}

/** By the agent's address. An acceptance that failed leaves a connection that is `new`. */
export function asksToConnect({ contactRequestId, activeConn }: Contact): boolean {
  return contactRequestId !== undefined && (!activeConn || activeConn.connStatus.type === "new");
}

/** A member of a group who asks for a chat of the two. */
export function asksAsMember({ groupDirectInv }: Contact): boolean {
  return groupDirectInv?.groupDirectInvStartedConnection === false;
}

/** A contact invites us; groups joined by a link are never in this status. */
export function isInvitation({ membership }: Pick<GroupInfo, "membership">): boolean {
  return membership.memberStatus === "invited";
}

/** An item in another chat that tells of a request: the agent hears of none. */
export function tellsOfRequest({ content }: Pick<ChatItem, "content">): boolean {
  if (content.type === "rcvGroupInvitation") return true;
  return content.type === "rcvGroupEvent" && content.rcvGroupEvent?.type === "memberCreatedContact";
}
