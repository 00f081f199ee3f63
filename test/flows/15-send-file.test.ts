import { rm } from "node:fs/promises";
import { basename } from "node:path";
import sharp from "sharp";
import { describe, expect } from "vitest";
import { GATHER_MS } from "../../src/control/gathered.js";
import { bareAnimation } from "../../src/files/pictures/animations.js";
import { FIXED_PREVIEW } from "../../src/files/pictures/fixed-preview.js";
import { animation, plainPng } from "../unit/files/pictures.js";
import { ERAS } from "../world/client.js";
import { filesOf } from "../world/files.js";
import { flow, withSeeds } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import { fileScene, pictureOf, writing } from "./files.js";
import { copied, delivered, expectNoCopies, photograph, sendCards, sentFolder } from "./sent-files.js";
import { expectCommands, savesCounter, withoutTimes } from "./support.js";

/** What a message or card shows of an image, and of an animation. */
const PREVIEW = /^data:image\/jpg;base64,[A-Za-z0-9+/]+=*$/;

/** The metadata in a JPEG that is given as a data URI. */
async function decoded(preview: string) {
  const image = Buffer.from(preview.slice(preview.indexOf(",") + 1), "base64");
  return { image, facts: await sharp(image).metadata() };
}

describe.each(ERAS)("send with an image, by a client of the %s era", (era) => {
  const approved = async ({ world }: { world: World }): Promise<void> => {
    const scene = await fileScene(world);
    const { agent, owner, chat, switchback, hazel } = scene;
    const G = agent.controlChat;
    const path = await scene.put("trail.jpg", await photograph());
    const client = await agent.client(era);
    const input = { chat, text: "trail map", file: path, wait: 0 };
    const call = client.call("send", input);
    const card = await owner.sees(/^I want to send/);
    const size = /, (\d+(?:\.\d)? (?:bytes|KB))\n/.exec(card.text)?.[1];
    const text = sendCards(chat, 1, `group Trail: \`trail map\`, attaching image \`${path}\`, ${size}`);
    expect(card.text).toBe(text.pending);
    const preview = pictureOf(owner, card.item) ?? "";
    expect(preview).toMatch(PREVIEW);
    await world.settle();
    expect(filesOf(switchback)).toEqual([]);

    await owner.says(`/approve ${chat} 1`);
    const result = await call.result;
    expect(result.data).toEqual({
      action: 1,
      status: "done",
      chat,
      item: expect.any(Number),
      responses: [],
      more: 0,
    });
    await owner.sees(text.done);
    expect(card.versions).toEqual([text.pending, text.done]);
    expect(pictureOf(owner, card.item)).toBe(preview);
    expect(withoutTimes(call.progress)[0]).toBe("Action 1 waits for an approver until TIME.");

    const got = await delivered(scene, "trail.jpg");
    expect(got.file.content).toEqual({ type: "image", text: "trail map", image: preview });
    await isUpright(got.content);
    await isUpright((await decoded(preview)).image);
    const hazels = await delivered({ ...scene, switchback: hazel }, "trail.jpg");
    expect(hazels.content.equals(got.content)).toBe(true);

    const content = JSON.stringify(got.file.content);
    const picture = (shown: string) => JSON.stringify({ type: "image", text: shown, image: preview });
    await expectNoCopies(agent);
    await world.settle();
    expectCommands(copied(agent.newCommands()), [
      `/_get chat ${chat} count=0`,
      savesCounter(G, 2),
      `/_send ${G} json [{"msgContent":${picture(text.pending)}}]`,
      `/_get chat ${chat} count=0`,
      `/_send ${chat} json [{"msgContent":${content},"fileSource":{"filePath":"${sentFolder(agent)}/COPY/trail.jpg"}}]`,
      `/_update item ${G} CARD json {"msgContent":${picture(text.done)},"mentions":{}}`,
    ]);
    expect(agent.logged).toEqual([]);
    const { messages } = (await client.use("history", { chat, limit: 1 })).data ?? {};
    expect(messages).toMatchObject([
      { own: true, file: { name: "trail.jpg", type: "image", state: "sent" } },
    ]);
  };
  flow("shows it to the owner, and the group gets it upright and without its place", approved);
  withSeeds(3, "shows it to the owner, and the group gets it upright and without its place", approved);

  /** The photograph of the scene: 20 by 40, the red half above, no word of where it was made. */
  async function isUpright(image: Buffer): Promise<void> {
    const { width, height, exif, xmp, iptc, orientation } = await sharp(image).metadata();
    expect({ width, height, exif, xmp, iptc, orientation: orientation ?? 1 }).toEqual({
      width: 20,
      height: 40,
      exif: undefined,
      xmp: undefined,
      iptc: undefined,
      orientation: 1,
    });
    expect(image.includes("Exif")).toBe(false);
    expect(image.includes("Secret camera")).toBe(false);
    const pixels = await sharp(image).removeAlpha().raw().toBuffer();
    const colour = (x: number, y: number) => [...pixels.subarray((y * 20 + x) * 3, (y * 20 + x) * 3 + 3)];
    const [red = [], blue = []] = [colour(10, 5), colour(10, 35)].map((rgb) => rgb.map((one) => one > 128));
    expect({ red, blue }).toEqual({ red: [true, false, false], blue: [false, false, true] });
  }

  flow("that the owner rejects sends nothing", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, switchback } = scene;
    const path = await scene.put("trail.jpg", await photograph());
    const call = (await agent.client(era)).call("send", { chat, file: path });
    const card = await owner.sees(/^I want to send/);
    const preview = pictureOf(owner, card.item);
    await owner.says(`/reject ${chat} 1 no pictures`);
    expect((await call.result).text).toContain("no pictures");
    await owner.sees(
      /^I wanted to send a message to group Trail, attaching image .*\nRejected by Alice: `no pictures`\.$/,
    );
    await world.settle();
    expect(pictureOf(owner, card.item)).toBe(preview);
    expect(filesOf(switchback)).toEqual([]);
    expect(writing(agent.newCommands()).filter((one) => one.includes("fileSource"))).toEqual([]);
    await expectNoCopies(agent);
  });
});

describe("a file arrives", () => {
  flow('as it is with as: "file", although it is an image', async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const photo = await photograph();
    const path = await scene.put("trail.jpg", photo);
    const call = (await agent.client("modern")).call("send", { chat, file: path, as: "file", wait: 0 });
    const card = await owner.sees(/^I want to send/);
    expect(card.text).toMatch(/^I want to send a message to group Trail, attaching file `[^`]+trail\.jpg`, /);
    expect(pictureOf(owner, card.item)).toBeUndefined();
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    const { file, content } = await delivered(scene, "trail.jpg");
    expect(file.content).toEqual({ type: "file", text: "" });
    expect(content.equals(photo)).toBe(true);
    expect(content.includes("Secret camera")).toBe(true);
    await expectNoCopies(agent);
  });

  flow.for(["gif", "webp", "png"] as const)(
    "as it moves where it is an animation, under its first frame, without metadata: %s",
    async (format, { world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat } = scene;
      const moving = await animation(format);
      const path = await scene.put(`walk.${format}`, Buffer.concat([moving, Buffer.from("Secret camera")]));
      const input = { chat, text: "walk", file: path, wait: 0 };
      const call = (await agent.client("modern")).call("send", input);
      const card = await owner.sees(/^I want to send/);
      expect(card.text.split("\n")[0]).toMatch(
        /attaching image `[^`]+walk\.\w+`, \d+ bytes \(first frame shown\)$/,
      );
      const preview = pictureOf(owner, card.item) ?? "";
      const { channels } = await sharp((await decoded(preview)).image).stats();
      expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([1, 0, 0]);
      await owner.says(`/approve ${chat} 1`);
      expect((await call.result).data).toMatchObject({ status: "done" });
      await owner.sees(
        /^I sent a message to group Trail: `walk`, attaching image .* \(first frame shown\)\n/,
      );
      const { file, content } = await delivered(scene, `walk.${format}`);
      expect(content.equals(bareAnimation(moving, format))).toBe(true);
      expect(content.includes("Secret camera")).toBe(false);
      expect(file.content).toEqual({ type: "image", text: "walk", image: preview });
    },
  );

  flow("as the owner saw it, where it had transparency", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const path = await scene.put("white.png", await plainPng(30, { r: 255, g: 255, b: 255, alpha: 0.5 }));
    const call = (await agent.client("modern")).call("send", { chat, file: path, wait: 0 });
    const card = await owner.sees(/attaching image/);
    expect(card.text).not.toContain("shown)");
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    const { content } = await delivered(scene, "white.png");
    const { isOpaque, channels } = await sharp(content).stats();
    expect([isOpaque, ...channels.map(({ min }) => min)]).toEqual([true, 255, 255, 255]);
  });

  flow("under the name that the card shows, joiners kept", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const client = await agent.client("modern");
    const kept = await scene.put("می\u200Cخواهم.txt", "x");
    const first = client.call("send", { chat, file: kept, wait: 0 });
    expect((await owner.sees(/attaching file/)).text).not.toContain(" as ");
    await owner.says(`/approve ${chat} 1`);
    expect((await first.result).data).toMatchObject({ status: "done" });
    await delivered(scene, "می\u200Cخواهم.txt");

    const other = await scene.put("what? a\u202Eb.txt", "xy");
    const second = client.call("send", { chat, file: other, wait: 0 });
    const card = await owner.sees(/approve #\d+ 2'/);
    expect(card.text).toContain(
      "\\u{202E}b.txt` (shown with replaced characters) as `what_ ab.txt`, 2 bytes\n",
    );
    await owner.says(`/approve ${chat} 2`);
    expect((await second.result).data).toMatchObject({ status: "done" });
    await delivered(scene, "what_ ab.txt");
  });

  flow("that is a video nobody can show here, with that word", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const film = Buffer.from("\0\0\0\x20ftypisom and so on", "latin1");
    const path = await scene.put("walk.mp4", film);
    const call = (await agent.client("modern")).call("send", { chat, file: path, wait: 0 });
    const what = `group Trail, attaching video \`${path}\`, ${film.length} bytes (not shown)`;
    const text = sendCards(chat, 1, what);
    const card = await owner.sees(text.pending);
    expect(pictureOf(owner, card.item)).toBe(FIXED_PREVIEW);
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    await owner.sees(text.done);
    expect((await delivered(scene, "walk.mp4")).content.equals(film)).toBe(true);
    await expectNoCopies(agent);
  });

  flow.for([
    ["notes.pdf", Buffer.from("%PDF-1.7 no more than this"), "26 bytes"],
    ["song.mp3", Buffer.from("ID3"), "3 bytes"],
    ["no.mp4", Buffer.from("a video by its name alone"), "25 bytes"],
    ["big.bin", Buffer.alloc(3_000_001, "big"), "2.9 MB"],
  ] as const)("as it is where it is no picture: %s", async ([name, content, size], { world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const path = await scene.put(name, content);
    const call = (await agent.client("modern")).call("send", { chat, text: "here", file: path, wait: 0 });
    const text = sendCards(chat, 1, `group Trail: \`here\`, attaching file \`${path}\`, ${size}`);
    await owner.sees(text.pending);
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    await owner.sees(text.done);
    const got = await delivered(scene, name);
    expect(got.file.content).toEqual({ type: "file", text: "here" });
    expect(got.content.equals(content)).toBe(true);
    await expectNoCopies(agent);
  });

  flow("from where the agent downloaded it", async ({ world }) => {
    const scene = await fileScene(world, { approve: "host" });
    const { agent, chat } = scene;
    const client = await agent.client("legacy");
    const { item } = await scene.post("report.pdf", "what Switchback sent");
    const { data } = await client.use("download", { chat, item });
    const path = String(data?.path);
    expect((await client.use("send", { chat, file: path, wait: 0 })).data).toMatchObject({ status: "done" });
    const { content } = await delivered({ ...scene, switchback: scene.hazel }, basename(path));
    expect(content.toString()).toBe("what Switchback sent");
  });

  flow("although the agent deletes it once it is sent", async ({ world }) => {
    const scene = await fileScene(world, { approve: "host" });
    const { agent, chat } = scene;
    const path = await scene.put("a.txt", "short-lived");
    const client = await agent.client("modern");
    expect((await client.use("send", { chat, file: path, wait: 0 })).data).toMatchObject({ status: "done" });
    await rm(path);
    expect((await delivered(scene, "a.txt")).content.toString()).toBe("short-lived");
    await expectNoCopies(agent);
  });
});

describe("a standing approval of messages", () => {
  flow("does not let files through, one of files as well does", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const client = await agent.client("modern");
    const first = client.call("send", { chat, text: "one", wait: 0 });
    await owner.sees(/^I want to send/);
    await owner.says(`/approve ${chat} all`);
    expect((await first.result).data).toMatchObject({ action: 1, status: "done" });
    expect((await client.use("send", { chat, text: "two", wait: 0 })).data).toMatchObject({ action: 2 });

    const path = await scene.put("a.txt", "a");
    const call = client.call("send", { chat, text: "three", file: path, wait: 0 });
    const what = `group Trail: \`three\`, attaching file \`${path}\`, 1 byte`;
    await owner.sees(sendCards(chat, 3, what).pending);
    await world.settle();
    expect(call.settled).toBe(false);
    await owner.says(`/approve ${chat} 3`);
    expect((await call.result).data).toMatchObject({ action: 3, status: "done" });

    const { item } = await scene.post("b.txt", "b");
    const download = client.call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await owner.says(`/receive ${chat} 4 all`);
    await download.result;
    const later = await scene.put("c.txt", "c");
    const sent = await client.use("send", { chat, text: "four", file: later, wait: 0 });
    expect(sent.data).toMatchObject({ action: 5, status: "done" });
    // It comes within seconds of the second one.
    await world.pass(GATHER_MS);
    await owner.sees(
      /^I sent a message to group Trail: `four`, attaching file `.*c\.txt`, 1 byte\nApproved for this chat by Alice\./,
    );
    expect((await delivered(scene, "c.txt")).content.toString()).toBe("c");
    await owner.says(`/revoke ${chat}`);
    await owner.sees(/need approval again/);
    client.call("send", { chat, text: "five", file: later, wait: 0 });
    await owner.sees(
      sendCards(chat, 6, `group Trail: \`five\`, attaching file \`${later}\`, 1 byte`).pending,
    );
  });
});
