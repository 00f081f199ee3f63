import type { CoreJson } from "../../core/api/chat-api.js";
import { ChatAPIError, storeError } from "../data/errors.js";
import type { Json } from "../data/values.js";

interface Failure {
  readonly match: (command: string) => boolean;
  readonly error: CoreJson;
  readonly who?: string;
}

/** Faults that tests put into the network and its databases. `who` names a database; without it all are meant. */
export class Faults {
  private readonly busy = new Map<string, number>();
  private failures: Failure[] = [];
  private reactions: Array<{ readonly reaction: Json; readonly who: string | undefined }> = [];

  constructor(private readonly setDown: (on: boolean, who?: string) => void) {}

  /** No server can be reached, until switched off: links cannot be made or read, and nothing is delivered. */
  networkDown(on: boolean, who?: string): void {
    this.setDown(on, who);
  }

  /** The next `count` commands find the database busy. */
  databaseBusy(count: number, who = ""): void {
    this.busy.set(who, count);
  }

  /** The next command that matches fails with this `chatError`. */
  failNext(match: (command: string) => boolean, error: CoreJson, who?: string): void {
    this.failures.push({ match, error, ...(who !== undefined && { who }) });
  }

  /** The next reaction travels as this, as of a program that does not look what it sends. */
  reactAs(reaction: Json, who?: string): void {
    this.reactions.push({ reaction, who });
  }

  /** What the next reaction of this user is to be. */
  takeReaction(who: string): Json | undefined {
    const found = this.reactions.find((one) => one.who === undefined || one.who === who);
    if (found) this.reactions = this.reactions.filter((one) => one !== found);
    return found?.reaction;
  }

  /** Throws what is to go wrong with this command. */
  check(database: string, command: string): void {
    for (const who of [database, ""]) {
      const left = this.busy.get(who) ?? 0;
      if (left === 0) continue;
      this.busy.set(who, left - 1);
      throw storeError("dBBusyError", {
        message: "SQLite3 returned ErrorBusy while attempting to perform step.",
      });
    }
    const failure = this.failures.find((one) => (one.who ?? database) === database && one.match(command));
    if (!failure) return;
    this.failures = this.failures.filter((one) => one !== failure);
    throw new ChatAPIError(failure.error);
  }
}
