import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { download } from "../../../src/tools/download/download.js";
import { until } from "../../world/until.js";
import { type Bench, newBench } from "./bench.js";
import { KNOWN_SERVER, OTHER_SERVER } from "./fake-core.js";

/** Resolves when the card of action `number` is posted. */
async function card({ fake }: Bench, number: number): Promise<string> {
  return await until(`card ${number}`, () =>
    fake.postedTexts.find(
      (text) => text.includes(`'reject #15 ${number}'`) || text.includes(`'reject @4 ${number}'`),
    ),
  );
}

async function accepted({ fake }: Bench, fileId: number): Promise<void> {
  await until(
    `/freceive ${fileId}`,
    () => fake.sent(`/freceive ${fileId} `).length > 0 && fake.status(fileId) !== "rcvInvitation",
  );
}

describe("download", () => {
  test("waits for the sender's upload, asks, receives the file by its number, and tells its path", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const { chatItem } = fake.offer("#15", 7, { size: 2_516_582 });
    const item = chatItem.meta.itemId;
    await until("the offer is seen", () => bench.files.servers.isUploading(item));
    const { outcome, progress } = call(download, { chat: "#15", item });
    await until("the upload is waited for", () => progress.length > 0);
    expect(progress[0]).toMatch(
      new RegExp(`^The sender is uploading the file of item ${item} in #15; waiting until \\d\\d:\\d\\d\\.$`),
    );
    expect(fake.postedTexts).toEqual([]);

    fake.upload(7);
    expect(await card(bench, 1)).toBe(
      "I want to download a file from Switchback in group Trail (#15): `report.pdf`, 2.4 MB. Servers: known.\n" +
        "/'receive #15 1', /'receive #15 1 all', /'forward #15 1' or /'reject #15 1'",
    );
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    const path = join(paths.files, "group-15", "7.pdf");
    expect(fake.sent("/freceive")).toEqual([`/freceive 7 encrypt=off ${path}`]);
    fake.progress(7, 1_000_000, 2_500_000);
    await until("progress", () => progress.includes("Downloading: 40% of 2.4 MB."));
    fake.complete(7, "the report");

    expect(await outcome).toEqual({ result: { action: 1, status: "done", chat: "#15", item, path } });
    expect(readFileSync(path, "utf8")).toBe("the report");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    await until("the card tells the end", () => fake.postedTexts[0]?.endsWith("Approved by Alice."));
    expect(fake.postedTexts).toEqual([
      "I downloaded a file from Switchback in group Trail (#15): `report.pdf`, 2.4 MB. Servers: known.\nApproved by Alice.",
    ]);
  });

  test("does not wait for the upload of a file that was offered before the server's start", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7, { before: true });
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    expect(fake.status(7)).toBe("rcvAccepted");
    // The core starts by itself when the descriptor comes.
    fake.upload(7);
    fake.complete(7, "x");
    expect((await outcome)?.result.status).toBe("done");
  });

  test("ends with an error when the upload takes longer than the call waits", async () => {
    const bench = await newBench();
    const { fake, clock, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    await until("the offer is seen", () => bench.files.servers.isUploading(chatItem.meta.itemId));
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId, wait: 90 });
    await until("the upload is waited for", () => clock.timers > 0);
    await clock.advance(60_000);
    await until("the next check is set", () => clock.timers > 0);
    await clock.advance(30_000);
    await expect(outcome).rejects.toThrow("has not uploaded the file of item 100 in #15 yet");
    expect(fake.postedTexts).toEqual([]);
  });

  test("takes the servers from the item, where the core tells them there", async () => {
    const bench = await newBench();
    bench.fake.fileServers = [OTHER_SERVER];
    const { chatItem } = bench.fake.offer("#15", 7, { before: true });
    bench.call(download, { chat: "#15", item: chatItem.meta.itemId });
    expect(await card(bench, 1)).toContain(
      "Servers: `files.example`, `abc.onion`.\n/'receive #15 1', /'forward",
    );
  });

  test("approves the relays only after a card that named their hosts", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7, [KNOWN_SERVER, OTHER_SERVER]);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    const text = await card(bench, 1);
    expect(text).toContain("Servers: `files.example`, `abc.onion`.");
    expect(text).not.toContain("all'");
    fake.ownerSays("/receive #15 1 all");
    await until("the refusal", () =>
      fake.postedTexts.at(-1)?.startsWith("The servers of action 1 are not known"),
    );
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    expect(fake.sent("/freceive")[0]).toContain("/freceive 7 approved_relays=on encrypt=off ");
    fake.complete(7, "x");
    expect((await outcome)?.result.status).toBe("done");
  });

  test("is not asked for where it is on more servers than an owner can be asked about", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7, [KNOWN_SERVER, ...Array.from({ length: 50 }, (_, at) => `xftp://fp@host${at}.example`)]);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await expect(outcome).rejects.toThrow(
      "The file is on more than 50 servers, too many to ask an owner about. Ask for it to be sent again.",
    );
    expect(fake.posts).toEqual([]);
  });

  test("fails on servers that no card named, and asks with their names at the next call", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7, { before: true });
    fake.upload(7, [OTHER_SERVER], { silent: true });
    const input = { chat: "#15" as const, item: chatItem.meta.itemId };
    const first = call(download, input);
    expect(await card(bench, 1)).toContain("Servers: known.");
    fake.ownerSays("/receive #15 1");
    const { result, isError } = (await first.outcome) ?? {};
    expect(isError).toBe(true);
    expect(result).toMatchObject({
      status: "failed",
      error:
        "The file is on servers that are not in the agent's list: files.example, abc.onion. Call download again to ask for it with their names.",
    });

    const second = call(download, input);
    expect(await card(bench, 2)).toContain("Servers: `files.example`, `abc.onion`.");
    fake.ownerSays("/receive #15 2");
    await until("accepted", () => fake.status(7) === "rcvTransfer");
    // The placeholder of the first is gone.
    expect(fake.sent("/freceive").at(-1)).toMatch(/approved_relays=on .*\/7\.pdf$/);
    fake.complete(7, "x");
    expect((await second.outcome)?.result.status).toBe("done");
  });

  test.each([
    ["of which the core tells with an event", false],
    ["of which the core tells nothing", true],
  ])("fails when the refusal comes with a late descriptor %s", async (_, silent) => {
    const bench = await newBench();
    const { fake, clock, call } = bench;
    const { chatItem } = fake.offer("#15", 7, { before: true });
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId, wait: 3600 });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    if (silent) {
      fake.upload(7, [OTHER_SERVER], { silent: true });
      // The item is back at its offer; the event is lost.
      await until("a check is set", () => clock.timers > 1);
      await clock.advance(60_000);
    } else fake.upload(7, [OTHER_SERVER]);
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: expect.stringContaining("files.example"),
    });
    expect(existsSync(join(bench.paths.files, "group-15", "7.pdf"))).toBe(false);
  });

  test("names the file by its number, whatever the sender calls it", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const names = [
      "../../../.ssh/authorized_keys",
      "a/b.tar.GZ",
      "CON.txt",
      "x.\u202Etxt.exe",
      "no",
      "a.b c",
      "q.123456789",
    ];
    for (const [index, name] of names.entries()) {
      const fileId = 20 + index;
      const { chatItem } = fake.offer("#15", fileId, { name });
      fake.upload(fileId);
      const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
      await card(bench, index + 1);
      fake.ownerSays(`/receive #15 ${index + 1}`);
      await accepted(bench, fileId);
      fake.complete(fileId, name);
      expect((await outcome)?.result.status).toBe("done");
    }
    const folder = join(paths.files, "group-15");
    expect(fake.sent("/freceive").map((command) => command.split(`${folder}/`)[1])).toEqual([
      "20",
      "21.gz",
      "22.txt",
      "23.exe",
      "24",
      "25",
      "26",
    ]);
  });

  test("leaves a file that is in the way where it is", async () => {
    const bench = await newBench();
    const { fake, paths, call, files } = bench;
    const old = await files.folders.newPath("files", { chat: "#15", fileId: 7, name: "a.pdf" });
    writeFileSync(old, "of an earlier database");
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    fake.complete(7, "new");
    expect((await outcome)?.result.path).toBe(join(paths.files, "group-15", "7-2.pdf"));
    expect(readFileSync(old, "utf8")).toBe("of an earlier database");
  });

  test("gives back a file that the agent has already, without asking again", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("@4", 7);
    fake.upload(7);
    const input = { chat: "@4" as const, item: chatItem.meta.itemId };
    const first = call(download, input);
    await card(bench, 1);
    fake.ownerSays("/receive @4 1");
    await accepted(bench, 7);
    fake.complete(7, "x");
    const path = (await first.outcome)?.result.path;
    expect(path).toMatch(/\/contact-4\/7\.pdf$/);
    expect(await call(download, input).outcome).toEqual({ result: { status: "done", ...input, path } });
    expect(fake.postedTexts).toHaveLength(1);
  });

  test("says so when the file was deleted here since, and cannot be received again", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const path = await bench.files.folders.newPath("files", { chat: "#15", fileId: 7, name: "report.pdf" });
    fake.complete(7, "x", { path });
    rmSync(path);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: "The file was received and was deleted here since. Ask for it to be sent again.",
    });
  });

  test("asked for twice at once is one action, and one download", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const input = { chat: "#15" as const, item: chatItem.meta.itemId };
    const calls = [call(download, input), call(download, input)];
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    fake.complete(7, "x");
    const results = await Promise.all(calls.map(({ outcome }) => outcome));
    expect(results.map((one) => one?.result.action)).toEqual([1, 1]);
    expect(fake.sent("/freceive")).toHaveLength(1);
    expect(bench.actions.all()).toEqual([]);
  });

  test("is not taken for that of an earlier file with its number, which is gone unnoticed", async () => {
    const bench = await newBench();
    const { fake, paths, clock, call } = bench;
    const start = async (number: number) => {
      const { chatItem } = fake.offer("#15", 7);
      fake.upload(7);
      const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
      await card(bench, number);
      fake.ownerSays(`/receive #15 ${number}`);
      await accepted(bench, 7);
      return { outcome };
    };
    const first = await start(1);
    fake.removeBySender(7);
    const second = await start(2);
    const path = join(paths.files, "group-15", "7-2.pdf");
    expect(fake.sent("/freceive")[1]).toBe(`/freceive 7 encrypt=off ${path}`);
    fake.complete(7, "the second");
    expect((await second.outcome)?.result).toMatchObject({ action: 2, status: "done", path });
    await until("a check is set", () => clock.timers > 1);
    await clock.advance(60_000);
    expect((await first.outcome)?.result).toMatchObject({
      status: "failed",
      error: "The message with the file was deleted.",
    });
    expect(readFileSync(path, "utf8")).toBe("the second");
    expect(existsSync(join(paths.files, "group-15", "7.pdf"))).toBe(false);
  });

  test("that is ended does not end a later file's with its number", async () => {
    const bench = await newBench();
    const { fake, files, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    fake.removeBySender(7);
    fake.offer("@4", 7);
    await files.downloads.cancelOf("#15", "Ended.");
    expect((await outcome)?.result).toMatchObject({ status: "failed", error: "Ended." });
    expect(fake.sent("/fcancel")).toEqual([]);
  });

  test("comes back as performing when the wait is over, and is waited for by the same call", async () => {
    const bench = await newBench();
    const { fake, clock, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const input = { chat: "#15" as const, item: chatItem.meta.itemId };
    const first = call(download, { ...input, wait: 30 });
    await card(bench, 1);
    await clock.advance(3_600_000);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    await until("the wait is set", () => first.progress.some((text) => text.startsWith("Downloading")));
    await clock.advance(30_000);
    expect(await first.outcome).toEqual({
      result: { action: 1, status: "performing", ...input },
      isError: false,
    });
    // The same call waits from when it comes.
    const second = call(download, { ...input, wait: 30 });
    await until("the wait is set", () => second.progress.length > 0);
    await clock.advance(20_000);
    fake.complete(7, "x");
    expect((await second.outcome)?.result).toMatchObject({ action: 1, status: "done" });
    expect(bench.actions.all()).toEqual([]);
  });

  test("that ends while its client reads that it is performing is not taken for delivered", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const input = { chat: "#15" as const, item: chatItem.meta.itemId };
    const first = call(download, { ...input, wait: 0 }, async () => {
      fake.complete(7, "x");
      await until("the end", () => bench.actions.all()[0]?.state.state === "done");
    });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    await until("the wait is set", () => first.progress.some((text) => text.startsWith("Downloading")));
    await bench.clock.advance(1);
    expect((await first.outcome)?.result.status).toBe("performing");
    expect((await call(download, input).outcome)?.result).toMatchObject({ action: 1, status: "done" });
  });

  test("finds a completed file without its event, at the check of the minute", async () => {
    const bench = await newBench();
    const { fake, clock, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    fake.complete(7, "x", { silent: true });
    await until("a check is set", () => clock.timers > 1);
    await clock.advance(60_000);
    expect((await outcome)?.result.status).toBe("done");
  });

  test("has no timer while nothing is downloaded", async () => {
    const bench = await newBench();
    const { fake, clock, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    fake.complete(7, "x");
    await outcome;
    await until("all timers are gone", () => clock.timers === 0);
  });

  test("fails and is cancelled after 30 minutes without progress", async () => {
    const bench = await newBench();
    const { fake, clock, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId, wait: 86_400 });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    for (let minute = 0; minute < 29; minute += 1) {
      await until("a check is set", () => clock.timers > 1);
      await clock.advance(60_000);
    }
    fake.progress(7, 500, 1000, { silent: true });
    for (let minute = 0; minute < 30; minute += 1) {
      expect(fake.sent("/fcancel")).toEqual([]);
      await until("a check is set", () => clock.timers > 1);
      await clock.advance(60_000);
    }
    await until("a check is set", () => fake.sent("/fcancel").length > 0 || clock.timers > 1);
    await clock.advance(60_000);
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: "Nothing of the file came for 30 minutes, so the download was cancelled. Try again later.",
    });
    expect(fake.sent("/fcancel")).toEqual(["/fcancel 7"]);
    expect(existsSync(join(bench.paths.files, "group-15", "7.pdf"))).toBe(false);
  });

  test.each<[string, (bench: Bench) => void, string]>([
    ["the sender cancels", ({ fake }) => fake.cancelBySender(7), "The sender cancelled the file."],
    [
      "the message is deleted",
      ({ fake }) => fake.deleteBySender(7),
      "The message with the file was deleted.",
    ],
    [
      "the file is gone from its server",
      ({ fake }) => fake.fail(7, { type: "auth" }),
      "The file is gone from its server: it expired or was deleted. Ask for it to be sent again.",
    ],
    [
      "the transfer fails",
      ({ fake }) => fake.fail(7, { type: "other", fileError: "disk full" }),
      "The download failed: disk full. Ask for the file to be sent again.",
    ],
  ])("fails for good when %s", async (_, happens, error) => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    happens(bench);
    const { result, isError } = (await outcome) ?? {};
    expect(isError).toBe(true);
    expect(result).toMatchObject({ status: "failed", error });
    // No half file stays.
    await until("the placeholder is gone", () => !existsSync(join(bench.paths.files, "group-15", "7.pdf")));
  });

  test("fails when the chat is left meanwhile", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    fake.ownerSays("/leave #15");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: "The message with the file was deleted.",
    });
  });

  test("fails when its message is another one at the perform", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    const { file } = fake.item(7).chatItem;
    if (file) file.fileName = "other.exe";
    fake.ownerSays("/receive #15 1");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: expect.stringContaining("changed after the request"),
    });
    expect(fake.sent("/freceive")).toEqual([]);
  });

  test("joins a transfer that the core continues from before a restart", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const { chatItem } = fake.offer("#15", 7, { before: true });
    const path = await bench.files.folders.newPath("files", { chat: "#15", fileId: 7, name: "report.pdf" });
    fake.upload(7, [KNOWN_SERVER], { silent: true });
    fake.setStatus(7, { type: "rcvTransfer", rcvProgress: 600, rcvTotal: 1000 });
    const { file } = fake.item(7).chatItem;
    if (file) file.fileSource = { filePath: path };
    const { outcome, progress } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await until("its progress is read from the item", () =>
      progress.includes("Downloading: 60% of 10 bytes."),
    );
    expect(fake.sent("/freceive")).toEqual([]);
    fake.complete(7, "x");
    expect((await outcome)?.result.path).toBe(join(paths.files, "group-15", "7.pdf"));
  });

  test.each<[string, number, string]>([
    ["an item that is not there", 999, "There is no message 999 in #15"],
    ["a message without a file", 98, "Message 98 in #15 has no file"],
  ])("says what is wrong with %s", async (_, item, error) => {
    const bench = await newBench();
    const { items } = bench.fake.chat("#15");
    const { chatItem } = bench.fake.offer("#15", 7);
    items.push({
      ...bench.fake.item(7),
      chatItem: { ...chatItem, file: undefined, meta: { ...chatItem.meta, itemId: 98 } },
    });
    await expect(bench.call(download, { chat: "#15", item }).outcome).rejects.toThrow(error);
  });

  test("creates nothing for a call that was aborted while it waited for the upload", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    await until("the offer is seen", () => bench.files.servers.isUploading(chatItem.meta.itemId));
    const { outcome, progress, abort } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await until("the upload is waited for", () => progress.length > 0);
    abort();
    expect(await outcome).toBeUndefined();
    expect(bench.actions.all()).toEqual([]);
  });

  test("in mode host is received without a card, a post, or other servers", async () => {
    const bench = await newBench({ mode: "host" });
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const first = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await accepted(bench, 7);
    fake.complete(7, "x");
    expect((await first.outcome)?.result.status).toBe("done");
    const other = fake.offer("#15", 8);
    fake.upload(8, [OTHER_SERVER]);
    const second = call(download, { chat: "#15", item: other.chatItem.meta.itemId });
    expect((await second.outcome)?.result).toMatchObject({
      status: "failed",
      error: expect.stringContaining("In mode host such files are not downloaded."),
    });
    // Behind a proxy the core would take it: it is asked, without approval.
    expect(fake.sent("/freceive 8")).toEqual([expect.stringMatching(/^\/freceive 8 encrypt=off /)]);
    expect(fake.postedTexts).toEqual([]);
  });

  test("is stopped with the server, and goes on in the core", async () => {
    const bench = await newBench();
    const { fake, call, actions, files } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7);
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await card(bench, 1);
    fake.ownerSays("/receive #15 1");
    await accepted(bench, 7);
    files.close();
    expect(await actions.stop()).toBe(1);
    expect((await outcome)?.result.status).toBe("interrupted");
    expect(fake.sent("/fcancel")).toEqual([]);
    expect(fake.status(7)).toBe("rcvTransfer");
    expect(existsSync(join(bench.paths.files, "group-15", "7.pdf"))).toBe(true);
  });
});
