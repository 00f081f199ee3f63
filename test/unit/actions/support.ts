import type { Action, Board, NewAction, OpenCall, Work } from "../../../src/actions/actions.js";
import { Actions, type ActionsOptions } from "../../../src/actions/actions.js";
import { FakeClock } from "../../world/clock.js";

/** A promise with its ends. */
export interface Deferred {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

export function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** Lets all settled promises be seen. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
}

/** A board that keeps what it was told, in order. Each operation waits where the test says so. */
export class FakeBoard implements Board {
  readonly told: string[] = [];
  refused: string | undefined;
  saving: Promise<void> = Promise.resolve();
  posting: Promise<void> = Promise.resolve();
  showing: Promise<void> = Promise.resolve();

  refusal(number: number): string | undefined {
    if (this.refused !== undefined) this.told.push(`refuse ${number}`);
    return this.refused;
  }

  async saveCounter(next: number): Promise<void> {
    this.told.push(`save ${next}`);
    await this.saving;
  }

  async postCard(action: Action): Promise<number> {
    this.told.push(`card ${action.number}`);
    await this.posting;
    return action.number;
  }

  async showOutcome(action: Action): Promise<void> {
    this.told.push(`${action.state.state} ${action.number}`);
    await this.showing;
  }
}

/** Work that is done when the test says so. */
export class FakeWork implements Work {
  readonly performing = deferred();
  performed = 0;
  disposed = 0;
  stop: AbortSignal | undefined;

  async perform({ stop }: { stop: AbortSignal }): Promise<void> {
    this.performed += 1;
    this.stop = stop;
    await this.performing.promise;
  }

  dispose(): void {
    this.disposed += 1;
  }
}

export class FakeCall implements OpenCall {
  readonly #abort = new AbortController();
  readonly signal = this.#abort.signal;

  abort(): void {
    this.#abort.abort();
  }
}

/** Actions with their board and clock. */
export function newActions(options: Partial<ActionsOptions> = {}) {
  const board = new FakeBoard();
  const clock = new FakeClock({ settle });
  const logged: string[] = [];
  const actions = new Actions({
    board,
    pause: { check: () => undefined, current: undefined },
    clock,
    firstNumber: 1,
    expireHours: 23,
    log: (line) => logged.push(line),
    ...options,
  });
  return { actions, board, clock, logged };
}

/** A request to leave `chat`; the same chat is the same key. */
export function request(work: Work, chat: `#${number}` = "#15"): NewAction {
  return {
    key: `leave ${chat}`,
    fields: { tool: "leave", chat, kind: "group", name: "Trail" },
    input: { chat },
    work,
  };
}
