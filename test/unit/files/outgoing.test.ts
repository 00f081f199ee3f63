import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { FileError, FileRefused } from "../../../src/files/disk/file-error.js";
import { FIXED_PREVIEW } from "../../../src/files/pictures/fixed-preview.js";
import { outgoingFiles } from "./outgoing-files.js";
import { animation, photo, pngBomb } from "./pictures.js";

const isRoot = process.getuid?.() === 0;

describe("a file to send", () => {
  test("is named by its absolute path, or from the home folder", async () => {
    const { prepare, write } = await outgoingFiles();
    const path = write("docs/report.pdf", "12345");
    const facts = { path, name: "report.pdf", size: 5, type: "file", media: { type: "file" } };
    expect(await prepare(path)).toMatchObject(facts);
    expect(await prepare("~/docs/report.pdf")).toMatchObject(facts);
    expect(await prepare("~/docs/../docs//report.pdf")).toMatchObject(facts);
    for (const relative of ["report.pdf", "./report.pdf", "docs", "", `${path}\0.txt`]) {
      await expect(prepare(relative)).rejects.toThrow(
        "file: give an absolute path, or one that starts with ~/.",
      );
    }
  });

  test("is shown by its real path, and called by its real name", async () => {
    const { home, prepare, write } = await outgoingFiles();
    const path = write("real.pdf");
    symlinkSync(path, join(home, "link.pdf"));
    expect(await prepare(join(home, "link.pdf"))).toMatchObject({ path, name: "real.pdf" });
  });

  test("has to be there", async () => {
    const { home, prepare } = await outgoingFiles();
    const error = await prepare(join(home, "no.pdf")).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FileError);
    expect(error).not.toBeInstanceOf(FileRefused);
    expect(String(error)).toContain(`file: there is no ${join(home, "no.pdf")}.`);
  });

  test("may be one that the agent downloaded", async () => {
    const { own, prepare } = await outgoingFiles();
    const path = join(own.files, "group-15", "7.pdf");
    writeFileSync(path, "x");
    expect(await prepare(path)).toMatchObject({ path });
  });

  test("may have a gigabyte, and not more", async () => {
    const { prepare, write } = await outgoingFiles();
    const path = write("large.bin", "");
    // Sparse: it takes no room.
    truncateSync(path, 2 ** 30 + 1);
    await expect(prepare(path)).rejects.toThrow(`file: ${path} is larger than 1 GiB and may not be sent.`);
  });

  test("is not empty, for the other side would never see it", async () => {
    const { prepare, write } = await outgoingFiles();
    const path = write("empty.txt", "");
    const error = await prepare(path).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(FileRefused);
    expect(error).toEqual(new FileError(`file: ${path} is empty. SimpleX delivers no empty files.`));
  });
});

describe("a file is refused", () => {
  const refusal = async (promise: Promise<unknown>): Promise<FileRefused> => {
    const error = await promise.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FileRefused);
    return error as FileRefused;
  };

  test.each([
    ["the token", ".simplex-mcp/agent/token", "is in the agent's data folder"],
    ["a database", ".simplex-mcp/agent/simplex_chat.db", "is in the agent's data folder"],
    ["a copy being sent", ".simplex-mcp/agent/files/sent/send-1/a.pdf", "is in the agent's data folder"],
    ["a forwarded file", ".simplex-mcp/agent/forwarded/group-15/7.pdf", "is in the agent's data folder"],
    ["another agent's file", ".simplex-mcp/other/token", "is in a place for credentials (.simplex-mcp)"],
    ["a private key", ".ssh/id_ed25519", "is in a place for credentials (.ssh)"],
    ["a login", ".config/gh/hosts.yml", "is in a place for credentials (.config/gh)"],
    ["a password file", ".netrc", "is in a place for credentials (.netrc)"],
  ])("that is %s", async (_, name, why) => {
    const { prepare, write } = await outgoingFiles();
    const path = write(name);
    expect(await refusal(prepare(path))).toMatchObject({ path, why });
  });

  test("that is there or not: a forbidden place does not tell", async () => {
    const { home, prepare } = await outgoingFiles();
    const path = join(home, ".ssh", "maybe");
    expect(await refusal(prepare(path))).toMatchObject({ path, why: "is in a place for credentials (.ssh)" });
  });

  test("that a link leads to in a forbidden place", async () => {
    const { home, prepare, write } = await outgoingFiles();
    const key = write(".ssh/id_ed25519");
    symlinkSync(key, join(home, "notes.txt"));
    symlinkSync(dirname(key), join(home, "folder"));
    const why = `leads to ${key}, which is in a place for credentials (.ssh)`;
    expect(await refusal(prepare(join(home, "notes.txt")))).toMatchObject({ why });
    expect(await refusal(prepare(join(home, "folder", "id_ed25519")))).toMatchObject({ why });
  });

  test("that a link among the downloads leads to", async () => {
    const { own, prepare, write } = await outgoingFiles();
    write(".simplex-mcp/agent/token");
    symlinkSync(join(own.root, "token"), join(own.files, "group-15", "7.pdf"));
    expect((await refusal(prepare(join(own.files, "group-15", "7.pdf")))).why).toContain(
      "is in the agent's data folder",
    );
  });

  test("that is the token by another name", async () => {
    const { home, prepare, write } = await outgoingFiles();
    linkSync(write(".simplex-mcp/agent/token"), join(home, "notes.txt"));
    expect((await refusal(prepare(join(home, "notes.txt")))).why).toBe("is in the agent's data folder");
  });

  test("when it is no regular file", async () => {
    const { home, prepare, write } = await outgoingFiles();
    write("folder/x");
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(home, "pipe")]);
    const server = createServer().listen(join(home, "socket"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    for (const name of ["folder", "pipe", "socket"]) {
      expect((await refusal(prepare(join(home, name)))).why).toBe("is no regular file");
    }
    expect((await refusal(prepare("/dev/zero"))).why).toBe("belongs to the system");
    expect((await refusal(prepare("/proc/self/environ"))).why).toBe("belongs to the system");
  });

  test("when a link leads to itself", async () => {
    const { home, prepare } = await outgoingFiles();
    symlinkSync(join(home, "loop"), join(home, "loop"));
    expect((await refusal(prepare(join(home, "loop")))).why).toBe("leads to itself");
  });

  test.skipIf(isRoot)("when it cannot be read", async () => {
    const { prepare, write } = await outgoingFiles();
    const path = write("a.pdf");
    chmodSync(path, 0);
    expect((await refusal(prepare(path))).why).toBe("cannot be read");
  });
});

describe("an image to send", () => {
  test("is shown by a preview that fits, and goes out without its metadata", async () => {
    const { prepare, outgoing, write } = await outgoingFiles();
    const image = await sharp(await photo(800, 400))
      .withExif({ IFD0: { Copyright: "secret place" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const file = await prepare(write("trail.jpg", image), false, 6000);
    expect(file).toMatchObject({
      type: "image",
      size: image.length,
      media: { type: "image", format: "jpeg" },
    });
    const { preview } = file.media.type === "image" ? file.media : { preview: "" };
    expect(preview).toMatch(/^data:image\/jpg;base64,/);
    expect(preview.length).toBeLessThanOrEqual(6000);
    const copy = await outgoing.copy(file);
    expect(copy).toMatch(/\/files\/sent\/send-[A-Za-z0-9]{6}\/trail\.jpg$/);
    const { width, height, exif } = await sharp(copy).metadata();
    expect([width, height, exif]).toEqual([400, 800, undefined]);
  });

  test("as a plain file goes out as it is", async () => {
    const { prepare, outgoing, write } = await outgoingFiles();
    const image = await sharp(await photo(80, 40))
      .withExif({ IFD0: { Copyright: "kept" } })
      .jpeg()
      .toBuffer();
    const file = await prepare(write("trail.jpg", image), true);
    expect(file.media).toEqual({ type: "file" });
    expect(readFileSync(await outgoing.copy(file)).equals(image)).toBe(true);
  });

  test.each(["gif", "webp"] as const)(
    "that is animated goes out as it is, under a fixed preview: %s",
    async (format) => {
      const { prepare, outgoing, write } = await outgoingFiles();
      const image = await animation(format);
      const file = await prepare(write(`a.${format}`, image));
      expect(file.media).toEqual({ type: "image", preview: FIXED_PREVIEW });
      expect(readFileSync(await outgoing.copy(file)).equals(image)).toBe(true);
    },
  );

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ["is cut off", async () => (await photo(400, 300)).subarray(0, 5000), "holds no whole image"],
    ["is none", () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "holds no image"],
    ["has too many pixels", () => pngBomb(20_000), "has more than 64 million pixels"],
  ])("that %s is refused, with what to do instead", async (_, content, why) => {
    const { prepare, write } = await outgoingFiles();
    const path = write("a.png", await content());
    const error = await prepare(path).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(`file: ${path} ${why}. Send it as a plain file, with as: "file".`);
    // Not a file that may not be sent: no owner is told.
    expect(error).not.toBeInstanceOf(FileRefused);
    expect(await prepare(path, true)).toMatchObject({ type: "file" });
  });

  test("needs room for its preview", async () => {
    const { prepare, write } = await outgoingFiles();
    await expect(prepare(write("a.png", await photo(80, 60, "png")), false, 200)).rejects.toThrow(
      "leaves no room for a picture",
    );
  });
});

describe("a video to send", () => {
  const MP4 = Buffer.from("\0\0\0\x20ftypisom and so on", "latin1");

  test("is shown by its first frame, with its duration", async () => {
    const frame = await photo(320, 180);
    const calls: string[][] = [];
    const { prepare, outgoing, write } = await outgoingFiles(async (program, args) => {
      calls.push([program, ...args]);
      return program === "ffmpeg" ? frame : Buffer.from("12.6\n");
    });
    const path = write("walk.mp4", MP4);
    const file = await prepare(path);
    expect(file.media).toMatchObject({
      type: "video",
      duration: 13,
      preview: expect.stringMatching(/^data:image\/jpg/),
    });
    expect(readFileSync(await outgoing.copy(file)).equals(MP4)).toBe(true);
    // No format is guessed, and no file opened besides this one.
    for (const args of calls) {
      expect(args.join(" ")).toContain(`-protocol_whitelist file -f mov -i file:${path}`);
    }
  });

  test("has a fixed preview where ffmpeg is not installed", async () => {
    const { prepare, write } = await outgoingFiles();
    expect((await prepare(write("walk.mp4", MP4))).media).toEqual({
      type: "video",
      preview: FIXED_PREVIEW,
      duration: 0,
    });
  });

  test("that is none is a plain file, and is given to no program", async () => {
    const { prepare, write } = await outgoingFiles(async () => {
      throw new Error("called");
    });
    expect((await prepare(write("list.mp4", "#EXTM3U\n/etc/passwd"))).media).toEqual({ type: "file" });
    expect((await prepare(write("song.m4a", MP4))).media).toEqual({ type: "file" });
  });
});

describe("what was changed after the request is not sent", () => {
  const changed = (path: string) => `file: ${path} changed after the request.`;

  test("when it has other content", async () => {
    const { prepare, outgoing, write } = await outgoingFiles();
    const path = write("a.txt", "first");
    const file = await prepare(path);
    writeFileSync(path, "other");
    await expect(outgoing.copy(file)).rejects.toThrow(changed(path));
  });

  test("when it is another file, or none, or a link", async () => {
    const { home, prepare, outgoing, write } = await outgoingFiles();
    const path = write("a.txt", "same");
    const file = await prepare(path);
    renameSync(write("b.txt", "same"), path);
    await expect(outgoing.copy(file)).rejects.toThrow(changed(path));
    rmSync(path);
    await expect(outgoing.copy(file)).rejects.toThrow(changed(path));
    symlinkSync(join(home, "c.txt"), path);
    write("c.txt", "same");
    await expect(outgoing.copy(file)).rejects.toThrow(changed(path));
  });

  test("when its folder became a link", async () => {
    const { home, prepare, outgoing, write } = await outgoingFiles();
    const path = write("docs/a.txt", "x");
    const file = await prepare(path);
    renameSync(join(home, "docs"), join(home, "moved"));
    symlinkSync(join(home, "moved"), join(home, "docs"));
    await expect(outgoing.copy(file)).rejects.toThrow(changed(path));
  });

  test("and nothing of it is left among the copies", async () => {
    const { own, prepare, outgoing, write } = await outgoingFiles();
    const path = write("a.txt", "first");
    const file = await prepare(path);
    writeFileSync(path, "other content");
    await outgoing.copy(file).catch(() => undefined);
    expect(readdirSync(own.sent)).toEqual([]);
  });
});
