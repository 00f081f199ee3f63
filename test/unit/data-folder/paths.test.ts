import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { FolderError } from "../../../src/data-folder/folder-error.js";
import { agentFolder, dataPaths, folderOption, isAgentName } from "../../../src/data-folder/paths.js";

describe("an agent's name", () => {
  it.each(["a", "my-agent", "A.b_c-9", "_x", "0", "a".repeat(64), "con"])("may be %s", (name) => {
    expect(isAgentName(name)).toBe(true);
  });

  it.each(["", ".a", "-a", "..", "a/b", "a\\b", "a b", "a\n", "ä", "a".repeat(65), "a:b", "a\u0000", "~"])(
    "may not be %j",
    (name) => {
      expect(isAgentName(name)).toBe(false);
      expect(() => agentFolder(name, "/data")).toThrow(FolderError);
    },
  );
});

describe("the data folder's place", () => {
  it("is in the home folder, under the agent's name", () => {
    expect(agentFolder("my-agent", undefined, "/home/alice")).toBe(
      join("/home/alice", ".simplex-mcp", "my-agent"),
    );
  });

  it("is named by --data as shells leave it", () => {
    expect(folderOption("data")).toBe(resolve("data"));
    expect(folderOption("~/data", "/home/alice")).toBe(join("/home/alice", "data"));
    expect(folderOption("~", "/home/alice")).toBe(resolve("/home/alice"));
    expect(folderOption("~bob")).toBe(resolve("~bob"));
    for (const nothing of ["", " "]) expect(folderOption(nothing)).toBeUndefined();
  });

  it("is what --data says, made absolute", () => {
    expect(agentFolder("my-agent", "data")).toBe(resolve("data"));
  });

  it("holds the core's databases by the prefix that the core is given", () => {
    const paths = dataPaths("/data");
    expect(paths.chatDatabase).toBe(`${paths.databasePrefix}_chat.db`);
    expect(paths.agentDatabase).toBe(`${paths.databasePrefix}_agent.db`);
    expect(paths.databasePrefix).toBe(join("/data", "simplex"));
  });
});
