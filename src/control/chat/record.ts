import type { Core } from "../../core/core.js";
import type { ChatRef, CustomData } from "../../core/types.js";
import { CUSTOM_DATA_KEY, ownCustomData } from "./custom-data.js";

/** What this installation keeps in the control chat's `customData`, by its names; values are JSON. */
export type RecordData = Record<string, unknown>;

/**
 * The record of an installation, in the control chat's `customData`: one writer, so that no write undoes another.
 * Other programs' keys stay as they are. What was not saved is not in it.
 */
export class ControlRecord {
  readonly #core: Core;
  readonly #chat: ChatRef;
  readonly #others: CustomData;
  #saved: RecordData;
  /** Written next: what was asked for while the last write was under way. */
  #batch: { changes: RecordData; saved: Promise<void> } | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(core: Core, chat: ChatRef, customData: CustomData | undefined) {
    this.#core = core;
    this.#chat = chat;
    this.#others = { ...customData };
    this.#saved = ownCustomData(customData);
  }

  /** What is saved. */
  get data(): Readonly<RecordData> {
    return this.#saved;
  }

  /**
   * Saves these values beside the others; a value of `undefined` goes. Resolves when they are persisted. Calls that come
   * together share one write; one that fails rejects for all of them, and later ones start from what was saved.
   */
  save(changes: RecordData): Promise<void> {
    if (this.#batch) {
      Object.assign(this.#batch.changes, changes);
      return this.#batch.saved;
    }
    const batch = { changes: { ...changes } };
    const saved = this.#writing.then(() => {
      this.#batch = undefined;
      return this.#write(batch.changes);
    });
    this.#batch = { ...batch, saved };
    this.#writing = saved.catch(() => undefined);
    return saved;
  }

  async #write(changes: RecordData): Promise<void> {
    const next = Object.fromEntries(
      Object.entries({ ...this.#saved, ...changes }).filter(([, value]) => value !== undefined),
    );
    await this.#core.setCustomData(this.#chat, { ...this.#others, [CUSTOM_DATA_KEY]: next });
    this.#saved = next;
  }
}
