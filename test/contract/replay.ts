import type { CoreJson } from "../../src/core/api/chat-api.js";
import { compare, type Mismatch } from "./compare.js";
import { isAllowed, isFloating, isIgnored, isUnrecorded } from "./differences.js";
import { canBe, roughSignature, signature, source } from "./signature.js";
import type { Line, Transcript } from "./transcript.js";
import type { Translation } from "./translation.js";
import type { Arrival, World } from "./world.js";

/** What happened in a recording besides its lines. */
export interface Plan {
  /** Before the first line: users and what they had made. */
  setUp?: (world: World) => Promise<void>;
  /** Steps that were not recorded, each run before the line of its number. */
  before?: Record<number, (world: World) => Promise<void>>;
  /** Whose events were recorded; everybody's when absent. */
  observed?: readonly string[];
  /** Types of events that the recording leaves out. */
  leftOut?: readonly string[];
  /** First and last of lines that are not played; the plan says why. */
  skip?: readonly (readonly [first: number, last: number])[];
  /** Several people act at once: only the order of the events of one connection is told by the recording. */
  interleaved?: boolean;
  /** The commands behind a line of another shape, with as much of their answers as it tells. */
  probe?: (line: Line, translation: Translation) => Probe[];
}

export interface Probe {
  who: string;
  /** With the ids and links of the recording. */
  cmd: string;
  /** The type of the answer; an error when absent. */
  type?: string;
  error?: unknown;
}

/** A mismatch and the line it is at. */
export interface Finding extends Mismatch {
  scenario: string;
  line: number;
  who: string;
  /** The command, or the type of the event. */
  what: string;
}

interface Expected {
  line: number;
  event: CoreJson;
}

/** The line of a recorded event and the place of the simulated one among its user's events. */
interface Match {
  line: number;
  order: number;
  event: CoreJson;
}

/** A pause of the recording after which everything under way had arrived, ms. */
const PAUSE = 400;

/** Feeds a recording to a simulated world and finds where its answers and events are not as recorded. */
export async function replay(transcript: Transcript, plan: Plan, world: World): Promise<Finding[]> {
  const run = new Replay(transcript, plan, world);
  await run.play();
  return run.findings;
}

class Replay {
  readonly findings: Finding[] = [];
  /** Recorded events without a simulated one so far, of each user. */
  private readonly missing = new Map<string, Expected[]>();
  /** Lines of events with the order of what they were matched to, of each user. */
  private readonly matched = new Map<string, Match[]>();

  constructor(
    private readonly transcript: Transcript,
    private readonly plan: Plan,
    private readonly world: World,
  ) {}

  async play(): Promise<void> {
    await this.plan.setUp?.(this.world);
    let before = 0;
    for (const line of this.transcript.lines) {
      if (this.plan.skip?.some(([first, last]) => line.number >= first && line.number <= last)) continue;
      const t = line.t ?? before;
      if (t - before >= PAUSE) await this.world.idle();
      this.world.clock.moveTo(t);
      await this.plan.before?.[line.number]?.(this.world);
      await this.playLine(line);
      before = t;
    }
    await this.world.idle();
    this.finish();
  }

  private async playLine(line: Line): Promise<void> {
    const { who, cmd, event } = line;
    for (const probe of this.plan.probe?.(line, this.world.translation) ?? [])
      await this.playProbe(probe, line);
    if (who === undefined) return;
    if (cmd !== undefined) await this.playCommand(who, cmd, line);
    else if (event !== undefined && !isIgnored(event.type)) await this.playEvent(who, event, line.number);
  }

  private async playCommand(who: string, recorded: string, line: Line): Promise<void> {
    await this.catchUp();
    const command = this.world.translation.command(who, recorded);
    const answer = await this.answerTo(who, command);
    const wanted = line.resp === undefined ? { error: line.error } : { answer: line.resp };
    const type = line.resp?.type ?? "error";
    this.note(line.number, who, recorded, type, compare(who, wanted, answer, this.world.translation));
  }

  /** What was recorded before a command has to be there before it is sent. */
  private async catchUp(): Promise<void> {
    const waiting = [...this.missing].flatMap(([who, events]) => {
      return events.filter(({ event }) => !isFloating(event.type)).map(({ event }) => ({ who, event }));
    });
    await this.world.pump(() =>
      waiting.every(({ who, event }) => this.find(who, event, false) !== undefined),
    );
    for (const who of this.missing.keys()) this.matchAll(who, false);
  }

  private async playProbe({ who, cmd, type, error }: Probe, line: Line): Promise<void> {
    const answer = await this.answerTo(who, this.world.translation.command(who, cmd));
    const wanted = type === undefined ? { error } : { answer: { type } };
    const given = "answer" in answer ? { answer: { type: answer.answer.type } } : answer;
    this.note(line.number, who, cmd, type ?? "error", compare(who, wanted, given, this.world.translation));
  }

  private async answerTo(who: string, command: string): Promise<{ answer: CoreJson } | { error: unknown }> {
    try {
      const starting = command === "/_start main=on";
      return { answer: await (starting ? this.world.start(who) : this.world.run(who, command)) };
    } catch (error) {
      return { error: (error as { chatError?: unknown }).chatError ?? String(error) };
    }
  }

  private async playEvent(who: string, event: CoreJson, line: number): Promise<void> {
    this.matchAll(who, false);
    const expected = { line, event };
    listOf(this.missing, who).push(expected);
    await this.world.pump(() => this.find(who, event, false) !== undefined);
    this.matchAll(who, false);
  }

  /** Matches recorded events to simulated ones, in their order; `rough` when they need not be quite the same. */
  private matchAll(who: string, rough: boolean): void {
    const still: Expected[] = [];
    for (const expected of listOf(this.missing, who)) {
      const arrival = this.find(who, expected.event, rough);
      if (arrival === undefined) still.push(expected);
      else this.match(who, expected, arrival);
    }
    this.missing.set(who, still);
  }

  private find(who: string, event: CoreJson, rough: boolean): Arrival | undefined {
    const { translation } = this.world;
    const sign = rough ? roughSignature : signature;
    const wanted = rough ? roughSignature(event) : signature(event, translation);
    return this.arrivals(who).find((arrival) => {
      return sign(arrival.event) === wanted && (rough || canBe(event, arrival.event, who, translation));
    });
  }

  private match(who: string, { line, event }: Expected, arrival: Arrival): void {
    const arrivals = this.arrivals(who);
    arrivals.splice(arrivals.indexOf(arrival), 1);
    if (!isFloating(event.type)) {
      listOf(this.matched, who).push({ line, order: arrival.order, event });
    }
    this.note(line, who, event.type, event.type, compare(who, event, arrival.event, this.world.translation));
  }

  private arrivals(who: string): Arrival[] {
    return listOf(this.world.arrivals, who);
  }

  private finish(): void {
    for (const who of this.plan.observed ?? this.world.arrivals.keys()) {
      this.matchAll(who, false);
      this.matchAll(who, true);
      this.checkOrder(who);
      for (const { line, event } of listOf(this.missing, who)) {
        this.add(line, who, event.type, {
          path: "",
          recorded: signature(event),
          simulated: undefined,
          note: "no such event",
        });
      }
      this.reportRest(who);
    }
    for (const arrivals of this.world.arrivals.values()) arrivals.length = 0;
  }

  /** What the simulated run has beyond the recorded one. */
  private reportRest(who: string): void {
    for (const { event } of this.arrivals(who)) {
      const simulated = signature(event);
      if (isIgnored(event.type) || this.plan.leftOut?.includes(event.type)) continue;
      if (isUnrecorded(this.transcript.name, who, simulated)) continue;
      this.add(0, who, event.type, { path: "", recorded: undefined, simulated, note: "not recorded" });
    }
  }

  private checkOrder(who: string): void {
    const matched = listOf(this.matched, who).sort((a, b) => a.line - b.line);
    const latest = new Map<string, Match>();
    for (const one of matched) {
      const lane = this.plan.interleaved ? source(one.event) : "";
      const before = latest.get(lane);
      if (before !== undefined && one.order < before.order) {
        const note = `comes before the ${before.event.type} of line ${before.line}`;
        this.add(one.line, who, one.event.type, {
          path: "",
          recorded: undefined,
          simulated: undefined,
          note,
        });
      } else latest.set(lane, one);
    }
  }

  private note(line: number, who: string, what: string, type: string, mismatches: Mismatch[]): void {
    const place = { scenario: this.transcript.name, line, who, type };
    for (const mismatch of mismatches) if (!isAllowed(mismatch, place)) this.add(line, who, what, mismatch);
  }

  private add(line: number, who: string, what: string, mismatch: Mismatch): void {
    this.findings.push({ ...mismatch, scenario: this.transcript.name, line, who, what });
  }
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
