import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { TestClient } from "../world/client.js";
import { fileFor, receiveFile, type SeenFile, sendFile } from "../world/files.js";
import { simulatedOnly } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import { below, type FileScene, fileScene, OTHER_SERVER, shownFile } from "./files.js";

const WHY = "numbers of files come again there as in the core, if nothing else takes them";

const EVIL_SERVER = OTHER_SERVER.replace("files.example", "evil.example");

const FIRST = "the content of the first";
/** As long as the first. */
const SECOND = "what is in the second is";

interface NumbersScene extends FileScene {
  client: TestClient;
  /** Switchback posts a file. Resolves with what the agent sees of it, and with what deletes it for everybody. */
  takeable: (name: string, content: string) => Promise<SeenFile & { takeBack: () => Promise<void> }>;
}

/** The group Trail, where what is deleted is gone entirely: so the number of a deleted file is free again. */
async function numbersScene(world: World): Promise<NumbersScene> {
  const scene = await fileScene(world);
  const { agent, hazel, hazels, switchback, switchbacks } = scene;
  const groupPreferences = { fullDelete: { enable: "on" }, history: { enable: "off" } };
  const profile = { displayName: "Trail", fullName: "", groupPreferences };
  await hazel.run(`/_group_profile ${hazels} ${JSON.stringify(profile)}`);
  await world.settle();
  const takeable: NumbersScene["takeable"] = async (name, content) => {
    const sent = await sendFile(switchback, switchbacks, await scene.put(name, content));
    const file = await fileFor(await agent.hands(), name);
    await world.settle();
    const takeBack = async () => {
      await switchback.deleteMessage(switchbacks, sent);
      await world.settle();
    };
    return { ...file, takeBack };
  };
  return { ...scene, client: await agent.client("modern"), takeable };
}

/** The agent downloads the file, approved as action `number`; resolves with the path. */
async function downloaded(
  { owner, chat, client }: NumbersScene,
  { item }: SeenFile,
  number: number,
): Promise<string> {
  const call = client.call("download", { chat, item });
  await owner.sees(new RegExp(`receive ${chat} ${number}'`));
  await owner.says(`/receive ${chat} ${number}`);
  const { data, text } = await call.result;
  if (typeof data?.path !== "string") throw new Error(text);
  return data.path;
}

/** A file that the agent got, and then, its message deleted, another one with its number. */
async function secondOfNumber(scene: NumbersScene): Promise<{ first: string; second: SeenFile }> {
  const one = await scene.takeable("one.txt", FIRST);
  const first = await downloaded(scene, one, 1);
  await one.takeBack();
  const second = await scene.takeable("two.txt", SECOND);
  expect(second.fileId).toBe(one.fileId);
  return { first, second };
}

describe("a file with the number of one that was deleted", () => {
  simulatedOnly(WHY, "is offered and asked for, and comes beside the other", async ({ world }) => {
    const scene = await numbersScene(world);
    const { chat, client, files } = scene;
    const { first, second } = await secondOfNumber(scene);
    expect(await shownFile(client, chat, second.item)).toMatchObject({ state: "offered" });
    const path = await downloaded(scene, second, 2);
    expect(path).toBe(join(files, `${second.fileId}-2.txt`));
    expect(await readFile(path, "utf8")).toBe(SECOND);
    expect(await readFile(first, "utf8")).toBe(FIRST);
    expect(await shownFile(client, chat, second.item)).toMatchObject({ state: "ready", path });
    const again = await client.use("download", { chat, item: second.item });
    expect(again.data).toEqual({ status: "done", chat, item: second.item, path });
  });

  simulatedOnly(WHY, "is the one that /forward shows", async ({ world }) => {
    const scene = await numbersScene(world);
    const { owner, chat, client, outside } = scene;
    const { second } = await secondOfNumber(scene);
    client.call("download", { chat, item: second.item });
    await owner.sees(/^I want to download .*two\.txt/);
    await owner.says(`/forward ${chat} 2`);
    const shown = await fileFor(owner.person, "two.txt");
    const got = await receiveFile(owner.person, shown, join(outside, "of-alice.txt"));
    expect(got.toString()).toBe(SECOND);
  });

  simulatedOnly(WHY, "is found after a restart, where an owner had looked at it first", async ({ world }) => {
    const scene = await numbersScene(world);
    const { agent, owner, chat, client, files, forwarded } = scene;
    const { first, second } = await secondOfNumber(scene);
    const call = client.call("download", { chat, item: second.item });
    await owner.sees(/^I want to download .*two\.txt/);
    await owner.says(`/forward ${chat} 2`);
    await fileFor(owner.person, "two.txt");
    await owner.says(`/receive ${chat} 2`);
    const path = join(files, `${second.fileId}-2.txt`);
    expect((await call.result).data).toMatchObject({ status: "done", path });
    expect(await below(forwarded)).toEqual([]);
    await agent.restart();
    // The core knows it where the owner looked at it.
    const after = { ...scene, client: await agent.client("modern") };
    expect(await downloaded(after, second, 3)).toBe(path);
    expect(await readFile(path, "utf8")).toBe(SECOND);
    expect(await readFile(first, "utf8")).toBe(FIRST);
  });

  simulatedOnly(
    "uploads are held",
    "is asked for with its own servers, once they are known",
    async ({ world }) => {
      const scene = await numbersScene(world);
      const { agent, owner, chat, client, switchback } = scene;
      await switchback.run(`/xftp ${OTHER_SERVER}`);
      const one = await scene.takeable("one.txt", FIRST);
      await one.takeBack();
      await switchback.run(`/xftp ${EVIL_SERVER}`);
      const uploads = world.network.files.holdUploads();
      const two = await scene.takeable("two.txt", SECOND);
      expect(two.fileId).toBe(one.fileId);
      const call = client.call("download", { chat, item: two.item });
      await call.progressed(/^The sender is uploading/);
      uploads.release();
      const card = await owner.sees(/^I want to download .*two\.txt/);
      expect(card.text).toContain("Servers: `evil.example`.");
      expect(agent.api.commands.filter((one) => one.startsWith("/freceive"))).toEqual([]);
    },
  );
});
