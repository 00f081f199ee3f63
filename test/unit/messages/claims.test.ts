import { describe, expect, it } from "vitest";
import { Claims } from "../../../src/messages/claims.js";

describe("an item", () => {
  it("is taken while it is claimed, and once it was given", () => {
    const claims = new Claims();
    claims.claim([1]);
    claims.give([2]);
    expect([1, 2, 3].map((id) => claims.isTaken(id))).toEqual([true, true, false]);
  });
});

describe("an item that was given", () => {
  it("is remembered when its claim is gone", () => {
    const claims = new Claims();
    const release = claims.claim([1]);
    claims.give([1]);
    release();
    expect([claims.has(1), claims.wasGiven(1), claims.wasGiven(2)]).toEqual([false, true, false]);
  });

  it("was given before a moment, or after it", () => {
    const claims = new Claims();
    claims.give([1]);
    const before = claims.givenByNow();
    claims.give([1, 2]);
    expect([1, 2, 3].map(before)).toEqual([true, false, false]);
  });

  it("is forgotten after many others: memory does not grow for ever", () => {
    const claims = new Claims();
    for (let id = 1; id <= 10_001; id += 1) claims.give([id]);
    expect([1, 2, 10_001].map((id) => claims.wasGiven(id))).toEqual([false, true, true]);
  });
});

describe("items that a call gives back", () => {
  it("are told of to those who wait, and counted for those who come to wait a moment later", () => {
    const claims = new Claims();
    let told = 0;
    const end = claims.onReturn(() => {
      told += 1;
    });
    claims.giveBack();
    end();
    claims.giveBack();
    expect([told, claims.returns]).toEqual([1, 2]);
  });
});
