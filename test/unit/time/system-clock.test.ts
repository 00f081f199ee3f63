import { describe, expect, it } from "vitest";
import { SystemClock } from "../../../src/time/system-clock.js";

const HOUR = 3_600_000;

/** A computer whose time the test moves: the wall clock, the monotonic one, and Node's timers by the latter. */
class Computer {
  wallTime = Date.UTC(2026, 11, 1);
  uptime = 1000;
  readonly #timers = new Set<{ at: number; fn: () => void }>();

  readonly source = {
    wall: () => this.wallTime,
    monotonic: () => this.uptime,
    timer: (ms: number, fn: () => void) => {
      const timer = { at: this.uptime + ms, fn };
      this.#timers.add(timer);
      return () => this.#timers.delete(timer);
    },
  };

  /** The process runs for `ms`. */
  run(ms: number): void {
    const end = this.uptime + ms;
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      this.#to(Math.max(next.at, this.uptime));
      this.#timers.delete(next);
      next.fn();
    }
    this.#to(end);
  }

  /** The computer sleeps, and its monotonic clock goes on: no timer comes meanwhile. */
  sleep(ms: number): void {
    this.#to(this.uptime + ms);
  }

  get timers(): number {
    return this.#timers.size;
  }

  #to(uptime: number): void {
    this.wallTime += uptime - this.uptime;
    this.uptime = uptime;
  }

  #next() {
    return [...this.#timers].sort((one, other) => one.at - other.at)[0];
  }
}

function started() {
  const computer = new Computer();
  const clock = new SystemClock(computer.source);
  const fired: string[] = [];
  const fireAfter = (ms: number, name: string) => clock.after(ms, () => fired.push(name));
  return { computer, clock, fired, fireAfter };
}

describe("the system's clock", () => {
  it("measures durations whatever the wall clock is set to", () => {
    const { computer, clock, fired, fireAfter } = started();
    const start = clock.elapsed();
    fireAfter(60_000, "minute");
    computer.wallTime -= HOUR;
    computer.run(59_999);
    expect(fired).toEqual([]);
    computer.run(1);
    expect(fired).toEqual(["minute"]);
    expect(clock.elapsed() - start).toBe(60_000);
    expect(clock.now()).toBe(computer.wallTime);
  });

  it("does not count the sleep of the computer while something waits", () => {
    const { computer, clock, fired, fireAfter } = started();
    const start = clock.elapsed();
    fireAfter(40 * 60_000, "stall");
    computer.run(10 * 60_000);
    computer.sleep(3 * HOUR);
    // To the length of a beat: the sleep is noticed by its being late.
    computer.run(1);
    expect(clock.elapsed() - start).toBeGreaterThanOrEqual(10 * 60_000);
    expect(clock.elapsed() - start).toBeLessThan(11 * 60_000);
    expect(fired).toEqual([]);
    computer.run(29 * 60_000);
    expect(fired).toEqual([]);
    computer.run(60_001);
    expect(fired).toEqual(["stall"]);
  });

  it("never goes back, whoever asks first after a sleep", () => {
    const { computer, clock, fireAfter } = started();
    fireAfter(60_000, "minute");
    computer.run(1000);
    computer.sleep(HOUR);
    const asked = clock.elapsed();
    computer.run(0);
    expect(clock.elapsed()).toBeGreaterThanOrEqual(asked);
    expect(clock.elapsed() - asked).toBeLessThan(60_000);
  });

  it("holds timers that are longer than Node's", () => {
    const { computer, fired, fireAfter } = started();
    const day = 24 * HOUR;
    fireAfter(30 * day, "month");
    computer.run(30 * day - 1);
    expect(fired).toEqual([]);
    computer.run(1);
    expect(fired).toEqual(["month"]);
  });

  it("leaves no timer when nothing waits", () => {
    const { computer, fired, fireAfter } = started();
    const cancel = fireAfter(1000, "cancelled");
    fireAfter(10, "short");
    cancel();
    computer.run(10);
    expect(fired).toEqual(["short"]);
    expect(computer.timers).toBe(0);
  });
});
