import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { below, downloadCards, downloadHeld, type FileScene, fileScene, shownFile } from "./files.js";

/** Downloads a file of this name from the group; resolves with its path. `number`: of the action. */
async function downloaded(scene: FileScene, number: number, name: string, content: string): Promise<string> {
  const { agent, owner, chat } = scene;
  const { item } = await scene.post(name, content);
  const call = (await agent.client("modern")).call("download", { chat, item });
  await owner.sees(new RegExp(`receive ${chat} ${number}'`));
  await owner.says(`/receive ${chat} ${number}`);
  const { data, text } = await call.result;
  if (typeof data?.path !== "string") throw new Error(text);
  return data.path;
}

describe("the files of a chat", () => {
  flow("stay when an owner has the agent leave it, until an owner deletes them", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files } = scene;
    const first = await downloaded(scene, 1, "a.txt", "x".repeat(1000));
    await downloaded(scene, 2, "b.txt", "x".repeat(1072));
    await owner.says(`/leave ${chat}`);
    await owner.sees(`Left group Trail (${chat}), requested by Alice.`);
    await owner.sees(
      `Files from group Trail (${chat}) are kept in \`${files}\`: 2 files, 2 KB. /'delete ${chat} files'`,
    );
    expect(await readFile(first, "utf8")).toBe("x".repeat(1000));
    expect(await owner.answerTo(`/delete ${chat} files`)).toBe(`Deleted 2 files from \`${chat}\`, 2 KB.`);
    expect(existsSync(files)).toBe(false);
    expect(await owner.answerTo(`/delete ${chat} files`)).toBe(`I have no chat \`${chat}\`. /list`);
    expect(agent.logged).toEqual([]);
  });

  flow(
    "stay when the agent leaves with an approval, and are named after the card changed",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      const path = await downloaded(scene, 1, "a.txt", "x");
      const call = (await agent.client("modern")).call("leave", { chat });
      await owner.sees(/^I want to leave/);
      await owner.says(`/approve ${chat} 2`);
      expect((await call.result).data).toEqual({ action: 2, status: "done", chat });
      await owner.sees(`I left group Trail (${chat}).\nApproved by Alice.`);
      await owner.sees(
        `Files from group Trail (${chat}) are kept in \`${files}\`: 1 file, 1 byte. /'delete ${chat} files'`,
      );
      expect(await readFile(path, "utf8")).toBe("x");
    },
  );

  flow("are not spoken of where there are none", async ({ world }) => {
    const scene = await fileScene(world);
    const { owner, chat } = scene;
    await scene.post("a.txt", "x");
    await owner.says(`/leave ${chat}`);
    await owner.sees(`Left group Trail (${chat}), requested by Alice.`);
    expect(await owner.answerTo("/list")).not.toMatch(/^Files/);
    expect(owner.cards.filter((text) => text.startsWith("Files"))).toEqual([]);
  });

  flow("that an owner only looked at go when the chat is left", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files, forwarded } = scene;
    const { item } = await scene.post("a.txt", "x");
    (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await owner.says(`/forward ${chat} 1`);
    await agent.commands(/fileSource/);
    expect(await below(forwarded)).toHaveLength(1);
    await owner.says(`/leave ${chat}`);
    await owner.sees(`Left group Trail (${chat}), requested by Alice.`);
    expect(existsSync(forwarded)).toBe(false);
    expect(await below(files)).toEqual([]);
    expect(await owner.answerTo("/list")).not.toMatch(/^Files/);
  });

  flow(
    "are deleted with those that an owner looked at, in a chat that the agent is in",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, files, forwarded } = scene;
      await downloaded(scene, 1, "a.txt", "xx");
      const { item } = await scene.post("b.txt", "xxx");
      const client = await agent.client("modern");
      client.call("download", { chat, item });
      await owner.sees(/^I want to download .*`b\.txt`/);
      await owner.says(`/forward ${chat} 2`);
      await agent.commands(/fileSource/);
      await writeFile(join(files, "of-the-agent.txt"), "xxxx");
      await world.settle();
      expect(await owner.answerTo(`/delete ${chat} files`)).toBe(
        `Deleted 3 files from \`${chat}\`, 9 bytes.`,
      );
      expect([existsSync(files), existsSync(forwarded)]).toEqual([false, false]);
      expect(await owner.answerTo(`/delete ${chat} files`)).toBe(
        `Deleted 0 files from \`${chat}\`, 0 bytes.`,
      );
      expect((await client.use("list")).data).toMatchObject({ chats: [expect.objectContaining({ chat })] });
    },
  );

  flow("of the control chat and of unknown chats are none of anybody's", async ({ world }) => {
    const { agent, owner } = await world.agentWithOwner();
    const G = agent.controlChat;
    expect(await owner.answerTo(`/delete ${G} files`)).toBe(`I have no chat \`${G}\`. /list`);
    expect(await owner.answerTo("/delete #99 files")).toBe("I have no chat `#99`. /list");
  });
});

describe("deleting files while some are on their way", () => {
  const REPORT = "x".repeat(2_500_000);

  simulatedOnly("downloads are held", "ends the downloads, and leaves nothing of them", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files } = scene;
    const { item } = await scene.post("report.pdf", REPORT);
    const downloads = world.network.files.holdDownloads();
    const client = await agent.client("modern");
    const call = client.call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await owner.says(`/receive ${chat} 1`);
    downloads.pass();
    await call.progressed("Downloading: 40% of 2.4 MB.");
    await owner.says(`/delete ${chat} files`);
    await owner.sees(/^Deleted \d files? from/);
    const why = "Your owner deleted the files of this chat.";
    expect(await call.result).toMatchObject({ isError: true, text: expect.stringContaining(why) });
    await owner.sees(
      downloadCards(
        chat,
        1,
        `Switchback in group Trail (${chat}): \`report.pdf\`, 2.4 MB. Servers: known.`,
      ).not(`Approved by Alice; failed: \`${why}\`.`),
    );
    downloads.release();
    await world.settle();
    expect(existsSync(files)).toBe(false);
    expect(await shownFile(client, chat, item)).toMatchObject({ state: "offered" });
  });

  simulatedOnly(
    "downloads are held",
    "ends those that the core goes on with after a restart",
    async ({ world }) => {
      const { agent, owner, chat, files, fileId, downloads } = await downloadHeld(world);
      await agent.restart();
      await owner.says(`/delete ${chat} files`);
      await owner.sees(/^Deleted \d files? from/);
      expect(agent.api.commands).toContain(`/fcancel ${fileId}`);
      downloads.release();
      await world.settle();
      expect(existsSync(files)).toBe(false);
    },
  );

  simulatedOnly(
    "downloads are held",
    "is not needed when the chat is left: they end with it",
    async ({ world }) => {
      const { owner, chat, files, downloads, call } = await downloadHeld(world);
      await owner.says(`/leave ${chat}`);
      await owner.sees(`Left group Trail (${chat}), requested by Alice.`);
      expect(await call.result).toMatchObject({ isError: true });
      downloads.release();
      await world.settle();
      expect(await below(files)).toEqual([]);
    },
  );
});
