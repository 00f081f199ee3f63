import { describe, expect, it } from "vitest";
import { compare } from "./compare.js";
import { isAllowed, NOT_REPLAYED } from "./differences.js";
import { EDGE_PLANS } from "./edge-plans.js";
import { FLOW_PLANS } from "./flow-plans.js";
import { transcriptNames } from "./transcript.js";
import { Translation } from "./translation.js";

const paths = (recorded: object, simulated: object, translation = new Translation()) =>
  compare("agent", recorded, simulated, translation).map(({ path, note }) =>
    note ? `${path}: ${note}` : path,
  );

describe("comparing a simulated answer with the recorded one", () => {
  it("takes ids, keys and times for the same when they are paired one to one", () => {
    const recorded = { itemId: 4, quoted: { itemId: 3 }, memberId: "AA", createdAt: "2026-01-01T00:00:00Z" };
    const simulated = {
      itemId: 9,
      quoted: { itemId: 8 },
      memberId: "BB",
      createdAt: "2026-02-02T00:00:00.5Z",
    };
    expect(paths(recorded, simulated)).toEqual([]);
  });

  it("finds one id for two and two ids for one", () => {
    expect(
      paths({ a: { itemId: 4 }, b: { itemId: 5 } }, { a: { itemId: 9 }, b: { itemId: 9 } }),
    ).toHaveLength(1);
    expect(
      paths({ a: { itemId: 4 }, b: { itemId: 4 } }, { a: { itemId: 8 }, b: { itemId: 9 } }),
    ).toHaveLength(1);
  });

  it("keeps the ids of users and of kinds apart, and shares keys among users", () => {
    const translation = new Translation();
    expect(
      paths({ itemId: 1, fileId: 1, memberId: "A" }, { itemId: 2, fileId: 3, memberId: "B" }, translation),
    ).toEqual([]);
    expect(compare("Bob", { itemId: 1 }, { itemId: 5 }, translation)).toEqual([]);
    expect(compare("Bob", { memberId: "A" }, { memberId: "C" }, translation)).toHaveLength(1);
  });

  it("finds keys that lack or are too many, other values, and lists of other length", () => {
    expect(paths({ a: 1, b: [1, 2], c: "x" }, { b: [1], c: "y", d: 1 })).toEqual([
      "a: key is missing",
      "b: length",
      "c",
      "d: key is not in the recording",
    ]);
  });

  it("tells an absent key from any value", () => {
    expect(paths({ a: { b: {} } }, { a: {} })).toEqual(["a.b: key is missing"]);
    expect(paths({ a: null }, { a: "null" })).toEqual(["a"]);
  });

  it("holds to 1970 and to whole seconds of received items", () => {
    expect(paths({ itemTs: "1970-01-01T00:00:00Z" }, { itemTs: "2026-01-01T00:00:00Z" })).toEqual(["itemTs"]);
    expect(paths({ itemTs: "2026-01-01T00:00:00Z" }, { itemTs: "2026-01-01T00:00:00.5Z" })).toEqual([
      "itemTs",
    ]);
  });

  it("pairs the random names of incognito profiles", () => {
    const recorded = { customUserProfile: { displayName: "SocialBonus" }, text: "SocialBonus joined" };
    const simulated = { customUserProfile: { displayName: "CalmOtter" }, text: "CalmOtter joined" };
    expect(paths(recorded, simulated)).toEqual([]);
  });
});

describe("translating the commands of a recording", () => {
  const translation = new Translation();
  for (const [kind, recorded, simulated] of [
    ["agent group", 3, 30],
    ["agent group", 1, 10],
    ["agent contact", 4, 40],
    ["agent item", 87, 870],
    ["agent item", 88, 880],
    ["agent member", 7, 70],
    ["agent request", 1, 11],
    ["agent file", 2, 22],
    ["agent connection", 9, 99],
    ["link", "https://127.0.0.1/a#X?p=1", "https://smp.example/a#Y"],
    ["link", "simplex:/contact#/?v=2", "simplex:/contact#/?v=3"],
  ] as const) {
    translation.pair(kind, recorded, simulated);
  }

  it.each([
    ["/_get chat #3 around=87 count=0", "/_get chat #30 around=870 count=0"],
    ["/_get chat @4 count=50", "/_get chat @40 count=50"],
    ["/_read chat items #3 87,88,999", "/_read chat items #30 870,880,999"],
    ["/_member role #1 7 owner", "/_member role #10 70 owner"],
    ["/_send #3(_support:7) text 87", "/_send #30(_support:70) text 87"],
    ["/_forward #3 @4 87 ttl=600", "/_forward #30 @40 870 ttl=600"],
    ["/_connect contact @4 incognito=off", "/_connect contact @40 incognito=off"],
    ["/_delete :9 full", "/_delete :99 full"],
    ["/_accept 1", "/_accept 11"],
    ["/_accept member #1 7 member", "/_accept member #10 70 member"],
    ["/freceive 2 encrypt=off /x/2", "/freceive 22 encrypt=off /x/2"],
    ["/_add #1 4 member", "/_add #10 40 member"],
    ["/_members #1", "/_members #10"],
    [
      "/_connect plan 1 https://127.0.0.1/a#X?p=1 resolve=on",
      "/_connect plan 1 https://smp.example/a#Y resolve=on",
    ],
    [
      "/_connect 1 simplex:/contact#/?v=2 https://127.0.0.1/a#X?p=1",
      "/_connect 1 simplex:/contact#/?v=3 https://smp.example/a#Y",
    ],
    [
      '/_send #3 json [{"msgContent":{"type":"text","text":"#3 @4"},"mentions":{"Ann":7},"quotedItemId":87}]',
      '/_send #30 json [{"msgContent":{"type":"text","text":"#3 @4"},"mentions":{"Ann":70},"quotedItemId":870}]',
    ],
    ["/_groups 1", "/_groups 1"],
  ])("%s", (recorded, simulated) => {
    expect(translation.command("agent", recorded)).toBe(simulated);
  });
});

describe("the recordings", () => {
  it("are all replayed, or left out for a reason", () => {
    const replayed = [...Object.keys(FLOW_PLANS), ...Object.keys(EDGE_PLANS)];
    expect([...replayed, ...Object.keys(NOT_REPLAYED)].sort()).toEqual(transcriptNames());
  });
});

describe("allowed differences", () => {
  it("let own deliveries be further, but not what a received item is", () => {
    const place = { scenario: "09", line: 1, who: "agent", type: "chatItemUpdated" };
    const path = "chatItem.chatItem.meta.itemStatus.type";
    expect(isAllowed({ path, recorded: "sndNew", simulated: "sndSent" }, place)).toBe(true);
    expect(isAllowed({ path, recorded: "rcvNew", simulated: "rcvRead" }, place)).toBe(false);
    expect(
      isAllowed(
        { path, recorded: "sndNew", simulated: "sndSent" },
        { ...place, type: "chatItemsStatusesUpdated" },
      ),
    ).toBe(false);
  });
});
