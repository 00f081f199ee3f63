import { describe, expect, it } from "vitest";
import {
  businessAnswer,
  directoryAnswer,
  echoAnswer,
  groupAnswer,
  visitorAnswer,
} from "../../../src/demo/world/scripts.js";

const GROUPS = [
  { name: "Trail Talk", about: "walks", words: ["hiking", "walk"], link: "https://smp.example/g#trail" },
  { name: "Tea Corner", about: "leaves", words: ["tea"], link: "https://smp.example/g#tea" },
];

describe("the directory", () => {
  it("answers a word with the groups that it is about, each with its link on a line of its own", () => {
    expect(directoryAnswer("Any Hiking groups?", GROUPS)).toBe(
      "Found 1 group.\nTrail Talk: walks\nhttps://smp.example/g#trail",
    );
  });

  it("lists every group when it is asked for all", () => {
    expect(directoryAnswer("/all", GROUPS)).toMatch(/^Found 2 groups\.\nTrail Talk.*\nTea Corner/s);
  });

  it("says what to try when it knows none, and does not take part of a word for a word", () => {
    expect(directoryAnswer("team", GROUPS)).toBe(
      "No group found. Try hiking or tea, or all for every group.",
    );
  });
});

describe("people", () => {
  it("answer to what they are asked about", () => {
    expect(echoAnswer("hi")).toBe("echo: hi");
    expect(businessAnswer("Do you have a tent?")).toContain("tents");
    expect(businessAnswer("?")).toContain("write back");
    expect(visitorAnswer("When do you want to walk?")).toContain("Saturday");
    expect(visitorAnswer("It is dry.")).toContain("Thank you");
    expect(groupAnswer("Which route?")).toEqual({ by: "Switchback", text: expect.stringContaining("ridge") });
  });

  it("answer when they are mentioned, whatever it is about", () => {
    expect(groupAnswer("@Fern which route?").by).toBe("Fern");
    expect(groupAnswer("@Switchback where is tea?").by).toBe("Switchback");
    expect(groupAnswer("Where is tea?").by).toBe("Fern");
  });
});
