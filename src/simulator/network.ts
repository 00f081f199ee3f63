import { type Clock, systemClock } from "../clock.js";
import type { CoreJson } from "../core/chat-api.js";
import { SimulatedChatApi } from "./chat-api.js";
import { Random } from "./random.js";
import { Scheduler } from "./scheduler.js";
import { User } from "./user.js";

export type Order = "random" | "answerFirst" | "eventsFirst";

export interface NetworkOptions {
  readonly clock?: Clock;
  /** Seeds ids, keys and the order of answers and events; default 1. */
  readonly seed?: number;
  /** Whether an answer or the events it caused are seen first; default "random", as in the library. */
  readonly order?: Order;
  /** What `/version` answers; default 7.0.0.6. */
  readonly coreVersion?: string;
  /** Whether the core knows the peer type "agent", as newer ones do; default false. */
  readonly peerTypeAgent?: boolean;
}

/** What a SimpleX name leads to: full or short links. */
export interface NameLinks {
  readonly contact?: string;
  readonly group?: string;
}

/** A SimpleX network in memory: the servers between any number of users, and the users' databases. */
export class SimulatedNetwork {
  readonly clock: Clock;
  readonly random: Random;
  readonly scheduler = new Scheduler();
  readonly order: Order;
  readonly coreVersion: string;
  readonly peerTypeAgent: boolean;
  readonly names = new Map<string, NameLinks>();
  private readonly users = new Map<string, User>();

  constructor(options: NetworkOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.random = new Random(options.seed ?? 1);
    this.order = options.order ?? "random";
    this.coreVersion = options.coreVersion ?? "7.0.0.6";
    this.peerTypeAgent = options.peerTypeAgent ?? false;
  }

  /** Opens the database of this name, or makes it. Opened twice, both get answers and the later one the events. */
  open(database: string): SimulatedChatApi {
    let user = this.users.get(database);
    if (!user) {
      user = new User(this, database);
      this.users.set(database, user);
    }
    return new SimulatedChatApi(user, database);
  }

  /** Makes `name` (such as `directory.simplex`) lead to these links. */
  registerName(name: string, links: NameLinks): void {
    this.names.set(name.toLowerCase(), links);
  }

  /** Resolves when nothing is left to hand over to the users that are online. */
  async idle(): Promise<void> {
    do {
      await this.scheduler.empty();
      await this.scheduler.turn();
    } while (!this.quiet);
  }

  private get quiet(): boolean {
    if (!this.scheduler.quiet) return false;
    for (const user of this.users.values()) if (!user.quiet) return false;
    return true;
  }

  answerFirst(): boolean {
    if (this.order === "random") return this.random.next() < 0.5;
    return this.order === "answerFirst";
  }
}

export type { CoreJson };
