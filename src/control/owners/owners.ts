import type { ChatEvent, GroupMember } from "../../core/types.js";
import type { Announcement } from "../texts/owner-texts.js";
import { ownerTexts, refusals } from "../texts/replies.js";
import { Admission, type AdmissionOptions } from "./admission.js";
import { ControlMembers, hasJoined } from "./members.js";
import { isListed, isListedId, type OwnersPolicy } from "./owners-list.js";

export interface OwnersOptions extends Omit<AdmissionOptions, "members" | "announce"> {
  policy: OwnersPolicy;
  /** Waits for who used the link of the last start while nothing ran; false where there was none. */
  lateJoiners: () => Promise<boolean>;
}

/** The people of the control chat: who approves, and how the first of them gets in. */
export class Owners {
  readonly #options: OwnersOptions;
  readonly #members: ControlMembers;
  readonly #admission: Admission;
  /** The approvers at the last change that was told of. */
  #told: readonly GroupMember[] = [];
  /** Owners who are not listed, and were told of. */
  #unlisted: ReadonlySet<number> = new Set();

  constructor(options: OwnersOptions) {
    this.#options = options;
    this.#members = new ControlMembers(options.chat);
    this.#admission = new Admission({
      ...options,
      members: this.#members,
      announce: (line) => this.#announce(line),
    });
  }

  /** Who approves at this moment: human members with role owner, of the list where there is one. */
  get approvers(): GroupMember[] {
    return this.#members.humans.filter((member) => this.#mayApprove(member));
  }

  isApprover(groupMemberId: number): boolean {
    return this.approvers.some((member) => member.groupMemberId === groupMemberId);
  }

  /** The author of a message approves now, and did when the message came. */
  approves(author: GroupMember): boolean {
    return this.isApprover(author.groupMemberId) && this.#mayApprove(author);
  }

  /** The same member approved at that time (ISO 8601), and no former one of its id: ids come again. */
  isApproverSince(groupMemberId: number, time: string): boolean {
    const member = this.approvers.find((one) => one.groupMemberId === groupMemberId);
    return member !== undefined && Date.parse(member.createdAt) <= Date.parse(time);
  }

  /** Why nothing can be asked for, to the agent. */
  get noApprover(): string {
    const { kind } = this.#options.policy;
    if (kind === "any" && !this.#admission.isLinkOpen)
      return "The agent has no approving owner. Ask the person who runs the server to restart it, and to let one join by the link it shows then.";
    return kind === "any"
      ? "The agent has no approving owner. Ask the person who runs the server to let one join by the link it shows."
      : "The agent has no approving owner. Ask the person who runs the server to restart it with the --owners list it prints.";
  }

  /** The answer to a command of somebody else. */
  get notApprover(): string {
    return this.#options.policy.kind === "any" ? refusals.notAnOwner : refusals.notListed;
  }

  /** Reads the members. */
  load(): Promise<void> {
    return this.#members.load();
  }

  /** Reads them again where that failed. */
  freshen(): Promise<void> {
    return this.#members.freshen();
  }

  /**
   * Sets the owners up: as the list says, or by a link where nobody approves yet. A link of the last start goes.
   * Rejects with `OwnersListError` when the list does not fit.
   */
  async start(): Promise<void> {
    const { policy, print, onReady } = this.#options;
    const listed = policy.kind === "list" ? await this.#admission.enforce(policy) : undefined;
    // Only then is there a link of the last start that somebody may have used.
    const isEmpty =
      policy.kind === "setup" ? !this.#members.humans.some(hasJoined) : this.approvers.length === 0;
    if (!listed && isEmpty && (await this.#options.lateJoiners())) await this.#members.load();
    await this.#admission.closeLink();
    if (policy.kind === "setup") return await this.#admission.setUp();
    this.#told = listed ?? this.approvers;
    if (this.#told.length === 0) {
      const first = await this.#admission.invite();
      if (first) this.#told = [first];
      return;
    }
    if (policy.kind === "any") await this.#admission.removeLate();
    print(ownerTexts.owners(this.#told));
    onReady();
  }

  /** Takes note of who joined, left, or has another role or name. */
  async onEvent(event: ChatEvent): Promise<void> {
    switch (event.type) {
      case "joinedGroupMember": {
        const { policy } = this.#options;
        const first = await this.#admission.joined(event.member, policy);
        if (first) this.#told = [first];
        break;
      }
      case "groupMemberUpdated": {
        const { toMember } = event;
        this.#members.note(toMember);
        this.#members.change(toMember.groupMemberId, { memberProfile: toMember.memberProfile });
        await this.#changed();
        break;
      }
      case "memberRole":
        // Given is a role by the core alone: this event may be older than another that took it.
        if (event.toRole !== "owner")
          this.#members.change(event.member.groupMemberId, { memberRole: event.toRole });
        await this.#changed();
        break;
      case "contactUpdated":
        // No other event tells of the new name.
        if (!this.#members.hasContact(event.toContact.contactId)) break;
        this.#members.changeContact(event.toContact);
        await this.#changed();
        break;
      case "leftMember":
        this.#members.change(event.member.groupMemberId, { memberStatus: "left" });
        await this.#changed();
        break;
      case "deletedMember":
        this.#members.change(event.deletedMember.groupMemberId, { memberStatus: "removed" });
        await this.#changed();
        break;
      case "connectedToGroupMember":
        await this.#changed();
        break;
    }
  }

  #mayApprove(member: GroupMember): boolean {
    const { policy } = this.#options;
    if (policy.kind === "setup" || member.memberRole !== "owner") return false;
    return policy.kind === "any" || isListed(policy, member);
  }

  /** Tells who approves no more, where nobody is left or the list has another name. */
  async #changed(): Promise<void> {
    await this.#members.refresh();
    const { approvers } = this;
    const lost = this.#told.filter(({ groupMemberId }) => !this.isApprover(groupMemberId));
    this.#told = approvers;
    const renamed = lost.flatMap(({ groupMemberId }) => this.#renamed(groupMemberId) ?? []);
    for (const member of renamed) await this.#announce(ownerTexts.renamed(member, approvers));
    await this.#tellUnlisted(renamed);
    const [gone] = lost;
    if (!gone || renamed.length > 0 || approvers.length > 0) return;
    if (this.#options.policy.kind === "list") await this.#announce(ownerTexts.noListedOwnerLeft(gone));
    else this.#options.print(ownerTexts.noOwnerLeft());
  }

  /** The owner of this id, where the list has it by another name. */
  #renamed(groupMemberId: number): GroupMember | undefined {
    const { policy } = this.#options;
    if (policy.kind !== "list" || !isListedId(policy, groupMemberId)) return undefined;
    return this.#members.humans.find(
      (member) => member.groupMemberId === groupMemberId && member.memberRole === "owner",
    );
  }

  /** Tells once of each owner who is not listed. `told`: of these just now, as renamed. */
  async #tellUnlisted(told: readonly GroupMember[]): Promise<void> {
    const { policy } = this.#options;
    if (policy.kind !== "list") return;
    const unlisted = this.#members.humans.filter(
      (member) => member.memberRole === "owner" && !isListed(policy, member),
    );
    const known = new Set([...this.#unlisted, ...told.map(({ groupMemberId }) => groupMemberId)]);
    this.#unlisted = new Set(unlisted.map(({ groupMemberId }) => groupMemberId));
    for (const member of unlisted)
      if (!known.has(member.groupMemberId))
        await this.#announce(ownerTexts.notListedYet(member, this.approvers));
  }

  async #announce({ chat: text, terminal }: Announcement): Promise<void> {
    this.#options.print(terminal);
    await this.#options.chat.say(text);
  }
}
