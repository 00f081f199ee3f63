import { isCurrent } from "../../core/limits.js";
import type { ChatEvent, ChatRef, Contact, GroupInfo, GroupMember } from "../../core/types.js";
import { Turns } from "../../time/turns.js";
import { Changes } from "../../time/wait.js";

/** What a connection by link is waited for by: its chat where it is known before, else its pending connection. */
export type ConnectionKey = { chat: ChatRef } | { pendingConnection: number };

/**
 * Connections that are being made. An expectation is opened before the command that starts one: the core's events
 * may be seen before its answer, which first tells the key.
 */
export class Connections {
  readonly #expected = new Set<ExpectedConnection>();
  readonly #starts = new Turns<"any">();

  /**
   * Runs `start` when no other connection is being started: two that look whether one link is known before either is
   * started would both make a connection. Not by link: one link is written in several ways.
   */
  inTurn<Result>(start: () => Promise<Result>): Promise<Result> {
    return this.#starts.run("any", start);
  }

  expect(): ExpectedConnection {
    const expected = new ExpectedConnection(() => this.#expected.delete(expected));
    this.#expected.add(expected);
    return expected;
  }

  onEvent(event: ChatEvent): void {
    if (this.#expected.size === 0) return;
    const sign = signOf(event);
    if (sign) for (const expected of [...this.#expected]) expected.note(sign);
  }
}

/** One step of a connection: its chat exists (`connected` false), or messages can be sent. */
interface Sign {
  chat: ChatRef;
  connId: number | undefined;
  connected: boolean;
}

export class ExpectedConnection {
  readonly changes = new Changes();
  readonly #signs: Sign[] = [];
  readonly #end: () => void;
  #key: ConnectionKey | undefined;

  constructor(end: () => void) {
    this.#end = end;
  }

  /** Tells which connection is meant, once the core's answer is there. */
  identify(key: ConnectionKey): void {
    this.#key = key;
    this.changes.emit();
  }

  /** The chat of the connection; undefined while it does not exist. */
  get chat(): ChatRef | undefined {
    if (this.#key && "chat" in this.#key) return this.#key.chat;
    return this.#matching().at(-1)?.chat;
  }

  get connected(): boolean {
    return this.#matching().some((sign) => sign.connected);
  }

  note(sign: Sign): void {
    this.#signs.push(sign);
    this.changes.emit();
  }

  stop(): void {
    this.#end();
  }

  #matching(): Sign[] {
    const key = this.#key;
    if (!key) return [];
    return this.#signs.filter((sign) =>
      "chat" in key ? sign.chat === key.chat : sign.connId === key.pendingConnection,
    );
  }
}

function signOf(event: ChatEvent): Sign | undefined {
  switch (event.type) {
    case "contactConnected":
      return ofContact(event.contact, true);
    case "contactSndReady":
      return ofContact(event.contact, false);
    case "groupLinkConnecting":
    case "businessLinkConnecting":
      return ofGroup(event.groupInfo, event.hostMember, false);
    case "userJoinedGroup":
      return ofGroup(event.groupInfo, event.hostMember, isCurrent(event.groupInfo.membership));
    default:
      return undefined;
  }
}

function ofContact(contact: Contact, connected: boolean): Sign {
  return { chat: `@${contact.contactId}`, connId: contact.activeConn?.connId, connected };
}

function ofGroup(group: GroupInfo, host: GroupMember, connected: boolean): Sign {
  return { chat: `#${group.groupId}`, connId: host.activeConn?.connId, connected };
}
