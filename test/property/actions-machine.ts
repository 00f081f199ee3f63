import { isFinal } from "../../src/actions/action.js";
import {
  type Action,
  ActionRefused,
  Actions,
  type Board,
  type OpenCall,
  type Work,
} from "../../src/actions/actions.js";
import { nextChange } from "../../src/time/wait.js";
import { FakeClock } from "../world/clock.js";

/** Whether a standing approval is asked for, and is there once the number is saved. */
export type Standing = "none" | "given" | "ended";

/** One thing that happens. Numbers choose among what there is at that moment, modulo how much there is. */
export type Step =
  | { step: "call"; key: number; standing: Standing }
  | { step: "abort"; call: number }
  | { step: "deliver"; call: number }
  | { step: "lose"; call: number }
  | { step: "approve"; number: number }
  | { step: "reject"; number: number }
  | { step: "perform ends"; perform: number; fails: boolean }
  | { step: "board answers"; operation: number; fails: boolean }
  | { step: "time"; minutes: number }
  | { step: "stop" }
  /** Whether what settled meanwhile is seen before the next step. */
  | { step: "turn" };

/** An operation that is under way, and ends when a step says so. */
interface Open {
  resolve: () => void;
  reject: (error: Error) => void;
}

interface Call extends OpenCall {
  readonly abort: () => void;
  readonly key: number;
  /** The action it waits for. */
  action?: Action;
  /** It was told that the action is over. */
  told: boolean;
  /** It has its answer, or is gone. */
  ended: boolean;
}

const EXPIRE_HOURS = 1;
const LIMITS = { pending: 4, cardsPerMinute: 3 };

/** `Actions` among a board, works and calls that are driven step by step, with what must always hold. */
export class ActionsMachine implements Board {
  readonly violations: string[] = [];
  readonly #clock = new FakeClock({ settle });
  readonly #actions = new Actions({
    board: this,
    pause: { check: () => undefined, current: undefined },
    clock: this.#clock,
    firstNumber: 1,
    expireHours: EXPIRE_HOURS,
    log: () => undefined,
    limits: LIMITS,
  });
  readonly #calls: Call[] = [];
  readonly #operations: Open[] = [];
  readonly #performs: Open[] = [];
  readonly #saved = new Set<number>();
  /** When each card was asked for: its posting may take longer. */
  readonly #cards = new Map<number, number>();
  readonly #taken = new Set<number>();
  readonly #decided = new Set<number>();
  readonly #shown = new Map<Action, number>();
  readonly #delivered = new Set<Action>();
  #stop: Promise<number> | undefined;

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#take(step);
      this.#checkKeys();
    }
    await this.#finish();
  }

  // The board

  refusal(): string | undefined {
    return undefined;
  }

  async saveCounter(next: number): Promise<void> {
    await this.#operation();
    this.#saved.add(next - 1);
  }

  async postCard({ number, created, input }: Action): Promise<number> {
    this.#expect(!this.#cards.has(number), `two cards of action ${number}`);
    this.#expect(this.#saved.has(number), `a card of action ${number} before its number was saved`);
    this.#expect(!this.#stop, `a card of action ${number} after the stop`);
    const asked = input.standing === "none" ? created : this.#clock.now();
    this.#cards.set(number, asked);
    await this.#operation();
    this.#taken.add(number);
    return number;
  }

  async showOutcome(action: Action): Promise<void> {
    this.#shown.set(action, (this.#shown.get(action) ?? 0) + 1);
    this.#expect(
      isFinal(action.state),
      `action ${action.number} shown as over in state ${action.state.state}`,
    );
  }

  // Steps

  async #take(step: Step): Promise<void> {
    switch (step.step) {
      case "call":
        return this.#call(step.key, step.standing);
      case "abort":
        return this.#pick(this.#waiting(), step.call)?.abort();
      case "deliver":
        return this.#deliver(this.#pick(this.#answerable(), step.call));
      case "lose":
        return this.#lose(this.#pick(this.#answerable(), step.call));
      case "approve":
        return this.#decide(step.number, (number) => this.#actions.approve(number, "Alice"));
      case "reject":
        return this.#decide(step.number, (number) => this.#actions.reject(number, "Alice"));
      case "perform ends":
        return end(this.#performs, step.perform, step.fails);
      case "board answers":
        return end(this.#operations, step.operation, step.fails);
      case "time":
        return await this.#clock.advance(step.minutes * 60_000);
      case "stop":
        this.#stop ??= this.#actions.stop();
        return;
      case "turn":
        return await settle();
    }
  }

  #call(key: number, standing: Standing): void {
    const controller = new AbortController();
    const call: Call = {
      key,
      signal: controller.signal,
      abort: () => {
        call.ended = true;
        controller.abort();
      },
      told: false,
      ended: false,
    };
    this.#calls.push(call);
    void this.#wait(call, standing);
  }

  /** Waits as the tools do: the change of the action is what they go by. */
  async #wait(call: Call, standing: Standing): Promise<void> {
    const before = new Set(this.#delivered);
    const pending = this.#pending();
    const { work, performed } = this.#work();
    const request = {
      key: `key ${call.key}`,
      fields: FIELDS,
      input: { standing },
      work,
      ...preapproval(standing),
    };
    try {
      const action = await this.#actions.open(request, call);
      this.#expect(!action || !before.has(action), "a delivered action came back");
      if (!action) {
        call.ended = true;
        return;
      }
      call.action = action;
      while (!isFinal(action.state)) await nextChange(action.changes.subscribe, { clock: this.#clock });
      call.told = true;
    } catch (error) {
      call.ended = true;
      this.#expect(error instanceof ActionRefused, `a call failed with ${String(error)}`);
      this.#expect(performed() === 0, "refused although it was performed");
      const full = pending >= LIMITS.pending;
      this.#expect(
        full || !String(error).includes("pending already"),
        "refused for lack of room where there is some",
      );
    }
  }

  #work(): { work: Work; performed: () => number } {
    let performed = 0;
    let disposed = 0;
    const work: Work = {
      perform: async ({ action, decision }) => {
        performed += 1;
        this.#expect(performed === 1, `action ${action.number} performed twice`);
        this.#expect(disposed === 0, `action ${action.number} performed after it was gone`);
        this.#expect(
          this.#saved.has(action.number),
          `action ${action.number} performed before its number was saved`,
        );
        this.#expect(!this.#stop, `action ${action.number} performed after the stop`);
        this.#expect(action.state.state === "performing", `performed in state ${action.state.state}`);
        const approved =
          decision.kind === "approved" ? this.#taken.has(action.number) : decision.kind === "standing";
        this.#expect(approved, `action ${action.number} performed without a decision`);
        await new Promise<void>((resolve, reject) => this.#performs.push({ resolve, reject }));
      },
      dispose: () => {
        disposed += 1;
        this.#expect(disposed === 1, "work disposed of twice");
      },
    };
    return { work, performed: () => performed };
  }

  #decide(chosen: number, decide: (number: number) => unknown): void {
    // Owners answer what they see: cards, also old ones.
    const number = this.#pick([...this.#cards.keys()], chosen);
    if (number === undefined || decide(number) !== "done") return;
    this.#expect(!this.#decided.has(number), `action ${number} decided twice`);
    this.#decided.add(number);
  }

  #deliver(call: Call | undefined): void {
    if (!call?.action) return;
    call.ended = true;
    this.#delivered.add(call.action);
    this.#actions.deliver(call.action, call);
  }

  #lose(call: Call | undefined): void {
    if (!call?.action) return;
    call.ended = true;
    this.#actions.detach(call.action, call);
  }

  /** Everything that is under way ends well, owners answer all cards, every call gets its result. */
  async #finish(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await this.#drain();
      for (const number of this.#cards.keys())
        this.#decide(this.#indexOf(number), (one) => this.#actions.approve(one, "Bob"));
    }
    await this.#drain();
    for (const call of this.#waiting()) {
      const state = call.action?.state.state ?? "nothing";
      this.#expect(call.told, `a call waits for ever, for ${state}`);
      this.#deliver(call);
    }
    await this.#clock.advance((EXPIRE_HOURS * 60 + 1) * 60_000);
    await this.#drain();
    // A server that stopped checks no more: what nobody came back for goes with it.
    if (!this.#stop) this.#expect(this.#actions.all().length === 0, "an action is left when all is over");
    this.#expect(this.#clock.timers === 0, "a timer is left when all is over");
    const asked = [...this.#cards.values()].sort((one, other) => one - other);
    const crowded = asked.some((time, i) => time - (asked[i - LIMITS.cardsPerMinute] ?? -60_000) < 60_000);
    this.#expect(!crowded, "too many cards in a minute");
    for (const [action, times] of this.#shown)
      this.#expect(times === 1, `action ${action.number} shown ${times} times`);
  }

  async #drain(): Promise<void> {
    for (;;) {
      await settle();
      if (this.#performs.length + this.#operations.length === 0) return;
      while (this.#operations.length > 0) end(this.#operations, 0, false);
      while (this.#performs.length > 0) end(this.#performs, 0, false);
    }
  }

  #checkKeys(): void {
    const open = this.#actions.all().filter(({ delivered }) => !delivered);
    this.#expect(new Set(open.map(({ key }) => key)).size === open.length, "two open actions of one key");
    this.#expect(this.#pending() <= LIMITS.pending, "more are pending than allowed");
  }

  /** Those whose card is not asked for yet included. */
  #pending(): number {
    return this.#actions.all().filter(({ state }) => state.state === "pending").length;
  }

  #waiting(): Call[] {
    return this.#calls.filter(({ ended }) => !ended);
  }

  #answerable(): Call[] {
    return this.#waiting().filter(({ told }) => told);
  }

  #indexOf(number: number): number {
    return [...this.#cards.keys()].indexOf(number);
  }

  #pick<T>(among: readonly T[], chosen: number): T | undefined {
    return among[chosen % Math.max(1, among.length)];
  }

  #operation(): Promise<void> {
    return new Promise((resolve, reject) => this.#operations.push({ resolve, reject }));
  }

  #expect(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation);
  }
}

const FIELDS = { tool: "leave", chat: "#15", kind: "group", name: "Trail" } as const;

function preapproval(standing: Standing) {
  if (standing === "none") return {};
  const decision = standing === "given" ? ({ kind: "standing", by: "Alice" } as const) : undefined;
  return { preapproval: async () => decision };
}

function end(open: Open[], chosen: number, fails: boolean): void {
  const [one] = open.splice(chosen % Math.max(1, open.length), 1);
  if (fails) one?.reject(new Error("no network"));
  else one?.resolve();
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 12; turns += 1) await Promise.resolve();
}
