import type { ActionFields, ActionState, NamedChat } from "../actions/action.js";
import { type Action, ActionRefused, type Board } from "../actions/actions.js";
import { explain } from "../core/errors/explain.js";
import type { ChatEvent } from "../core/types.js";
import type { ControlChat } from "./chat/chat.js";
import { CONTROL_CHAT_GONE } from "./chat/control-group.js";
import type { ParsedCommand } from "./commands/commands.js";
import { execute } from "./commands/execute.js";
import { answerByReply } from "./commands/execute-answer.js";
import { filesKept } from "./commands/execute-leaving.js";
import type { Forward } from "./commands/forward.js";
import { type Incoming, incomingOf, readIncoming, type Said } from "./commands/incoming.js";
import type { OwnerPowers } from "./commands/powers.js";
import { GatheredOutcomes } from "./gathered.js";
import type { Owners } from "./owners/owners.js";
import { cardOverflow, cardPicture, cardText } from "./texts/cards.js";
import { withReferences } from "./texts/names.js";
import { askTexts, ineffective, refusals } from "./texts/replies.js";
import { textTooLong } from "./texts/size.js";

export interface ControlOptions {
  chat: ControlChat;
  owners: Owners;
  files: Pick<OwnerPowers["files"], "kept" | "delete">;
  forward: Forward;
  names: OwnerPowers["names"];
  print: (line: string) => void;
  log: (line: string) => void;
  /** The chat was deleted or the agent removed from it: nothing can be approved any more. */
  onGone: (reason: string) => void;
}

const MOST_SEEN = 1000;

/** The control chat at work: cards out, owner commands in. */
export class Control implements Board {
  readonly #options: ControlOptions;
  readonly #gathered: GatheredOutcomes;
  /** The item of each card that can still change, by action number. */
  readonly #cards = new Map<number, Promise<number | undefined>>();
  #powers: OwnerPowers | undefined;
  #stopped = false;
  #shownSinceStop = 0;
  /** The last messages that came. */
  readonly #seen = new Set<string>();

  constructor(options: ControlOptions) {
    this.#options = options;
    const { chat } = options;
    this.#gathered = new GatheredOutcomes({ say: (text, what) => chat.say(text, what), clock: chat.clock });
  }

  /** From now on owners' commands act. */
  serve(powers: Omit<OwnerPowers, "files" | "names">): void {
    const { files, forward, names } = this.#options;
    this.#powers = {
      ...powers,
      names,
      files: {
        kept: (chat) => files.kept(chat),
        delete: (chat) => files.delete(chat),
        forward: (action, fields) => forward.start(action, fields, this.#cards.get(action.number)),
      },
    };
  }

  /** Ignores events from now on. Cards can still be changed. */
  stop(): void {
    this.#stopped = true;
    this.#shownSinceStop += this.#gathered.stop();
  }

  /** How many outcomes were shown since then, on cards or as messages. */
  get shownSinceStop(): number {
    return this.#shownSinceStop;
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

  async postCard(action: Action): Promise<number> {
    const { number, fields } = action;
    const card = this.#options.chat.post(
      this.#text(number, fields, { state: "pending" }),
      cardPicture(fields),
    );
    this.#cards.set(
      action.number,
      card.catch(() => undefined),
    );
    try {
      return await card;
    } catch (error) {
      this.#cards.delete(action.number);
      throw error;
    }
  }

  /** Tells owners something of the agent that they do not decide. Rejects with `ActionRefused` where that cannot be. */
  async report(text: string, count: () => void): Promise<void> {
    const { owners, chat } = this.#options;
    if (owners.approvers.length === 0) throw new ActionRefused(owners.noApprover);
    const message = askTexts.report(text);
    const excess = textTooLong(message, false);
    if (excess > 0) throw new ActionRefused(`The text is ${excess} bytes too long. Shorten it.`);
    count();
    await chat.post(message);
  }

  async showOutcome(action: Action): Promise<void> {
    const { number, fields, state, hasCard } = action;
    const { chat, print } = this.#options;
    const text = this.#text(number, fields, state);
    const isOfStop = this.#stopped;
    const card = await this.#cards.get(number);
    this.#cards.delete(number);
    const isStanding = "decision" in state && state.decision.kind === "standing";
    const isOfHost = "decision" in state && state.decision.kind === "host";
    if (isOfHost && state.state !== "failed")
      print(`Action ${number}: performed without approval (mode host).`);
    // Nobody was asked, and nothing was done: there is nothing to tell. Nor of what the host let in.
    const isShown = hasCard || ("decision" in state && !(isOfHost && fields.tool === "download"));
    if (isShown && isOfStop) this.#shownSinceStop += 1;
    const options = { picture: cardPicture(fields), what: `The outcome of action ${number}` };
    const gatheredWith = options.picture === undefined && isStanding ? action.chat : undefined;
    if (card !== undefined) await chat.replace(card, text, options);
    else if (isShown && gatheredWith !== undefined) await this.#gathered.show(gatheredWith, text, number);
    else if (isShown) await chat.say(text, options);
    if (fields.tool === "leave" && state.state === "done") await this.#tellKeptFiles(fields);
  }

  #text(number: number, fields: ActionFields, state: ActionState): string {
    return cardText(
      number,
      withReferences(fields, this.#options.names),
      state,
      this.#options.chat.clock.now(),
    );
  }

  async #tellKeptFiles(left: NamedChat): Promise<void> {
    const { chat, files, log } = this.#options;
    try {
      const kept = await filesKept(left, files);
      if (kept !== undefined) await chat.say(kept);
    } catch (error) {
      log(`The files kept of ${left.chat} could not be counted: ${explain(error)}`);
    }
  }

  // Events

  async onEvent(event: ChatEvent): Promise<void> {
    if (this.#stopped) return;
    const { chat, owners, onGone } = this.#options;
    for (const incoming of incomingOf(event, chat.ref)) await this.#message(incoming);
    if (event.type === "contactUpdated") {
      await owners.onEvent(event);
    } else if ("groupInfo" in event && event.groupInfo.groupId === chat.groupId) {
      if (event.type === "groupDeleted" || event.type === "deletedMemberUser") onGone(CONTROL_CHAT_GONE);
      else await owners.onEvent(event);
    }
  }

  async #message(incoming: Incoming): Promise<void> {
    const { chat, owners } = this.#options;
    const powers = this.#powers;
    if (!powers || !this.#isFirst(incoming)) return;
    const said = readIncoming(incoming);
    // An owner may see a card before the core's answer tells that it is there.
    if (said?.counts || incoming.replyTo !== undefined) await powers.actions.cardsTaken();
    const question = this.#questionOf(incoming, said, powers);
    if (!said && question === undefined) return;
    await owners.freshen();
    if (!owners.approves(incoming.member)) {
      if (question !== undefined || said?.counts) await chat.say(owners.notApprover);
    } else if (question !== undefined) {
      powers.actions.expireDue();
      const { text, member } = incoming;
      const reply = answerByReply({ number: question, text }, member.memberProfile.displayName, powers);
      if (reply !== undefined) await chat.say(reply);
    } else if (said?.counts) {
      powers.actions.expireDue();
      await this.#execute(said.command, incoming, powers);
    } else if (said) {
      await chat.say(ineffective[said.why]);
    }
  }

  async #execute(command: ParsedCommand, { member, item }: Incoming, powers: OwnerPowers): Promise<void> {
    const { chat, log } = this.#options;
    const number = "number" in command ? command.number : undefined;
    if (command.kind === "unknown") await chat.say(refusals.unknownCommand);
    else if (command.kind === "malformed") await chat.say(refusals.malformed(command.form));
    else if (number !== undefined && powers.actions.isLater(number, item))
      await chat.say(refusals.notPending(number));
    else {
      try {
        for (const reply of await execute(command, member, powers)) await chat.say(reply);
      } catch (error) {
        log(`An owner's ${command.kind} failed: ${explain(error)}`);
        await chat.say(refusals.failed(explain(error)));
      }
    }
  }

  /**
   * The number of the question whose card the message replies to; none where it is a command all the same. What counts
   * is a message of its author, of whatever kind: an answer acts on nothing.
   */
  #questionOf({ replyTo, flaw }: Incoming, said: Said, { actions }: OwnerPowers): number | undefined {
    const isNew = flaw === undefined || flaw === "link" || flaw === "caption";
    const isCommand = said && !(said.counts && said.command.kind === "unknown");
    if (replyTo === undefined || !isNew || isCommand) return undefined;
    return actions.pending().find(({ tool, cardItem }) => tool === "ask" && cardItem === replyTo)?.number;
  }

  /** Whether this version of a message did not come before: an event may come twice, or tell of a file's state only. */
  #isFirst({ version }: Incoming): boolean {
    if (this.#seen.has(version)) return false;
    this.#seen.add(version);
    const [oldest] = this.#seen;
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}
