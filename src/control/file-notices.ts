import type { NamedChat } from "../actions/action.js";
import type { ChatInfo } from "../core/types.js";
import { describeChat } from "../messages/chats.js";
import type { Clock } from "../time/clock.js";
import { fileTexts } from "./texts/replies.js";

export interface FileNoticesOptions {
  /** Posts a message in the control chat; never rejects. */
  say: (text: string) => Promise<void>;
  clock: Clock;
  log: (line: string) => void;
}

/** A misled agent may try files by the thousand: the owners are told of so many a minute, the operator of all. */
const MOST_PER_MINUTE = 10;

/** What owners are told of files besides cards. */
export class FileNotices {
  readonly #options: FileNoticesOptions;
  #refusals: number[] = [];

  constructor(options: FileNoticesOptions) {
    this.#options = options;
  }

  /** The agent asked to send a file that it may not send; `why` is a clause about it. */
  refused(chat: NamedChat, path: string, why: string): void {
    const { say, clock, log } = this.#options;
    log(`A file was refused: ${path} ${why}.`);
    const now = clock.elapsed();
    this.#refusals = this.#refusals.filter((time) => now - time < 60_000);
    if (this.#refusals.length >= MOST_PER_MINUTE) return;
    this.#refusals.push(now);
    void say(fileTexts.refused(chat, path, why));
  }

  /** A message left, its file did not. `chat` is its chat, where that is known. */
  notSent({ chat, name, error }: { chat: ChatInfo | undefined; name: string; error: string }): void {
    const { say, log } = this.#options;
    const named = chat && describeChat(chat);
    log(`The file ${name} was not sent${named ? ` to ${named.chat}` : ""}: ${error}`);
    if (named) void say(fileTexts.notSent(named, name, error));
  }
}
