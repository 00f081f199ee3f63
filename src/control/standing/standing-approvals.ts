import type { Decision } from "../../actions/action.js";
import type { Core } from "../../core/core.js";
import {
  type ChatInfo,
  type ChatRef,
  type CustomData,
  chatRefOf,
  type GroupMember,
} from "../../core/types.js";
import { readStanding, type StandingApproval, type StandingKind, writeStanding } from "./standing.js";

export interface StandingOptions {
  core: Core;
  /** In mode `host` there are none. */
  enabled: boolean;
  /** Whether that member of the control chat approves now, and was there already at that time (ISO 8601). */
  isApproverSince: (groupMemberId: number, time: string) => boolean;
  now: () => number;
}

/** Standing approvals of chats, which count while their giver is an approver. */
export class StandingApprovals {
  readonly #options: StandingOptions;
  /**
   * When those of a chat and kind were ended in this run, ms since 1970: older ones end at the command, whatever was
   * read of the chat before.
   */
  readonly #ended = new Map<string, number>();

  #given = 0;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  /** The approval that counts for this chat now. */
  current(info: ChatInfo, kind: StandingKind): StandingApproval | undefined {
    const chat = chatRefOf(info);
    const approval = readStanding(customDataOf(info), kind);
    const { enabled, isApproverSince } = this.#options;
    if (!chat || !approval || !enabled || !isApproverSince(approval.byId, approval.at)) return undefined;
    const at = Date.parse(approval.at);
    // One from before the chat was given for another that had its number.
    return at > this.#endOf(chat, kind) && at >= createdAt(info) ? approval : undefined;
  }

  /** What lets something through to this chat now: a text message, a download, or with both kinds a file sent. */
  decision(info: ChatInfo, ...kinds: StandingKind[]): Decision | undefined {
    const approvals = kinds.map((kind) => this.current(info, kind));
    const [first] = approvals;
    return first && approvals.every(Boolean) ? { kind: "standing", by: first.by } : undefined;
  }

  /** What `list` tells of the chat. */
  describe(info: ChatInfo, kind: StandingKind): { by: string; at: string } | undefined {
    const approval = this.current(info, kind);
    return approval && { by: approval.by, at: approval.at };
  }

  /** How many were given in this run: with the same number, none was given in between. */
  get given(): number {
    return this.#given;
  }

  async give(info: ChatInfo, kind: StandingKind, by: GroupMember): Promise<void> {
    const chat = chatRefOf(info);
    if (!chat) return;
    const approval = {
      by: by.memberProfile.displayName,
      byId: by.groupMemberId,
      // Later than what it comes after, were the clock set back, too.
      at: new Date(Math.max(this.#options.now(), this.#endOf(chat, kind) + 1, createdAt(info))).toISOString(),
    };
    await writeStanding(this.#options.core, chat, customDataOf(info), kind, approval);
    // Who read the chat before the approval was there sees another number.
    this.#given += 1;
  }

  async end(info: ChatInfo, kind: StandingKind): Promise<void> {
    const chat = chatRefOf(info);
    if (!chat) return;
    const approval = readStanding(customDataOf(info), kind);
    const now = Math.max(this.#options.now(), approval ? Date.parse(approval.at) : 0);
    this.#ended.set(`${chat} ${kind}`, now);
    await writeStanding(this.#options.core, chat, customDataOf(info), kind, undefined);
  }

  #endOf(chat: ChatRef, kind: StandingKind): number {
    return this.#ended.get(`${chat} ${kind}`) ?? Number.NEGATIVE_INFINITY;
  }
}

/** Milliseconds since 1970. */
function createdAt(info: ChatInfo): number {
  if (info.type === "direct") return Date.parse(info.contact.createdAt);
  return info.type === "group" ? Date.parse(info.groupInfo.createdAt) : Number.NEGATIVE_INFINITY;
}

function customDataOf(info: ChatInfo): CustomData | undefined {
  if (info.type === "direct") return info.contact.customData;
  return info.type === "group" ? info.groupInfo.customData : undefined;
}
