import { type Clock, sleep } from "../../time/clock.js";
import type { MessageBubble } from "../screen/bubble.js";
import { onSide, type Side, sideWidth, usableWidth } from "../screen/columns.js";
import { renderBubble } from "../screen/render.js";
import { type Line, paint, span, wrap } from "../screen/style.js";
import type { DemoWorld } from "../world/world.js";
import type { Arguments, CallResult, TourAgent } from "./agent.js";

/** A call that runs. */
export interface RunningCall {
  readonly result: Promise<CallResult>;
  /** Resolves when the call waits for something, or is over. */
  readonly waiting: Promise<void>;
}

export interface StageOptions {
  readonly world: DemoWorld;
  readonly agent: TourAgent;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly colour: boolean;
  /** Columns of the terminal, where it is one. */
  readonly columns: number | undefined;
  /** How long the owner reads before answering, in milliseconds. */
  readonly readMs: number;
}

/** Where the tour is acted: the agent's calls on the left, the owner's phone on the right. */
export class Stage {
  readonly #options: StageOptions;
  readonly #width: number;
  /** Something stands below the last title. */
  #begun = false;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#width = usableWidth(options.columns);
    options.world.phone.onBubble((bubble) => {
      const width = sideWidth(this.#width);
      this.#put(
        "right",
        renderBubble(bubble, { colour: options.colour, width, now: options.clock.now(), margin: "  " }),
      );
    });
  }

  /** A line across both sides. */
  title(text: string): void {
    this.#print([]);
    for (const line of wrap([span(text, "strong")], this.#width)) this.#print(line);
    this.#begun = false;
  }

  heads(left: string, right: string): void {
    const [first = []] = onSide("left", [[span(left, "dim")]], this.#width);
    this.#print([...first, span(right, "dim")]);
  }

  /** The agent calls a tool. */
  call(tool: string, args: Arguments): RunningCall {
    this.#put("left", [...(this.#begun ? [[]] : []), [span(tool, "strong"), span(` ${compact(args)}`)]]);
    let waits: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    const result = this.#options.agent.call(tool, args, (progress) => {
      this.#put("left", [[span(`… ${progress}`, "dim")]]);
      waits();
    });
    const shown = result.then((answer) => {
      const mark = answer.isError ? span("✗ ", "bad") : span("→ ", "good");
      this.#put("left", [[mark, span(compact(withoutTimes(answer.result)))]]);
      return answer;
    });
    const ready = Promise.race([waiting, shown.then(() => undefined)]);
    // A call that fails tells it by its result; not every flow looks at both.
    ready.catch(() => undefined);
    return { result: shown, waiting: ready };
  }

  /** The next message of the agent on the owner's phone that begins so. */
  async message(begins: string): Promise<MessageBubble> {
    return await this.#options.world.phone.next(({ own, text }) => !own && text.startsWith(begins));
  }

  /** The owner writes a message, or taps a command. */
  async type(text: string): Promise<void> {
    await sleep(this.#options.clock, this.#options.readMs);
    await this.#options.world.phone.send(text);
  }

  /** Somebody in the hiking group writes something. */
  async chatter(): Promise<void> {
    await this.#options.world.people.chatter();
  }

  #put(side: Side, lines: readonly Line[]): void {
    this.#begun = true;
    for (const line of onSide(side, lines, this.#width)) this.#print(line);
  }

  #print(line: Line): void {
    this.#options.print(paint(line, this.#options.colour).trimEnd());
  }
}

/** JSON in one line that can be broken at blanks. Line feeds within strings are escaped, so that they stay. */
function compact(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/(?<=[{[])\n\s*|\n\s*(?=[}\]])/g, "")
    .replace(/\n\s*/g, " ");
}

/** Without the messages' times, which would fill the screen. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === "time" ? [] : [[key, withoutTimes(inner)]])),
  );
}
