import { isActive, isCurrent } from "../core/limits.js";
import type { GroupMember } from "../core/types.js";
import type { ControlChat } from "./chat.js";

/** The members of the control chat, as the core had them at the last look. */
export class ControlMembers {
  readonly #chat: ControlChat;
  #all: GroupMember[] = [];
  /** Members that turned out to be programs: their profile says so only when it changes. */
  readonly #programs = new Set<number>();

  constructor(chat: ControlChat) {
    this.#chat = chat;
  }

  async load(): Promise<void> {
    this.#all = (await this.#chat.core.listMembers(this.#chat.groupId)).members;
  }

  /** Takes note of what a member is, where its profile tells: an event may be the one place that does. */
  note(member: GroupMember): void {
    if (isProgram(member)) this.#programs.add(member.groupMemberId);
  }

  /** Those who are in the chat, or on their way in, and no programs as far as is known. */
  get humans(): GroupMember[] {
    return this.#all.filter(
      (member) => isCurrent(member) && !isProgram(member) && !this.#programs.has(member.groupMemberId),
    );
  }

  /** A member that is this contact, too, shares its profile. */
  hasContact(contactId: number): boolean {
    return this.#all.some(({ memberContactId }) => memberContactId === contactId);
  }
}

export function isProgram({ memberProfile: { peerType } }: GroupMember): boolean {
  return peerType !== undefined && peerType !== "human";
}

/** Came by a link of the agent, and is in: who is still on the way may never come. */
export function joinedByLink(member: GroupMember): boolean {
  return member.memberCategory === "invitee" && hasJoined(member);
}

export function hasJoined(member: GroupMember): boolean {
  return isCurrent(member) && isActive(member);
}
