import { readFileSync, writeFileSync } from "node:fs";
import { protocol } from "./commands/protocol.js";
import { loadDatabase, type SavedDatabase, saveDatabase } from "./database/saved-database.js";
import { type NameLinks, type NetworkOptions, type SavedServers, ServerSide } from "./network/server-side.js";
import { SimulatedChatApi } from "./user/chat-api.js";
import { User } from "./user/user.js";

export type { NetworkOptions, Order } from "./network/server-side.js";

/** A SimpleX network in memory: the servers between any number of users, and the users' databases. */
export class SimulatedNetwork extends ServerSide {
  protected readonly users = new Map<string, User>();
  private down = false;

  /** Opens the database of this name, or makes it. Opened twice, both get answers and the later one the events. */
  open(database: string): SimulatedChatApi {
    const user = this.userOf(database);
    const api = new SimulatedChatApi(user, database);
    user.opened(api);
    return api;
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

  /** Saves all databases and what waits at the servers, as JSON. */
  save(path: string): void {
    writeFileSync(path, JSON.stringify(this.toJSON()));
  }

  static load(path: string, options: NetworkOptions = {}): SimulatedNetwork {
    const saved: SavedNetwork = JSON.parse(readFileSync(path, "utf8"));
    const network = new SimulatedNetwork({ ...options, seed: options.seed ?? saved.seed });
    for (const [name, db] of saved.databases)
      network.users.set(name, new User(network, name, protocol, loadDatabase(db)));
    network.loadServers(saved);
    return network;
  }

  private userOf(database: string): User {
    let user = this.users.get(database);
    if (!user) {
      user = new User(this, database, protocol);
      user.networkDown = this.down;
      this.users.set(database, user);
    }
    return user;
  }

  protected override setDown(on: boolean, who?: string): void {
    if (who === undefined) this.down = on;
    const users = who === undefined ? [...this.users.values()] : [this.userOf(who)];
    for (const user of users) {
      user.networkDown = on;
      if (on) continue;
      this.wake(user);
      user.flush();
    }
  }

  private get quiet(): boolean {
    if (!this.scheduler.quiet) return false;
    for (const user of this.users.values()) if (!user.quiet) return false;
    return true;
  }

  private toJSON(): SavedNetwork {
    return {
      seed: this.random.seed,
      databases: [...this.users].map(([name, user]) => [name, saveDatabase(user.db)]),
      ...this.savedServers(),
    };
  }
}

interface SavedNetwork extends SavedServers {
  readonly seed: number;
  readonly databases: ReadonlyArray<[string, SavedDatabase]>;
}
