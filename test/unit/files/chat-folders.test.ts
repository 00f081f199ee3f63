import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ChatFolders } from "../../../src/files/downloads/chat-folders.js";
import { temporaryFolder } from "./bench.js";

const FILE = { chat: "#15", fileId: 7, name: "report.pdf" } as const;

async function newFolders() {
  const root = await temporaryFolder();
  const folders = new ChatFolders({ files: join(root, "files"), forwarded: join(root, "forwarded") });
  const put = (...names: string[]): string => {
    const path = join(root, ...names);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "x");
    return path;
  };
  return { root, folders, put, at: (...names: string[]) => join(root, ...names) };
}

describe("the path of a new file", () => {
  test("has a name that no file of its chat has, in neither place", async () => {
    const { folders, put, at } = await newFolders();
    expect(await folders.newPath("files", FILE)).toBe(at("files", "group-15", "7.pdf"));
    put("files", "group-15", "7.pdf");
    put("forwarded", "group-15", "7-2.pdf");
    put("files", "group-16", "7-3.pdf");
    expect(await folders.newPath("forwarded", FILE)).toBe(at("forwarded", "group-15", "7-3.pdf"));
    expect(await folders.newPath("files", FILE)).toBe(at("files", "group-15", "7-3.pdf"));
  });
});

describe("the path that a received file is moved to", () => {
  test("has the name under which an owner looked at it", async () => {
    const { folders, put, at } = await newFolders();
    const looked = put("forwarded", "group-15", "7-2.pdf");
    expect(await folders.movePath(FILE, looked)).toBe(at("files", "group-15", "7-2.pdf"));
    put("files", "group-15", "7-2.pdf");
    expect(await folders.movePath(FILE, looked)).toBe(at("files", "group-15", "7-2-2.pdf"));
  });

  test("is new where the core has put it elsewhere", async () => {
    const { folders, put, at } = await newFolders();
    const path = put("Downloads", "report.pdf");
    expect(await folders.movePath(FILE, path)).toBe(at("files", "group-15", "7.pdf"));
    rmSync(at("files"), { recursive: true });
    put("forwarded", "group-15", "7.pdf");
    expect(await folders.movePath(FILE, path)).toBe(at("files", "group-15", "7-2.pdf"));
  });
});

describe("where a received file may be later", () => {
  test("follows from its name, in the data folder as it is now", async () => {
    const { folders, at } = await newFolders();
    const places = [at("files", "group-15", "7-2.pdf"), at("forwarded", "group-15", "7-2.pdf")];
    for (const path of [...places, join("/old/data", "forwarded", "group-15", "7-2.pdf")]) {
      expect(folders.laterPaths("#15", path)).toEqual(places);
    }
  });

  test("is not told by names of the core or of senders, nor by those of other chats", async () => {
    const { folders, at } = await newFolders();
    for (const path of [
      at("7.pdf"),
      at("Downloads", "group-15", "7.pdf"),
      at("files", "group-16", "7.pdf"),
    ]) {
      expect(folders.laterPaths("#15", path)).toEqual([]);
    }
  });
});
