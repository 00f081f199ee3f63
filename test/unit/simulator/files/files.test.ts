import { readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileUser, FileWorld, fileOf, lastItem } from "./file-world.js";

let world: FileWorld;
let ann: FileUser;
let bob: FileUser;

beforeEach(async () => {
  ({ world, ann, bob } = await FileWorld.make());
});
afterEach(() => world.close());

describe("a file", () => {
  it("comes with its bytes to where its receiver wants it", async () => {
    const content = Buffer.from([0, 255, 10, 13, 128]);
    expect(fileOf(await ann.sendFile("@4", world.file("a.bin", content)))).toMatchObject({
      fileName: "a.bin",
      fileSize: 5,
      fileStatus: { type: "sndStored" },
    });
    await world.idle();
    expect(bob.heard).toEqual(["newChatItems", "rcvFileDescrReady"]);
    await bob.run(`/freceive 1 ${world.path("got it.bin")}`);
    await world.idle();
    expect(bob.heard.slice(2)).toEqual(["rcvFileStart", "rcvFileProgressXFTP", "rcvFileComplete"]);
    expect(readFileSync(world.path("got it.bin"))).toEqual(content);
    expect(ann.heard).toEqual(["sndFileProgressXFTP", "sndFileProgressXFTP", "sndFileCompleteXFTP"]);
  });

  it("is announced before it is uploaded, and has an empty place until it is here", async () => {
    const uploads = world.network.files.holdUploads("Ann");
    await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    expect(bob.heard).toEqual(["newChatItems"]);
    const target = world.path("b.txt");
    expect(fileOf(await bob.run(`/freceive 1 ${target}`)).fileStatus).toEqual({ type: "rcvAccepted" });
    expect(readFileSync(target, "utf8")).toBe("");
    uploads.release();
    await world.idle();
    expect(readFileSync(target, "utf8")).toBe("the content of a.txt");
  });

  it("goes without a file in a message that is too large, and costs its part of the size", async () => {
    const path = world.file("a.jpg", Buffer.alloc(100));
    const image = (length: number) => ({ type: "image", text: "", image: `data:${"x".repeat(length - 5)}` });
    await ann.sendFile("@4", path, image(15_354));
    expect(
      await ann.fails(
        `/_send @4 json ${JSON.stringify([{ fileSource: { filePath: path }, msgContent: image(15_355) }])}`,
      ),
    ).toEqual({ type: "largeMsg" });
  });

  it("that is empty never reaches its receiver", async () => {
    await ann.sendFile("@4", world.file("empty.txt", ""));
    await world.idle();
    expect(ann.heard).toContain("sndFileCompleteXFTP");
    expect(bob.heard).toEqual([]);
  });

  it("that is missing or a folder is not sent", async () => {
    expect(
      await ann.fails(
        `/_send @4 json [{"filePath":"${world.path("no")}","msgContent":{"type":"file","text":""}}]`,
      ),
    ).toEqual({ type: "fileNotFound", message: world.path("no") });
    expect(
      await ann.fails(
        `/_send @4 json [{"filePath":"${world.folder}","msgContent":{"type":"file","text":""}}]`,
      ),
    ).toEqual({ type: "fileNotFound", message: world.folder });
  });

  it("is uploaded from a copy: what becomes of the original makes a difference only before", async () => {
    const uploads = world.network.files.holdUploads();
    await ann.sendFile("@4", world.file("kept.txt"));
    uploads.pass();
    await world.idle();
    rmSync(world.path("kept.txt"));
    await ann.sendFile("@4", world.file("lost.txt"));
    rmSync(world.path("lost.txt"));
    uploads.release();
    await world.idle();
    expect(ann.of("sndFileCompleteXFTP")).toHaveLength(1);
    const [error] = ann.of("sndFileError");
    const reason = `${world.path("lost.txt")}: getFileSize:getFileStatus: does not exist (No such file or directory)`;
    expect(error).toMatchObject({
      errorMessage: `INTERNAL {internalErr = "${reason}"}`,
      fileTransferMeta: { fileName: "lost.txt" },
    });
  });

  it("is stored where its receiver says: a folder, the files folder, and never over another file", async () => {
    for (const name of ["a.tar.gz", "b.txt", "c.txt"]) await ann.sendFile("@4", world.file(name));
    await world.idle();
    const folder = world.makeFolder("in");
    world.file("in/a.tar.gz", "another");
    expect(fileOf(await bob.run(`/freceive 1 ${folder}`)).fileSource).toEqual({
      filePath: `${folder}/a_1.tar.gz`,
    });
    await bob.run(`/_files_folder ${folder}`);
    expect(fileOf(await bob.run("/freceive 2")).fileSource).toEqual({ filePath: "b.txt" });
    expect(await bob.fails(`/freceive 3 ${folder}/a.tar.gz`)).toEqual({
      type: "fileAlreadyExists",
      filePath: `${folder}/a.tar.gz`,
    });
    await world.idle();
    expect(readFileSync(`${folder}/a.tar.gz`, "utf8")).toBe("another");
    expect(readFileSync(`${folder}/a_1.tar.gz`, "utf8")).toBe("the content of a.tar.gz");
    expect(readFileSync(`${folder}/b.txt`, "utf8")).toBe("the content of b.txt");
  });

  it("may be stored encrypted, and is sent on decrypted", async () => {
    await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    await bob.run(`/freceive 1 encrypt=on ${world.path("secret")}`);
    await world.idle();
    expect(readFileSync(world.path("secret"))).toHaveLength("the content of a.txt".length + 16);
    await bob.run(`/_forward @4 @4 ${lastItem(bob)}`);
    await world.idle();
    await ann.run(`/freceive 2 ${world.path("back.txt")}`);
    await world.idle();
    expect(readFileSync(world.path("back.txt"), "utf8")).toBe("the content of a.txt");
  });
});

describe("forwarding", () => {
  it("takes a file along only when it is here, and says so before", async () => {
    await ann.sendFile("@4", world.file("a.txt"), { type: "file", text: "look" });
    await ann.sendFile("@4", world.file("b.txt"));
    await world.idle();
    const [first, second] = [lastItem(bob) - 1, lastItem(bob)];
    expect(await bob.run(`/_forward plan @4 ${first},${second}`)).toMatchObject({
      forwardConfirmation: { type: "filesNotAccepted", fileIds: [1, 2] },
    });
    const sent = await bob.run(`/_forward @4 @4 ${first},${second}`);
    // The second has no text to go in place of its file.
    expect(sent.chatItems).toMatchObject([
      { chatItem: { content: { msgContent: { type: "text", text: "look" } } } },
    ]);
    await bob.run(`/freceive 1 ${world.path("got.txt")}`);
    await world.idle();
    expect(await bob.run(`/_forward plan @4 ${first}`)).not.toHaveProperty("forwardConfirmation");
    expect(fileOf(await bob.run(`/_forward @4 @4 ${first}`))).toMatchObject({ fileName: "got.txt" });
    rmSync(world.path("got.txt"));
    expect(await bob.run(`/_forward plan @4 ${first}`)).toMatchObject({
      forwardConfirmation: { type: "filesMissing", filesCount: 1 },
    });
  });
});
