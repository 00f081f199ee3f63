import type { Incoming } from "./incoming.js";
import { isAuto, type OwnLinks } from "./links.js";

export interface HeldAddressOptions {
  /** Past the gate of a pause: this is what the pause does. */
  links: OwnLinks;
  incoming: Pick<Incoming, "ask" | "letAllIn">;
  /** Whether a pause of an earlier run holds it. */
  saved: boolean;
  save: (isHeld: boolean) => Promise<void>;
}

/** An address that lets everybody in asks while the agent is paused: the core lets them in by itself, past any gate. */
export class HeldAddress {
  readonly #options: HeldAddressOptions;
  #isHeld: boolean;

  constructor(options: HeldAddressOptions) {
    this.#options = options;
    this.#isHeld = options.saved;
  }

  /** The agent is paused. Done again, it changes nothing. */
  async hold(): Promise<void> {
    const { links, incoming, save } = this.#options;
    const address = await links.address();
    if (!address || !isAuto(address.settings)) return;
    // Before the setting: a crash between them leaves one that the next start takes back.
    await save(true);
    this.#isHeld = true;
    incoming.ask();
    await links.setAuto(false);
  }

  /** The agent goes on: who asked meanwhile is let in, as `by` wants it. */
  async release(by: string): Promise<void> {
    if (!this.#isHeld) return;
    const { links, incoming } = this.#options;
    // Not made anew where it was deleted meanwhile.
    if (await links.address()) {
      await links.setAuto(true);
      await incoming.letAllIn(by);
    }
    await this.forget();
  }

  /** An owner says otherwise. */
  async forget(): Promise<void> {
    if (!this.#isHeld) return;
    await this.#options.save(false);
    this.#isHeld = false;
  }
}
