import type { Decision, SendFields } from "../../actions/action.js";
import type { Action, NewAction, Revision, Work } from "../../actions/actions.js";
import type { AChatItem, ChatInfo } from "../../core/types.js";
import type { OutgoingFile } from "../../files/outgoing/outgoing.js";
import type { Collected } from "../../messages/collected.js";
import type { AgentDeps, StandingKind } from "../call/agent.js";
import { readChat } from "../call/known-chat.js";
import { isMentioned } from "../call/text.js";
import { type Composed, compose, type TextRequest } from "./compose.js";
import { attachedFile, cardFile, checkSize, contentOf, excessOf, type NamedFile } from "./send-file.js";

export interface SendRequest extends TextRequest {
  file: NamedFile | undefined;
}

/** The message of a request, checked; rejects with what the agent can do about it. */
export async function prepareSend(deps: AgentDeps, request: SendRequest): Promise<SendWork> {
  const { given } = deps.standing;
  const composed = await compose(deps, request);
  // Before the file is looked into: a text that is too long alone needs no more.
  checkSize(composed, undefined);
  const file = request.file && (await attachedFile(deps, composed, request.file));
  checkSize(composed, file);
  return new SendWork(deps, request, composed, file, given);
}

interface Performing {
  action: Action;
  decision: Decision;
  stop: AbortSignal;
}

/** Sends one message, the one on its card. */
export class SendWork implements Work {
  fields: SendFields;
  /** The item of the message, and the messages that came after it. */
  item: number | undefined;
  collected: Collected | undefined;
  /** By `clock.elapsed`. */
  sentAt = 0;
  readonly #deps: AgentDeps;
  #request: SendRequest;
  readonly #composed: Composed;
  readonly #info: ChatInfo;
  #text: string;
  readonly #file: OutgoingFile | undefined;
  /** The number of standing approvals given before the request was read. */
  readonly #given: number;

  constructor(
    deps: AgentDeps,
    request: SendRequest,
    composed: Composed,
    file: OutgoingFile | undefined,
    given: number,
  ) {
    this.#deps = deps;
    this.#request = request;
    const { fields, known } = composed;
    this.#composed = composed;
    this.#info = known.info;
    this.#text = JSON.stringify(fields);
    this.#file = file;
    this.#given = given;
    this.fields = this.#shown(fields);
  }

  /** Quote, file and mentions stay, but for mentions that are no longer in the text. */
  revise(text: string): Revision {
    const { names, size, fields: old } = this.#composed;
    const kept = names.filter(({ token }) => isMentioned(text, token));
    const mentions = old.mentions.filter(({ member }) => kept.some((name) => name.member === member));
    const fields = { ...old, text, mentions };
    const sized = { fields, size: { ...size, mentions: kept.map(({ key }) => key) } };
    return {
      fields: this.#shown(fields),
      excess: excessOf(sized, this.#file),
      adopt: () => {
        this.#request = { ...this.#request, text, isExact: true };
        this.#text = JSON.stringify(fields);
        this.fields = this.#shown(fields);
      },
    };
  }

  /** What may let the message through without a card: mode `host`, or a standing approval that still stands then. */
  preapproval(): Pick<NewAction, "preapproval"> {
    if (this.#deps.mode === "host") return { preapproval: async () => ({ kind: "host" }) };
    // One given since the chat was read is seen when it is read again.
    const { standing } = this.#deps;
    if (!standing.stands(this.#info, ...this.#kinds) && standing.given === this.#given) return {};
    return {
      preapproval: async () =>
        standing.take((await readChat(this.#deps, this.#request.chat)).info, ...this.#kinds),
    };
  }

  async perform({ action, decision, stop }: Performing): Promise<void> {
    const composed = await compose(this.#deps, this.#request);
    if (JSON.stringify(composed.fields) !== this.#text) {
      throw new Error(
        "The chat, the quoted message or a mentioned name changed after the request. Send again.",
      );
    }
    this.#checkStanding(decision, composed.known.info);
    const { files } = this.#deps;
    const copy = this.#file && (await files.outgoing.copy(this.#file));
    if (copy !== undefined) files.copies.assign(copy, this.#request.chat);
    try {
      if (stop.aborted) throw new Error("The server is stopping.");
      // Copying a large file takes a while.
      this.#checkStanding(decision, composed.known.info);
      // Another chat may have its number by now.
      if (action.chatGone) throw new Error("The chat was left meanwhile.");
      await this.#send(composed, copy);
    } catch (error) {
      if (copy !== undefined) await files.copies.remove(copy);
      throw error;
    }
  }

  /** As the card shows it. */
  #shown(fields: SendFields): SendFields {
    const { namesakes, known } = this.#composed;
    const file = this.#file && cardFile(this.#file);
    return {
      ...fields,
      mentions: fields.mentions.map((one) => (namesakes.has(one.member) ? { ...one, namesake: true } : one)),
      ...(file ? { file } : {}),
      ...(this.#deps.freed.has(known.info) ? { renumbered: true } : {}),
    };
  }

  dispose(): void {
    this.collected?.stop();
  }

  async #send({ fields, mentions }: Composed, copy: string | undefined): Promise<void> {
    const { core, watch, clock } = this.#deps;
    const { chat, replyTo } = this.#request;
    // From before the send: a reply may be seen before the core's answer.
    const collected = watch.collect(chat);
    try {
      const [sent]: AChatItem[] = await core.sendMessages(chat, [
        {
          msgContent: contentOf(fields.text, this.#file?.media),
          ...(copy === undefined ? {} : { fileSource: { filePath: copy } }),
          ...(fields.mentions.length > 0 ? { mentions } : {}),
          ...(replyTo === undefined ? {} : { quotedItemId: replyTo }),
        },
      ]);
      if (!sent) throw new Error("SimpleX did not take the message.");
      this.item = sent.chatItem.meta.itemId;
      this.sentAt = clock.elapsed();
      collected.dropUpTo(this.item);
      this.collected = collected;
    } catch (error) {
      collected.stop();
      throw error;
    }
  }

  #checkStanding(decision: Decision, info: ChatInfo): void {
    if (decision.kind === "standing" && !this.#deps.standing.holds(info, decision, ...this.#kinds)) {
      throw new Error("The standing approval of this chat ended. Send again to ask.");
    }
  }

  /** A message with a file needs that files are approved, too. */
  get #kinds(): StandingKind[] {
    return this.#file ? ["messages", "files"] : ["messages"];
  }
}
