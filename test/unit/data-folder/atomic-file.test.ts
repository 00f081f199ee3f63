import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFileAtomic } from "../../../src/data-folder/atomic-file.js";
import { FolderError } from "../../../src/data-folder/folder-error.js";
import { modeOf, namesIn, scratchFolder } from "./folders.js";

describe("an atomic write", () => {
  it("is seen whole by every reader, however many write", async () => {
    const path = join(await scratchFolder(), "file");
    const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(100_000));
    await writeFileAtomic(path, texts[0] ?? "");
    let writing = true;
    const writes = Promise.all(texts.map((text) => writeFileAtomic(path, text))).then(() => {
      writing = false;
    });
    while (writing) expect(texts).toContain(await readFile(path, "utf8"));
    await writes;
    expect(await namesIn(join(path, ".."))).toEqual(["file"]);
  });

  it("leaves a file that only its owner can read, whatever it was before", async () => {
    const path = join(await scratchFolder(), "file");
    await writeFile(path, "old", { mode: 0o644 });
    await writeFileAtomic(path, "new");
    expect(await modeOf(path)).toBe(0o600);
  });

  it("that fails leaves the old file and nothing else", async () => {
    const folder = await scratchFolder();
    const path = join(folder, "file");
    await mkdir(path);
    await expect(writeFileAtomic(path, "new")).rejects.toThrow(FolderError);
    expect(await namesIn(folder)).toEqual(["file"]);
    await expect(writeFileAtomic(join(folder, "none", "file"), "new")).rejects.toThrow(FolderError);
  });
});
