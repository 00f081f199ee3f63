import { explain } from "../core/errors/explain.js";
import {
  type ActionEvent,
  type ActionFields,
  type Answer,
  type ChatRef,
  type Decision,
  isFinal,
  isOutward,
  nextState,
} from "./action.js";
import { ActionTable } from "./action-table.js";
import { hindranceOf } from "./hindrance.js";
import { Limits } from "./limits.js";
import {
  Action,
  ActionRefused,
  type ChangedText,
  type NewAction,
  type OpenCall,
  type RaisedAction,
} from "./open-action.js";
import type { ActionsOptions, DecisionResult } from "./options.js";
import { Tick } from "./tick.js";

export * from "./open-action.js";
export * from "./options.js";

const STOPPING = "The server is stopping. Call again when it runs.";

/** All actions that are not delivered yet: their decisions, expiry and waiting calls. */
export class Actions extends ActionTable {
  readonly #options: ActionsOptions;
  readonly #limits: Limits;
  readonly #introductions = new Map<Action, Promise<void>>();
  readonly #outcomes = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #tick: Tick;
  #next: number;

  constructor(options: ActionsOptions) {
    super();
    this.#options = options;
    this.#limits = new Limits(options.limits);
    this.#next = options.firstNumber;
    this.#tick = new Tick(options.clock, () => this.expireDue());
  }

  /** Resolves when the cards that are on their way are taken, or are not: what is said then may be about them. */
  async cardsTaken(): Promise<void> {
    const posting = [...this.#introductions].filter(
      ([{ hasCard, cardItem }]) => hasCard && cardItem === undefined,
    );
    await Promise.allSettled(posting.map(([, introduction]) => introduction));
  }

  /**
   * The action of this key, with `call` attached: the one that is there, or a new one with its number saved and
   * its card posted. Undefined when the call was aborted before a new action existed.
   */
  async open(request: NewAction, call: OpenCall): Promise<Action | undefined> {
    if (call.signal.aborted) return undefined;
    const found = this.find(request.key);
    const action = found ?? this.#make(request);
    this.attach(action, call);
    await (found ? this.#introductions.get(found) : this.#introduced(action, request));
    return action.calls.has(call) ? action : undefined;
  }

  /**
   * An action of others, once its card is posted. Limits of the agent's actions do not hold for it, nor does it count
   * into them: strangers take nothing from the agent. Whoever raises it sees to it that there are not too many.
   */
  async raise(request: RaisedAction): Promise<Action> {
    const action = this.#make({ ...request, input: {} });
    await this.#introduced(action, { ...request, input: {} });
    return action;
  }

  attach(action: Action, call: OpenCall): void {
    if (call.signal.aborted) return;
    action.calls.add(call);
    call.signal.addEventListener("abort", () => this.detach(action, call), { once: true });
  }

  /** The call is gone, or had to be answered without the result. The action lives on. */
  detach(action: Action, call: OpenCall): void {
    if (!action.calls.delete(call)) return;
    if (action.delivered && action.calls.size === 0) this.#remove(action);
    action.changes.emit();
  }

  /** The result was written out to this call. The action goes with the last attached one. */
  deliver(action: Action, call: OpenCall): void {
    action.delivered = true;
    this.forget(action);
    if (action.calls.has(call)) this.detach(action, call);
    else if (action.calls.size === 0) this.#remove(action);
  }

  /** An owner lets action `number` through. `chat`, where given, must be the action's; `changed`: another text. */
  approve(number: number, by: string, chat?: ChatRef, changed?: ChangedText): DecisionResult {
    const decision: Decision = { kind: "approved", by, ...(changed && { changedFrom: changed.changedFrom }) };
    return this.#decide(number, chat, { event: "decide", decision }, changed);
  }

  reject(number: number, by: string, chat?: ChatRef, reason?: string): DecisionResult {
    return this.#decide(number, chat, {
      event: "reject",
      by,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  /** An owner answers question `number`. */
  answer(number: number, answer: Answer, chat?: ChatRef): DecisionResult {
    return this.#decide(number, chat, { event: "answer", ...answer });
  }

  /** Counts a card of something that is no action. Throws `ActionRefused` when it is one too many. */
  countCard(): void {
    if (this.stopping) throw new ActionRefused(STOPPING);
    this.#limits.card(this.#options.clock.elapsed());
  }

  /** Rejects all that the agent asked for and is pending, also what has no card yet. */
  rejectAll(by: string, reason: string): void {
    for (const action of this.all())
      if (!action.isIncoming) this.#apply(action, { event: "reject", by, reason });
  }

  /**
   * The chat was left. What is pending for it is rejected; what has no card yet gets none. By nobody in mode `host`,
   * where nothing is pending. `isGone`: it was deleted here, so that another chat may get its number.
   */
  leftChat(
    chat: ChatRef,
    { by, reason, isGone }: { by: string | undefined; reason: string; isGone: boolean },
  ): void {
    for (const action of this.all()) {
      if (action.chat !== chat) continue;
      if (isGone) action.chatGone = true;
      if (by !== undefined) this.#apply(action, { event: "reject", by, reason });
    }
  }

  /** Resolves when what was just asked for about the chat has its card, or needs none. */
  async introduced(chat: ChatRef): Promise<void> {
    const introductions = [...this.#introductions].filter(([action]) => action.chat === chat);
    await Promise.allSettled(introductions.map(([, introduction]) => introduction));
  }

  /** Expires what is due, and forgets decided actions that nobody came back for. */
  expireDue(): void {
    const { clock } = this.#options;
    const [now, elapsed] = [clock.now(), clock.elapsed()];
    for (const action of this.all()) {
      // Whichever is due first: the clock may have been set back.
      if (now < action.expires && elapsed < action.expiresElapsed) continue;
      if (this.#apply(action, { event: "expire" })) continue;
      if (isFinal(action.state) && action.calls.size === 0) this.#remove(action);
    }
  }

  /**
   * Cancels what is pending, interrupts what is performed, and resolves with the number of such actions when
   * their outcomes were shown. No action can be made after it.
   */
  async stop(): Promise<number> {
    this.#tick.stop();
    let stopped = 0;
    for (const action of this.all()) if (this.#apply(action, { event: "stop" })) stopped += 1;
    this.#stop.abort();
    await Promise.allSettled([...this.#outcomes]);
    return stopped;
  }

  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  #decide(
    number: number,
    chat: ChatRef | undefined,
    event: ActionEvent,
    changed?: ChangedText,
  ): DecisionResult {
    const action = this.numbered(number);
    const isPaused = this.#options.pause.current !== undefined;
    const hindrance = hindranceOf(action, event, { chat, isPaused });
    if (!action || hindrance) return hindrance ?? "not pending";
    if (changed) action.adopt(changed);
    this.#apply(action, event);
    if (event.event === "decide") {
      this.#limits.approved(action, this.#options.clock.elapsed());
      void this.#perform(action, event.decision);
    }
    return "done";
  }

  #make(request: NewAction): Action {
    if (isOutward(request.fields)) this.#options.pause.check();
    this.#limits.checkRoom(request, this.all());
    const refusal = this.#refusal(request.fields);
    if (refusal !== undefined) throw new ActionRefused(refusal);
    const { clock, expireHours } = this.#options;
    this.#limits.asked(request, clock.elapsed());
    const action = Action.of(request, { number: this.#next++, clock, expireHours });
    this.add(action);
    this.#tick.start();
    return action;
  }

  #refusal(fields: ActionFields): string | undefined {
    if (this.stopping) return STOPPING;
    return this.#options.board.refusal(this.#next, fields);
  }

  #introduced(action: Action, request: NewAction): Promise<void> {
    const introduction = this.#introduce(action, request).finally(() => this.#introductions.delete(action));
    this.#introductions.set(action, introduction);
    return introduction;
  }

  async #introduce(action: Action, { preapproval }: NewAction): Promise<void> {
    try {
      await this.#options.board.saveCounter(action.number + 1);
      const decision = await preapproval?.();
      // Stopped meanwhile, or nobody waits for it any more: it never came to exist.
      if (action.state.state !== "pending") return;
      if (action.calls.size === 0 && !action.isIncoming) {
        this.#remove(action);
        return;
      }
      if (decision) {
        this.#limits.act(this.#options.clock.elapsed());
        this.#apply(action, { event: "decide", decision });
        void this.#perform(action, decision);
        return;
      }
      if (preapproval) this.#limits.card(this.#options.clock.elapsed());
      action.hasCard = true;
      action.cardItem = await this.#options.board.postCard(action);
    } catch (error) {
      // It ended meanwhile.
      if (action.state.state !== "pending") return;
      this.#remove(action);
      throw error instanceof ActionRefused
        ? error
        : new ActionRefused(`The request could not be shown to your owner: ${explain(error)}`);
    }
  }

  async #perform(action: Action, decision: Decision): Promise<void> {
    try {
      if (isOutward(action.fields)) this.#options.pause.check();
      await action.work.perform({ action, decision, stop: this.#stop.signal });
      this.#apply(action, { event: "performed" });
    } catch (error) {
      const message = explain(error);
      if (this.#apply(action, { event: "perform failed", error: message })) {
        this.#options.log(`Action ${action.number} failed: ${message}`);
      }
    }
  }

  #apply(action: Action, event: ActionEvent): boolean {
    const next = nextState(action.state, event);
    if (!next) return false;
    action.state = next;
    if (isFinal(next)) {
      const outcome = this.#options.board.showOutcome(action);
      this.#outcomes.add(outcome);
      void outcome.finally(() => this.#outcomes.delete(outcome));
      // There is nobody to deliver it to.
      if (action.isIncoming) this.#remove(action);
    }
    action.changes.emit();
    return true;
  }

  #remove(action: Action): void {
    if (!this.drop(action)) return;
    action.work.dispose();
    if (this.isEmpty) this.#tick.stop();
  }
}
