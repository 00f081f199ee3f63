import { isGroupLinkNotFound } from "../core/errors.js";
import { explain } from "../core/explain.js";
import { isCurrent } from "../core/limits.js";
import type { ChatEvent, GroupMember } from "../core/types.js";
import type { ControlChat } from "./chat.js";
import { displayName } from "./literal.js";
import type { Announcement } from "./owner-texts.js";
import { isListed, listedMembers, type OwnersPolicy } from "./owners-list.js";
import { greeting, ownerTexts, refusals } from "./replies.js";

export interface OwnersOptions {
  chat: ControlChat;
  policy: OwnersPolicy;
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
  readonly #programs = new Set<number>();

  constructor(options: OwnersOptions) {
    this.#options = options;
  }

  /** Who approves at this moment: human members with role owner, of the list where there is one. */
  get approvers(): GroupMember[] {
    const { policy } = this.#options;
    if (policy.kind === "setup") return [];
    const owners = this.#humans().filter((member) => member.memberRole === "owner");
    return policy.kind === "list" ? owners.filter((member) => isListed(policy, member)) : owners;
  }

  isApprover(groupMemberId: number): boolean {
    return this.approvers.some((member) => member.groupMemberId === groupMemberId);
  }

  /** The same member approved at that time (ISO 8601), and no former one of its id: ids come again. */
  isApproverSince(groupMemberId: number, time: string): boolean {
    const member = this.approvers.find((one) => one.groupMemberId === groupMemberId);
    return member !== undefined && Date.parse(member.createdAt) <= Date.parse(time);
  }

  /** Why nothing can be asked for, to the agent. */
  get noApprover(): string {
    return this.#options.policy.kind === "any"
      ? "The agent has no approving owner. Ask the person who runs the server to let one join by the link it shows."
      : "The agent has no approving owner. Ask the person who runs the server to restart it with the --owners list it prints.";
  }

  /** The answer to a command of somebody else. */
  get notApprover(): string {
    return this.#options.policy.kind === "any" ? refusals.notAnOwner : refusals.notListed;
  }

  /** Reads the members. */
  async load(): Promise<void> {
    const { chat } = this.#options;
    this.#members = (await chat.core.listMembers(chat.groupId)).members;
  }

  /**
   * Sets the owners up: as the list says, or by a link where nobody approves yet. A link of the last start goes.
   * Rejects with `OwnersListError` when the list does not fit.
   */
  async start(): Promise<void> {
    const { policy, print, onReady } = this.#options;
    if (policy.kind === "list") await this.#enforce(policy);
    await this.#deleteLink();
    if (policy.kind === "setup") return await this.#startSetup();
    if (this.approvers.length === 0) return await this.#adoptOrInvite();
    print(ownerTexts.owners(this.approvers));
    onReady();
  }

  /** Takes note of who joined, left, or has another role or name. */
  async onEvent(event: ChatEvent): Promise<void> {
    switch (event.type) {
      case "joinedGroupMember":
        await this.#joined(event.member);
        break;
      case "groupMemberUpdated":
        await this.#changed(event.toMember);
        break;
      case "memberRole":
        await this.#changed();
        if (event.toRole === "owner") await this.#promotedByOthers(event.member);
        break;
      case "leftMember":
      case "deletedMember":
      case "connectedToGroupMember":
        await this.#changed();
        break;
    }
  }

  /** `updated`: a member with its new profile, the one place that may tell of a program. */
  async #changed(updated?: GroupMember): Promise<void> {
    const before = this.approvers;
    if (updated && isProgram(updated)) this.#programs.add(updated.groupMemberId);
    await this.load();
    const [lost] = before;
    if (!lost || this.approvers.length > 0) return;
    if (this.#options.policy.kind === "list") await this.#announce(ownerTexts.noListedOwnerLeft(lost));
    else this.#options.print(ownerTexts.noOwnerLeft());
  }

  async #promotedByOthers(member: GroupMember): Promise<void> {
    const { policy } = this.#options;
    if (policy.kind !== "list" || isListed(policy, member)) return;
    await this.#announce(ownerTexts.notListedYet(member, this.approvers));
  }

  /** The first human who joins by the link becomes the owner, or is told of for the list; then the link goes. */
  async #joined(member: GroupMember): Promise<void> {
    const { policy } = this.#options;
    await this.load();
    const others = this.#humans().filter(({ groupMemberId }) => groupMemberId !== member.groupMemberId);
    if (isProgram(member)) {
      this.#programs.add(member.groupMemberId);
      await this.#remove(member, ownerTexts.programRemoved(member));
    } else if (policy.kind === "list" || this.approvers.length > 0) {
      await this.#remove(member, ownerTexts.joinedBySameLink(member));
    } else if (policy.kind === "any") {
      await this.#promote(member);
    } else if (others.length > 0) {
      await this.#remove(member, ownerTexts.joinedBySameLink(member));
    } else {
      await this.#deleteLink();
      await this.#announce(ownerTexts.joinedAsObserver(member));
    }
  }

  async #promote(member: GroupMember): Promise<void> {
    const { chat, print, onReady } = this.#options;
    await this.#deleteLink();
    await chat.core.setMembersRole(chat.groupId, [member.groupMemberId], "owner");
    await this.load();
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
    await this.load();
    print(line);
    await chat.say(line);
  }

  /** Makes the listed members owners, and removes every other person. */
  async #enforce(policy: { entries: readonly string[] }): Promise<void> {
    const { chat } = this.#options;
    const listed = listedMembers(policy, this.#humans());
    for (const { groupMemberId, memberRole } of listed) {
      // One at a time: the core takes no admin among several.
      if (memberRole !== "owner") await chat.core.setMembersRole(chat.groupId, [groupMemberId], "owner");
    }
    for (const member of this.#humans()) {
      if (!listed.includes(member)) await chat.core.removeMembers(chat.groupId, [member.groupMemberId]);
    }
    await this.load();
  }

  /** The set-up of a list: tells who is there, or lets the first one in. */
  async #startSetup(): Promise<void> {
    const present = this.#humans();
    for (const member of present) await this.#announce(ownerTexts.joinedAsObserver(member));
    if (present.length === 0) await this.#openLink("observer");
  }

  /** A human who joined before a crash, and was not made owner any more, is the first one; else a link opens. */
  async #adoptOrInvite(): Promise<void> {
    const joined = this.#humans().find((member) => member.memberCategory === "invitee");
    if (joined) await this.#promote(joined);
    else await this.#openLink("member");
  }

  async #openLink(role: "member" | "observer"): Promise<void> {
    const { chat, print, showLink } = this.#options;
    const { connLinkContact } = await chat.core.createGroupLink(chat.groupId, role);
    showLink(connLinkContact.connShortLink ?? connLinkContact.connFullLink);
    if (role === "observer") print(ownerTexts.linkAddsObserver);
  }

  async #deleteLink(): Promise<void> {
    const { chat } = this.#options;
    try {
      await chat.core.deleteGroupLink(chat.groupId);
    } catch (error) {
      if (!isGroupLinkNotFound(error)) throw error;
    }
  }

  async #announce({ chat: text, terminal }: Announcement): Promise<void> {
    this.#options.print(terminal);
    await this.#options.chat.say(text);
  }

  #humans(): GroupMember[] {
    return this.#members.filter(
      (member) => isCurrent(member) && !isProgram(member) && !this.#programs.has(member.groupMemberId),
    );
  }
}

function isProgram(member: GroupMember): boolean {
  const { peerType } = member.memberProfile;
  return peerType !== undefined && peerType !== "human";
}
