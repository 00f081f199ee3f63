import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
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
import type { Media } from "../../../src/files/outgoing/outgoing-preview.js";
import { bareAnimation } from "../../../src/files/pictures/animations.js";
import { FIXED_PREVIEW } from "../../../src/files/pictures/fixed-preview.js";
import { outgoingFiles } from "./outgoing-files.js";
import { animatedPng, animation, photo, plainPng, pngBomb } from "./pictures.js";

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

  test("that a link would lead to, whether it is there or not", async () => {
    const { home, prepare, write } = await outgoingFiles();
    write(".ssh/id_ed25519");
    symlinkSync(join(home, ".ssh"), join(home, "folder"));
    for (const name of ["none", "none/below", "id_ed25519"]) {
      const path = join(home, "folder", name);
      const why = `leads to ${join(home, ".ssh", name)}, which is in a place for credentials (.ssh)`;
      expect(await refusal(prepare(path))).toMatchObject({ path, why });
    }
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

  test.each(["forwarded/group-15/7.pdf", "files/sent/send-1/a.pdf", "tmp/x"])(
    "that is one of the agent's own by another name: %s",
    async (name) => {
      const { home, own, prepare, write } = await outgoingFiles();
      linkSync(write(`.simplex-mcp/agent/${name}`), join(home, "notes.txt"));
      linkSync(join(home, "notes.txt"), join(own.files, "group-15", "7.pdf"));
      expect((await refusal(prepare(join(home, "notes.txt")))).why).toBe("is in the agent's data folder");
      expect((await refusal(prepare(join(own.files, "group-15", "7.pdf")))).why).toBe(
        "is in the agent's data folder",
      );
    },
  );

  test.each<[string, string[], string, boolean]>([
    ["the token of another agent", ["token", "headers.json"], "token", true],
    ["what another agent downloaded", ["token", "headers.json"], "files/group-2/7.pdf", true],
    ["beside databases of SimpleX", ["simplex_chat.db"], "notes.txt", true],
    ["beside a token alone", ["token"], "notes.txt", false],
    ["in another folder of a folder with databases", ["simplex_chat.db"], "docs/notes.txt", false],
  ])("that is %s, wherever that lies", async (_, signs, name, isRefused) => {
    const { home, prepare, write } = await outgoingFiles();
    for (const sign of signs) write(`work/other/${sign}`);
    const path = write(`work/other/${name}`);
    if (!isRefused) {
      expect(await prepare(path)).toMatchObject({ path });
      return;
    }
    const why = `is in the data folder of an agent (${join(home, "work/other")})`;
    expect(await refusal(prepare(path))).toMatchObject({ path, why });
    symlinkSync(path, join(home, "link.txt"));
    expect((await refusal(prepare(join(home, "link.txt")))).why).toBe(`leads to ${path}, which ${why}`);
    // Whether it is there is not told.
    rmSync(path);
    if (!signs.includes(name)) expect(await refusal(prepare(path))).toMatchObject({ path, why });
  });

  test("that holds a private key, whatever it is called", async () => {
    const { prepare, write } = await outgoingFiles();
    const path = write(
      "notes.pdf",
      `${"x".repeat(3 << 20)}\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA\n`,
    );
    expect(await refusal(prepare(path))).toMatchObject({ path, why: "holds a private key" });
    expect(await refusal(prepare(path, true))).toMatchObject({ why: "holds a private key" });
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

/** The colour in the middle of a preview, as `ff0000`. */
async function colourOf(media: Media): Promise<string> {
  const preview = "preview" in media ? media.preview : "";
  const { data, info } = await sharp(Buffer.from(preview.slice(preview.indexOf(",") + 1), "base64"))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return data.subarray(middle, middle + 3).toString("hex");
}

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
      media: { type: "image", form: { animated: false, format: "jpeg" } },
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

  test.each(["gif", "webp", "png"] as const)(
    "that is animated is shown by its first frame, and goes out with all: %s",
    async (format) => {
      const { prepare, outgoing, write } = await outgoingFiles();
      const image = await animation(format);
      const path = write(`a.${format}`, Buffer.concat([image, Buffer.from("behind its end")]));
      const file = await prepare(path);
      expect(file.media).toMatchObject({ type: "image", shown: "first frame" });
      expect(await colourOf(file.media)).toMatch(/^f.0.0.$/);
      const sent = readFileSync(await outgoing.copy(file));
      expect(sent.equals(bareAnimation(image, format))).toBe(true);
    },
  );

  test("that begins with a picture of no frame is not shown", async () => {
    const { prepare, outgoing, write } = await outgoingFiles();
    const [still, frame] = [await plainPng(8, "#00ff00"), await plainPng(8, "#ff0000")];
    const image = animatedPng([frame, frame], { still });
    const file = await prepare(write("a.png", image));
    expect(file.media).toMatchObject({ type: "image", preview: FIXED_PREVIEW, shown: "not" });
    expect(readFileSync(await outgoing.copy(file)).equals(image)).toBe(true);
  });

  test("with transparency goes out as it was shown, but for a plain file", async () => {
    const { prepare, outgoing, write } = await outgoingFiles();
    const image = await plainPng(40, { r: 255, g: 255, b: 255, alpha: 0.5 });
    const path = write("a.png", image);
    const file = await prepare(path);
    expect(await colourOf(file.media)).toBe("ffffff");
    expect((await sharp(await outgoing.copy(file)).stats()).isOpaque).toBe(true);
    expect(readFileSync(await outgoing.copy(await prepare(path, true))).equals(image)).toBe(true);
  });

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

  test("is shown by its first frame, with its duration, of a copy that is gone then", async () => {
    const frame = await photo(320, 180);
    const shown: { path: string; content: Buffer; call: string }[] = [];
    const { own, prepare, outgoing, write } = await outgoingFiles(async (program, args) => {
      if (args[0] === "-version") return Buffer.from("ffmpeg version 7");
      const path = args.find((argument) => argument.startsWith("file:"))?.slice(5) ?? "";
      shown.push({ path, content: readFileSync(path), call: args.join(" ") });
      return program === "ffmpeg" ? frame : Buffer.from("12.6\n");
    });
    const path = write("walk.mp4", MP4);
    const file = await prepare(path);
    expect(file.media).toEqual({
      type: "video",
      duration: 13,
      preview: expect.stringMatching(/^data:image\/jpg/),
    });
    expect(readFileSync(await outgoing.copy(file)).equals(MP4)).toBe(true);
    expect(shown).toHaveLength(2);
    for (const { path: of, content, call } of shown) {
      expect(of).toMatch(/\/files\/sent\/send-\w{6}\/video$/);
      expect(content.equals(MP4)).toBe(true);
      // No format is guessed, and no file opened besides this one.
      expect(call).toContain(`-protocol_whitelist file -f mov -i file:${of}`);
      expect(existsSync(of)).toBe(false);
    }
    expect(readdirSync(own.sent)).toHaveLength(1);
  });

  test("is shown by the bytes that are sent, wherever its path leads meanwhile", async () => {
    const film = (name: string) => Buffer.concat([MP4, Buffer.alloc(3 << 20, name)]);
    const [approved, other] = [film("approved"), film("other")];
    const folder: { home?: string } = {};
    let shown: Buffer | undefined;
    const { home, prepare, outgoing, write } = await outgoingFiles(async (program, args) => {
      if (args[0] === "-version" || program !== "ffmpeg") return Buffer.alloc(1);
      // The folder is another one while the program looks.
      renameSync(join(folder.home ?? "", "films"), join(folder.home ?? "", "aside"));
      renameSync(join(folder.home ?? "", "others"), join(folder.home ?? "", "films"));
      shown = readFileSync(args.find((argument) => argument.startsWith("file:"))?.slice(5) ?? "");
      renameSync(join(folder.home ?? "", "films"), join(folder.home ?? "", "others"));
      renameSync(join(folder.home ?? "", "aside"), join(folder.home ?? "", "films"));
      return await photo(32, 18);
    });
    folder.home = home;
    write("others/walk.mp4", other);
    const file = await prepare(write("films/walk.mp4", approved));
    expect(shown?.equals(approved)).toBe(true);
    expect(readFileSync(await outgoing.copy(file)).equals(approved)).toBe(true);
  });

  test("leaves no copy where it cannot be shown, or is refused", async () => {
    const { own, prepare, write } = await outgoingFiles(async (_, args) =>
      args[0] === "-version" ? Buffer.alloc(1) : undefined,
    );
    const path = write("walk.mp4", MP4);
    expect((await prepare(path)).media).toMatchObject({ preview: FIXED_PREVIEW, shown: "not" });
    await expect(prepare(path, false, 100)).rejects.toThrow("leaves no room for a picture");
    const key = "-----BEGIN PRIVATE KEY-----";
    await expect(prepare(write("key.mp4", Buffer.concat([MP4, Buffer.from(key)])))).rejects.toThrow(
      "private key",
    );
    expect(readdirSync(own.sent)).toEqual([]);
  });

  test("is not shown where ffmpeg is not installed, and then not copied for it", async () => {
    const programs: string[] = [];
    const { own, prepare, write } = await outgoingFiles(async (program) => {
      programs.push(program);
      return undefined;
    });
    expect((await prepare(write("walk.mp4", MP4))).media).toEqual({
      type: "video",
      preview: FIXED_PREVIEW,
      shown: "not",
      duration: 0,
    });
    expect([programs, readdirSync(own.sent)]).toEqual([["ffmpeg"], []]);
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
