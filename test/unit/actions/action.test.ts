import { describe, expect, it } from "vitest";
import {
  type ActionEvent,
  type ActionState,
  actionChat,
  type Decision,
  isFinal,
  nextState,
} from "../../../src/actions/action.js";

const alice: Decision = { kind: "approved", by: "Alice" };
const bob: Decision = { kind: "standing", by: "Bob" };

const events: ActionEvent[] = [
  { event: "decide", decision: bob },
  { event: "reject", by: "Bob" },
  { event: "expire" },
  { event: "performed" },
  { event: "perform failed", error: "no network" },
  { event: "stop" },
];

describe("an action", () => {
  it.each<[ActionEvent, ActionState]>([
    [
      { event: "decide", decision: alice },
      { state: "performing", decision: alice },
    ],
    [
      { event: "reject", by: "Alice" },
      { state: "rejected", by: "Alice" },
    ],
    [
      { event: "reject", by: "Alice", reason: "not now" },
      { state: "rejected", by: "Alice", reason: "not now" },
    ],
    [{ event: "expire" }, { state: "expired" }],
    [{ event: "stop" }, { state: "cancelled" }],
  ])("that is pending: %j", (event, state) => {
    expect(nextState({ state: "pending" }, event)).toEqual(state);
  });

  it("keeps an empty reason, which is one that the owner gave", () => {
    expect(nextState({ state: "pending" }, { event: "reject", by: "Alice", reason: "" })).toEqual({
      state: "rejected",
      by: "Alice",
      reason: "",
    });
  });

  it.each<[ActionEvent, ActionState]>([
    [{ event: "performed" }, { state: "done", decision: alice }],
    [
      { event: "perform failed", error: "no network" },
      { state: "failed", decision: alice, error: "no network" },
    ],
    [{ event: "stop" }, { state: "interrupted", decision: alice }],
  ])("that is performed: %j", (event, state) => {
    expect(nextState({ state: "performing", decision: alice }, event)).toEqual(state);
  });

  it("that is pending is not done before it was decided", () => {
    expect(nextState({ state: "pending" }, { event: "performed" })).toBeUndefined();
    expect(nextState({ state: "pending" }, { event: "perform failed", error: "x" })).toBeUndefined();
  });

  it("that is performed is not decided, rejected or expired again", () => {
    for (const event of events.slice(0, 3)) {
      expect(nextState({ state: "performing", decision: alice }, event)).toBeUndefined();
    }
  });

  it.each<ActionState>([
    { state: "done", decision: alice },
    { state: "failed", decision: alice, error: "x" },
    { state: "interrupted", decision: alice },
    { state: "rejected", by: "Alice" },
    { state: "expired" },
    { state: "cancelled" },
  ])("that ended stays as it is: %j", (state) => {
    expect(isFinal(state)).toBe(true);
    for (const event of events) expect(nextState(state, event)).toBeUndefined();
  });

  it("is not over while it is pending or performed", () => {
    expect(isFinal({ state: "pending" })).toBe(false);
    expect(isFinal({ state: "performing", decision: alice })).toBe(false);
  });

  it("is about a chat, but for a connection, whose chat does not exist yet", () => {
    expect(actionChat({ tool: "leave", chat: "#15", kind: "group", name: "Trail" })).toBe("#15");
    expect(
      actionChat({ tool: "connect", target: "@x.testing", incognito: false, kind: "bot", name: "X" }),
    ).toBeUndefined();
  });
});
