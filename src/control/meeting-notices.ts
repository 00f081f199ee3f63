import type { ChatRef } from "../core/types.js";
import type { Notices } from "../incoming/incoming.js";
import type { Clock } from "../time/clock.js";
import { meetingTexts } from "./texts/meeting-texts.js";

export interface MeetingNoticesOptions {
  /** Posts a message in the control chat; never rejects. */
  say: (text: string) => Promise<void>;
  clock: Clock;
}

/** A link may go round the world: of so many people a minute each is told of, the others are counted. */
const MOST_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** What owners are told of people besides cards. */
export class MeetingNotices implements Notices {
  readonly #options: MeetingNoticesOptions;
  #told: number[] = [];
  #untold = 0;

  constructor(options: MeetingNoticesOptions) {
    this.#options = options;
  }

  waiting(count: number, more: { more: boolean }): Promise<void> {
    return this.#options.say(meetingTexts.waiting(count, more));
  }

  connected(name: string, chat: ChatRef, by: "link" | "address"): void {
    const { say, clock } = this.#options;
    const now = clock.elapsed();
    this.#told = this.#told.filter((time) => now - time < MINUTE_MS);
    if (this.#told.length < MOST_PER_MINUTE) {
      this.#told.push(now);
      void say(meetingTexts.connected(name, chat, by));
      return;
    }
    if (this.#untold === 0) clock.after(MINUTE_MS, () => this.#tellOthers());
    this.#untold += 1;
  }

  #tellOthers(): void {
    const others = this.#untold;
    this.#untold = 0;
    void this.#options.say(meetingTexts.othersConnected(others));
  }
}
