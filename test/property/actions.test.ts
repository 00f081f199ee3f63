import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ActionEvent, type ActionState, isFinal, nextState } from "../../src/actions/action.js";
import { ActionsMachine, type Standing, type Step } from "./actions-machine.js";

const index = fc.nat({ max: 9 });
const fails = fc.boolean();

/** Steps by how often they come: board operations and performs mostly go well, a stop is rare. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constant("call"),
      key: fc.nat({ max: 4 }),
      standing: fc.constantFrom<Standing[]>("none", "given", "ended"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("abort"), call: index }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("deliver"), call: index }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("lose"), call: index }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant("approve"), number: index }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("reject"), number: index }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant("perform ends"), perform: index, fails }) },
  {
    weight: 8,
    arbitrary: fc.record({ step: fc.constant("board answers"), operation: index, fails: fc.constant(false) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant("board answers"), operation: index, fails: fc.constant(true) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant("time"), minutes: fc.integer({ min: 0, max: 70 }) }),
  },
  { weight: 6, arbitrary: fc.constant<Step>({ step: "turn" }) },
);

/** A run, at most one stop in it. */
const run = fc
  .tuple(fc.array(step, { maxLength: 80, size: "max" }), fc.option(fc.nat({ max: 80 })))
  .map(([steps, stopAt]) =>
    stopAt === null ? steps : [...steps.slice(0, stopAt), { step: "stop" } as const, ...steps.slice(stopAt)],
  );

const event: fc.Arbitrary<ActionEvent> = fc.oneof(
  fc.record({
    event: fc.constant("decide"),
    decision: fc.record({ kind: fc.constant("approved"), by: fc.constantFrom("Alice", "Bob") }),
  }),
  fc.record({ event: fc.constant("reject"), by: fc.constantFrom("Alice", "Bob"), reason: fc.string() }),
  fc.constant<ActionEvent>({ event: "expire" }),
  fc.constant<ActionEvent>({ event: "performed" }),
  fc.record({ event: fc.constant("perform failed"), error: fc.string() }),
  fc.constant<ActionEvent>({ event: "stop" }),
);

describe("the state of an action", () => {
  it("is decided once, performed only when decided, and final once it is over", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state: ActionState = { state: "pending" };
        const way: string[] = [state.state];
        for (const one of events) {
          const next = nextState(state, one);
          if (!next) continue;
          expect(isFinal(state)).toBe(false);
          // Whoever decided stays the one who did.
          if ("decision" in state && "decision" in next) expect(next.decision).toBe(state.decision);
          state = next;
          way.push(state.state);
        }
        expect(way.length).toBeLessThanOrEqual(3);
        const ended = way.includes("done") || way.includes("failed") || way.includes("interrupted");
        if (ended) expect(way[1]).toBe("performing");
      }),
    );
  });
});

describe("actions", () => {
  it("hold their promises whatever comes in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(run, async (steps) => {
        const machine = new ActionsMachine();
        await machine.run(steps);
        expect(machine.violations).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
