import { isIncoming } from "./action.js";
import { type Action, ActionRefused, type NewAction } from "./open-action.js";
import { Rate } from "./rate.js";

/** At most so many pending at once, and so many new cards, and acts, in a minute. */
export interface LimitsOptions {
  pending?: number;
  cardsPerMinute?: number;
  actsPerMinute?: number;
}

/**
 * What an agent can ask for at most. What others ask takes nothing from it, nor is it bound by it. Throws
 * `ActionRefused`; times by `clock.elapsed`.
 */
export class Limits {
  readonly #pending: number;
  readonly #cards: Rate;
  readonly #acts: Rate;

  constructor({ pending = 50, cardsPerMinute = 10, actsPerMinute = 60 }: LimitsOptions = {}) {
    this.#pending = pending;
    this.#cards = new Rate(cardsPerMinute, "new requests");
    this.#acts = new Rate(actsPerMinute, "acts");
  }

  /** There is room among those that wait. */
  checkRoom({ fields }: NewAction, all: readonly Action[]): void {
    const pending = all.filter((one) => one.state.state === "pending" && !one.isIncoming).length;
    if (pending < this.#pending || isIncoming(fields)) return;
    throw new ActionRefused(
      `${this.#pending} actions are pending already. Wait for your owner to decide some of them.`,
    );
  }

  /** A new one: it counts as a card, or is looked at as an act, which it may be. */
  asked({ fields, preapproval }: NewAction, now: number): void {
    if (preapproval) this.#acts.check(now);
    else if (!isIncoming(fields)) this.#cards.count(now);
  }

  /** One needs a card after all. */
  card(now: number): void {
    this.#cards.count(now);
  }

  /** One is performed without a card. */
  act(now: number): void {
    this.#acts.count(now);
  }

  /** An owner lets one through: it counts, and is never one too many, since it was asked for and looked at. */
  approved(action: Action, now: number): void {
    if (!action.isIncoming) this.#acts.add(now);
  }
}
