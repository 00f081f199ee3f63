import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChatItem } from "../../../src/core/types.js";
import { freeBytes } from "../../../src/files/disk/disk.js";
import { previewMadeAnew } from "../../../src/files/pictures/images.js";
import { download } from "../../../src/tools/download/download.js";
import { history } from "../../../src/tools/history.js";
import { leave } from "../../../src/tools/leave.js";
import { list } from "../../../src/tools/list.js";
import { send } from "../../../src/tools/send/send.js";
import { until } from "../../world/until.js";
import { chatError } from "../core/fake-chat-api.js";
import { type Bench, newBench } from "./bench.js";
import { type Offered, OTHER_SERVER } from "./fake-core.js";
import { pngBomb, sendersPreview } from "./pictures.js";

/** A file on offer, uploaded, with the card of its download. */
async function askedFor(bench: Bench, fileId: number, number: number, options: Offered = {}) {
  const { fake, call } = bench;
  const { chatItem } = fake.offer("#15", fileId, options);
  fake.upload(fileId);
  const open = call(download, { chat: "#15", item: chatItem.meta.itemId });
  await until(`card ${number}`, () =>
    fake.postedTexts.some((text) => text.includes(`/'receive #15 ${number}'`)),
  );
  return { ...open, item: chatItem.meta.itemId };
}

const transferring = ({ fake }: Bench, fileId: number) =>
  until(`file ${fileId} to come`, () => fake.status(fileId) === "rcvTransfer");

/** The reply after the commands so far. */
const reply = ({ fake }: Bench, start: string) =>
  until(`a reply: ${start}`, () => fake.postedTexts.findLast((text) => text.startsWith(start)));

const forwardedPost = ({ fake }: Bench) =>
  until("the file in the control chat", () => fake.posts.find(({ file }) => file));

describe("/forward", () => {
  test("posts the file under its sender's name as a reply to the card; the action stays pending", async () => {
    const bench = await newBench();
    const { fake, paths, actions, call } = bench;
    const { outcome, item } = await askedFor(bench, 7, 1, { name: "../report \u202E1.pdf" });
    const cardId = fake.posts[0]?.meta.itemId;
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    const forwarded = join(paths.forwarded, "group-15", "7.pdf");
    expect(fake.sent("/freceive")).toEqual([`/freceive 7 encrypt=off ${forwarded}`]);
    fake.complete(7, "the report");

    const post = await forwardedPost(bench);
    const copy = post.file?.fileSource?.filePath ?? "";
    expect(copy).toMatch(/\/files\/sent\/send-\w{6}\/report 1\.pdf$/);
    expect(readFileSync(copy, "utf8")).toBe("the report");
    expect(JSON.parse(fake.sent("/_send #1 ").at(-1)?.replace("/_send #1 json ", "") ?? "")).toEqual([
      { fileSource: { filePath: copy }, msgContent: { type: "file", text: "" }, quotedItemId: cardId },
    ]);
    expect(actions.pending().map(({ number }) => number)).toEqual([1]);
    // The agent does not have it.
    const seen = await call(history, { chat: "#15", around: item }).outcome;
    expect(seen?.result.messages[0]?.file).toMatchObject({ state: "offered" });
    expect(seen?.result.messages[0]?.file?.path).toBeUndefined();
    await expect(call(send, { chat: "#15", file: forwarded }).outcome).rejects.toThrow(
      "is in the agent's data folder",
    );

    fake.sentOut(post.file?.fileId ?? 0);
    await until("the copy is gone", () => readdirSync(paths.sent).length === 0);
    fake.ownerSays("/receive #15 1");
    const path = join(paths.files, "group-15", "7.pdf");
    expect((await outcome)?.result).toMatchObject({ status: "done", path });
    expect(readFileSync(path, "utf8")).toBe("the report");
    expect(existsSync(forwarded)).toBe(false);
    expect(fake.sent("/freceive")).toHaveLength(1);
  });

  test("shares its download with the agent's, which is moved after the copy for the owners was made", async () => {
    const bench = await newBench();
    const { fake, paths } = bench;
    const { outcome } = await askedFor(bench, 7, 1);
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    fake.ownerSays("/receive #15 1");
    await until("the decision", () => bench.actions.pending().length === 0);
    fake.complete(7, "shared");
    expect((await outcome)?.result.path).toBe(join(paths.files, "group-15", "7.pdf"));
    expect(readFileSync((await forwardedPost(bench)).file?.fileSource?.filePath ?? "", "utf8")).toBe(
      "shared",
    );
    expect(fake.sent("/freceive")).toHaveLength(1);
  });

  test("posts the file once however often it is tapped, and again later", async () => {
    const bench = await newBench();
    const { fake } = bench;
    await askedFor(bench, 7, 1);
    fake.ownerSays("/forward #15 1");
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    fake.complete(7, "x");
    await forwardedPost(bench);
    fake.ownerSays("/forward #15 1");
    await until("the second post", () => fake.posts.filter(({ file }) => file).length === 2);
    expect(fake.sent("/freceive")).toHaveLength(1);
  });

  const contentOf = ({ content }: ChatItem) => ("msgContent" in content ? content.msgContent : undefined);

  test("keeps the sender's preview, on the card too, made anew", async () => {
    const bench = await newBench();
    const { fake } = bench;
    const image = await sendersPreview(40);
    const anew = await previewMadeAnew(image, 14_000);
    expect(anew).not.toBe(image);
    await askedFor(bench, 7, 1, { name: "a.jpg", content: { type: "image", text: "", image } });
    const [card] = fake.posts;
    expect(card && contentOf(card)).toMatchObject({ type: "image", image: anew });
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    fake.complete(7, "x");
    expect(contentOf(await forwardedPost(bench))).toEqual({ type: "image", text: "", image: anew });
    expect(fake.sent("/_").join("\n")).not.toContain(image);
  });

  test.each<[string, string]>([
    ["of more pixels than previews have", `data:image/png;base64,${pngBomb(7900).toString("base64")}`],
    ["that is none", `data:image/jpg;base64,${"/9j/".repeat(1000)}`],
  ])("shows no picture %s, on the card neither", async (_, image) => {
    const bench = await newBench();
    const { fake } = bench;
    await askedFor(bench, 7, 1, { name: "a.jpg", content: { type: "image", text: "", image } });
    const [card] = fake.posts;
    expect(card && contentOf(card)).toMatchObject({ type: "text" });
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    fake.complete(7, "x");
    expect(contentOf(await forwardedPost(bench))).toEqual({ type: "file", text: "" });
  });

  test.each([
    [12.4, 12],
    [-3, 0],
    [1e300, 0],
    [0.2, 0],
  ])("of a video of %d seconds tells %i", async (duration, seconds) => {
    const bench = await newBench();
    const { fake } = bench;
    const content = { type: "video", text: "", image: await sendersPreview(40), duration };
    await askedFor(bench, 7, 1, { name: "a.mp4", content });
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    fake.complete(7, "x");
    expect(contentOf(await forwardedPost(bench))).toMatchObject({ type: "video", duration: seconds });
  });

  test("does not reply to a card that is too long as a quote", async () => {
    const bench = await newBench();
    const { fake } = bench;
    const name = `${"long ".repeat(600)}.jpg`;
    for (const [number, side] of [215, 40].entries()) {
      const fileId = 7 + number;
      const content = { type: "image", text: "", image: await sendersPreview(side) };
      await askedFor(bench, fileId, number + 1, { name, content });
      fake.ownerSays(`/forward #15 ${number + 1}`);
      await transferring(bench, fileId);
      fake.complete(fileId, "x");
      await until("the file", () => fake.posts.filter(({ file }) => file).length > number);
    }
    const posts = fake
      .sent("/_send #1 ")
      .map((command) => JSON.parse(command.replace("/_send #1 json ", ""))[0])
      .filter(({ fileSource }) => fileSource);
    expect(posts.map(({ quotedItemId }) => typeof quotedItemId)).toEqual(["undefined", "number"]);
    expect(posts.map(({ msgContent }) => msgContent.type)).toEqual(["image", "image"]);
  });

  test("is refused where the file is on servers by now that the card did not name", async () => {
    const bench = await newBench();
    const { fake, call, logged } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7, [OTHER_SERVER]);
    call(download, { chat: "#15", item: chatItem.meta.itemId });
    await until("the card", () => fake.posts.length > 0);
    fake.upload(7, [OTHER_SERVER, OTHER_SERVER.replace("files.example", "third.example")]);
    fake.ownerSays("/forward #15 1");
    const error = "The file is on servers that were not approved: third.example.";
    await until("the answer", () =>
      fake.postedTexts.includes(`Action 1: the file was not received: \`${error}\`.`),
    );
    expect(fake.sent("/freceive")).toEqual([]);
    expect(logged).toEqual([`The file of action 1 was not forwarded: ${error}`]);
    expect(bench.actions.pending()).toHaveLength(1);
  });

  test("approves relays where the card named them", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const { chatItem } = fake.offer("#15", 7);
    fake.upload(7, [OTHER_SERVER]);
    call(download, { chat: "#15", item: chatItem.meta.itemId });
    await until("the card", () => fake.posts.length > 0);
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    expect(fake.sent("/freceive")[0]).toContain("approved_relays=on");
  });

  test.each<[string, (bench: Bench) => void, string]>([
    ["the sender cancels", ({ fake }) => fake.cancelBySender(7), "The sender cancelled the file."],
    [
      "the post fails",
      ({ fake }) => {
        fake.answers.set(
          '/_send #1 json [{"fileSource"',
          chatError({ type: "error", errorType: { type: "exception", message: "no" } }),
        );
        fake.complete(7, "x");
      },
      "SimpleX core: no.",
    ],
  ])("tells when %s; the action stays pending", async (_, happens, error) => {
    const bench = await newBench();
    const { fake, paths, actions } = bench;
    await askedFor(bench, 7, 1);
    fake.ownerSays("/forward #15 1");
    await transferring(bench, 7);
    happens(bench);
    expect(await reply(bench, "Action 1: the file")).toBe(
      `Action 1: the file was not received: \`${error}\`.`,
    );
    expect(actions.pending()).toHaveLength(1);
    expect(readdirSync(paths.sent)).toEqual([]);
  });
});

describe("commands about downloads", () => {
  test("are answered where they do not fit the action", async () => {
    const bench = await newBench();
    const { fake } = bench;
    await askedFor(bench, 7, 1);
    const line = "/'receive #15 1', /'receive #15 1 all', /'forward #15 1' or /'reject #15 1'";
    const answers: [string, string][] = [
      ["/approve 1", `Action 1 is a download: ${line}`],
      ["/approve #15 1", `Action 1 is a download: ${line}`],
      ["/receive @4 1", "Action 1 is for group Trail (#15)."],
      ["/receive @4 1 all", "Action 1 is for group Trail (#15)."],
      ["/forward @4 1", "Action 1 is for group Trail (#15)."],
      ["/receive #15 2", "Action 2 is not pending."],
      ["/receive #15 2 all", "Action 2 is not pending."],
      ["/forward #15 2", "Action 2 is not pending."],
      ["/receive #99 off", "I have no chat `#99`. /list"],
      ["/receive #1 off", "I have no chat `#1`. /list"],
    ];
    for (const [command, answer] of answers) {
      const before = fake.posts.length;
      fake.ownerSays(command);
      await until(`an answer to ${command}`, () => fake.posts.length > before);
      expect(fake.postedTexts.at(-1), command).toBe(answer);
    }
    expect(bench.actions.pending()).toHaveLength(1);
  });

  test("of all: this one is performed, later ones need no card, others keep theirs, until it is ended", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const first = await askedFor(bench, 7, 1);
    await askedFor(bench, 8, 2);
    fake.ownerSays("/receive #15 1 all");
    expect(await reply(bench, "Downloads approved")).toBe(
      "Downloads approved for group Trail (#15) by Alice. /'receive #15 off'",
    );
    await transferring(bench, 7);
    fake.complete(7, "x");
    expect((await first.outcome)?.result.status).toBe("done");
    expect(bench.actions.pending().map(({ number }) => number)).toEqual([2]);

    const third = fake.offer("#15", 9);
    fake.upload(9);
    const later = call(download, { chat: "#15", item: third.chatItem.meta.itemId });
    await transferring(bench, 9);
    fake.complete(9, "x");
    expect((await later.outcome)?.result).toMatchObject({ action: 3, status: "done" });
    await until("the outcome", () =>
      fake.postedTexts.at(-1)?.endsWith("Approved for this chat by Alice. /'receive #15 off'"),
    );
    fake.answers.set("/_get chats", {
      type: "apiChats",
      chats: [
        { chatInfo: fake.chat("#15").info, chatItems: [], chatStats: { unreadCount: 0, minUnreadItemId: 0 } },
      ],
    });
    expect((await call(list, {}).outcome)?.result.chats[0]).toMatchObject({
      chat: "#15",
      files_approved: { by: "Alice", at: expect.any(String) },
    });

    // Not for servers that are not known.
    const fourth = fake.offer("#15", 10);
    fake.upload(10, [OTHER_SERVER]);
    call(download, { chat: "#15", item: fourth.chatItem.meta.itemId });
    await reply(bench, "I want to download");

    fake.ownerSays("/receive #15 off");
    expect(await reply(bench, "Downloads from")).toBe(
      "Downloads from group Trail (#15) need approval again.",
    );
    await askedFor(bench, 11, 5);
  });

  test("fail when their standing approval ended just before the perform", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    await askedFor(bench, 7, 1);
    fake.ownerSays("/receive #15 1 all");
    await reply(bench, "Downloads approved");
    const { chatItem } = fake.offer("#15", 8);
    fake.upload(8);
    // Ends between its use and the perform's own look at it.
    const info = structuredClone(fake.chat("#15").info);
    fake.onCommand = (command) => {
      if (command.startsWith("/_servers") && fake.sent("/_servers").length === 4) {
        void bench.standing.end(info, "files");
      }
    };
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: "The standing approval of downloads from this chat ended. Call download again to ask.",
    });
    expect(fake.sent("/freceive 8")).toEqual([]);
  });
});

describe("files of a chat that is left", () => {
  const keep = ({ paths }: Bench, ...names: string[]) => {
    mkdirSync(join(paths.files, "group-15"), { recursive: true });
    for (const name of names) writeFileSync(join(paths.files, "group-15", name), "12345");
  };

  test("are told of when the agent left, and those that owners looked at are deleted", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    keep(bench, "7.pdf", "8.pdf");
    mkdirSync(join(paths.forwarded, "group-15"), { recursive: true });
    writeFileSync(join(paths.forwarded, "group-15", "9.pdf"), "x");
    const { outcome } = call(leave, { chat: "#15" });
    await until("the card", () => fake.posts.length > 0);
    fake.ownerSays("/approve #15 1");
    expect((await outcome)?.result.status).toBe("done");
    expect(await reply(bench, "Files from")).toBe(
      `Files from group Trail (#15) are kept in \`${join(paths.files, "group-15")}\`: 2 files, 10 bytes. /'delete #15 files'`,
    );
    expect(existsSync(join(paths.forwarded, "group-15"))).toBe(false);
  });

  test("are told of after the reply to an owner's /leave, which rejects what is pending", async () => {
    const bench = await newBench();
    const { fake } = bench;
    keep(bench, "7.pdf");
    const { outcome } = await askedFor(bench, 8, 1);
    fake.ownerSays("/leave #15");
    await reply(bench, "Files from");
    expect(fake.postedTexts.filter((text) => /^(Left|Files)/.test(text))).toEqual([
      "Left group Trail (#15), requested by Alice.",
      expect.stringMatching(/^Files from group Trail \(#15\) are kept in .*: 1 file, 5 bytes\./),
    ]);
    expect((await outcome)?.result.status).toBe("rejected");
    fake.ownerSays("/delete #15 files");
    expect(await reply(bench, "Deleted 1")).toBe("Deleted 1 file from `#15`, 5 bytes.");
  });

  test("are not told of when there are none", async () => {
    const bench = await newBench();
    const { fake } = bench;
    fake.ownerSays("/leave #15");
    await reply(bench, "Left");
    fake.ownerSays("/list");
    await until("a later reply", () => fake.posts.length > 1);
    expect(fake.postedTexts.some((text) => text.startsWith("Files"))).toBe(false);
  });

  test("are told of in mode host, too", async () => {
    const bench = await newBench({ mode: "host" });
    keep(bench, "7.pdf");
    expect((await bench.call(leave, { chat: "#15" }).outcome)?.result.status).toBe("done");
    await reply(bench, "Files from");
  });
});

describe("/delete CHAT files", () => {
  test("ends downloads, those of an earlier run too, and deletes what was received and forwarded", async () => {
    const bench = await newBench();
    const { fake, paths } = bench;
    const one = await askedFor(bench, 7, 1);
    fake.ownerSays("/receive #15 1");
    await transferring(bench, 7);
    // A download that only the core knows of, far up in the chat.
    const old = fake.offer("#15", 6, { before: true });
    const folder = join(paths.files, "group-15");
    const { file } = fake.item(6).chatItem;
    if (file) file.fileSource = { filePath: join(folder, "6.pdf") };
    fake.setStatus(6, { type: "rcvAccepted" });
    const chat = fake.chat("#15");
    chat.items.splice(
      0,
      0,
      ...chat.items.splice(
        chat.items.findIndex((item) => item.chatItem === old.chatItem),
        1,
      ),
    );
    for (let id = 5000; id < 5150; id += 1) {
      const { file: _, ...chatItem } = old.chatItem;
      chat.items.push({ ...old, chatItem: { ...chatItem, meta: { ...old.chatItem.meta, itemId: id } } });
    }
    writeFileSync(join(folder, "5.pdf"), "12345");
    mkdirSync(join(paths.forwarded, "group-15"), { recursive: true });
    writeFileSync(join(paths.forwarded, "group-15", "4.pdf"), "12345");

    fake.ownerSays("/delete #15 files");
    expect(await reply(bench, "Deleted")).toBe("Deleted 2 files from `#15`, 10 bytes.");
    expect((await one.outcome)?.result).toMatchObject({
      status: "failed",
      error: "Your owner deleted the files of this chat.",
    });
    expect(fake.sent("/fcancel").toSorted()).toEqual(["/fcancel 6", "/fcancel 7"]);
    expect([existsSync(folder), existsSync(join(paths.forwarded, "group-15"))]).toEqual([false, false]);
    expect(fake.sent("/_get chat #15 ").filter((command) => /count=100$/.test(command))).toEqual([
      "/_get chat #15 count=100",
      "/_get chat #15 before=5050 count=100",
    ]);
  });

  test("says when there is no such chat, and leaves the control chat alone", async () => {
    const bench = await newBench();
    for (const chat of ["#99", "#1"]) {
      bench.fake.ownerSays(`/delete ${chat} files`);
      expect(await reply(bench, `I have no chat \`${chat}\``)).toBe(`I have no chat \`${chat}\`. /list`);
    }
    bench.fake.ownerSays("/delete #15 files");
    expect(await reply(bench, "Deleted")).toBe("Deleted 0 files from `#15`, 0 bytes.");
  });
});

describe("a file that the core received by itself", () => {
  const received = async (bench: Bench, bytes: string) => {
    const { fake, root } = bench;
    const { chatItem } = fake.offer("#15", 7, {
      name: "note.m4a",
      size: 5,
      content: { type: "voice", text: "", duration: 3 },
    });
    const path = join(root, "note.m4a");
    fake.complete(7, bytes, { path });
    return { item: chatItem.meta.itemId, path };
  };

  test("goes to the chat's files, is shown as offered, and is given after the approval", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const { item, path } = await received(bench, "12345");
    const place = join(paths.files, "group-15", "7.m4a");
    await until("it was moved", () => existsSync(place) && !existsSync(path));
    const seen = await call(history, { chat: "#15", around: item }).outcome;
    expect(seen?.result.messages[0]?.file).toMatchObject({ state: "offered" });
    const { outcome } = call(download, { chat: "#15", item });
    await until("the card", () => fake.posts.length > 0);
    fake.ownerSays("/receive #15 1");
    expect((await outcome)?.result).toMatchObject({ status: "done", path: place });
    expect(fake.sent("/freceive")).toEqual([]);
    expect(readFileSync(place, "utf8")).toBe("12345");
  });

  test("and moved in an earlier run is not guessed by its number, which another file may have had", async () => {
    const bench = await newBench();
    const { fake, root, paths, call } = bench;
    const { chatItem } = fake.offer("#15", 7, { name: "note.m4a", size: 5, before: true });
    const path = join(root, "note.m4a");
    fake.complete(7, "12345", { path, silent: true });
    rmSync(path);
    mkdirSync(join(paths.files, "group-15"), { recursive: true });
    writeFileSync(join(paths.files, "group-15", "7.m4a"), "other");
    const { outcome } = call(download, { chat: "#15", item: chatItem.meta.itemId });
    await until("the card", () => fake.posts.length > 0);
    fake.ownerSays("/receive #15 1");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: "The file was received and cannot be found here any more. Ask for it to be sent again.",
    });
  });

  test("stays where it is unless it is whole", async () => {
    const bench = await newBench();
    const { path } = await received(bench, "123");
    await bench.events.idle();
    bench.fake.ownerSays("/list");
    await until("a reply", () => bench.fake.posts.length > 0);
    expect(existsSync(path)).toBe(true);
  });
});

describe("a disk that refuses", () => {
  test("ends the download with an error to the agent and a line to the operator", async () => {
    const bench = await newBench();
    const { fake, paths, logged } = bench;
    const { outcome } = await askedFor(bench, 7, 1);
    // A file where the chat's folder should be.
    writeFileSync(join(paths.files, "group-15"), "");
    fake.ownerSays("/receive #15 1");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^The file cannot be stored: /),
    });
    expect(logged).toEqual([expect.stringMatching(/^Action 1 failed: The file cannot be stored: /)]);
    expect(fake.sent("/freceive")).toEqual([]);
  });

  test("is not filled by a file that it has no room for", async () => {
    const bench = await newBench();
    const { outcome } = await askedFor(bench, 7, 1, { size: 2 ** 50 });
    bench.fake.ownerSays("/receive #15 1");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: "The file cannot be stored: the disk has too little room for it.",
    });
    expect(bench.fake.sent("/freceive")).toEqual([]);
  });

  test("has the room only once that several files need at a time", async () => {
    const bench = await newBench();
    const { fake, root, call } = bench;
    // Two at a time need 120 percent of what is free.
    const size = Math.floor((await freeBytes(root)) * 0.3);
    const first = await askedFor(bench, 7, 1, { size });
    const second = await askedFor(bench, 8, 2, { size });
    fake.ownerSays("/receive #15 1");
    await transferring(bench, 7);
    fake.ownerSays("/receive #15 2");
    expect((await second.outcome)?.result).toMatchObject({
      status: "failed",
      error: "The file cannot be stored: the disk has too little room for it.",
    });
    expect(fake.sent("/freceive")).toHaveLength(1);
    fake.complete(7, "x");
    expect((await first.outcome)?.result.status).toBe("done");
    const again = call(download, { chat: "#15", item: second.item });
    await until("card 3", () => fake.postedTexts.some((text) => text.includes("/'receive #15 3'")));
    fake.ownerSays("/receive #15 3");
    await transferring(bench, 8);
    fake.complete(8, "x");
    expect((await again.outcome)?.result.status).toBe("done");
  });

  test("may have lost the folders: they are made anew", async () => {
    const bench = await newBench();
    const { fake, paths } = bench;
    const { outcome } = await askedFor(bench, 7, 1);
    rmSync(paths.files, { recursive: true });
    fake.ownerSays("/receive #15 1");
    await transferring(bench, 7);
    fake.complete(7, "x");
    expect((await outcome)?.result.status).toBe("done");
  });
});
