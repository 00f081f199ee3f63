/** Who wrote an item, by the name as it is: whoever shows it makes it fit to be shown. */
import type { ChatDir, ChatInfo } from "../core/types.js";
import { contactKind } from "./chats.js";
import type { Sender } from "./message.js";

/** `agentName`: the display name of the agent. */
export function senderOf(dir: ChatDir | undefined, info: ChatInfo, agentName: string): Sender {
  if (dir && isOwn(dir)) return { name: ownName(info, agentName), kind: "agent" };
  if (dir?.type === "groupRcv") {
    const { groupMemberId, memberProfile } = dir.groupMember;
    // Members mostly come without a peer type, so that nobody is called a person for lack of one.
    const kind = contactKind(memberProfile.peerType);
    return {
      member: groupMemberId,
      name: memberProfile.displayName,
      kind: kind === "contact" ? "member" : kind,
    };
  }
  if (dir && info.type === "direct") {
    return { name: info.contact.profile.displayName, kind: contactKind(info.contact.profile.peerType) };
  }
  return unknownSender(info);
}

export function isOwn(dir: ChatDir): boolean {
  return dir.type === "directSnd" || dir.type === "groupSnd" || dir.type === "localSnd";
}

/** A channel speaks as itself; in a group it is a member that we do not know. */
function unknownSender(info: ChatInfo): Sender {
  if (info.type !== "group") return { name: "", kind: "contact" };
  const { groupProfile, useRelays } = info.groupInfo;
  return useRelays ? { name: groupProfile.displayName, kind: "channel" } : { name: "", kind: "member" };
}

/** In a group we may be known by another name: incognito. */
function ownName(info: ChatInfo, agentName: string): string {
  return info.type === "group" ? info.groupInfo.membership.memberProfile.displayName : agentName;
}
