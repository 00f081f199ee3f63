import { isFinal } from "./action.js";
import type { Action } from "./open-action.js";

/** The actions that are not delivered yet, by number and by key. */
export class ActionTable {
  readonly #byNumber = new Map<number, Action>();
  readonly #byKey = new Map<string, Action>();

  /** The action that a call with this key attaches to. */
  find(key: string): Action | undefined {
    return this.#byKey.get(key);
  }

  all(): Action[] {
    return [...this.#byNumber.values()];
  }

  /** Those that owners decide: asked for by a card, and not decided. */
  pending(): Action[] {
    return this.all().filter((action) => action.state.state === "pending" && action.cardItem !== undefined);
  }

  /** How many are pending or being performed. */
  get unfinished(): number {
    return this.all().filter(({ state }) => !isFinal(state)).length;
  }

  /** Whether action `number` has its card from after `item`, a message of the control chat: that was not said of it. */
  isLater(number: number, item: number): boolean {
    return (this.#byNumber.get(number)?.cardItem ?? item) > item;
  }

  /** The same call from now on is a new action. */
  forget(action: Action): void {
    if (this.#byKey.get(action.key) === action) this.#byKey.delete(action.key);
  }

  protected numbered(number: number): Action | undefined {
    return this.#byNumber.get(number);
  }

  protected add(action: Action): void {
    this.#byNumber.set(action.number, action);
    this.#byKey.set(action.key, action);
  }

  /** False when it was gone already. */
  protected drop(action: Action): boolean {
    this.forget(action);
    return this.#byNumber.delete(action.number);
  }

  protected get isEmpty(): boolean {
    return this.#byNumber.size === 0;
  }
}
