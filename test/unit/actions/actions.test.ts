import { describe, expect, it } from "vitest";
import { ActionRefused } from "../../../src/actions/actions.js";
import { deferred, FakeCall, FakeWork, newActions, request, settle } from "./support.js";

const HOUR = 3_600_000;

/** Opens an action and returns it with what is around it. */
async function opened(options: Parameters<typeof newActions>[0] = {}) {
  const around = newActions(options);
  const work = new FakeWork();
  const call = new FakeCall();
  const action = await around.actions.open(request(work), call);
  if (!action) throw new Error("no action");
  return { ...around, work, call, action };
}

describe("a new action", () => {
  it("has its number saved before its card is posted", async () => {
    const { board, action } = await opened({ firstNumber: 7 });
    expect(board.told).toEqual(["save 8", "card 7"]);
    expect(action.number).toBe(7);
    expect(action.state).toEqual({ state: "pending" });
  });

  it("counts its life from the request on", async () => {
    const { action, clock } = await opened({ expireHours: 2 });
    expect(action.created).toBe(clock.now());
    expect(action.expires).toBe(clock.now() + 2 * HOUR);
  });

  it("does not come to exist when its call was aborted before", async () => {
    const { actions, board } = newActions();
    const call = new FakeCall();
    call.abort();
    expect(await actions.open(request(new FakeWork()), call)).toBeUndefined();
    expect(board.told).toEqual([]);
  });

  it("is given up without a card when its only call is aborted while the number is saved", async () => {
    const { actions, board } = newActions();
    const saving = deferred();
    board.saving = saving.promise;
    const [work, call] = [new FakeWork(), new FakeCall()];
    const open = actions.open(request(work), call);
    call.abort();
    saving.resolve();
    expect(await open).toBeUndefined();
    expect(board.told).toEqual(["save 2"]);
    expect(actions.all()).toEqual([]);
    expect(work.disposed).toBe(1);
  });

  it("is refused with the reason of the board, and uses up no number", async () => {
    const { actions, board } = newActions();
    board.refused = "The agent has no approving owner.";
    await expect(actions.open(request(new FakeWork()), new FakeCall())).rejects.toThrow(
      new ActionRefused("The agent has no approving owner."),
    );
    board.refused = undefined;
    expect((await actions.open(request(new FakeWork()), new FakeCall()))?.number).toBe(1);
  });

  it.each([
    ["the number cannot be saved", "saving"],
    ["the card cannot be posted", "posting"],
  ] as const)("is refused and gone when %s", async (_title, operation) => {
    const { actions, board } = newActions();
    board[operation] = Promise.reject(new Error("disk full"));
    board[operation].catch(() => undefined);
    const work = new FakeWork();
    await expect(actions.open(request(work), new FakeCall())).rejects.toThrow(
      "The request could not be shown to your owner: disk full",
    );
    expect(actions.all()).toEqual([]);
    expect(work.disposed).toBe(1);
    board[operation] = Promise.resolve();
    expect((await actions.open(request(new FakeWork()), new FakeCall()))?.number).toBe(2);
  });

  it("cannot be decided before its card is there: its number can be foreseen", async () => {
    const { actions, board } = newActions();
    const posting = deferred();
    board.posting = posting.promise;
    const work = new FakeWork();
    const open = actions.open(request(work), new FakeCall());
    await settle();
    for (const decide of ["approve", "reject"] as const)
      expect(actions[decide](1, "Alice")).toBe("not pending");
    expect(actions.pending()).toEqual([]);
    const taken = actions.cardsTaken();
    posting.resolve();
    await taken;
    expect(actions.pending()).toHaveLength(1);
    expect((await open)?.state.state).toBe("pending");
    expect(work.performed).toBe(0);
    expect(actions.approve(1, "Alice")).toBe("done");
  });

  it("is refused above the limit of pending actions, and allowed once one is decided", async () => {
    const { actions } = newActions({ limits: { pending: 2, cardsPerMinute: 100 } });
    for (const chat of ["#1", "#2"] as const)
      await actions.open(request(new FakeWork(), chat), new FakeCall());
    await expect(actions.open(request(new FakeWork(), "#3"), new FakeCall())).rejects.toThrow(
      "2 actions are pending already. Wait for your owner to decide some of them.",
    );
    actions.reject(1, "Alice");
    expect((await actions.open(request(new FakeWork(), "#3"), new FakeCall()))?.number).toBe(3);
  });

  it("is refused above the limit of new cards, with the seconds to wait", async () => {
    const { actions, clock } = newActions({ limits: { pending: 50, cardsPerMinute: 2 } });
    await actions.open(request(new FakeWork(), "#1"), new FakeCall());
    await clock.advance(20_500);
    await actions.open(request(new FakeWork(), "#2"), new FakeCall());
    await expect(actions.open(request(new FakeWork(), "#3"), new FakeCall())).rejects.toThrow(
      "Too many new requests: at most 2 a minute. Try again in 40 s.",
    );
    await clock.advance(39_499);
    await expect(actions.open(request(new FakeWork(), "#3"), new FakeCall())).rejects.toThrow("in 1 s.");
    await clock.advance(1);
    expect((await actions.open(request(new FakeWork(), "#3"), new FakeCall()))?.number).toBe(3);
  });

  it("takes no room once it was refused, nor when its card could not be posted", async () => {
    const { actions, board } = newActions({ limits: { pending: 1, cardsPerMinute: 100 } });
    board.posting = Promise.reject(new Error("no network"));
    board.posting.catch(() => undefined);
    await expect(actions.open(request(new FakeWork(), "#1"), new FakeCall())).rejects.toThrow("no network");
    board.posting = Promise.resolve();
    expect((await actions.open(request(new FakeWork(), "#2"), new FakeCall()))?.number).toBe(2);
  });

  it("counts as a card when it needs one after all", async () => {
    const { actions } = newActions({ limits: { pending: 50, cardsPerMinute: 1 } });
    const needless = { preapproval: async () => undefined };
    await actions.open({ ...request(new FakeWork(), "#1"), ...needless }, new FakeCall());
    const second = actions.open({ ...request(new FakeWork(), "#2"), ...needless }, new FakeCall());
    await expect(second).rejects.toThrow("Too many new requests: at most 1 a minute. Try again in 60 s.");
  });

  it("is performed at once, without a card, where something lets it through", async () => {
    const { actions, board } = newActions();
    const work = new FakeWork();
    const action = await actions.open(
      { ...request(work), preapproval: async () => ({ kind: "host" }) },
      new FakeCall(),
    );
    expect(action?.state).toEqual({ state: "performing", decision: { kind: "host" } });
    expect(action?.hasCard).toBe(false);
    expect(board.told).toEqual(["save 2"]);
    expect(work.performed).toBe(1);
  });

  it("is refused above the limit of acts, with the seconds to wait, without using up a number", async () => {
    const { actions, clock, board } = newActions({ limits: { actsPerMinute: 2 } });
    const ask = (chat: `#${number}`) =>
      actions.open(
        { ...request(new FakeWork(), chat), preapproval: async () => ({ kind: "host" }) },
        new FakeCall(),
      );
    await ask("#1");
    await clock.advance(20_500);
    await ask("#2");
    await expect(ask("#3")).rejects.toThrow("Too many acts: at most 2 a minute. Try again in 40 s.");
    await clock.advance(39_500);
    expect((await ask("#3"))?.number).toBe(3);
    expect(board.told).toEqual(["save 2", "save 3", "save 4"]);
  });

  it("is refused above the limit of acts when many come at once, too", async () => {
    const { actions } = newActions({ limits: { actsPerMinute: 2 } });
    const asked = (["#1", "#2", "#3", "#4"] as const).map((chat) =>
      actions.open(
        { ...request(new FakeWork(), chat), preapproval: async () => ({ kind: "host" }) },
        new FakeCall(),
      ),
    );
    const ends = await Promise.allSettled(asked);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(actions.all()).toHaveLength(2);
  });

  it("counts as an act when an owner approves it, which is never refused", async () => {
    const { actions, clock } = newActions({ limits: { actsPerMinute: 1 } });
    await actions.open(request(new FakeWork(), "#1"), new FakeCall());
    await actions.open(request(new FakeWork(), "#2"), new FakeCall());
    expect(actions.approve(1, "Alice")).toBe("done");
    await clock.advance(10_000);
    expect(actions.approve(2, "Alice")).toBe("done");
    const third = actions.open(
      { ...request(new FakeWork(), "#3"), preapproval: async () => ({ kind: "host" }) },
      new FakeCall(),
    );
    await expect(third).rejects.toThrow("Too many acts: at most 1 a minute. Try again in 60 s.");
  });

  it("gets a card when what let it through is gone once its number is saved", async () => {
    const { actions, board } = newActions();
    const action = await actions.open(
      { ...request(new FakeWork()), preapproval: async () => undefined },
      new FakeCall(),
    );
    expect(action?.state.state).toBe("pending");
    expect(board.told).toEqual(["save 2", "card 1"]);
  });

  it("does not count against the cards while it needs none", async () => {
    const { actions } = newActions({ limits: { pending: 50, cardsPerMinute: 1 } });
    for (const chat of ["#1", "#2", "#3"] as const) {
      const asked = {
        ...request(new FakeWork(), chat),
        preapproval: async () => ({ kind: "host" as const }),
      };
      expect(await actions.open(asked, new FakeCall())).toBeDefined();
    }
    expect(await actions.open(request(new FakeWork(), "#4"), new FakeCall())).toBeDefined();
  });
});

describe("a decision", () => {
  it("performs the action, and a second one comes too late", async () => {
    const { actions, action, work, board } = await opened();
    expect(actions.approve(1, "Alice")).toBe("done");
    expect(actions.approve(1, "Bob")).toBe("not pending");
    expect(actions.reject(1, "Bob")).toBe("not pending");
    expect(work.performed).toBe(1);
    work.performing.resolve();
    await settle();
    expect(action.state).toEqual({ state: "done", decision: { kind: "approved", by: "Alice" } });
    expect(board.told.slice(2)).toEqual(["done 1"]);
  });

  it("that rejects keeps the reason, and nothing is performed", async () => {
    const { actions, action, work, board } = await opened();
    expect(actions.reject(1, "Alice", "#15", "not now")).toBe("done");
    expect(actions.approve(1, "Bob")).toBe("not pending");
    await settle();
    expect(action.state).toEqual({ state: "rejected", by: "Alice", reason: "not now" });
    expect(work.performed).toBe(0);
    expect(board.told.slice(2)).toEqual(["rejected 1"]);
  });

  it("for another chat than the action's decides nothing", async () => {
    const { actions, action, work } = await opened();
    expect(actions.approve(1, "Alice", "#16")).toEqual({ wrongChat: action });
    expect(actions.reject(1, "Alice", "@15")).toEqual({ wrongChat: action });
    expect(action.state.state).toBe("pending");
    expect(actions.approve(1, "Alice", "#15")).toBe("done");
    expect(work.performed).toBe(1);
  });

  it("cannot come before the card is on its way", async () => {
    const { actions, board } = newActions();
    const saving = deferred();
    board.saving = saving.promise;
    const work = new FakeWork();
    const open = actions.open(request(work), new FakeCall());
    await settle();
    expect(actions.pending()).toEqual([]);
    expect(actions.approve(1, "Alice")).toBe("not pending");
    saving.resolve();
    const action = await open;
    expect(actions.pending()).toEqual([action]);
    expect(actions.approve(1, "Alice")).toBe("done");
    expect(work.performed).toBe(1);
  });

  it("about a number that does not exist is not pending", () => {
    expect(newActions().actions.approve(99, "Alice")).toBe("not pending");
  });

  it("tells whoever waits, at the decision and at the end", async () => {
    const { actions, action, work } = await opened();
    const states: string[] = [];
    action.changes.subscribe(() => states.push(action.state.state));
    actions.approve(1, "Alice");
    work.performing.resolve();
    await settle();
    expect(states).toEqual(["performing", "done"]);
  });

  it("that fails in the perform shows the error and logs it", async () => {
    const { actions, action, work, board, logged } = await opened();
    actions.approve(1, "Alice");
    work.performing.reject(new Error("no network"));
    await settle();
    expect(action.state).toMatchObject({ state: "failed", error: "no network" });
    expect(board.told.at(-1)).toBe("failed 1");
    expect(logged).toEqual(["Action 1 failed: no network"]);
  });
});

describe("expiry", () => {
  it("comes at the check after its time, and only to what is pending", async () => {
    const { action, clock, board } = await opened({ expireHours: 1 });
    await clock.advance(HOUR - 1);
    expect(action.state.state).toBe("pending");
    await clock.advance(60_000);
    expect(action.state).toEqual({ state: "expired" });
    expect(board.told.at(-1)).toBe("expired 1");
  });

  it("is found before a decision that comes too late", async () => {
    const { actions, action, work } = await opened({ expireHours: 1 });
    // The owner's command is looked at after what is due has expired, also between two checks.
    Object.defineProperty(action, "expires", { value: 0 });
    actions.expireDue();
    expect(actions.approve(1, "Alice")).toBe("not pending");
    expect(work.performed).toBe(0);
  });

  it("leaves alone what is performed", async () => {
    const { actions, action, clock, work } = await opened({ expireHours: 1 });
    actions.approve(1, "Alice");
    await clock.advance(2 * HOUR);
    expect(action.state.state).toBe("performing");
    work.performing.resolve();
    await settle();
    expect(action.state.state).toBe("done");
  });

  it("forgets what was decided and nobody came back for", async () => {
    const { actions, clock, call, work } = await opened({ expireHours: 1 });
    call.abort();
    actions.approve(1, "Alice");
    work.performing.resolve();
    await settle();
    await clock.advance(HOUR - 1);
    expect(actions.find("leave #15")).toBeDefined();
    await clock.advance(60_000);
    expect(actions.all()).toEqual([]);
    expect(work.disposed).toBe(1);
  });

  it("keeps what a call still waits for, until it was delivered", async () => {
    const { actions, action, clock, call } = await opened({ expireHours: 1 });
    await clock.advance(3 * HOUR);
    expect(actions.all()).toEqual([action]);
    actions.deliver(action, call);
    expect(actions.all()).toEqual([]);
  });

  it("checks no more when there is no action", async () => {
    const { actions, action, call, clock } = await opened();
    expect(clock.timers).toBe(1);
    actions.reject(1, "Alice");
    actions.deliver(action, call);
    expect(clock.timers).toBe(0);
  });
});

describe("calls", () => {
  it("with the same key wait for one action", async () => {
    const { actions, action, board } = await opened();
    const second = new FakeWork();
    expect(await actions.open(request(second), new FakeCall())).toBe(action);
    expect(action.calls.size).toBe(2);
    expect(board.told).toEqual(["save 2", "card 1"]);
    actions.approve(1, "Alice");
    expect(second.performed).toBe(0);
  });

  it("that come while the card is posted get its error, too", async () => {
    const { actions, board } = newActions();
    const posting = deferred();
    board.posting = posting.promise;
    const first = actions.open(request(new FakeWork()), new FakeCall());
    const second = actions.open(request(new FakeWork()), new FakeCall());
    const both = Promise.allSettled([first, second]);
    await settle();
    posting.reject(new Error("no network"));
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(actions.all()).toEqual([]);
  });

  it("that are aborted leave the action to live on, and come back to it", async () => {
    const { actions, action, call } = await opened();
    call.abort();
    expect(action.calls.size).toBe(0);
    expect(action.state.state).toBe("pending");
    const again = new FakeCall();
    expect(await actions.open(request(new FakeWork()), again)).toBe(action);
    expect([...action.calls]).toEqual([again]);
  });

  it("get the result until it was delivered to one, and the last one takes the action away", async () => {
    const { actions, action, call, work } = await opened();
    const other = new FakeCall();
    await actions.open(request(new FakeWork()), other);
    actions.reject(1, "Alice");
    actions.deliver(action, call);
    expect(work.disposed).toBe(0);
    actions.deliver(action, other);
    expect(work.disposed).toBe(1);
    expect(actions.all()).toEqual([]);
  });

  it("after a delivery ask for a new action, also while another call still waits for the old one", async () => {
    const { actions, action, call } = await opened();
    const slow = new FakeCall();
    await actions.open(request(new FakeWork()), slow);
    actions.reject(1, "Alice");
    actions.deliver(action, call);
    const next = await actions.open(request(new FakeWork()), new FakeCall());
    expect(next?.number).toBe(2);
    slow.abort();
    expect(actions.all()).toEqual([next]);
    expect(actions.find("leave #15")).toBe(next);
  });

  it("whose result was lost leave the action for the next one", async () => {
    const { actions, action, call, work } = await opened();
    actions.approve(1, "Alice");
    work.performing.resolve();
    await settle();
    actions.detach(action, call);
    expect(await actions.open(request(new FakeWork()), new FakeCall())).toBe(action);
    expect(work.performed).toBe(1);
  });

  it("that were aborted after they had the result count as answered by it", async () => {
    const { actions, action, call } = await opened();
    actions.reject(1, "Alice");
    call.abort();
    actions.deliver(action, call);
    expect(actions.all()).toEqual([]);
  });
});

describe("the stop", () => {
  it("cancels what is pending, interrupts what is performed, and waits for both to be shown", async () => {
    const { actions, board } = newActions();
    const works = [new FakeWork(), new FakeWork(), new FakeWork()] as const;
    for (const [index, work] of works.entries()) {
      await actions.open(request(work, `#${index + 1}`), new FakeCall());
    }
    actions.approve(2, "Alice");
    actions.reject(3, "Alice");
    await settle();
    const shown = deferred();
    board.showing = shown.promise;
    let stopped: number | undefined;
    const stop = actions.stop().then((count) => {
      stopped = count;
    });
    expect(works[1].stop?.aborted).toBe(true);
    await settle();
    expect(stopped).toBeUndefined();
    shown.resolve();
    await stop;
    expect(stopped).toBe(2);
    expect(board.told.slice(-3).sort()).toEqual(["cancelled 1", "interrupted 2", "rejected 3"]);
  });

  it("is final: what a perform reports afterwards changes nothing and is not logged", async () => {
    const { actions, action, work, logged } = await opened();
    actions.approve(1, "Alice");
    await actions.stop();
    work.performing.reject(new Error("The server is stopping."));
    await settle();
    expect(action.state.state).toBe("interrupted");
    expect(logged).toEqual([]);
  });

  it("lets no new action come", async () => {
    const { actions, clock } = await opened();
    await actions.stop();
    expect(clock.timers).toBe(0);
    await expect(actions.open(request(new FakeWork(), "#2"), new FakeCall())).rejects.toThrow(
      "The server is stopping. Call again when it runs.",
    );
  });

  it("never performs an action whose number was being saved", async () => {
    const { actions, board } = newActions();
    const saving = deferred();
    board.saving = saving.promise;
    const work = new FakeWork();
    const open = actions.open(
      { ...request(work), preapproval: async () => ({ kind: "host" }) },
      new FakeCall(),
    );
    await settle();
    const stop = actions.stop();
    saving.resolve();
    await stop;
    expect((await open)?.state.state).toBe("cancelled");
    expect(work.performed).toBe(0);
    expect(board.told).not.toContain("card 1");
  });
});
