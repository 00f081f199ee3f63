import { describe, expect, it } from "vitest";
import { explain, FolderError, fileWork } from "../../../src/data-folder/folder-error.js";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, open '/data/token'`), { code });
}

describe("an error of the file system", () => {
  it.each([
    ["EACCES", "No permission to use /data. Change its permissions, or choose another folder with --data."],
    ["EPERM", "No permission to use /data. Change its permissions, or choose another folder with --data."],
    ["EROFS", "/data is on a read-only disk. Choose another folder with --data."],
    ["ENOSPC", "The disk is full: cannot write /data. Free some space and start again."],
    ["EDQUOT", "The disk is full: cannot write /data. Free some space and start again."],
    ["ENOTDIR", "/data is not a folder. Choose another folder with --data."],
    ["ENOENT", "/data cannot be made or is gone. Choose another folder with --data."],
    ["EISDIR", "/data is a folder where a file should be. Move it away and start again."],
    ["EMFILE", "Too many open files: cannot use /data. Raise the limit (ulimit -n) and start again."],
    ["EIO", "Cannot use /data: EIO: something, open '/data/token'."],
  ])("%s says what to do", (code, line) => {
    expect(explain(systemError(code), "/data")).toBe(line);
  });

  it("keeps its cause, and a refusal of our own is not explained again", async () => {
    const cause = systemError("ENOSPC");
    const error = await fileWork("/data", () => Promise.reject(cause)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(FolderError);
    expect(error).toHaveProperty("cause", cause);
    const own = new FolderError("ours");
    await expect(fileWork("/data", () => Promise.reject(own))).rejects.toBe(own);
  });

  it("is one line, whatever the path is called", () => {
    expect(new FolderError(explain(systemError("EROFS"), "/a\nb\r\u2028c")).message).toBe(
      "/a?b??c is on a read-only disk. Choose another folder with --data.",
    );
  });
});
