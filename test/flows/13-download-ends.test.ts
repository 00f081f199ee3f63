import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect } from "vitest";
import { fileFor, sendFile } from "../world/files.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { below, downloadCards, downloadHeld, fileScene, REPORT, reportFrom, shownFile } from "./files.js";

describe("a download that cannot be", () => {
  const gone = "The file is gone from its server: it expired or was deleted. Ask for it to be sent again.";

  simulatedOnly(
    "files are deleted from servers",
    "of an expired file tells so, and leaves nothing",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      const { item } = await scene.post("report.pdf", REPORT);
      world.network.files.remove("report.pdf");
      const call = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(/^I want to download/);
      await owner.says(`/receive ${chat} 1`);
      expect(await call.result).toMatchObject({ isError: true, text: expect.stringContaining(gone) });
      await owner.sees(
        downloadCards(chat, 1, reportFrom(chat)).not(`Approved by Alice; failed: \`${gone}\`.`),
      );
      expect(await below(files)).toEqual([]);
      // For good: the core does not take it again.
      const again = await (await agent.client("modern")).use("download", { chat, item });
      expect(again).toMatchObject({ isError: true, text: gone });
    },
  );

  simulatedOnly(
    "downloads are held",
    "ends when the sender cancels, with nothing left",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files, switchback } = scene;
      const { item } = await scene.post("report.pdf", REPORT);
      const downloads = world.network.files.holdDownloads();
      const call = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(/^I want to download/);
      await owner.says(`/receive ${chat} 1`);
      downloads.pass();
      await call.progressed("Downloading: 40% of 2.4 MB.");
      expect(await below(files)).toHaveLength(1);
      await switchback.run("/fcancel 1");
      expect(await call.result).toMatchObject({
        isError: true,
        text: expect.stringContaining("The sender cancelled the file."),
      });
      expect(await below(files)).toEqual([]);
    },
  );

  flow("fails at the approval when the sender cancelled meanwhile", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, switchback } = scene;
    const { item } = await scene.post("a.txt", "x");
    const client = await agent.client("modern");
    const call = client.call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await switchback.run("/fcancel 1");
    await (await agent.hands()).waitFor("the cancellation", ({ type }) => type === "rcvFileSndCancelled");
    await owner.says(`/receive ${chat} 1`);
    expect(await call.result).toMatchObject({
      isError: true,
      text: expect.stringContaining("The sender cancelled the file."),
    });
    expect(agent.api.commands.filter((one) => one.startsWith("/freceive"))).toEqual([]);
  });

  simulatedOnly(
    "downloads are held",
    "ends when the message is deleted, with nothing left",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files, switchback, switchbacks } = scene;
      const sent = await sendFile(switchback, switchbacks, await scene.put("a.txt", "x"));
      const { item } = await fileFor(await agent.hands(), "a.txt");
      world.network.files.holdDownloads();
      const call = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(/^I want to download/);
      await owner.says(`/receive ${chat} 1`);
      await agent.commands(/^\/freceive/);
      await switchback.deleteMessage(switchbacks, sent);
      expect(await call.result).toMatchObject({
        isError: true,
        text: expect.stringContaining("The message with the file was deleted."),
      });
      expect(await below(files)).toEqual([]);
    },
  );

  simulatedOnly(
    "downloads are held, and time is moved",
    "is given up when nothing comes for 30 minutes",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      const { item } = await scene.post("report.pdf", REPORT);
      const downloads = world.network.files.holdDownloads();
      const client = await agent.client("modern");
      const call = client.call("download", { chat, item, wait: 86_400 });
      await owner.sees(/^I want to download/);
      await owner.says(`/receive ${chat} 1`);
      await agent.commands(/^\/freceive/);
      await world.pass(29 * 60_000);
      downloads.pass();
      await call.progressed("Downloading: 40% of 2.4 MB.");
      await world.pass(29 * 60_000);
      expect(call.settled).toBe(false);
      await world.pass(2 * 60_000);
      const why = "Nothing of the file came for 30 minutes, so the download was cancelled. Try again later.";
      expect(await call.result).toMatchObject({ isError: true, text: expect.stringContaining(why) });
      expect(agent.api.commands).toContain("/fcancel 1");
      await owner.sees(
        downloadCards(chat, 1, reportFrom(chat)).not(`Approved by Alice; failed: \`${why}\`.`),
      );
      expect(await below(files)).toEqual([]);
      downloads.release();
      const again = client.call("download", { chat, item });
      await owner.sees(downloadCards(chat, 2, reportFrom(chat)).pending);
      await owner.says(`/receive ${chat} 2`);
      const { data } = await again.result;
      expect((await readFile(String(data?.path))).equals(REPORT)).toBe(true);
    },
  );

  simulatedOnly("downloads are slow", "is not given up while something comes", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const { item } = await scene.post("report.pdf", REPORT);
    world.network.files.slowDownloads(25 * 60_000);
    const call = (await agent.client("modern")).call("download", { chat, item, wait: 86_400 });
    await owner.sees(/^I want to download/);
    await owner.says(`/receive ${chat} 1`);
    await agent.commands(/^\/freceive/);
    await world.pass(101 * 60_000);
    expect((await call.result).data).toMatchObject({ status: "done" });
  });
});

describe("a restart in the middle of a download", () => {
  simulatedOnly(
    "downloads are held",
    "loses nothing: the core goes on, and the agent finds the file",
    async ({ world }) => {
      const { agent, owner, chat, files, item, fileId, downloads } = await downloadHeld(world);
      await agent.restart();
      await owner.sees(
        downloadCards(chat, 1, reportFrom(chat)).not("Approved by Alice; interrupted: the server stopped."),
      );
      const client = await agent.client("modern");
      expect(await shownFile(client, chat, item)).toMatchObject({ state: "downloading" });
      downloads.release();
      await world.settle();
      const path = join(files, `${fileId}.pdf`);
      expect(await shownFile(client, chat, item)).toMatchObject({ state: "ready", path });
      expect((await client.use("download", { chat, item })).data).toEqual({
        status: "done",
        chat,
        item,
        path,
      });
      expect((await readFile(path)).equals(REPORT)).toBe(true);
      expect(await below(files)).toEqual([basename(path)]);
    },
  );

  simulatedOnly(
    "downloads are held",
    "is joined by a call that is approved before it ends",
    async ({ world }) => {
      const { agent, owner, chat, files, item, fileId, downloads } = await downloadHeld(world);
      await agent.restart();
      const call = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(downloadCards(chat, 2, reportFrom(chat)).pending);
      await owner.says(`/receive ${chat} 2`);
      await call.progressed("Downloading: 40% of 2.4 MB.");
      downloads.release();
      const path = join(files, `${fileId}.pdf`);
      expect((await call.result).data).toMatchObject({ action: 2, status: "done", path });
      expect((await readFile(path)).equals(REPORT)).toBe(true);
      expect(agent.api.commands.filter((one) => one.startsWith("/freceive"))).toEqual([]);
    },
  );
});
