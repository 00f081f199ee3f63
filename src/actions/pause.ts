/** Whether the agent is paused: the one gate that all passes that goes out by the agent's doing. */
import type { Gate } from "../core/requests.js";
import { ActionRefused } from "./open-action.js";

/** Who paused the agent, by display name, unfiltered; and when: ISO 8601 UTC. */
export interface PauseRecord {
  by: string;
  at: string;
}

export interface PauseOptions {
  /** The pause of an earlier run that was not ended. */
  saved: PauseRecord | undefined;
  /** Persists it, or with none its end. */
  save: (record: PauseRecord | undefined) => Promise<void>;
}

/** What a paused agent tells who asks for something. */
export const PAUSED = "Your owner paused this agent. Nothing goes out until it is resumed.";

export class Pause implements Gate {
  readonly #save: PauseOptions["save"];
  #record: PauseRecord | undefined;
  /** What was handed to the core, and is not answered. */
  readonly #inside = new Set<Promise<void>>();

  constructor({ saved, save }: PauseOptions) {
    this.#record = saved;
    this.#save = save;
  }

  /** Who paused the agent and when, while it is paused. */
  get current(): PauseRecord | undefined {
    return this.#record;
  }

  /** Throws `ActionRefused` while the agent is paused. */
  check(): void {
    if (this.#record) throw new ActionRefused(PAUSED);
  }

  enter(): () => void {
    this.check();
    let leave: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#inside.add(inside);
    return () => {
      this.#inside.delete(inside);
      leave();
    };
  }

  /**
   * Nothing goes out from the call on. Resolves when that is persisted and all that was handed to the core before is
   * answered; rejects when it could not be persisted, and then holds as long as the server runs.
   */
  async start(record: PauseRecord): Promise<void> {
    // The first one stays the one who did it.
    this.#record ??= record;
    const inside = [...this.#inside];
    await this.#save(this.#record);
    await Promise.all(inside);
  }

  /** Resolves when its end is persisted; until then it holds. */
  async end(): Promise<void> {
    await this.#save(undefined);
    this.#record = undefined;
  }
}
