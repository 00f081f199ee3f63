import type { Clock } from "../time/clock.js";
import { Changes } from "../time/wait.js";
import {
  type ActionFields,
  type ActionState,
  actionChat,
  type ChatRef,
  type Decision,
  type IncomingFields,
  isIncoming,
  type ToolName,
} from "./action.js";

const HOUR_MS = 3_600_000;

/** A tool call that waits for an action. Its identity is what counts. */
export interface OpenCall {
  readonly signal: AbortSignal;
}

/** What an action does, and what it holds until its result is delivered. Made by its tool. */
export interface Work {
  /** Does it, once. Rejects with the reason when it was not done. `stop` aborts when the server stops. */
  perform(context: { action: Action; decision: Decision; stop: AbortSignal }): Promise<void>;
  /** What it would be with another text, where it has one. */
  revise?(text: string): Revision | undefined;
  /** Ends what it holds. */
  dispose(): void;
}

/** An action with an owner's text instead of the agent's. */
export interface Revision {
  fields: ActionFields;
  /** By how many bytes the text is too long to be sent; 0 when it fits. */
  excess: number;
  /** The work does that from now on. */
  adopt(): void;
}

/** `changedFrom`: what the card shows of the agent's text. */
export interface ChangedText extends Revision {
  changedFrom: string;
}

/** Where owners see actions. Implemented by the control chat. */
export interface Board {
  /** Why no action can be asked for now, or why this one's card could not be shown; one sentence for the agent. */
  refusal(number: number, fields: ActionFields): string | undefined;
  /** Persists that numbers below `next` are used. */
  saveCounter(next: number): Promise<void>;
  /** Posts the card; resolves with its item in the control chat once the core has taken it. */
  postCard(action: Action): Promise<number>;
  /** Shows how the action ended, on its card or as a message. Never rejects. */
  showOutcome(action: Action): Promise<void>;
}

export interface NewAction {
  key: string;
  fields: ActionFields;
  /** The agent's own words, for `list`. */
  input: Record<string, unknown>;
  work: Work;
  /** Given where no card may be needed; asked once the number is saved: what lets the action through then. */
  preapproval?: () => Promise<Decision | undefined>;
}

/** What others ask of the agent: no call waits for it, and it goes when it is over. */
export type RaisedAction = Pick<NewAction, "key" | "work"> & { fields: IncomingFields };

/** A new action was refused; the message says why and what to do, to the agent. */
export class ActionRefused extends Error {
  override name = "ActionRefused";
}

/** One outward act that the agent asked for. */
export class Action {
  state: ActionState = { state: "pending" };
  /** True once a card was asked for: the board has something to change at the end. */
  hasCard = false;
  /** The item of the card once the core has taken it: decisions count from then on. */
  cardItem: number | undefined;
  /** The result reached an agent: the same call later is a new action. */
  delivered = false;
  /** Its chat was left since: another chat may have the number now. */
  chatGone = false;
  readonly calls = new Set<OpenCall>();
  readonly changes = new Changes();

  constructor(
    readonly number: number,
    readonly key: string,
    /** Another one when an owner wrote its text anew. */
    public fields: ActionFields,
    readonly input: Record<string, unknown>,
    readonly work: Work,
    /** Milliseconds since 1970. */
    readonly created: number,
    readonly expires: number,
    /** The same, by `clock.elapsed`. */
    readonly expiresElapsed: number,
  ) {}

  /** A new one, that expires so many hours from now. */
  static of(
    { key, fields, input, work }: NewAction,
    { number, clock, expireHours }: { number: number; clock: Clock; expireHours: number },
  ): Action {
    const [now, elapsed, span] = [clock.now(), clock.elapsed(), expireHours * HOUR_MS];
    return new Action(number, key, fields, input, work, now, now + span, elapsed + span);
  }

  /** It is that from now on. */
  adopt(revision: Revision): void {
    this.fields = revision.fields;
    revision.adopt();
  }

  /** Nobody's call asked for it. */
  get isIncoming(): boolean {
    return isIncoming(this.fields);
  }

  get tool(): ToolName {
    return this.fields.tool;
  }

  get chat(): ChatRef | undefined {
    return actionChat(this.fields);
  }
}
