import { explain } from "../../core/errors/explain.js";
import { isActive, isCurrent } from "../../core/limits.js";
import type { Contact, GroupMember } from "../../core/types.js";
import type { ControlChat } from "../chat/chat.js";

export type MemberChange = Partial<Pick<GroupMember, "memberRole" | "memberStatus" | "memberProfile">>;

/** The members of the control chat, as the core had them at the last look. */
export class ControlMembers {
  readonly #chat: ControlChat;
  #all: GroupMember[] = [];
  #stale = false;
  /** Members that turned out to be programs: their profile says so only when it changes. */
  readonly #programs = new Set<number>();

  constructor(chat: ControlChat) {
    this.#chat = chat;
  }

  /** Rejects when the core does not tell. */
  async load(): Promise<void> {
    this.#stale = true;
    this.#all = (await this.#chat.core.listMembers(this.#chat.groupId)).members;
    this.#stale = false;
  }

  /** The same without a rejection: what is known stays, and is read at the next need. */
  async refresh(): Promise<void> {
    try {
      await this.load();
    } catch (error) {
      this.#chat.log(`The members of the control chat could not be read: ${explain(error)}`);
    }
  }

  /** The last look failed. */
  get isStale(): boolean {
    return this.#stale;
  }

  /** Reads them where that failed before. */
  async freshen(): Promise<void> {
    if (this.#stale) await this.refresh();
  }

  /** What an event takes from a member is gone at once, before the core was asked, and if it does not answer. */
  change(groupMemberId: number, change: MemberChange): void {
    this.#all = this.#all.map((member) =>
      member.groupMemberId === groupMemberId ? { ...member, ...change } : member,
    );
  }

  /** A contact has a new profile, and so has the member that it is. */
  changeContact({ contactId, profile: { displayName } }: Contact): void {
    for (const { groupMemberId, memberProfile, memberContactId } of this.#all)
      if (memberContactId === contactId)
        this.change(groupMemberId, { memberProfile: { ...memberProfile, displayName } });
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
