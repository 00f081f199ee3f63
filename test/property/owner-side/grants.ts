/** Standing approvals, as the witness sees them stored: how many messages each lets through, and until when. */
import type { Decision } from "./asks.js";

interface Grant {
  readonly by: number;
  readonly at: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly until: number;
  left: number;
  /** Messages that went out by it. */
  used: number;
}

/** Those of all chats. What does not fit is told as a violation. */
export class Grants {
  readonly #stored = new Map<string, Grant>();
  /** Those that are stored no more, and whose last message may be on its way. */
  readonly #last = new Map<string, Grant>();

  /** Who gave the one of the chat, where it has no end: nothing that it covers goes on waiting. */
  endless(chat: string): number | undefined {
    const grant = this.#stored.get(chat);
    return grant && grant.count === Number.POSITIVE_INFINITY && grant.until === Number.POSITIVE_INFINITY
      ? grant.by
      : undefined;
  }

  has(chat: string): boolean {
    return this.#stored.has(chat);
  }

  /** The chat is gone. */
  delete(chat: string): void {
    this.#stored.delete(chat);
    this.#last.delete(chat);
  }

  /** A chat's data is written: why that may not be, or whether a count was lowered. */
  write(chat: string, json: string, decisions: readonly Decision[], now: number): string | boolean {
    const by = Number(/"approvedById":(\d+)/.exec(json)?.[1]);
    const before = this.#stored.get(chat);
    if (!(by > 0)) {
      if (before && before.left === 1) this.#last.set(chat, before);
      this.#stored.delete(chat);
      return before?.left === 1;
    }
    const at = /"approvedAt":"([^"]+)"/.exec(json)?.[1] ?? "";
    const left = Number(/"approvedLeft":(\d+)/.exec(json)?.[1] ?? Number.POSITIVE_INFINITY);
    const end = /"approvedUntil":"([^"]+)"/.exec(json)?.[1];
    const until = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end);
    if (before?.at === at) {
      const isLowered = left === before.left - 1 && until === before.until && by === before.by;
      if (!isLowered) return `the approval of ${chat} went from ${before.left} to ${left}`;
      before.left = left;
      return true;
    }
    const isGiven = decisions.some(
      ({ said, member }) =>
        said.kind === "approve all" &&
        said.chat === chat &&
        member === by &&
        (said.count ?? Number.POSITIVE_INFINITY) === left &&
        (said.ms === undefined ? end === undefined : until <= now + said.ms),
    );
    if (!isGiven) return `nobody approved ${chat} for good`;
    this.#stored.set(chat, { by, at, count: left, until, left, used: 0 });
    return false;
  }

  /** A message goes to the chat by its approval; false where none lets it through, by somebody who approves now. */
  use(chat: string, approvers: ReadonlySet<number>, now: number): boolean {
    const grant = this.#stored.get(chat) ?? this.#last.get(chat);
    if (!grant) return false;
    grant.used += 1;
    return approvers.has(grant.by) && grant.used <= grant.count && now < grant.until;
  }
}
