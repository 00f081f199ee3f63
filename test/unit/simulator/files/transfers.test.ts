import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileUser, FileWorld, lastItem, statusOf } from "./file-world.js";

let world: FileWorld;
let ann: FileUser;
let bob: FileUser;

beforeEach(async () => {
  ({ world, ann, bob } = await FileWorld.make());
});
afterEach(() => world.close());

describe("file servers", () => {
  const OWN = "xftp://PNJmMjGLmSKgKBHMSrHfHTvJRZMqbaYCBxOcZxJmXUY=@files.example";

  it("are the sender's own or the presets; unknown ones are refused until they are approved", async () => {
    await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    await ann.run(`/xftp ${OWN}`);
    await ann.sendFile("@4", world.file("b.txt"));
    await world.idle();
    await bob.run(`/freceive 1 ${world.path("a.got")}`);
    const refused = { type: "fileNotApproved", fileId: 2, unknownServers: [OWN] };
    expect(await bob.fails(`/freceive 2 ${world.path("b.got")}`)).toEqual(refused);
    expect(existsSync(world.path("b.got"))).toBe(false);
    await bob.run(`/freceive 2 approved_relays=on ${world.path("b.got")}`);
    await world.idle();
    expect(readFileSync(world.path("b.got"), "utf8")).toBe("the content of b.txt");
  });

  it("that nobody sees us on need no approval: through a proxy", async () => {
    await ann.run(`/xftp ${OWN}`);
    await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    await bob.run("/network socks=on");
    await bob.run(`/freceive 1 ${world.path("got")}`);
    await world.idle();
    expect(bob.heard).toContain("rcvFileComplete");
  });

  it("that turn out to be unknown later take the file back in silence, in a direct chat", async () => {
    await ann.run(`/xftp ${OWN}`);
    const uploads = world.network.files.holdUploads();
    await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    await bob.run(`/freceive 1 ${world.path("got")}`);
    uploads.release();
    await world.idle();
    expect(bob.heard).toEqual(["newChatItems", "rcvFileDescrReady"]);
    expect(await statusOf(bob, lastItem(bob))).toEqual({ type: "rcvInvitation" });
    expect(existsSync(world.path("got"))).toBe(false);
  });

  it("forget a file after two days, and when a test says so", async () => {
    for (const name of ["a.txt", "b.txt"]) await ann.sendFile("@4", world.file(name));
    await world.idle();
    expect(world.network.files.remove("a.txt")).toBe(1);
    await bob.run(`/freceive 1 ${world.path("a.got")}`);
    await world.idle();
    await world.clock.advance(48 * 3_600_000);
    await bob.run(`/freceive 2 ${world.path("b.got")}`);
    await world.idle();
    const errors = bob.of("rcvFileError").map(({ agentError }) => agentError);
    expect(errors).toEqual([
      expect.objectContaining({ type: "XFTP", xftpErr: { type: "AUTH" } }),
      expect.objectContaining({ type: "XFTP", xftpErr: { type: "AUTH" } }),
    ]);
    expect(await bob.fails(`/freceive 1 ${world.path("again")}`)).toEqual({
      type: "fileAlreadyReceiving",
      message: "a.txt",
    });
    expect(await bob.fails("/fcancel 1")).toMatchObject({
      type: "fileCancel",
      message: "file already cancelled",
    });
  });
});

describe("transfers", () => {
  const MB = 1 << 20;

  it("are held, let through chunk by chunk, and released", async () => {
    await ann.sendFile("@4", world.file("a.bin", Buffer.alloc(10 * MB)));
    await world.idle();
    const downloads = world.network.files.holdDownloads("Bob");
    await bob.run(`/freceive 1 ${world.path("got")}`);
    await world.idle();
    expect(bob.of("rcvFileProgressXFTP")).toEqual([]);
    downloads.pass(2);
    await world.idle();
    expect(
      bob.of("rcvFileProgressXFTP").map(({ receivedSize, totalSize }) => [receivedSize, totalSize]),
    ).toEqual([
      [4 * MB, 11 * MB],
      [8 * MB, 11 * MB],
    ]);
    expect(readFileSync(world.path("got"))).toHaveLength(0);
    downloads.release();
    await world.idle();
    expect(readFileSync(world.path("got"))).toHaveLength(10 * MB);
  });

  it("take their time when they are slow", async () => {
    await ann.sendFile("@4", world.file("a.bin", Buffer.alloc(10 * MB)));
    await world.idle();
    world.network.files.slowDownloads(60_000);
    await bob.run(`/freceive 1 ${world.path("got")}`);
    await world.clock.advance(119_000);
    expect(bob.of("rcvFileProgressXFTP")).toHaveLength(1);
    await world.clock.advance(10 * 60_000);
    expect(bob.heard).toContain("rcvFileComplete");
  });

  it("fail for good when a test says so", async () => {
    world.network.files.failUpload("TIMEOUT", "Ann");
    await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    expect(ann.of("sndFileError")[0]).toMatchObject({ errorMessage: "TIMEOUT" });
    await ann.sendFile("@4", world.file("b.txt"));
    await world.idle();
    world.network.files.failDownload({ type: "BROKER", brokerAddress: "x", brokerErr: { type: "TIMEOUT" } });
    await bob.run(`/freceive 2 ${world.path("got")}`);
    await world.idle();
    expect(await statusOf(bob, lastItem(bob))).toEqual({
      type: "rcvError",
      rcvFileError: { type: "relay", srvError: { type: "TIMEOUT" } },
    });
  });

  it("wait for the network, and for the next start", async () => {
    world.network.faults.networkDown(true, "Ann");
    await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    expect(ann.of("sndFileProgressXFTP")).toEqual([]);
    await ann.close();
    world.network.faults.networkDown(false);
    const again = world.open("Ann");
    await again.start();
    await world.idle();
    expect(again.heard).toEqual(["sndFileProgressXFTP", "sndFileProgressXFTP", "sndFileCompleteXFTP"]);
    expect(bob.heard).toEqual(["newChatItems", "rcvFileDescrReady"]);
  });

  it("go on where they were after everything was saved and loaded", async () => {
    const uploads = world.network.files.holdUploads();
    await ann.sendFile("@4", world.file("a.bin", Buffer.alloc(10 * MB, 7)));
    uploads.pass(2);
    await world.idle();
    world.reload();
    const [ann2, bob2] = [world.open("Ann"), world.open("Bob")];
    await ann2.start();
    await bob2.start();
    await world.idle();
    expect(ann2.of("sndFileProgressXFTP").map(({ sentSize }) => sentSize)).toEqual([
      8 * MB,
      9 * MB,
      10 * MB,
      11 * MB,
      1,
    ]);
    const downloads = world.network.files.holdDownloads();
    await bob2.run(`/freceive 1 ${world.path("got")}`);
    downloads.pass();
    await world.idle();
    world.reload();
    const bob3 = world.open("Bob");
    await bob3.start();
    await world.idle();
    expect(bob3.of("rcvFileProgressXFTP")[0]).toMatchObject({ receivedSize: 8 * MB });
    expect(readFileSync(world.path("got")).equals(Buffer.alloc(10 * MB, 7))).toBe(true);
  });

  it("end with their message", async () => {
    const downloads = world.network.files.holdDownloads();
    const sent = await ann.sendFile("@4", world.file("a.txt"));
    await world.idle();
    await bob.run(`/freceive 1 ${world.path("got")}`);
    const [item] = sent.chatItems as { chatItem: { meta: { itemId: number } } }[];
    await ann.run(`/_delete item @4 ${item?.chatItem.meta.itemId} broadcast`);
    await world.idle();
    downloads.release();
    await world.idle();
    expect(bob.heard).not.toContain("rcvFileComplete");
    expect(await bob.fails("/freceive 1 /tmp/x")).toEqual({ type: "fileCancelled", message: "a.txt" });
    await bob.run(`/_delete item @4 ${lastItem(bob)} internal`);
    expect(await bob.fails("/freceive 1 /tmp/x")).toEqual({ type: "userNotFoundByFileId", fileId: 1 });
  });

  it("of a group reach who joins later, with the history", async () => {
    const profile = { displayName: "Trail", fullName: "", groupPreferences: { history: { enable: "on" } } };
    await ann.run(`/_group 1 ${JSON.stringify(profile)}`);
    const { groupLink } = await ann.run("/_create link #1 member");
    await ann.sendFile("#1", world.file("map.txt"));
    await world.idle();
    const { connFullLink } = (groupLink as { connLinkContact: { connFullLink: string } }).connLinkContact;
    await bob.run(`/_connect 1 ${connFullLink}`);
    await world.idle();
    expect(bob.of("rcvFileDescrReady")).toHaveLength(1);
    await bob.run(`/freceive 1 ${world.path("got")}`);
    await world.idle();
    expect(readFileSync(world.path("got"), "utf8")).toBe("the content of map.txt");
  });
});
