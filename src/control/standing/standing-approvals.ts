import type { Decision, Remainder, StandingDecision } from "../../actions/action.js";
import type { Core } from "../../core/core.js";
import {
  type ChatInfo,
  type ChatRef,
  type CustomData,
  chatRefOf,
  type GroupMember,
} from "../../core/types.js";
import type { Clock } from "../../time/clock.js";
import { Turns } from "../../time/turns.js";
import type { Limit } from "./limit.js";
import { readStanding, type StandingApproval, type StandingKind, withStanding } from "./standing.js";

export interface StandingOptions {
  core: Pick<Core, "setCustomData">;
  clock: Clock;
  /** In mode `host` there are none. */
  enabled: boolean;
  /** Whether that member of the control chat approves now, and was there already at that time (ISO 8601). */
  isApproverSince: (groupMemberId: number, time: string) => boolean;
}

/** What is known of a chat since this run wrote it, whatever was read of the chat before. */
interface Written {
  /** By this the chat is told from another one that gets its number. Milliseconds since 1970. */
  created: number;
  approval: StandingApproval | undefined;
}

/**
 * Standing approvals of chats, which count while their giver is an approver, until their end. One writer for each chat:
 * a count that was lowered is never raised again by what was read before.
 */
export class StandingApprovals {
  readonly #options: StandingOptions;
  readonly #written = new Map<string, Written>();
  /** When those that end are over, by `clock.elapsed`: the wall clock may be set back. */
  readonly #deadlines = new Map<string, number>();
  readonly #turns = new Turns<ChatRef>();
  #given = 0;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  /** The approval that counts for this chat now. */
  current(info: ChatInfo, kind: StandingKind): StandingApproval | undefined {
    const approval = this.#valid(info, kind);
    return approval?.left === 0 ? undefined : approval;
  }

  /** Whether something of all these kinds would be let through now. */
  stands(info: ChatInfo, ...kinds: StandingKind[]): boolean {
    return kinds.every((kind) => this.current(info, kind));
  }

  /**
   * Lets one act of these kinds through, a text message, a download, or with both kinds a file sent: undefined where it
   * needs its own approval. Where they are counted, one less is left, and stored, when it resolves.
   */
  async take(info: ChatInfo, ...kinds: StandingKind[]): Promise<Decision | undefined> {
    const chat = chatRefOf(info);
    if (!chat || !this.stands(info, ...kinds)) return undefined;
    return await this.#turns.run(chat, async () => {
      const taken = kinds.flatMap((kind) => {
        const approval = this.current(info, kind);
        if (!approval) return [];
        return { kind, approval: approval.left === undefined ? approval : lowered(approval) };
      });
      const [first] = taken;
      if (!first || taken.length < kinds.length) return undefined;
      const counted = taken.filter(({ approval }) => approval.left !== undefined);
      if (counted.length > 0) await this.#write(chat, info, counted);
      const approvals = taken.map(({ approval }) => approval);
      const decision = { kind: "standing", by: first.approval.by, ...remainder(approvals) } as const;
      const under = { ...decision, under: approvals.map(({ at }) => at) };
      // It may have been ended meanwhile.
      return this.holds(info, under, ...kinds) ? under : undefined;
    });
  }

  /** Whether what let an act through is still there, at the act itself. */
  holds(info: ChatInfo, { under = [] }: StandingDecision, ...kinds: StandingKind[]): boolean {
    return kinds.every((kind, index) => {
      const approval = this.#valid(info, kind);
      return approval !== undefined && (under[index] ?? approval.at) === approval.at;
    });
  }

  /** What `list` tells of the chat. */
  describe(
    info: ChatInfo,
    kind: StandingKind,
  ): { by: string; at: string; until?: string; left?: number } | undefined {
    const approval = this.current(info, kind);
    if (!approval) return undefined;
    const { by, at, until, left } = approval;
    return {
      by,
      at,
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
      ...(left === undefined ? {} : { left }),
    };
  }

  /** How many were given in this run: with the same number, none was given in between. */
  get given(): number {
    return this.#given;
  }

  async give(info: ChatInfo, kind: StandingKind, by: GroupMember, limit?: Limit): Promise<Remainder> {
    const chat = chatRefOf(info);
    if (!chat) return {};
    const { clock } = this.#options;
    const end: Remainder = !limit
      ? {}
      : "ms" in limit
        ? { until: clock.now() + limit.ms }
        : { left: limit.count };
    await this.#turns.run(chat, async () => {
      const before = this.#stored(info, kind);
      const approval = {
        by: by.memberProfile.displayName,
        byId: by.groupMemberId,
        // Later than the chat and what it comes after, were the clock set back, too.
        at: new Date(
          Math.max(clock.now(), createdAt(info), before ? Date.parse(before.at) + 1 : 0),
        ).toISOString(),
        ...end,
      };
      if (limit && "ms" in limit)
        this.#deadlines.set(deadlineKey(chat, kind, approval), clock.elapsed() + limit.ms);
      await this.#write(chat, info, [{ kind, approval }]);
      // Who read the chat before the approval was there sees another number.
      this.#given += 1;
    });
    return end;
  }

  /** Ended at once, whatever is being written. */
  async end(info: ChatInfo, kind: StandingKind): Promise<void> {
    const chat = chatRefOf(info);
    if (!chat) return;
    const ended = () =>
      this.#written.set(`${chat} ${kind}`, { created: createdAt(info), approval: undefined });
    ended();
    await this.#turns.run(chat, async () => {
      ended();
      await this.#write(chat, info, [{ kind, approval: undefined }]);
    });
  }

  /** The approval, also one whose last act is being done. */
  #valid(info: ChatInfo, kind: StandingKind): StandingApproval | undefined {
    const chat = chatRefOf(info);
    const approval = this.#stored(info, kind);
    const { enabled, isApproverSince } = this.#options;
    if (!chat || !approval || !enabled || !isApproverSince(approval.byId, approval.at)) return undefined;
    // One from before the chat was given for another that had its number.
    if (!(Date.parse(approval.at) >= createdAt(info))) return undefined;
    return this.#isOver(chat, kind, approval) ? undefined : approval;
  }

  #stored(info: ChatInfo, kind: StandingKind): StandingApproval | undefined {
    const written = this.#written.get(`${chatRefOf(info)} ${kind}`);
    return written?.created === createdAt(info) ? written.approval : readStanding(customDataOf(info), kind);
  }

  /** Whichever is due first: the wall clock can be set back, the other one stands still while the computer sleeps. */
  #isOver(chat: ChatRef, kind: StandingKind, approval: StandingApproval): boolean {
    const { until } = approval;
    if (until === undefined) return false;
    const { clock } = this.#options;
    const key = deadlineKey(chat, kind, approval);
    // One of an earlier run: from now on it has what the wall clock leaves it.
    const deadline = this.#deadlines.get(key) ?? clock.elapsed() + until - clock.now();
    this.#deadlines.set(key, deadline);
    return clock.now() >= until || clock.elapsed() >= deadline;
  }

  /** Only in a turn of the chat. What is ended meanwhile stays so. */
  async #write(
    chat: ChatRef,
    info: ChatInfo,
    changes: readonly { kind: StandingKind; approval: StandingApproval | undefined }[],
  ): Promise<void> {
    const before = changes.map(({ kind }) => this.#written.get(`${chat} ${kind}`));
    const next = { messages: this.#stored(info, "messages"), files: this.#stored(info, "files") };
    for (const { kind, approval } of changes) next[kind] = approval;
    await this.#options.core.setCustomData(chat, withStanding(customDataOf(info), next));
    for (const [index, { kind, approval }] of changes.entries()) {
      const key = `${chat} ${kind}`;
      if (this.#written.get(key) === before[index])
        this.#written.set(key, { created: createdAt(info), approval });
    }
  }
}

function lowered(approval: StandingApproval): StandingApproval {
  return approval.left === undefined ? approval : { ...approval, left: approval.left - 1 };
}

/** What is left of all of them together. */
function remainder(approvals: readonly StandingApproval[]): Remainder {
  const untils = approvals.flatMap(({ until }) => until ?? []);
  const lefts = approvals.flatMap(({ left }) => left ?? []);
  return {
    ...(untils.length > 0 ? { until: Math.min(...untils) } : {}),
    ...(lefts.length > 0 ? { left: Math.min(...lefts) } : {}),
  };
}

function deadlineKey(chat: ChatRef, kind: StandingKind, { at, until }: StandingApproval): string {
  return `${chat} ${kind} ${at} ${until}`;
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
