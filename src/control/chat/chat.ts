import { allItems } from "../../core/all-items.js";
import type { Core } from "../../core/core.js";
import { CoreError, isDatabaseBusy, isNetworkError } from "../../core/errors/errors.js";
import { explain } from "../../core/errors/explain.js";
import type {
  ChatItemContent,
  ChatRef,
  ComposedMessage,
  GroupInfo,
  OutgoingContent,
  User,
} from "../../core/types.js";
import { type Clock, sleep } from "../../time/clock.js";
import { messageContent } from "../texts/size.js";
import { ControlChatError, controlGroup, savedNumber } from "./control-group.js";
import { ControlRecord } from "./record.js";

/** How often and after how many milliseconds a failing edit of a card, or message, is tried again. */
const RETRIES = [200, 1000];

export interface SayOptions {
  picture?: string | undefined;
  /** Begins the line on stderr when it cannot be posted. */
  what?: string;
}

/** The group of the agent and its owners: found, made, written to. */
export class ControlChat {
  readonly ref: ChatRef;
  readonly groupId: number;
  /** What this installation remembers besides its chats. */
  readonly record: ControlRecord;
  #wanted: number;

  private constructor(
    readonly core: Core,
    group: GroupInfo,
    readonly clock: Clock,
    readonly log: (line: string) => void,
  ) {
    this.groupId = group.groupId;
    this.ref = `#${group.groupId}`;
    this.record = new ControlRecord(core, this.ref, group.customData);
    const nextAction = savedNumber(group);
    if (nextAction === undefined) {
      throw new ControlChatError(
        "The agent control chat does not tell the last action number. Start again with --reset-owners to make a new chat.",
      );
    }
    this.#wanted = nextAction;
  }

  /** The control chat of this user, made where there is none (or `reset` asks for a new one). */
  static async open(
    core: Core,
    user: User,
    options: { displayName: string; reset: boolean; clock: Clock; log: (line: string) => void },
  ): Promise<{ chat: ControlChat; created: boolean }> {
    const { group, created } = await controlGroup(core, user, options);
    return { chat: new ControlChat(core, group, options.clock, options.log), created };
  }

  /** The number that the next action gets. */
  get nextAction(): number {
    return this.#wanted;
  }

  /** Persists that numbers below `next` are used. Calls that come together share one write. */
  async saveCounter(next: number): Promise<void> {
    if (Number(this.record.data.nextAction) >= next) return;
    this.#wanted = Math.max(this.#wanted, next);
    await this.record.save({ nextAction: this.#wanted });
  }

  /** The members whose role was ever changed, by the agent or by others, as the chat itself tells: nobody can forge that. */
  async roleChanges(): Promise<ReadonlySet<number>> {
    const members = new Set<number>();
    for await (const { content } of allItems(this.core, this.ref)) {
      const member = roleChangeOf(content);
      if (member !== undefined) members.add(member);
    }
    return members;
  }

  /** Posts a message of the server, under a picture where there is one; resolves with its item id. */
  async post(text: string, picture?: string): Promise<number> {
    return await this.#send({ msgContent: messageContent(text, picture) });
  }

  /** Posts a file, with what is shown of it, as a reply where one is named. */
  async postFile(path: string, content: OutgoingContent, quotedItemId: number | undefined): Promise<void> {
    await this.#send({
      fileSource: { filePath: path },
      msgContent: content,
      ...(quotedItemId === undefined ? {} : { quotedItemId }),
    });
  }

  /**
   * Posts a message, again where the database was busy: twice is better than not at all. What cannot be posted is told
   * to the operator; `what` says what that is.
   */
  async say(
    text: string,
    { picture, what = "The message to the control chat" }: SayOptions = {},
  ): Promise<void> {
    try {
      await this.#tries(() => this.post(text, picture), isDatabaseBusy);
    } catch (error) {
      this.log(`${what} was not sent: ${explain(error)}`);
    }
  }

  /**
   * Changes a posted message; where that fails for good (the message was deleted, or is older than 24 hours),
   * posts the text anew. Never rejects. The picture must be the one that it was posted with.
   */
  async replace(itemId: number, text: string, options: SayOptions = {}): Promise<void> {
    const msgContent = messageContent(text, options.picture);
    try {
      await this.#tries(
        () => this.core.updateItem(this.ref, itemId, { msgContent, mentions: {} }),
        isTemporary,
      );
    } catch {
      await this.say(text, options);
    }
  }

  /** Rejects with the last failure, or the first that is not temporary. */
  async #tries(work: () => Promise<unknown>, isTemporary: (error: unknown) => boolean): Promise<void> {
    for (const pause of RETRIES) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isTemporary(error)) throw error;
        await sleep(this.clock, pause);
      }
    }
    await work();
  }

  async #send(message: ComposedMessage): Promise<number> {
    const [item] = await this.core.sendMessages(this.ref, [message]);
    if (!item) throw new Error("the message was not stored");
    return item.chatItem.meta.itemId;
  }
}

function roleChangeOf(content: ChatItemContent): number | undefined {
  const event =
    content.type === "sndGroupEvent"
      ? content.sndGroupEvent
      : content.type === "rcvGroupEvent"
        ? content.rcvGroupEvent
        : undefined;
  return event?.type === "memberRole" ? event.groupMemberId : undefined;
}

function isTemporary(error: unknown): boolean {
  return !(error instanceof CoreError) || isDatabaseBusy(error) || isNetworkError(error);
}
