import { isChatNotFound } from "../../core/errors/errors.js";
import type { ChatRef } from "../../core/types.js";
import type { Arrived, Collected } from "../../messages/collected.js";
import { timeText } from "../../time/clock.js";
import { nextChange } from "../../time/wait.js";
import type { AgentDeps } from "./agent.js";
import type { ToolCall } from "./call.js";

/** How long replies are waited for. Waits in milliseconds, times by `clock.elapsed`. */
export interface ReplyWait {
  chat: ChatRef;
  /** When the act was performed; for a call that came after it, when that call came. */
  base: number;
  wait: number;
  idle: number;
  /** What starts the idle time before there is a reply, and where the last one came earlier. */
  idleFrom?: number;
  /** How many messages there are, where they are more than the collected ones. */
  count?: () => number;
}

/** Waits until `idle` after the last reply, `wait` after `base`, the chat is left, or the abort. A live message is waited for. */
export async function waitForReplies(
  { clock }: AgentDeps,
  collected: Collected,
  call: ToolCall,
  { chat, base, wait, idle, idleFrom, count = () => collected.final.length }: ReplyWait,
): Promise<void> {
  for (;;) {
    if (call.signal.aborted) return;
    // Of replies that the agent has already, none is the last one.
    const lastReply =
      count() + collected.overflow > 0 || collected.typing ? collected.lastArrival : undefined;
    const last = Math.max(lastReply ?? -Infinity, idleFrom ?? -Infinity);
    const latest = base + wait;
    const until = last === -Infinity || collected.typing ? latest : Math.min(latest, last + idle);
    if (clock.elapsed() >= until || collected.ended) return;
    const messages = count() + collected.overflow;
    call.progress(`${messages} messages in ${chat}; waiting until ${timeText(clock, until)}.`);
    await nextChange(collected.onChange, { clock, until, signal: call.signal });
  }
}

/** Messages on their way to the agent: marked read when it has them, free for another call when it has not. */
export class Handover {
  readonly #deps: AgentDeps;
  readonly #ids = new Map<ChatRef, number[]>();
  readonly #releases: (() => void)[] = [];

  /** `ids`: what is marked as read, by chat. */
  constructor(deps: AgentDeps, ids: Iterable<[ChatRef, readonly number[]]> = []) {
    this.#deps = deps;
    for (const [chat, those] of ids) this.#add(chat, those);
  }

  add(messages: readonly Pick<Arrived, "chat" | "item">[]): this {
    for (const { chat, item } of messages) this.#add(chat, [item.meta.itemId]);
    return this;
  }

  /** The agent has them. */
  async written(): Promise<void> {
    for (const ids of this.#ids.values()) this.#deps.claims.give(ids);
    await this.#deps.claims.exclusively(async () => {
      const failures: unknown[] = [];
      for (const [chat, ids] of this.#ids) {
        await this.#markRead(chat, ids).catch((error: unknown) => failures.push(error));
      }
      this.release();
      // Those of that chat stay unread, and are marked with the next that the agent gets.
      if (failures.length > 0) throw failures[0];
    });
  }

  /** A chat that was left meanwhile has nothing unread. */
  async #markRead(chat: ChatRef, ids: readonly number[]): Promise<void> {
    const { core, claims } = this.#deps;
    const unmarked = claims.unmarked(ids);
    try {
      await core.readItems(chat, unmarked);
      claims.mark(unmarked);
    } catch (error) {
      if (!isChatNotFound(error)) throw error;
    }
  }

  /** The agent did not get them: they stay unread, and a call that waits may return them. */
  lost(): void {
    this.release();
    if ([...this.#ids.values()].some((ids) => ids.length > 0)) this.#deps.claims.giveBack();
  }

  /** They are kept from other calls no more. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  #add(chat: ChatRef, ids: readonly number[]): void {
    this.#ids.set(chat, [...(this.#ids.get(chat) ?? []), ...ids]);
    this.#releases.push(this.#deps.claims.claim(ids));
  }
}
