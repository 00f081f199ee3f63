import { join } from "node:path";
import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { fileFor, filesOf, receiveFile } from "../world/files.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import type { SimulatedWorld } from "../world/simulated.js";
import { below, type FileScene, fileScene } from "./files.js";
import { copies, delivered, expectNoCopies, sendCards, sentFolder } from "./sent-files.js";
import { contactOf } from "./trail.js";

const NOTES = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => (at * at) % 249));

const notSent = (chat: string, error: string) =>
  `The file \`notes.bin\` was not sent to group Trail (${chat}): \`${error}\`.`;

/** The notes are sent, with uploads held: approved, and on their way. */
async function sending(world: SimulatedWorld, era: "modern" | "legacy" = "modern") {
  const scene = await fileScene(world);
  const { agent, owner, chat } = scene;
  const path = await scene.put("notes.bin", NOTES);
  const client = await agent.client(era);
  const uploads = world.network.files.holdUploads();
  const call = client.call("send", { chat, text: "notes", file: path, wait: 0 });
  const text = sendCards(chat, 1, `group Trail: \`notes\`, attaching file \`${path}\`, 2.4 MB`);
  await owner.sees(text.pending);
  await owner.says(`/approve ${chat} 1`);
  // The message is sent with its file still here.
  expect((await call.result).data).toMatchObject({ action: 1, status: "done" });
  await owner.sees(text.done);
  await world.settle();
  return { ...scene, client, uploads, path, text };
}

async function expectDelivered(scene: FileScene): Promise<void> {
  expect((await delivered(scene, "notes.bin")).content.equals(NOTES)).toBe(true);
}

describe.each(ERAS)("the copy of a file, sent by a client of the %s era", (era) => {
  simulatedOnly("uploads are held", "is there until the upload is over", async ({ world }) => {
    const scene = await sending(world, era);
    const { agent, uploads, client, chat } = scene;
    const [copy = "", ...others] = await below(sentFolder(agent));
    expect(copy).toMatch(/^send-\w{6}\/notes\.bin$/);
    expect(others).toEqual([]);
    const state = async () => (await client.use("history", { chat, limit: 1 })).data?.messages;
    expect(await state()).toMatchObject([{ file: { name: "notes.bin", state: "uploading" } }]);
    uploads.pass(3);
    await world.settle();
    expect(await below(sentFolder(agent))).toEqual([copy]);
    uploads.release();
    await expectNoCopies(agent);
    await expectDelivered(scene);
    expect(await state()).toMatchObject([{ file: { name: "notes.bin", state: "sent" } }]);
    expect(agent.logged).toEqual([]);
  });

  simulatedOnly("uploads are held", "goes when the chat is left before that", async ({ world }) => {
    const scene = await sending(world, era);
    const { agent, owner, chat, client } = scene;
    const bob = await contactOf(world, agent, "Bob");
    const path = await scene.put("other.bin", NOTES);
    const call = client.call("send", { chat: bob.chat, file: path, wait: 0 });
    await owner.sees(/other\.bin/);
    await owner.says(`/approve ${bob.chat} 2`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    expect(await copies(agent)).toHaveLength(2);
    await owner.says(`/leave ${chat}`);
    await owner.sees(`Left group Trail (${chat}), requested by Alice.`);
    // The upload for Bob goes on.
    expect(await below(sentFolder(agent))).toEqual([expect.stringMatching(/^send-\w{6}\/other\.bin$/)]);
    expect(await copies(agent)).toHaveLength(1);
    expect(agent.logged).toEqual([]);
  });

  simulatedOnly("uploads fail", "goes when the upload fails, and the owner is told", async ({ world }) => {
    const scene = await sending(world, era);
    const { agent, owner, uploads, chat, client, text } = scene;
    const before = owner.messages.length;
    uploads.pass(2);
    await world.settle();
    world.network.files.failUpload("QUOTA");
    uploads.release();
    await owner.sees(notSent(chat, "QUOTA"));
    await expectNoCopies(agent);
    expect(owner.messages).toHaveLength(before + 1);
    expect(agent.logged).toEqual([`The file notes.bin was not sent to ${chat}: QUOTA`]);
    // The message was sent, without its file.
    await owner.sees(text.done);
    const { messages } = (await client.use("history", { chat, limit: 1 })).data ?? {};
    expect(messages).toMatchObject([{ text: "notes", file: { name: "notes.bin", state: "failed" } }]);
  });
});

describe("a message with a file that the core does not take", () => {
  flow("fails, and leaves no copy", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, switchback } = scene;
    const path = await scene.put("notes.bin", NOTES);
    const call = (await agent.client("modern")).call("send", { chat, text: "notes", file: path, wait: 0 });
    await owner.sees(/^I want to send/);
    agent.api.failNext(/^\/_send .*fileSource/, {
      type: "errorStore",
      storeError: { type: "largeMsg" },
    });
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).isError).toBe(true);
    await owner.sees(/^I wanted to send .*\nApproved by Alice; failed: `.+`\.$/);
    await expectNoCopies(agent);
    expect(filesOf(switchback)).toEqual([]);
    // Nothing of the failure stays: the same call asks anew.
    const again = (await agent.client("modern")).call("send", { chat, text: "notes", file: path, wait: 0 });
    await owner.sees(new RegExp(`approve ${chat} 2'`));
    await owner.says(`/approve ${chat} 2`);
    expect((await again.result).data).toMatchObject({ action: 2, status: "done" });
    await expectDelivered(scene);
    await expectNoCopies(agent);
  });
});

describe("a file for a contact", () => {
  flow("is gone here once the contact can have it", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner } = scene;
    const { person, chat } = await contactOf(world, agent, "Bob");
    const path = await scene.put("notes.bin", NOTES);
    const call = (await agent.client("modern")).call("send", { chat, file: path, wait: 0 });
    await owner.sees(sendCards(chat, 1, `contact Bob, attaching file \`${path}\`, 2.4 MB`).pending);
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    await expectNoCopies(agent);
    const content = await receiveFile(
      person,
      await fileFor(person, "notes.bin"),
      join(scene.outside, "of-bob.bin"),
    );
    expect(content.equals(NOTES)).toBe(true);
  });
});

describe("a restart in the middle of an upload", () => {
  simulatedOnly(
    "uploads are held",
    "leaves no copy, and the core goes on from its own",
    async ({ world }) => {
      const scene = await sending(world);
      const { agent, uploads } = scene;
      uploads.pass(2);
      await world.settle();
      expect(await copies(agent)).toHaveLength(1);
      await agent.restart();
      await world.settle();
      expect(await copies(agent)).toEqual([]);
      uploads.release();
      await expectDelivered(scene);
      await world.settle();
      expect(agent.logged).toEqual([]);
      expect(await copies(agent)).toEqual([]);
    },
  );

  simulatedOnly(
    "uploads are held",
    "before the core has its own copy fails it, and tells so",
    async ({ world }) => {
      const scene = await sending(world);
      const { agent, owner, chat, uploads } = scene;
      await agent.restart();
      await world.settle();
      expect(await copies(agent)).toEqual([]);
      uploads.release();
      const told = await owner.sees(/^The file `notes\.bin` was not sent to group Trail/);
      expect(told.text).toContain("does not exist");
      expect(
        agent.logged.filter((line) => line.startsWith(`The file notes.bin was not sent to ${chat}: `)),
      ).toHaveLength(1);
      expect(await copies(agent)).toEqual([]);
    },
  );
});
