import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { previewMadeAnew } from "../../src/files/pictures/images.js";
import { pngBomb, sendersPreview } from "../unit/files/pictures.js";
import { ERAS } from "../world/client.js";
import { fileFor, sendFile } from "../world/files.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import {
  below,
  downloadCards,
  fileScene,
  OTHER_SERVER,
  pictureOf,
  REPORT,
  reportFrom,
  shownFile,
  writing,
} from "./files.js";
import { edits, expectCommands, posts, savesCounter, withoutTimes } from "./support.js";
import { contactOf } from "./trail.js";

describe.each(ERAS)("download, by a client of the %s era", (era) => {
  const approved = async ({ world }: { world: World }): Promise<void> => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files } = scene;
    const G = agent.controlChat;
    const { item, fileId } = await scene.post("report.pdf", REPORT);
    const client = await agent.client(era);
    const offered = { name: "report.pdf", size: REPORT.length, type: "file" };
    expect(await shownFile(client, chat, item)).toEqual({ ...offered, state: "offered" });

    const call = client.call("download", { chat, item });
    const text = downloadCards(chat, 1, reportFrom(chat));
    const card = await owner.sees(text.pending);
    expect(await below(files)).toEqual([]);
    await owner.says(`/receive ${chat} 1`);
    const result = await call.result;
    const path = join(files, `${fileId}.pdf`);
    expect(result.data).toEqual({ action: 1, status: "done", chat, item, path });
    expect((await readFile(path)).equals(REPORT)).toBe(true);
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
    await owner.sees(text.done);
    expect(card.versions).toEqual([text.pending, text.done]);
    expect(withoutTimes(call.progress)[0]).toBe("Action 1 waits for an approver until TIME.");
    for (const one of call.progress.slice(1)) expect(one).toMatch(/^Downloading: \d+% of 2\.4 MB\.$/);

    expect(await shownFile(client, chat, item)).toEqual({ ...offered, state: "ready", path });
    expect((await client.use("list")).data).toMatchObject({ actions: [] });
    expectCommands(writing(agent.newCommands()), [
      savesCounter(G, 2),
      posts(G, text.pending),
      `/freceive ${fileId} encrypt=off ${path}`,
      edits(G, text.done),
    ]);
    // It is the agent's now: nobody is asked again.
    const again = await client.use("download", { chat, item });
    expect(again.data).toEqual({ status: "done", chat, item, path });
    expect(agent.logged).toEqual([]);
  };
  flow("asks the owner and returns the path of the file", approved);
  withSeeds(4, "asks the owner and returns the path of the file", approved);

  simulatedOnly("uploads are held", "waits for the sender's upload before it asks", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const uploads = world.network.files.holdUploads();
    const { item } = await scene.offer("report.pdf", REPORT);
    const client = await agent.client(era);
    const late = client.call("download", { chat, item, wait: 30 });
    await late.progressed(/^The sender is uploading/);
    expect(withoutTimes(late.progress)).toEqual([
      `The sender is uploading the file of item ${item} in ${chat}; waiting until TIME.`,
    ]);
    await world.pass(30_000);
    expect(await late.result).toMatchObject({
      isError: true,
      text: `The sender has not uploaded the file of item ${item} in ${chat} yet. Call download again to wait on.`,
    });
    expect(agent.newCommands().filter((one) => one.startsWith("/_send"))).toEqual([]);
    const call = client.call("download", { chat, item });
    await call.progressed(/^The sender is uploading/);
    uploads.release();
    await owner.sees(downloadCards(chat, 1, reportFrom(chat)).pending);
    await owner.says(`/receive ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
  });

  simulatedOnly("downloads are held", "that takes longer than wait goes on", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const { item } = await scene.post("report.pdf", REPORT);
    const downloads = world.network.files.holdDownloads();
    const client = await agent.client(era);
    const call = client.call("download", { chat, item, wait: 60 });
    await owner.sees(/^I want to download/);
    await owner.says(`/receive ${chat} 1`);
    await call.progressed("Downloading: 0% of 2.4 MB.");
    downloads.pass();
    await call.progressed("Downloading: 40% of 2.4 MB.");
    await world.pass(60_000);
    expect((await call.result).data).toEqual({ action: 1, status: "performing", chat, item });
    expect((await client.use("list")).data).toMatchObject({ actions: [{ action: 1, state: "performing" }] });
    expect(await shownFile(client, chat, item)).toMatchObject({ state: "downloading" });
    const again = client.call("download", { chat, item });
    await again.progressed("Downloading: 40% of 2.4 MB.");
    downloads.pass(2);
    await again.progressed("Downloading: 90% of 2.4 MB.");
    downloads.release();
    expect((await again.result).data).toMatchObject({ action: 1, status: "done" });
    await owner.sees(downloadCards(chat, 1, reportFrom(chat)).done);
  });
});

describe("what the owner is shown of a download", () => {
  flow("is the chat of a contact without a member", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner } = scene;
    const { person, chat, theirs } = await contactOf(world, agent, "Bob");
    await sendFile(person, theirs, await scene.put("a.txt", "x"));
    const { item } = await fileFor(await agent.hands(), "a.txt");
    const call = (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(
      downloadCards(chat, 1, `contact Bob (${chat}): \`a.txt\`, 1 byte. Servers: known.`).pending,
    );
    await owner.says(`/receive ${chat} 1`);
    const { data } = await call.result;
    expect(dirname(String(data?.path))).toBe(join(agent.folder, "files", `contact-${chat.slice(1)}`));
  });

  flow("is the sender's picture of an image, made anew", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const image = await sendersPreview(60);
    const { item } = await scene.post("summit.jpg", "x".repeat(300), {
      type: "image",
      text: "summit",
      image,
    });
    const client = await agent.client("modern");
    expect(await shownFile(client, chat, item)).toMatchObject({ type: "image", state: "offered" });
    client.call("download", { chat, item });
    const card = await owner.sees(/summit\.jpg/);
    const shown = pictureOf(owner, card.item);
    expect(shown).toBe(await previewMadeAnew(image, 14_000));
    expect(shown).not.toBe(image);
  });

  flow.for([
    ["would fill the memory", () => `data:image/png;base64,${pngBomb(7900).toString("base64")}`],
    ["is none", () => `data:image/jpg;base64,${Buffer.from("no picture, but who looks").toString("base64")}`],
  ] as const)("is no picture where the sender's %s", async ([, image], { world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const content = { type: "image", text: "summit", image: image() };
    const { item } = await scene.post("summit.jpg", "x".repeat(300), content);
    (await agent.client("modern")).call("download", { chat, item });
    const card = await owner.sees(/summit\.jpg/);
    expect(pictureOf(owner, card.item)).toBeUndefined();
    await owner.says(`/forward ${chat} 1`);
    expect((await fileFor(owner.person, "summit.jpg")).content).toEqual({ type: "file", text: "" });
  });

  flow("takes commands of downloads only, for the right chat", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const { item } = await scene.post("a.txt", "x");
    const call = (await agent.client("modern")).call("download", { chat, item });
    const card = await owner.sees(/^I want to download/);
    const commands = card.text.split("\n")[1];
    expect(await owner.answerTo(`/approve ${chat} 1`)).toBe(`Action 1 is a download: ${commands}`);
    expect(await owner.answerTo("/receive #99 1")).toBe(`Action 1 is for group Trail (${chat}).`);
    expect(await owner.answerTo(`/receive ${chat} 2`)).toBe("Action 2 is not pending.");
    await owner.says(`/reject ${chat} 1 no, thanks`);
    expect(await call.result).toMatchObject({ isError: true, text: expect.stringContaining("no, thanks") });
    await owner.sees(
      downloadCards(chat, 1, `Switchback in group Trail (${chat}): \`a.txt\`, 1 byte. Servers: known.`).not(
        "Rejected by Alice: `no, thanks`.",
      ),
    );
  });

  simulatedOnly(
    "nobody runs the other server",
    "is approved for later files, until that is ended",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat } = scene;
      const client = await agent.client("modern");
      const first = await scene.post("a.txt", "x");
      const call = client.call("download", { chat, item: first.item });
      await owner.sees(/^I want to download/);
      expect(await owner.answerTo(`/receive ${chat} 1 all`)).toBe(
        `Downloads approved for group Trail (${chat}) by Alice. /'receive ${chat} off'`,
      );
      expect((await call.result).data).toMatchObject({ status: "done" });
      const second = await scene.post("b.txt", "x");
      expect((await client.use("download", { chat, item: second.item })).data).toMatchObject({
        action: 2,
        status: "done",
      });
      await owner.sees(
        `I downloaded a file from Switchback in group Trail (${chat}): \`b.txt\`, 1 byte. Servers: known.\nApproved for this chat by Alice. /'receive ${chat} off'`,
      );
      await scene.switchback.run(`/xftp ${OTHER_SERVER}`);
      const third = await scene.post("c.txt", "x");
      client.call("download", { chat, item: third.item });
      await owner.sees(/^I want to download .*`files\.example`/);
      expect(await owner.answerTo(`/receive ${chat} off`)).toBe(
        `Downloads from group Trail (${chat}) need approval again.`,
      );
      const fourth = await scene.offer("d.txt", "x");
      client.call("download", { chat, item: fourth.item });
      await owner.sees(/^I want to download .*`d\.txt`/);
    },
  );

  flow("is approved for the next ones, of which it is the first", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const client = await agent.client("modern");
    const first = await scene.post("a.txt", "x");
    const call = client.call("download", { chat, item: first.item });
    await owner.sees(/^I want to download/);
    expect(await owner.answerTo(`/receive ${chat} 1 all 2`)).toBe(
      `Downloads approved for group Trail (${chat}) by Alice for the next 2 downloads. /'receive ${chat} off'`,
    );
    expect((await call.result).data).toMatchObject({ status: "done" });
    expect(await owner.answerTo("/list")).toContain(
      `downloads approved by Alice, 1 more /'receive ${chat} off'`,
    );
    const second = await scene.post("b.txt", "x");
    expect((await client.use("download", { chat, item: second.item })).data).toMatchObject({
      status: "done",
    });
    await owner.sees(/`b\.txt`, 1 byte\. Servers: known\.\nApproved for this chat by Alice, 0 more\.$/);
    const third = await scene.post("c.txt", "x");
    client.call("download", { chat, item: third.item });
    await owner.sees(/^I want to download .*`c\.txt`/);
    expect(await owner.answerTo("/list")).not.toContain("downloads approved");
  });
});
