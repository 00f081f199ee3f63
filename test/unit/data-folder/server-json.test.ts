import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FolderError } from "../../../src/data-folder/folder-error.js";
import { readServerJson, type ServerJson, writeServerJson } from "../../../src/data-folder/server-json.js";
import { modeOf, namesIn, scratchFolder } from "./folders.js";

const START: ServerJson = {
  url: "http://127.0.0.1:5226/mcp",
  port: 5226,
  expireHours: 23,
  version: "0.1.0",
  approve: "requests",
};

describe("server.json", () => {
  it("comes back as it was written, private and alone in its folder", async () => {
    const folder = await scratchFolder();
    const path = join(folder, "server.json");
    await writeServerJson(path, { ...START, port: 1 });
    await writeServerJson(path, START);
    expect(await readServerJson(path)).toEqual(START);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(START);
    expect(await modeOf(path)).toBe(0o600);
    expect(await namesIn(folder)).toEqual(["server.json"]);
  });

  it("is absent when the agent was never started, and when its folder is no folder", async () => {
    const folder = await scratchFolder();
    expect(await readServerJson(join(folder, "server.json"))).toBeUndefined();
    await writeFile(join(folder, "file"), "");
    expect(await readServerJson(join(folder, "file", "server.json"))).toBeUndefined();
  });

  it.each([
    "",
    "{",
    "null",
    "{}",
    JSON.stringify({ ...START, port: "5226" }),
    JSON.stringify({ ...START, port: 0 }),
  ])("is refused when it holds %j", async (text) => {
    const path = join(await scratchFolder(), "server.json");
    await writeFile(path, text);
    const error = await readServerJson(path).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(FolderError);
    expect(error).toMatchObject({
      message: `${path} is damaged. Delete it and start the agent again: it is written anew.`,
    });
  });
});
