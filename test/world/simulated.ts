import { setImmediate as turn } from "node:timers/promises";
import type { ChatApiLike } from "../../src/core/api/chat-api.js";
import { type Order, SimulatedNetwork } from "../../src/simulator/network.js";
import { FakeClock } from "./clock.js";
import { World } from "./world.js";

/** Turns of the event loop that requests on the loopback interface and file work get besides the network's. */
const TURNS = 10;

/** Mostly enough for the end of a world without any time. */
const CLOSING_TURNS = 1000;

/** All users on a network in memory, with a clock that stands still but for `pass`. */
export class SimulatedWorld extends World {
  readonly kind = "simulated";
  readonly clock: FakeClock;
  readonly network: SimulatedNetwork;

  constructor({ seed = 1, order = "random" }: { seed?: number; order?: Order } = {}) {
    super();
    this.clock = new FakeClock({ settle: () => this.settle() });
    this.network = new SimulatedNetwork({ clock: this.clock, seed, order });
  }

  protected async openDatabase(prefix: string): Promise<ChatApiLike> {
    return this.network.open(prefix);
  }

  pass(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Here all comes in order within a second. */
  async nextSecond(): Promise<void> {}

  async settle(): Promise<void> {
    for (;;) {
      const before = this.#noted;
      await this.network.idle();
      for (let count = 0; count < TURNS; count += 1) await turn();
      if (this.#noted === before) return;
    }
  }

  /** A test that failed may leave work that waits for the clock: it goes on until all is closed. */
  override async close(): Promise<void> {
    let isClosed = false;
    const closing = super.close().finally(() => {
      isClosed = true;
    });
    for (let count = 0; !isClosed; count += 1) {
      await turn();
      if (count > CLOSING_TURNS) await this.pass(1000);
    }
    await closing;
  }

  async registerName(name: string, link: string): Promise<void> {
    this.network.registerName(name, { contact: link });
  }

  get #noted(): number {
    return this.apis.reduce((sum, api) => sum + api.noted, 0);
  }
}
