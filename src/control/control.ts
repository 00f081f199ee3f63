import type { ActionFields } from "../actions/action.js";
import type { Action, Board } from "../actions/actions.js";
import { explain } from "../core/explain.js";
import { bytesTooLong } from "../core/limits.js";
import type { AChatItem, ChatEvent } from "../core/types.js";
import { cardOverflow, cardText } from "./cards.js";
import { CONTROL_CHAT_GONE, type ControlChat } from "./chat.js";
import { parseOwnerCommand } from "./commands.js";
import { execute, type OwnerPowers } from "./execute.js";
import { incomingText } from "./incoming.js";
import type { Owners } from "./owners.js";
import { refusals } from "./replies.js";

export interface ControlOptions {
  chat: ControlChat;
  owners: Owners;
  print: (line: string) => void;
  log: (line: string) => void;
  /** The chat was deleted or the agent removed from it: nothing can be approved any more. */
  onGone: (reason: string) => void;
}

/** The control chat at work: cards out, owner commands in. */
export class Control implements Board {
  readonly #options: ControlOptions;
  /** The item of each card that can still change, by action number. */
  readonly #cards = new Map<number, Promise<number | undefined>>();
  #powers: OwnerPowers | undefined;
  #stopped = false;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** From now on owners' commands act. */
  serve(powers: OwnerPowers): void {
    this.#powers = powers;
  }

  /** Ignores events from now on. Cards can still be changed. */
  stop(): void {
    this.#stopped = true;
  }

  // The board of the actions

  refusal(_number: number, fields: ActionFields): string | undefined {
    if (this.#options.owners.approvers.length === 0) return this.#options.owners.noApprover;
    const excess = cardOverflow(fields, textTooLong);
    return excess > 0
      ? `Your owner could not be shown all of this: the request is ${excess} bytes too long. Shorten the text.`
      : undefined;
  }

  saveCounter(next: number): Promise<void> {
    return this.#options.chat.saveCounter(next);
  }

  async postCard(action: Action): Promise<void> {
    const card = this.#options.chat.post(cardText(action.number, action.fields, { state: "pending" }));
    this.#cards.set(
      action.number,
      card.catch(() => undefined),
    );
    await card;
  }

  async showOutcome(action: Action): Promise<void> {
    const { chat, print } = this.#options;
    const text = cardText(action.number, action.fields, action.state);
    const card = await this.#cards.get(action.number);
    this.#cards.delete(action.number);
    if ("decision" in action.state && action.state.decision.kind === "host") {
      print(`Action ${action.number}: performed without approval (mode host).`);
    }
    if (card !== undefined) await chat.replace(card, text);
    // Nobody was asked, and nothing was done: there is nothing to tell.
    else if (action.hasCard || "decision" in action.state) await chat.say(text);
  }

  // Events

  async onEvent(event: ChatEvent): Promise<void> {
    if (this.#stopped) return;
    const { chat, owners, onGone } = this.#options;
    if (event.type === "newChatItems") {
      for (const item of event.chatItems) await this.#message(item);
    } else if ("groupInfo" in event && event.groupInfo.groupId === chat.groupId) {
      if (event.type === "groupDeleted" || event.type === "deletedMemberUser") onGone(CONTROL_CHAT_GONE);
      else await owners.onEvent(event);
    }
  }

  async #message(item: AChatItem): Promise<void> {
    const { chat, owners, log } = this.#options;
    const powers = this.#powers;
    const incoming = powers && incomingText(item, chat.ref);
    const command = incoming && parseOwnerCommand(incoming.text);
    if (!command) return;
    if (!owners.isApprover(incoming.member.groupMemberId)) {
      await chat.say(owners.notApprover);
      return;
    }
    powers.actions.expireDue();
    if (command.kind === "unknown") await chat.say(refusals.unknownCommand);
    else if (command.kind === "malformed") await chat.say(refusals.malformed(command.form));
    else {
      try {
        const reply = await execute(command, incoming.member, powers);
        if (reply !== undefined) await chat.say(reply);
      } catch (error) {
        log(`An owner's ${command.kind} failed: ${explain(error)}`);
        await chat.say(refusals.failed(explain(error)));
      }
    }
  }
}

/** By how many bytes a text of the control chat is too long, as a new message or as an edit. */
export function textTooLong(text: string, edit: boolean): number {
  return bytesTooLong({ chat: "group", content: { type: "text", text }, edit });
}
