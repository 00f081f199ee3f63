import { isMemberNotFound } from "../../core/errors/errors.js";
import { explain } from "../../core/errors/explain.js";
import type { GroupMember } from "../../core/types.js";
import type { ControlChat } from "../chat/chat.js";
import type { Announcement } from "../texts/owner-texts.js";
import { greeting, ownerTexts } from "../texts/replies.js";
import { type ControlMembers, hasJoined, isProgram, joinedByLink } from "./members.js";
import { OwnerLink } from "./owner-link.js";
import { listedMembers, type OwnersPolicy } from "./owners-list.js";

export interface AdmissionOptions {
  chat: ControlChat;
  members: ControlMembers;
  /** A line for the person at the terminal. */
  print: (line: string) => void;
  /** The same line for the terminal and the chat. */
  announce: (line: Announcement) => Promise<void>;
  log: (line: string) => void;
  /** Shows the link, as text and as QR code. It is a secret: whoever uses it first becomes the owner. */
  showLink: (link: string) => void;
  /** Called when the set-up is done: an owner can approve. */
  onReady: () => void;
}

/** How the first owners get in, and who is sent away. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #link: OwnerLink;
  /** Who joined by the link and was there at the start: what was to be done about them is done. */
  readonly #settled = new Set<string>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#link = new OwnerLink(options.chat);
  }

  /** Somebody can still join by the link. */
  get isLinkOpen(): boolean {
    return this.#link.isOpen;
  }

  /** Deletes the link of the last start. */
  closeLink(): Promise<void> {
    return this.#link.close();
  }

  /** Makes the listed members owners, and removes every other person. Rejects with `OwnersListError`. */
  async enforce(policy: { entries: readonly string[] }): Promise<GroupMember[]> {
    const { chat, members } = this.#options;
    const listed = listedMembers(policy, members.humans);
    for (const { groupMemberId, memberRole } of listed) {
      // One at a time: the core takes no admin among several.
      if (memberRole !== "owner") await chat.core.setMembersRole(chat.groupId, [groupMemberId], "owner");
    }
    for (const member of members.humans) {
      if (!listed.includes(member)) await chat.core.removeMembers(chat.groupId, [member.groupMemberId]);
    }
    await members.load();
    return listed;
  }

  /** The set-up of a list: tells who is there, or lets the first one in. */
  async setUp(): Promise<void> {
    const { members, announce, print } = this.#options;
    const present = members.humans.filter(hasJoined);
    for (const member of present) {
      this.#settled.add(identity(member));
      await announce(ownerTexts.joinedAsObserver(member));
    }
    if (present.length > 0) return;
    await this.#openLink("observer");
    print(ownerTexts.linkAddsObserver);
  }

  /**
   * Lets the first owner in. Who joined while the server was down, or before a crash, and was not made owner any
   * more, is the first one and is returned; else a link opens.
   */
  async invite(): Promise<GroupMember | undefined> {
    const { members, chat } = this.#options;
    const first = members.humans.find((member) => joinedByLink(member) && member.memberRole === "member");
    // Once a role was changed there was an owner: who is none now is that by an owner's will.
    if (!first || (await chat.roleChanges()).size > 0) {
      await this.#openLink("member");
      return undefined;
    }
    this.#settled.add(identity(first));
    if (!(await this.#promote(first))) return undefined;
    await this.removeLate();
    return first;
  }

  /** Who joined by the link of an owner after that owner, and whom a crash spared, goes now. */
  async removeLate(): Promise<void> {
    const joined = this.#options.members.humans.filter(joinedByLink);
    const isOwner = ({ memberRole }: GroupMember) => memberRole === "owner";
    for (const member of joined) this.#settled.add(identity(member));
    const late = joined.filter((member) => !isOwner(member));
    if (late.length === joined.length || late.length === 0) return;
    // Not who was an owner once.
    const changed = await this.#options.chat.roleChanges();
    for (const member of late) if (!changed.has(member.groupMemberId)) await this.#removeLate(member);
  }

  /**
   * Somebody joined by the link. The first human becomes the owner, which is returned, or with a list is told of; then
   * the link goes. Everybody else is removed.
   */
  async joined(member: GroupMember, { kind }: OwnersPolicy): Promise<GroupMember | undefined> {
    const { members, announce, log } = this.#options;
    // An event may come twice: the second is not of another member.
    if (this.#settled.has(identity(member))) return undefined;
    this.#settled.add(identity(member));
    await members.refresh();
    if (isProgram(member)) {
      await this.#remove(member, ownerTexts.programRemoved(member));
    } else if (!this.#link.isOpen) {
      await this.#removeLate(member);
    } else if (kind === "any") {
      return (await this.#promote(member)) ? member : undefined;
    } else {
      await this.#link.close().catch((error: unknown) => {
        log(`The link to the control chat was not deleted: ${explain(error)} Restart the server.`);
      });
      await announce(ownerTexts.joinedAsObserver(member));
    }
    return undefined;
  }

  /** Makes the member the first owner. False when that failed: then it was told what to do. */
  async #promote(member: GroupMember): Promise<boolean> {
    const { chat, members, print, onReady } = this.#options;
    try {
      await this.#link.close();
      await chat.core.setMembersRole(chat.groupId, [member.groupMemberId], "owner");
    } catch (error) {
      await this.#notPromoted(member, error);
      return false;
    }
    // Counts, were the members not to be read.
    members.change(member.groupMemberId, { memberRole: "owner" });
    await members.refresh();
    await chat.say(greeting);
    print(ownerTexts.joinedAsOwner(member));
    onReady();
    return true;
  }

  async #notPromoted(member: GroupMember, error: unknown): Promise<void> {
    const { members, announce, log } = this.#options;
    await members.refresh();
    if (!this.#isGone(member, error)) return await announce(ownerTexts.notMadeOwner(member, explain(error)));
    // Left again already: the next one may come.
    await this.#openLink("member").catch((failure: unknown) => {
      log(`No new link could be made: ${explain(failure)} Restart the server.`);
    });
  }

  /** The core says so, or its list of members. */
  #isGone({ groupMemberId }: GroupMember, error: unknown): boolean {
    const { members } = this.#options;
    const isListed = members.humans.some((member) => member.groupMemberId === groupMemberId);
    return isMemberNotFound(error) || (!members.isStale && !isListed);
  }

  #removeLate(member: GroupMember): Promise<void> {
    return this.#remove(member, ownerTexts.joinedBySameLink(member));
  }

  async #remove(member: GroupMember, line: string): Promise<void> {
    const { chat, members, announce } = this.#options;
    let failure: unknown;
    try {
      await chat.core.removeMembers(chat.groupId, [member.groupMemberId]);
    } catch (error) {
      failure = error;
    }
    await members.refresh();
    const isThere = failure !== undefined && !this.#isGone(member, failure);
    await announce(
      isThere ? ownerTexts.notRemoved(member, explain(failure)) : { terminal: line, chat: line },
    );
  }

  async #openLink(role: "member" | "observer"): Promise<void> {
    this.#options.showLink(await this.#link.open(role));
  }
}

/** Ids of members come again. */
function identity({ groupMemberId, createdAt }: GroupMember): string {
  return `${groupMemberId} ${createdAt}`;
}
