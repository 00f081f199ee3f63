import { expect, test } from "vitest";
import { homeFolder } from "../../../src/data-folder/home.js";
import { agentFolder, folderOption } from "../../../src/data-folder/paths.js";

const fails = (): string => {
  throw new Error("no such user");
};

test.each([
  ["/home/a", "/home/b", "/home/a"],
  ["", "/home/b", "/home/b"],
  ["relative/home", "/home/b", "/home/b"],
  [".", "/home/b", "/home/b"],
  ["", "", undefined],
  ["", "relative", undefined],
])("where HOME is %j and the account's home %j, it is %j", (told, known, home) => {
  expect(homeFolder({ told: () => told, known: () => known })).toBe(home);
});

test("an account that the system does not know has none but HOME", () => {
  expect(homeFolder({ told: () => "/home/a", known: fails })).toBe("/home/a");
  expect(homeFolder({ told: () => "", known: fails })).toBeUndefined();
  expect(homeFolder({ told: fails, known: () => "/home/b" })).toBe("/home/b");
});

test("HOME of this process is read the same way", () => {
  const { HOME } = process.env;
  try {
    process.env.HOME = "";
    const empty = agentFolder("a");
    process.env.HOME = "relative";
    expect(agentFolder("a")).toBe(empty);
    expect(empty).toMatch(/^\/.+\/\.simplex-mcp\/a$/);
    expect(empty.startsWith(process.cwd())).toBe(false);
  } finally {
    process.env.HOME = HOME;
  }
});

test("without a home what needs one is refused, and nothing else", () => {
  for (const home of ["", "relative"]) {
    expect(() => agentFolder("a", undefined, home)).toThrow("Set HOME, or give a folder with --data.");
    expect(() => folderOption("~/x", home)).toThrow("There is no home folder");
    expect(agentFolder("a", "/data", home)).toBe("/data");
    expect(folderOption("/data", home)).toBe("/data");
  }
});
