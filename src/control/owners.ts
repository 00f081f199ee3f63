import { CoreError, isGroupLinkNotFound } from "../core/errors.js";
import { explain } from "../core/explain.js";
import { isCurrent } from "../core/limits.js";
import type { ChatEvent, GroupMember } from "../core/types.js";
import type { ControlChat } from "./chat.js";
import { displayName } from "./literal.js";
import { greeting, ownerTexts, refusals } from "./replies.js";

export interface OwnersOptions {
  chat: ControlChat;
  /** A line for the person at the terminal. */
  print: (line: string) => void;
  log: (line: string) => void;
  /** Shows the link, as text and as QR code. It is a secret: whoever uses it first becomes the owner. */
  showLink: (link: string) => void;
  /** Called when the set-up is done: an owner can approve. */
  onReady: () => void;
}

/** The people of the control chat: who approves, and how the first of them gets in. */
export class Owners {
  readonly #options: OwnersOptions;
  #members: GroupMember[] = [];
  /** Members that turned out to be programs: their profile says so only when it changes. */
  readonly #bots = new Set<number>();

  constructor(options: OwnersOptions) {
    this.#options = options;
  }

  /** Human members with role owner, at this moment. */
  get approvers(): GroupMember[] {
    return this.#members.filter((member) => this.#isHumanMember(member) && member.memberRole === "owner");
  }

  /** Why nothing can be asked for, to the agent. */
  get noApprover(): string {
    return "The agent has no approving owner. Ask the person who runs the server to scan the code that it shows.";
  }

  /** The answer to a command of somebody else. */
  get notApprover(): string {
    return refusals.notAnOwner;
  }

  isApprover(groupMemberId: number): boolean {
    return this.approvers.some((member) => member.groupMemberId === groupMemberId);
  }

  /** Reads the members. */
  async load(): Promise<void> {
    await this.#reload();
  }

  /** Where nobody approves yet, opens the link for the first owner. A link of the last start goes. */
  async start(): Promise<void> {
    const { print, onReady } = this.#options;
    await this.#deleteLink();
    if (this.approvers.length === 0) await this.#adoptOrInvite();
    else {
      print(ownerTexts.owners(this.approvers));
      onReady();
    }
  }

  /** Takes note of who joined, left, or has another role. */
  async onEvent(event: ChatEvent): Promise<void> {
    switch (event.type) {
      case "joinedGroupMember":
        await this.#joined(event.member);
        break;
      case "groupMemberUpdated":
        if (isProgram(event.toMember)) this.#bots.add(event.toMember.groupMemberId);
        await this.#changed();
        break;
      case "memberRole":
      case "leftMember":
      case "deletedMember":
      case "connectedToGroupMember":
        await this.#changed();
        break;
    }
  }

  /** Reads the members again; approvals that need to know who approves right now wait for it. */
  async #reload(): Promise<void> {
    const { members } = await this.#options.chat.core.listMembers(this.#options.chat.groupId);
    this.#members = members;
  }

  async #changed(): Promise<void> {
    const before = this.approvers;
    await this.#reload();
    const now = this.approvers;
    if (before.length > 0 && now.length === 0) this.#options.print(ownerTexts.noOwnerLeft());
  }

  /** The first human who joins by the link becomes the owner, and the link goes. */
  async #joined(member: GroupMember): Promise<void> {
    await this.#reload();
    if (isProgram(member)) {
      this.#bots.add(member.groupMemberId);
      await this.#remove(member, ownerTexts.programRemoved(member));
    } else if (this.approvers.length > 0) {
      await this.#remove(member, ownerTexts.joinedBySameLink(member));
    } else {
      await this.#promote(member);
    }
  }

  async #promote(member: GroupMember): Promise<void> {
    const { chat, print, onReady } = this.#options;
    await this.#deleteLink();
    await chat.core.setMembersRole(chat.groupId, [member.groupMemberId], "owner");
    await this.#reload();
    await chat.say(greeting);
    print(ownerTexts.joinedAsOwner(member));
    onReady();
  }

  async #remove(member: GroupMember, line: string): Promise<void> {
    const { chat, print, log } = this.#options;
    try {
      await chat.core.removeMembers(chat.groupId, [member.groupMemberId]);
    } catch (error) {
      log(`${displayName(member.memberProfile.displayName)} was not removed: ${explain(error)}`);
    }
    await this.#reload();
    print(line);
    await chat.say(line);
  }

  /** A human who joined before a crash, and was not made owner any more, is the first one; else a link opens. */
  async #adoptOrInvite(): Promise<void> {
    const [joined] = this.#members.filter(
      (member) => this.#isHumanMember(member) && member.memberCategory === "invitee",
    );
    if (joined) await this.#promote(joined);
    else await this.#openLink();
  }

  async #openLink(): Promise<void> {
    const { chat, showLink } = this.#options;
    const { connLinkContact } = await chat.core.createGroupLink(chat.groupId, "member");
    showLink(connLinkContact.connShortLink ?? connLinkContact.connFullLink);
  }

  async #deleteLink(): Promise<void> {
    const { chat } = this.#options;
    try {
      await chat.core.deleteGroupLink(chat.groupId);
    } catch (error) {
      if (!isGroupLinkNotFound(error)) throw error;
    }
  }

  #isHumanMember(member: GroupMember): boolean {
    return isCurrent(member) && !isProgram(member) && !this.#bots.has(member.groupMemberId);
  }
}

function isProgram(member: GroupMember): boolean {
  const { peerType } = member.memberProfile;
  return peerType !== undefined && peerType !== "human";
}
