import { isCurrent } from "../core/limits.js";
import type { ChatEvent, ChatRef } from "../core/types.js";
import type { Clock } from "../time/clock.js";
import { Changes, nextChange } from "../time/wait.js";

/** Tells when a connection that was accepted stands. To be expected before the command: its event may come first. */
export class Arrivals {
  readonly #expected = new Set<Arrival>();

  expect(chat: ChatRef): Arrival {
    const arrival = new Arrival(chat, () => this.#expected.delete(arrival));
    this.#expected.add(arrival);
    return arrival;
  }

  onEvent(event: ChatEvent): void {
    if (this.#expected.size === 0) return;
    const chat = connectedChat(event);
    for (const arrival of this.#expected) if (arrival.chat === chat) arrival.came();
  }
}

export class Arrival {
  readonly #changes = new Changes();
  readonly #end: () => void;
  #isThere = false;

  constructor(
    readonly chat: ChatRef,
    end: () => void,
  ) {
    this.#end = end;
  }

  came(): void {
    this.#isThere = true;
    this.#changes.emit();
  }

  /** Waits until it stands, for at most `ms` milliseconds, or until the abort. */
  async within(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    if (this.#isThere) return;
    await nextChange(this.#changes.subscribe, { clock, until: clock.elapsed() + ms, signal });
  }

  stop(): void {
    this.#end();
  }
}

function connectedChat(event: ChatEvent): ChatRef | undefined {
  if (event.type === "contactConnected") return `@${event.contact.contactId}`;
  if (event.type !== "userJoinedGroup" || !isCurrent(event.groupInfo.membership)) return undefined;
  return `#${event.groupInfo.groupId}`;
}
