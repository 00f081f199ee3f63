import type { Clock } from "../../src/time/clock.js";

/** Stands still but for `moveTo`; timers that come due run in order, each at its own time. */
export class ReplayClock implements Clock {
  private time: number;
  private timers: { at: number; fn: () => void }[] = [];

  /** `start`: when the recording began, ms since 1970. */
  constructor(private readonly start: number) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  elapsed(): number {
    return this.time - this.start;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.time + ms, fn };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** `t`: ms since the recording began. Time never goes back. */
  moveTo(t: number): void {
    const target = Math.max(this.start + t, this.time);
    for (let due = this.nextDue(target); due !== undefined; due = this.nextDue(target)) {
      this.time = Math.max(this.time, due.at);
      this.timers = this.timers.filter((other) => other !== due);
      due.fn();
    }
    this.time = target;
  }

  private nextDue(target: number): { at: number; fn: () => void } | undefined {
    return this.timers.filter(({ at }) => at <= target).sort((a, b) => a.at - b.at)[0];
  }
}
