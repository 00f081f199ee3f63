import type { CoreJson } from "../../core/api/chat-api.js";
import type { FileRow } from "../data/file-rows.js";
import type { ConnRow } from "../data/rows.js";
import type { Delivery, Envelope, Wire } from "../data/wire.js";
import { Database } from "../database/database.js";
import { newSession, type Session } from "../database/session.js";
import { connectionEntityJson } from "../json/connection-entity.js";
import { userJson } from "../json/json.js";
import { parseServer } from "../network/links.js";
import type { ServerSide } from "../network/server-side.js";
import { Transfers } from "../network/transfers.js";
import type { Backend, SimulatedChatApi } from "./chat-api.js";

/** What cores do with commands and with what comes in. Users are given it: it is made of what works on users. */
export interface Protocol {
  /** Throws `ChatAPIError`. */
  runCommand(user: User, command: string): CoreJson;
  /** Hands what is queued to the servers. */
  deliver(user: User, envelope: Envelope): void;
  /** Takes what the servers have. */
  receive(user: User, delivery: Delivery): void;
  /** Does the next step of a file on its way. */
  moveFile(user: User, row: FileRow): void;
}

/** One user's core: its database, and the apis that have it open. */
export class User implements Backend {
  private readonly sessions = new Map<SimulatedChatApi, Session>();
  /** Who gets what comes from the servers: the api that started last. */
  private subscriber: SimulatedChatApi | undefined;
  private acting: SimulatedChatApi | undefined;
  private flushing = false;
  /** Who sent what is queued: it hears what the servers say of it. */
  private readonly senders = new WeakMap<Envelope, SimulatedChatApi>();
  networkDown = false;
  readonly transfers: Transfers;

  constructor(
    readonly network: ServerSide,
    readonly database: string,
    private readonly protocol: Protocol,
    readonly db: Database = new Database(),
  ) {
    this.transfers = new Transfers(this, (row) => protocol.moveFile(this, row));
  }

  get scheduler() {
    return this.network.scheduler;
  }

  get random() {
    return this.network.random;
  }

  execute(api: SimulatedChatApi, command: string): CoreJson {
    this.acting = api;
    try {
      this.network.faults.check(this.database, command);
      return this.protocol.runCommand(this, command);
    } finally {
      this.acting = undefined;
    }
  }

  /** The memory of the core that runs the present command, or that gets what comes in. */
  get session(): Session {
    const api = this.acting ?? this.subscriber;
    if (!api) throw new Error("no session");
    return this.sessionOf(api);
  }

  opened(api: SimulatedChatApi): void {
    const { user } = this.db;
    // A core knows its user as it was when it was opened.
    if (user && this.sessions.size === 0) user.autoAcceptShown = user.autoAcceptMemberContacts;
    this.sessions.set(api, newSession());
  }

  closed(api: SimulatedChatApi): void {
    this.sessions.delete(api);
    if (this.subscriber === api) this.subscriber = undefined;
  }

  /** Starts the core that runs the present command: it subscribes, and what waited comes in. */
  start(): void {
    const api = this.acting;
    if (!api) return;
    const before = this.subscriber;
    this.sessionOf(api).started = true;
    this.subscriber = api;
    if (before && before !== api) this.endSubscriptions(before);
    this.network.wake(this);
    this.flush();
  }

  stop(): void {
    const api = this.acting;
    if (!api) return;
    this.sessionOf(api).started = false;
    if (this.subscriber === api) this.subscriber = undefined;
  }

  /** Whether the core that runs the present command, or any, is started. */
  get started(): boolean {
    return this.acting ? this.sessionOf(this.acting).started : this.subscriber !== undefined;
  }

  get online(): boolean {
    return this.subscriber !== undefined && !this.networkDown;
  }

  answerFirst(): boolean {
    return this.network.answerFirst();
  }

  now(): number {
    return this.network.clock.now();
  }

  get quiet(): boolean {
    for (const api of this.sessions.keys()) if (!api.quiet) return false;
    return true;
  }

  /** An event of the core: to who caused it by a command, else to who is subscribed. */
  emit(event: CoreJson): void {
    if (this.acting) this.acting.emit(event);
    else this.subscriber?.emit(this.asStored(event));
  }

  /** What the network brings names the user as the database has it, a command as its core knew it at the start. */
  private asStored(event: CoreJson): CoreJson {
    const { user } = this.db;
    if (!user || typeof event.user !== "object" || event.user === null) return event;
    const { autoAcceptMemberContacts } = user;
    return { ...event, user: { ...event.user, autoAcceptMemberContacts } };
  }

  /** An event about the user. */
  emitOf(type: string, fields: Record<string, unknown>): void {
    this.emit({ type, user: userJson(this.db), ...fields });
  }

  /** An answer about the user. */
  answer(type: string, fields: Record<string, unknown> = {}): CoreJson {
    return { type, user: userJson(this.db), ...fields };
  }

  /** Queues messages for the other side of a connection. */
  post(conn: ConnRow, messages: readonly Wire[]): void {
    if (messages.length === 0) return;
    const to = this.network.peerOf(conn.agentConnId);
    this.enqueue({ from: conn.agentConnId, messages, ...(to !== undefined && { to }) });
  }

  /** Does something after what is queued now, as the agent's own threads do; its events are not the command's. */
  later(task: () => void): void {
    this.scheduler.post(() => this.scheduler.post(task));
  }

  /** Queues a message for the queue of a link. */
  postTo(queue: string, conn: ConnRow, message: Wire): void {
    this.enqueue({ from: conn.agentConnId, to: queue, messages: [message] });
  }

  private enqueue(envelope: Envelope): void {
    if (this.acting) this.senders.set(envelope, this.acting);
    this.db.outbox.push(envelope);
    this.flush();
  }

  /** Hands over what is queued, while the servers can be reached. */
  flush(): void {
    if (this.flushing || this.db.outbox.size === 0 || !this.online) return;
    this.flushing = true;
    this.scheduler.post(() => {
      this.flushing = false;
      if (this.online) this.handOver();
      this.flush();
    });
  }

  private handOver(): void {
    const envelope = this.db.outbox.shift();
    if (!envelope) return;
    const sender = this.senders.get(envelope);
    this.acting = sender && this.sessions.has(sender) ? sender : undefined;
    try {
      this.protocol.deliver(this, envelope);
    } finally {
      this.acting = undefined;
    }
  }

  /** Takes one delivery from the servers, when online. */
  receive(): void {
    if (!this.online) return;
    const delivery = this.network.mailbox(this.database).shift();
    if (delivery) this.protocol.receive(this, delivery);
  }

  /** Fails as the core does when it cannot reach a server. */
  reach(server: string): void {
    this.network.reach(this, server);
    this.connectHost();
  }

  /** Reports the connection to the server, once a session. */
  connectHost(): void {
    if (this.session.hostConnected || this.networkDown) return;
    this.session.hostConnected = true;
    this.emit({ type: "hostConnected", protocol: "smp", transportHost: this.network.hostOf(this) });
  }

  /** Reports the connection to a file server, once a session. */
  connectFileHost(server: string): void {
    const { fileHosts } = this.session;
    if (fileHosts.has(server)) return;
    fileHosts.add(server);
    this.emit({ type: "hostConnected", protocol: "xftp", transportHost: parseServer(server)?.host ?? "" });
  }

  private sessionOf(api: SimulatedChatApi): Session {
    const session = this.sessions.get(api);
    if (!session) throw new Error("the api is closed");
    return session;
  }

  private endSubscriptions(api: SimulatedChatApi): void {
    for (const conn of [...this.db.conns.values()].reverse()) {
      if (conn.connStatus !== "ready") continue;
      const connectionEntity = connectionEntityJson(this.db, conn);
      api.emit({ type: "subscriptionEnd", user: userJson(this.db), connectionEntity });
    }
  }
}
