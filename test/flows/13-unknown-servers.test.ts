import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { simulatedOnly } from "../world/flow-test.js";
import { below, downloadCards, fileScene, OTHER_SERVER, REPORT, reportFrom } from "./files.js";

describe("a file on servers that the agent does not know", () => {
  simulatedOnly(
    "nobody runs the other server",
    "is asked for with their names, each time",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      await scene.switchback.run(`/xftp ${OTHER_SERVER}`);
      const { item, fileId } = await scene.post("report.pdf", REPORT);
      const client = await agent.client("modern");
      const call = client.call("download", { chat, item });
      const text = downloadCards(chat, 1, reportFrom(chat, "`files.example`"), { known: false });
      await owner.sees(text.pending);
      const commands = text.pending.split("\n")[1];
      expect(await owner.answerTo(`/receive ${chat} 1 all`)).toBe(
        `The servers of action 1 are not known, so each such file needs its approval: ${commands}`,
      );
      agent.newCommands();
      await owner.says(`/receive ${chat} 1`);
      const path = join(files, `${fileId}.pdf`);
      expect((await call.result).data).toMatchObject({ status: "done", path });
      expect(agent.newCommands()).toContain(`/freceive ${fileId} approved_relays=on encrypt=off ${path}`);
      await owner.sees(text.done);
    },
  );

  simulatedOnly(
    "nobody runs the other server",
    "from before the server's start is refused by the core, and named by the next card",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      await scene.switchback.run(`/xftp ${OTHER_SERVER}`);
      const { item } = await scene.post("report.pdf", REPORT);
      await agent.restart();
      const client = await agent.client("modern");
      const first = client.call("download", { chat, item });
      await owner.sees(downloadCards(chat, 1, reportFrom(chat)).pending);
      await owner.says(`/receive ${chat} 1`);
      const why =
        "The file is on servers that are not in the agent's list: files.example. Call download again to ask for it with their names.";
      expect(await first.result).toMatchObject({ isError: true, text: expect.stringContaining(why) });
      await owner.sees(
        downloadCards(chat, 1, reportFrom(chat)).not(`Approved by Alice; failed: \`${why}\`.`),
      );
      expect(await below(files)).toEqual([]);
      const second = client.call("download", { chat, item });
      await owner.sees(downloadCards(chat, 2, reportFrom(chat, "`files.example`"), { known: false }).pending);
      await owner.says(`/receive ${chat} 2`);
      const { data } = await second.result;
      expect((await readFile(String(data?.path))).equals(REPORT)).toBe(true);
    },
  );

  simulatedOnly(
    "uploads are held",
    "that its descriptor names late is refused all the same",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      await scene.switchback.run(`/xftp ${OTHER_SERVER}`);
      const uploads = world.network.files.holdUploads();
      const { item } = await scene.offer("report.pdf", REPORT);
      await agent.restart();
      const call = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(downloadCards(chat, 1, reportFrom(chat)).pending);
      await owner.says(`/receive ${chat} 1`);
      await agent.commands(/^\/freceive/);
      uploads.release();
      expect(await call.result).toMatchObject({
        isError: true,
        text: expect.stringContaining("files.example"),
      });
      expect(await below(files)).toEqual([]);
    },
  );

  simulatedOnly("nobody runs the other server", "is not downloaded in mode host", async ({ world }) => {
    const scene = await fileScene(world, { approve: "host" });
    const { agent, owner, chat } = scene;
    const known = await scene.post("a.txt", "x");
    const client = await agent.client("modern");
    expect((await client.use("download", { chat, item: known.item })).data).toMatchObject({ status: "done" });
    await scene.switchback.run(`/xftp ${OTHER_SERVER}`);
    const { item } = await scene.post("b.txt", "x");
    expect(await client.use("download", { chat, item })).toMatchObject({
      isError: true,
      text: expect.stringContaining("files.example. In mode host such files are not downloaded."),
    });
    expect(owner.cards.filter((text) => /^I want/.test(text))).toEqual([]);
  });
});
