import type { Clock } from "../../time/clock.js";
import { systemClock } from "../../time/system-clock.js";
import { agentError } from "../data/errors.js";
import { Fifo } from "../data/fifo.js";
import { Random } from "../data/random.js";
import { brokerTime } from "../data/time.js";
import type { Delivery, Envelope } from "../data/wire.js";
import type { Database } from "../database/database.js";
import { Faults } from "./faults.js";
import { FileControls } from "./file-controls.js";
import { DEFAULT_SERVER, type PublishedLink, parseServer, type Server, shortKey } from "./links.js";
import { Scheduler } from "./scheduler.js";
import { type SavedFiles, XftpServers } from "./xftp.js";

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

/** One end of a connection, as the servers know it. */
interface Route {
  readonly database: string;
  peer?: string;
}

/** A user's core, as the servers see it. */
interface Subscriber {
  readonly database: string;
  readonly db: Pick<Database, "smpServers">;
  readonly online: boolean;
  readonly networkDown: boolean;
  readonly transfers: { go(): void };
  /** Takes one delivery. */
  receive(): void;
}

/** All that users meet outside of their own databases: servers, names, the clock, and what goes wrong. */
export abstract class ServerSide {
  readonly clock: Clock;
  readonly random: Random;
  readonly scheduler = new Scheduler();
  readonly order: Order;
  readonly coreVersion: string;
  readonly peerTypeAgent: boolean;
  readonly names = new Map<string, NameLinks>();
  readonly faults = new Faults((on, who) => this.setDown(on, who));
  /** The file servers, and what tests do to files on their way. */
  readonly xftp: XftpServers;
  readonly files: FileControls;
  protected abstract readonly users: ReadonlyMap<string, Subscriber>;
  private readonly links = new Map<string, PublishedLink>();
  private readonly shortLinks = new Map<string, PublishedLink>();
  private readonly routes = new Map<string, Route>();
  private readonly mailboxes = new Map<string, Fifo<Delivery>>();

  constructor(options: NetworkOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.random = new Random(options.seed ?? 1);
    this.order = options.order ?? "random";
    this.coreVersion = options.coreVersion ?? "7.0.0.6";
    this.peerTypeAgent = options.peerTypeAgent ?? false;
    this.xftp = new XftpServers(this.random);
    this.files = new FileControls(this.xftp, () => {
      for (const user of this.users.values()) user.transfers.go();
    });
  }

  answerFirst(): boolean {
    if (this.order === "random") return this.random.next() < 0.5;
    return this.order === "answerFirst";
  }

  /** The SMP server that the user's new queues are made on. */
  serverFor(user: Subscriber): Server {
    const server = parseServer(user.db.smpServers?.[0] ?? DEFAULT_SERVER);
    if (!server) throw new Error("the user's server is no server address");
    return server;
  }

  hostOf(user: Subscriber): string {
    return this.serverFor(user).host;
  }

  /** Throws the core's error when this server cannot be reached by the user. */
  reach(user: Subscriber, address: string): void {
    if (!user.networkDown && this.knows(address)) return;
    throw agentError({
      type: "BROKER",
      brokerAddress: address,
      brokerErr: {
        type: "NETWORK",
        networkError: {
          type: "connectError",
          connectError: "Network.Socket.connect: <socket: 32>: does not exist (Connection refused)",
        },
      },
    });
  }

  publish(link: PublishedLink): void {
    this.links.set(link.queue, link);
    if (link.link.connShortLink) this.shortLinks.set(shortKey(link.link.connShortLink), link);
  }

  unpublish(queue: string): void {
    const link = this.links.get(queue);
    if (link?.link.connShortLink) this.shortLinks.delete(shortKey(link.link.connShortLink));
    this.links.delete(queue);
  }

  /** The link behind a queue, while it exists. */
  linkOfQueue(queue: string | undefined): PublishedLink | undefined {
    return queue === undefined ? undefined : this.links.get(queue);
  }

  linkOfShort(short: string): PublishedLink | undefined {
    return this.shortLinks.get(shortKey(short));
  }

  /** Makes the queue of a new connection. */
  route(agentConnId: string, database: string): void {
    this.routes.set(agentConnId, { database });
  }

  /** Joins two connections: what one sends, the other gets. */
  join(one: string, other: string): void {
    const [first, second] = [this.routes.get(one), this.routes.get(other)];
    if (first) first.peer = other;
    if (second) second.peer = one;
  }

  /** Deletes the queue of a connection: what the other side sends from now on is refused. */
  unroute(agentConnId: string): void {
    this.routes.delete(agentConnId);
  }

  hasRoute(agentConnId: string): boolean {
    return this.routes.has(agentConnId);
  }

  peerOf(agentConnId: string): string | undefined {
    return this.routes.get(agentConnId)?.peer;
  }

  /** Whose the other end of a connection is. */
  peerDatabase(agentConnId: string): string | undefined {
    const peer = this.routes.get(agentConnId)?.peer;
    return peer === undefined ? undefined : this.routes.get(peer)?.database;
  }

  /** Takes an envelope for its receiver; false when the receiver's queue is gone. */
  take(envelope: Envelope, now: number): boolean {
    const to = envelope.to ?? this.routes.get(envelope.from)?.peer;
    const receiver = to === undefined ? undefined : (this.links.get(to) ?? this.routes.get(to));
    if (to === undefined || !receiver) return false;
    this.mailbox(receiver.database).push({ ...envelope, to, at: brokerTime(now) });
    const user = this.users.get(receiver.database);
    if (user?.online) this.scheduler.post(() => user.receive());
    return true;
  }

  mailbox(database: string): Fifo<Delivery> {
    let mailbox = this.mailboxes.get(database);
    if (!mailbox) {
      mailbox = new Fifo();
      this.mailboxes.set(database, mailbox);
    }
    return mailbox;
  }

  /** Delivers what waited for a user that is online again, and goes on with its files. */
  wake(user: Subscriber): void {
    user.transfers.go();
    for (let waiting = this.mailbox(user.database).size; waiting > 0; waiting--) {
      this.scheduler.post(() => user.receive());
    }
  }

  protected abstract setDown(on: boolean, who?: string): void;

  protected savedServers(): SavedServers {
    return {
      links: [...this.links.values()],
      routes: [...this.routes],
      names: [...this.names],
      mailboxes: [...this.mailboxes].map(([name, mailbox]) => [name, mailbox.values()]),
      files: this.xftp.toJSON(),
    };
  }

  protected loadServers(saved: SavedServers): void {
    for (const link of saved.links) this.publish(link);
    for (const [id, route] of saved.routes) this.routes.set(id, route);
    for (const [name, links] of saved.names) this.names.set(name, links);
    for (const [name, deliveries] of saved.mailboxes) {
      for (const delivery of deliveries) this.mailbox(name).push(delivery);
    }
    this.xftp.load(saved.files);
  }

  /** A server is known when it is the network's own or one that a user of the network has. */
  private knows(address: string): boolean {
    if (sameServer(address, DEFAULT_SERVER)) return true;
    for (const user of this.users.values()) {
      if (user.db.smpServers?.some((server) => sameServer(server, address))) return true;
    }
    return false;
  }
}

export interface SavedServers {
  readonly links: readonly PublishedLink[];
  readonly routes: ReadonlyArray<[string, Route]>;
  readonly names: ReadonlyArray<[string, NameLinks]>;
  readonly mailboxes: ReadonlyArray<[string, Delivery[]]>;
  readonly files: SavedFiles;
}

/** Short links of servers with a host name tell no key: the same host and port are the same server. */
const sameServer = (one: string, other: string): boolean => placeOf(one) === placeOf(other);

const placeOf = (address: string): string => address.replace(/^.*@([^,:]+)[^:]*/, "$1");
