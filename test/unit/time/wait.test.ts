import { describe, expect, it } from "vitest";
import { Changes, nextChange } from "../../../src/time/wait.js";
import { FakeClock } from "../../world/clock.js";
import { settle } from "../actions/support.js";

function waiting({ ms, signal }: { ms?: number; signal?: AbortSignal } = {}) {
  const clock = new FakeClock({ settle });
  const changes = new Changes();
  const end = nextChange(changes.subscribe, {
    clock,
    ...(ms === undefined ? {} : { until: clock.elapsed() + ms }),
    ...(signal ? { signal } : {}),
  });
  return { clock, changes, end };
}

describe("waiting for a change", () => {
  it("ends with the change, and leaves no timer and no listener", async () => {
    const abort = new AbortController();
    const { clock, changes, end } = waiting({ ms: 1000, signal: abort.signal });
    changes.emit();
    expect(await end).toBe("changed");
    expect(clock.timers).toBe(0);
    changes.emit();
    abort.abort();
  });

  it("ends when its time is over", async () => {
    const { clock, end } = waiting({ ms: 1000 });
    let ended: string | undefined;
    void end.then((why) => {
      ended = why;
    });
    await clock.advance(999);
    await settle();
    expect(ended).toBeUndefined();
    await clock.advance(1);
    expect(await end).toBe("time");
  });

  it("ends at once when its time was over before", async () => {
    const { clock, end } = waiting({ ms: -5 });
    await clock.advance(0);
    expect(await end).toBe("time");
  });

  it("ends with the abort, also one that came before", async () => {
    const abort = new AbortController();
    const { end } = waiting({ signal: abort.signal });
    abort.abort();
    expect(await end).toBe("aborted");
    expect(await waiting({ ms: 1, signal: abort.signal }).end).toBe("aborted");
  });

  it("takes the first of what comes", async () => {
    const abort = new AbortController();
    const { changes, end } = waiting({ ms: 1000, signal: abort.signal });
    changes.emit();
    abort.abort();
    expect(await end).toBe("changed");
  });
});

describe("changes", () => {
  it("reach every listener, also when one leaves at its turn", () => {
    const changes = new Changes();
    const heard: string[] = [];
    const leave = changes.subscribe(() => {
      heard.push("first");
      leave();
    });
    changes.subscribe(() => heard.push("second"));
    changes.emit();
    changes.emit();
    expect(heard).toEqual(["first", "second", "second"]);
  });
});
