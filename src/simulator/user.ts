import type { CoreJson } from "../core/chat-api.js";
import type { Backend, SimulatedChatApi } from "./chat-api.js";
import { runCommand } from "./commands.js";
import type { SimulatedNetwork } from "./network.js";

/** One user's database, and the apis that have it open. */
export class User implements Backend {
  private readonly apis = new Set<SimulatedChatApi>();

  constructor(
    readonly network: SimulatedNetwork,
    readonly database: string,
  ) {}

  get scheduler() {
    return this.network.scheduler;
  }

  execute(api: SimulatedChatApi, command: string): CoreJson {
    this.apis.add(api);
    return runCommand(this, command);
  }

  closed(api: SimulatedChatApi): void {
    this.apis.delete(api);
  }

  answerFirst(): boolean {
    return this.network.answerFirst();
  }

  now(): number {
    return this.network.clock.now();
  }

  get quiet(): boolean {
    for (const api of this.apis) if (!api.quiet) return false;
    return true;
  }
}
