import { describe, expect, it } from "vitest";
import type { IncomingFields } from "../../../src/actions/action.js";
import { type Action, ActionRefused } from "../../../src/actions/actions.js";
import { FakeCall, FakeWork, newActions, request, settle } from "./support.js";

const HOUR = 3_600_000;
const bob: IncomingFields = { tool: "request", chat: "@7", kind: "contact", name: "Bob" };

async function raised(options: Parameters<typeof newActions>[0] = {}) {
  const around = newActions(options);
  const work = new FakeWork();
  const action = await around.actions.raise({ key: "bob", fields: bob, work });
  return { ...around, work, action };
}

/** Nothing is held for it any more. */
function expectGone({
  actions,
  work,
  action,
}: { work: FakeWork; action: Action } & ReturnType<typeof newActions>) {
  expect(actions.all()).toEqual([]);
  expect(actions.find(action.key)).toBeUndefined();
  expect(work.disposed).toBe(1);
  expect(actions.approve(action.number, "Alice")).toBe("not pending");
}

describe("an action that others raise", () => {
  it("has its number saved and its card posted, and waits for no call", async () => {
    const { board, actions, action } = await raised({ firstNumber: 7 });
    expect(board.told).toEqual(["save 8", "card 7"]);
    expect(actions.pending()).toEqual([action]);
  });

  it("goes as soon as it is done", async () => {
    const around = await raised();
    expect(around.actions.approve(1, "Alice")).toBe("done");
    await settle();
    expect(around.actions.all()).toEqual([around.action]);
    around.work.performing.resolve();
    await settle();
    expect(around.board.told.at(-1)).toBe("done 1");
    expectGone(around);
  });

  it("goes as soon as it failed", async () => {
    const around = await raised();
    around.actions.approve(1, "Alice");
    around.work.performing.reject(new Error("gone"));
    await settle();
    expect(around.board.told.at(-1)).toBe("failed 1");
    expectGone(around);
  });

  it("goes with a rejection, and is not performed", async () => {
    const around = await raised();
    expect(around.actions.reject(1, "Alice")).toBe("done");
    await settle();
    expect(around.board.told.at(-1)).toBe("rejected 1");
    expect(around.work.performed).toBe(0);
    expectGone(around);
  });

  it("goes with its expiry", async () => {
    const around = await raised({ expireHours: 2 });
    await around.clock.advance(2 * HOUR + 60_000);
    expect(around.board.told.at(-1)).toBe("expired 1");
    expectGone(around);
  });

  it("is cancelled by a stop like others", async () => {
    const around = await raised();
    expect(await around.actions.stop()).toBe(1);
    expect(around.board.told.at(-1)).toBe("cancelled 1");
    expectGone(around);
  });

  it("takes nothing of the agent's limits, nor do they hold for it", async () => {
    const around = newActions({ limits: { pending: 1, cardsPerMinute: 1 } });
    const raise = (name: string) =>
      around.actions.raise({ key: name, fields: { ...bob, name }, work: new FakeWork() });
    await raise("Bob");
    await raise("Carol");
    expect(await around.actions.open(request(new FakeWork()), new FakeCall())).toBeDefined();
    await raise("Dan");
    expect(around.actions.pending()).toHaveLength(4);
    await expect(around.actions.open(request(new FakeWork(), "#16"), new FakeCall())).rejects.toThrow(
      ActionRefused,
    );
  });

  it("is refused where the board has nobody to show it to", async () => {
    const { actions, board } = newActions();
    board.refused = "nobody";
    await expect(actions.raise({ key: "bob", fields: bob, work: new FakeWork() })).rejects.toThrow("nobody");
    expect(actions.all()).toEqual([]);
  });
});
