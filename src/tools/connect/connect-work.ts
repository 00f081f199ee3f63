import type { ConnectFields } from "../../actions/action.js";
import type { Action, Revision, Work } from "../../actions/actions.js";
import { explain } from "../../core/errors/explain.js";
import { requestBytesTooLong } from "../../core/limits.js";
import { type ChatInfo, type ChatRef, chatRefOf } from "../../core/types.js";
import type { Arrived, Collected } from "../../messages/collected.js";
import { isReceivedMessage, isUnread } from "../../messages/items.js";
import { nextChange } from "../../time/wait.js";
import type { AgentDeps } from "../call/agent.js";
import type { ExpectedConnection } from "../call/connections.js";
import { classifyPlan, type Target } from "./plan.js";

/** Messages that were there when the connection was made: at most so many are looked at. */
const FIRST_PAGE = 50;

/** The wait for the other side ends before the card can be edited no more (24 hours). Milliseconds. */
const LONGEST_CONNECTION_WAIT = (23 * 60 + 50) * 60_000;

/** Somebody else started it: there is nothing to do, and nothing to take back. */
class ConnectedAlready extends Error {}

/** Makes one connection, as the card said it. Times by `clock.elapsed`, waits in milliseconds. */
export class ConnectWork implements Work {
  fields: ConnectFields;
  chat: ChatRef | undefined;
  collected: Collected | undefined;
  connected = false;
  startedAt = 0;
  connectedAt = 0;
  readonly #deps: AgentDeps;
  readonly #target: Target;
  #wait: number;
  #latest = 0;
  #action: Action | undefined;
  #expected: ExpectedConnection | undefined;
  #first: Promise<Arrived[]> | undefined;

  constructor(
    deps: AgentDeps,
    target: Target,
    request: { target: string; incognito: boolean; message: string | undefined; wait: number },
  ) {
    this.#deps = deps;
    this.#wait = request.wait;
    this.#target = target;
    this.fields = {
      tool: "connect",
      target: request.target,
      incognito: request.incognito,
      ...(request.message === undefined ? {} : { message: request.message }),
      kind: target.kind,
      name: target.name,
    };
  }

  /** The connection is waited for at least `wait` from the start on. The end of the wait, once it has begun. */
  waitAtLeast(wait: number): number | undefined {
    if (wait > this.#wait) {
      this.#wait = wait;
      this.#expected?.changes.emit();
      // The other calls tell their clients of the new time.
      if (this.#expected) this.#action?.changes.emit();
    }
    return this.#expected && !this.connected ? this.#until() : undefined;
  }

  revise(message: string): Revision | undefined {
    if (this.fields.message === undefined) return undefined;
    const fields = { ...this.fields, message };
    return {
      fields,
      excess: requestBytesTooLong(message),
      adopt: () => {
        this.fields = fields;
      },
    };
  }

  async perform({ action, stop }: { action: Action; stop: AbortSignal }): Promise<void> {
    const expected = await this.#deps.connections.inTurn(() => this.#begin(action, stop));
    try {
      action.changes.emit();
      await this.#awaitConnection(expected, stop);
    } finally {
      this.#end(expected);
    }
  }

  /** Looks whether the target is still what the card said, and starts the connection. */
  async #begin(action: Action, stop: AbortSignal): Promise<ExpectedConnection> {
    const { core, user, clock, connections } = this.#deps;
    const { target, message } = this.fields;
    const now = classifyPlan(target, await core.connectPlan(user.userId, target), message);
    if ("refusal" in now) throw new Error(now.refusal);
    this.#checkSame(now);
    if (stop.aborted) throw new Error("The server is stopping.");
    this.#action = action;
    this.startedAt = clock.elapsed();
    // The core reads the age of a card by the wall clock.
    this.#latest = clock.elapsed() + action.created + LONGEST_CONNECTION_WAIT - clock.now();
    const expected = connections.expect();
    this.#expected = expected;
    try {
      await this.#start(now, expected);
      return expected;
    } catch (error) {
      this.#end(expected);
      throw error;
    }
  }

  #end(expected: ExpectedConnection): void {
    this.#expected = undefined;
    expected.stop();
  }

  dispose(): void {
    this.collected?.stop();
  }

  /** What had arrived before the watch of the new chat began: a welcome message, the history of a group. */
  firstMessages(): Promise<Arrived[]> {
    this.#first ??= this.#readFirst();
    return this.#first;
  }

  async #readFirst(): Promise<Arrived[]> {
    const ref = this.chat;
    if (!ref || !this.connected) return [];
    try {
      const { chat } = await this.#deps.core.getChat(ref, { count: FIRST_PAGE });
      const unread = chat.chatItems.filter((item) => isReceivedMessage(item) && isUnread(item));
      return unread.map((item) => ({ chat: ref, info: chat.chatInfo, item }));
    } catch (error) {
      // They stay unread: `receive` returns them.
      this.#deps.log(`The first messages of ${ref} were not read: ${explain(error)}`);
      return [];
    }
  }

  #checkSame(now: Target): void {
    const { way, link, kind, name } = now;
    if (way.way === "known") throw this.#connectedAlready(way.chat);
    if (link !== this.#target.link || kind !== this.#target.kind || name !== this.#target.name) {
      throw new Error("The target changed after the request. Call connect again to ask for the new one.");
    }
  }

  #connectedAlready(chat: ChatRef): ConnectedAlready {
    const unsent = this.fields.message === undefined ? "" : " The message was not sent: use send.";
    return new ConnectedAlready(`Connected already: ${chat}.${unsent}`);
  }

  async #start({ way }: Target, expected: ExpectedConnection): Promise<void> {
    const { core, user } = this.#deps;
    const { incognito } = this.fields;
    switch (way.way) {
      case "known":
        return;
      case "prepared":
        return await this.#connectPrepared(way.chat, expected);
      case "prepare contact":
      case "prepare channel": {
        const { chatInfo } =
          way.way === "prepare contact"
            ? await core.prepareContact(user.userId, way.link, way.data, way.domain)
            : await core.prepareGroup(user.userId, way.link, {
                direct: false,
                linkData: way.data,
                ...(way.domain === undefined ? {} : { domain: way.domain }),
              });
        const chat = chatRefOf(chatInfo);
        if (!chat) throw new Error(`unexpected prepared chat ${chatInfo.type}`);
        try {
          return await this.#connectPrepared(chat, expected);
        } catch (error) {
          this.collected?.stop();
          this.chat = undefined;
          if (error instanceof ConnectedAlready) throw error;
          await discard(this.#deps, chat, chatInfo).catch((deletion: unknown) => {
            this.#deps.log(`The prepared chat ${chat} was not deleted: ${explain(deletion)}`);
          });
          throw error;
        }
      }
      case "contact address": {
        this.#watch(`@${way.contactId}`);
        expected.identify({ chat: `@${way.contactId}` });
        await core.connectContactViaAddress(user.userId, incognito, way.contactId);
        return;
      }
      case "link": {
        const { pccConnId } = await core.connectLink(user.userId, incognito, way.link);
        expected.identify({ pendingConnection: pccConnId });
      }
    }
  }

  async #connectPrepared(chat: ChatRef, expected: ExpectedConnection): Promise<void> {
    const { core } = this.#deps;
    const { incognito, message } = this.fields;
    this.#watch(chat);
    expected.identify({ chat });
    const id = Number(chat.slice(1));
    if (chat.startsWith("#")) {
      await core.connectPreparedGroup(id, incognito, message);
      return;
    }
    const { type } = await core.connectPreparedContact(id, incognito, message);
    if (type === "contactAlreadyExists") throw this.#connectedAlready(chat);
  }

  /** Waits for the other side, until the wait is over or the server stops. */
  async #awaitConnection(expected: ExpectedConnection, stop: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      if (expected.chat && !this.chat) this.#watch(expected.chat);
      if (expected.connected) {
        this.connected = true;
        this.connectedAt = clock.elapsed();
        return;
      }
      const until = this.#until();
      if (stop.aborted || clock.elapsed() >= until) return;
      await nextChange(expected.changes.subscribe, { clock, until, signal: stop });
    }
  }

  #until(): number {
    return Math.min(this.startedAt + this.#wait, this.#latest);
  }

  #watch(chat: ChatRef): void {
    this.chat = chat;
    this.collected = this.#deps.watch.collect(chat);
  }
}

/** The agent and its owners may have seen its number by now. */
async function discard({ core, freed }: AgentDeps, chat: ChatRef, info: ChatInfo): Promise<void> {
  await freed.add(info);
  await core.deleteChat(chat, { notify: false });
}
