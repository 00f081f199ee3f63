import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { send } from "../../../src/tools/send/send.js";
import { until } from "../../world/until.js";
import { chatError } from "../core/fake-chat-api.js";
import { type Bench, newBench } from "./bench.js";
import { ALICE } from "./fake-core.js";
import { photo } from "./pictures.js";

function write({ home }: Bench, name: string, content: string | Buffer = "content"): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The command with which the message went to the core, without the one of its card. */
async function sentMessage({ fake }: Bench, chat: string): Promise<Record<string, unknown>> {
  const command = await until("the message", () => fake.sent(`/_send ${chat} `)[0]);
  const [message] = JSON.parse(command.replace(/^\/_send \S+ json /, ""));
  return message;
}

const pictureOf = ({ fake }: Bench) => {
  const content = fake.posts[0]?.content;
  return content && "msgContent" in content ? content.msgContent.image : undefined;
};

describe("send with a file", () => {
  test("shows the image on the card, sends a copy without metadata, and deletes it when it is uploaded", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const image = await sharp(await photo(1200, 800))
      .withExif({ IFD0: { Copyright: "secret place" } })
      .jpeg()
      .toBuffer();
    const path = write(bench, "trail.jpg", image);
    const { outcome } = call(send, { chat: "#15", text: "trail map", file: path, wait: 0 });
    await until("the card", () => fake.posts.length > 0);
    const size = `${Math.round(image.length / 1024)} KB`;
    expect(fake.postedTexts[0]).toBe(
      `I want to send a message to group Trail: \`trail map\`, attaching image \`${path}\`, ${size}\n` +
        "/'approve #15 1', /'approve #15 all', /'reject #15 1' or /'edit #15 1'",
    );
    const preview = pictureOf(bench);
    expect(preview).toMatch(/^data:image\/jpg;base64,/);

    fake.ownerSays("/approve #15 1");
    const message = await sentMessage(bench, "#15");
    const { filePath } = message.fileSource as { filePath: string };
    expect(message).toEqual({
      msgContent: { type: "image", text: "trail map", image: preview },
      fileSource: { filePath: expect.stringMatching(/^.*\/files\/sent\/send-\w{6}\/trail\.jpg$/) },
    });
    expect(readFileSync(filePath).includes("secret place")).toBe(false);
    expect((await outcome)?.result).toMatchObject({ action: 1, status: "done", chat: "#15" });
    // The card keeps its picture when it is edited.
    await until("the card tells the end", () => fake.postedTexts[0]?.endsWith("Approved by Alice."));
    expect(fake.postedTexts[0]).toMatch(/^I sent a message to group Trail: `trail map`, attaching image/);
    expect(pictureOf(bench)).toBe(preview);
    // The core is still reading it.
    expect(existsSync(filePath)).toBe(true);
    fake.sentOut(fake.chat("#15").items.at(-1)?.chatItem.file?.fileId ?? 0);
    await until("the copy is gone", () => readdirSync(paths.sent).length === 0);
  });

  test("needs no text, and sends other files as they are", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const path = write(bench, "docs/report.pdf", "the report");
    const { outcome } = call(send, { chat: "@4", file: "~/docs/report.pdf", wait: 0 });
    await until("the card", () => fake.posts.length > 0);
    expect(fake.postedTexts[0]).toMatch(
      new RegExp(`^I want to send a message to contact Ann, attaching file \`${path}\`, 10 bytes\n`),
    );
    expect(pictureOf(bench)).toBeUndefined();
    fake.ownerSays("/approve @4 1");
    const message = await sentMessage(bench, "@4");
    expect(message.msgContent).toEqual({ type: "file", text: "" });
    expect(readFileSync((message.fileSource as { filePath: string }).filePath, "utf8")).toBe("the report");
    expect((await outcome)?.result.status).toBe("done");
  });

  test("sends an image as a plain file where it is asked for so", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const image = await photo(200, 100);
    const path = write(bench, "trail.jpg", image);
    call(send, { chat: "#15", file: path, as: "file", wait: 0 });
    await until("the card", () => fake.posts.length > 0);
    expect(fake.postedTexts[0]).toContain("attaching file `");
    fake.ownerSays("/approve #15 1");
    const message = await sentMessage(bench, "#15");
    expect(message.msgContent).toEqual({ type: "file", text: "" });
    expect(readFileSync((message.fileSource as { filePath: string }).filePath).equals(image)).toBe(true);
  });

  test("fails when the file changed after the request, and sends nothing", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const path = write(bench, "a.txt", "first");
    const { outcome } = call(send, { chat: "#15", file: path });
    await until("the card", () => fake.posts.length > 0);
    write(bench, "a.txt", "other");
    fake.ownerSays("/approve #15 1");
    const { result, isError } = (await outcome) ?? {};
    expect([result?.status, result?.error, isError]).toEqual([
      "failed",
      `file: ${path} changed after the request.`,
      true,
    ]);
    expect(fake.sent("/_send #15")).toEqual([]);
    expect(readdirSync(paths.sent)).toEqual([]);
    await until("the card", () =>
      fake.postedTexts[0]?.endsWith(
        `Approved by Alice; failed: \`file: ${path} changed after the request.\`.`,
      ),
    );
  });

  test("deletes the copy when SimpleX does not take the message", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const path = write(bench, "a.txt");
    fake.answers.set(
      "/_send #15",
      chatError({
        type: "error",
        errorType: { type: "commandError", message: "feature not allowed Files and media" },
      }),
    );
    const { outcome } = call(send, { chat: "#15", file: path });
    await until("the card", () => fake.posts.length > 0);
    fake.ownerSays("/approve #15 1");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: "This chat does not allow it: Files and media.",
    });
    await until("the copy is gone", () => readdirSync(paths.sent).length === 0);
  });

  test("tells the owners and the operator of an upload that failed, and deletes the copy", async () => {
    const bench = await newBench();
    const { fake, paths, logged, call } = bench;
    call(send, { chat: "#15", file: write(bench, "a.txt"), wait: 0 });
    await until("the card", () => fake.posts.length > 0);
    fake.ownerSays("/approve #15 1");
    await sentMessage(bench, "#15");
    fake.sentOut(fake.chat("#15").items.at(-1)?.chatItem.file?.fileId ?? 0, "INTERNAL no server");
    await until("the post", () =>
      fake.postedTexts.includes("The file `a.txt` was not sent to group Trail (#15): `INTERNAL no server`."),
    );
    expect(logged).toContain("The file a.txt was not sent to #15: INTERNAL no server");
    await until("the copy is gone", () => readdirSync(paths.sent).length === 0);
  });

  test("of a forbidden file ends with an error that the owners are told of, a few a minute", async () => {
    const bench = await newBench();
    const { fake, logged, call, clock } = bench;
    const path = write(bench, ".ssh/id_ed25519");
    await expect(call(send, { chat: "#15", file: path }).outcome).rejects.toThrow(
      `file: ${path} is in a place for credentials (.ssh) and may not be sent.`,
    );
    await until("the post", () => fake.postedTexts.length > 0);
    expect(fake.postedTexts).toEqual([
      `I wanted to send \`${path}\` to group Trail (#15). Refused: \`is in a place for credentials (.ssh)\`.`,
    ]);
    expect(logged).toEqual([`A file was refused: ${path} is in a place for credentials (.ssh).`]);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await call(send, { chat: "#15", file: path }).outcome.catch(() => undefined);
    }
    expect([fake.posts.length, logged.length]).toEqual([10, 21]);
    await clock.advance(60_000);
    await call(send, { chat: "#15", file: path }).outcome.catch(() => undefined);
    await until("the post", () => fake.posts.length === 11);
    expect(bench.actions.all()).toEqual([]);
  });

  test.each([
    [{ chat: "#15" as const, text: "  " }, "The text is empty"],
    [{ chat: "#15" as const, text: "x", as: "file" as const }, "as goes with a file"],
    [{ chat: "#15" as const, file: "a.txt" }, "give an absolute path"],
    [{ chat: "#15" as const, file: "~/none.txt" }, "there is no"],
    [{ chat: "#15" as const, file: "/tmp/\ud800" }, "no valid Unicode"],
  ])("says what is wrong with %j, to the agent alone", async (input, error) => {
    const bench = await newBench();
    await expect(bench.call(send, input).outcome).rejects.toThrow(error);
    expect(bench.fake.posts).toEqual([]);
  });

  test("leaves room for the text: the preview shrinks, the card and the message fit", async () => {
    const bench = await newBench();
    const { fake, call } = bench;
    const path = write(bench, "trail.png", await photo(900, 900, "png"));
    call(send, { chat: "#15", text: "word ".repeat(1500), file: path });
    await until("the card", () => fake.posts.length > 0);
    const preview = pictureOf(bench) ?? "";
    expect(preview.length).toBeGreaterThan(1000);
    // Text, picture and the longest ending.
    expect(preview.length + 7500).toBeLessThan(15_602);
    await expect(call(send, { chat: "#15", text: "word ".repeat(2800), file: path }).outcome).rejects.toThrow(
      "leaves no room for a picture",
    );
  });

  test("under a standing approval of messages asks all the same, unless files are approved too", async () => {
    const bench = await newBench();
    const { fake, call, standing } = bench;
    const path = write(bench, "a.txt");
    const owner = ALICE as Parameters<typeof standing.give>[2];
    await standing.give(fake.chat("#15").info, "messages", owner);
    const asked = call(send, { chat: "#15", file: path, wait: 0 });
    await until("the card", () => fake.postedTexts[0]?.startsWith("I want to send"));
    fake.ownerSays("/reject #15 1 no");
    expect((await asked.outcome)?.result).toMatchObject({ status: "rejected", reason: "no" });

    await standing.give(fake.chat("#15").info, "files", owner);
    const letThrough = call(send, { chat: "#15", file: path, wait: 0 });
    expect((await letThrough.outcome)?.result).toMatchObject({ action: 2, status: "done" });
    await until("the outcome", () =>
      fake.postedTexts.at(-1)?.endsWith("Approved for this chat by Alice. /'revoke #15'"),
    );
  });

  test("tells of a full disk, and leaves no half copy", async () => {
    const bench = await newBench();
    const { fake, paths, logged, call } = bench;
    const path = write(bench, "a.txt");
    const { outcome } = call(send, { chat: "#15", file: path });
    await until("the card", () => fake.posts.length > 0);
    // A file where the folder of copies should be stands for a disk that refuses.
    rmSync(paths.sent, { recursive: true });
    writeFileSync(paths.sent, "");
    fake.ownerSays("/approve #15 1");
    expect((await outcome)?.result).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^The file cannot be copied for sending: /),
    });
    expect(logged).toEqual([
      expect.stringMatching(/^Action 1 failed: The file cannot be copied for sending: /),
    ]);
    expect(fake.sent("/_send #15")).toEqual([]);
  });

  test("makes the folder of copies anew where it vanished", async () => {
    const bench = await newBench();
    const { fake, paths, call } = bench;
    const { outcome } = call(send, { chat: "#15", file: write(bench, "a.txt"), wait: 0 });
    await until("the card", () => fake.posts.length > 0);
    rmSync(paths.files, { recursive: true });
    fake.ownerSays("/approve #15 1");
    expect((await outcome)?.result.status).toBe("done");
  });
});
