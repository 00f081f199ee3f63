import { link, mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { filesOf } from "../world/files.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { below, type FileScene, fileScene, writing } from "./files.js";
import { delivered, sendCards, sentFolder } from "./sent-files.js";

const OWN = "is in the agent's data folder";
const SSH = "is in a place for credentials (.ssh)";

const toOwner = (chat: string, path: string, why: string) =>
  `I wanted to send \`${path}\` to group Trail (${chat}). Refused: \`${why}\`.`;

/** Places that hold what the agent must not give away: a name for it, how it is made, and why it is refused. */
const REFUSED: ReadonlyArray<
  readonly [what: string, path: (scene: FileScene) => Promise<string>, why: string]
> = [
  ["the agent's token", async ({ agent }) => join(agent.folder, "headers.json"), OWN],
  ["what is not in the agent's folder", async ({ agent }) => join(agent.folder, "nothing"), OWN],
  ["the agent's folder itself", async ({ agent }) => agent.folder, OWN],
  ["what an owner looked at", async ({ forwarded }) => join(forwarded, "1.pdf"), OWN],
  ["a copy that is being sent", async ({ agent }) => join(sentFolder(agent), "send-x", "a.txt"), OWN],
  [
    "a way around",
    async ({ agent }) => `${agent.folder}/../${basename(agent.folder)}/files/../headers.json`,
    OWN,
  ],
  ["a key for ssh", async (scene) => await secret(scene, ".ssh", "id_ed25519"), SSH],
  ["a key that is not there", async ({ outside }) => join(outside, ".ssh", "id_rsa"), SSH],
  ["a key in capitals", async ({ outside }) => join(outside, ".SSH", "id_rsa"), SSH],
  [
    "the accounts of a cloud",
    async (scene) => await secret(scene, ".aws", "credentials"),
    "is in a place for credentials (.aws)",
  ],
  ["the environment of the server", async () => "/proc/self/environ", "belongs to the system"],
  ["a device", async () => "/dev/zero", "belongs to the system"],
  ["a folder", async ({ outside }) => outside, "is no regular file"],
  [
    "more than a gibibyte",
    async (scene) => {
      const path = await scene.put("huge.bin", "");
      await truncate(path, (1 << 30) + 1);
      return path;
    },
    "is larger than 1 GiB",
  ],
];

/** Files with something to hide. Resolves with the path. */
async function secret({ outside }: FileScene, folder: string, name: string): Promise<string> {
  await mkdir(join(outside, folder));
  await writeFile(join(outside, folder, name), "nobody is to have this");
  return join(outside, folder, name);
}

async function expectNothingSent({ agent, switchback }: FileScene): Promise<void> {
  expect(filesOf(switchback)).toEqual([]);
  expect(writing(agent.newCommands()).filter((one) => one.includes("fileSource"))).toEqual([]);
  expect(await below(sentFolder(agent))).toEqual([]);
}

describe("a file that may not be sent", () => {
  flow.for(REFUSED)("is refused, told and logged: %s", async ([, make, why], { world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const given = await make(scene);
    const path = join(given);
    const client = await agent.client("modern");
    const asked = await client.use("send", { chat, text: "have a look", file: given });
    expect(asked).toMatchObject({ isError: true, data: undefined });
    expect(asked.text).toContain(`${path} ${why}`);
    await owner.sees(toOwner(chat, path, why));
    expect(agent.logged).toEqual([`A file was refused: ${path} ${why}.`]);
    expect((await client.use("list")).data).toMatchObject({ actions: [] });
    await expectNothingSent(scene);
  });

  flow.for(ERAS)(
    "is refused by the place that a link leads to, by a client of the %s era",
    async (era, { world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, outside } = scene;
      const key = await secret(scene, ".ssh", "id_ed25519");
      const innocent = join(outside, "photo.jpg");
      await symlink(key, innocent);
      const client = await agent.client(era);
      const why = `leads to ${key}, which ${SSH}`;
      const asked = await client.use("send", { chat, file: innocent });
      expect(asked.isError).toBe(true);
      expect(asked.text).toContain(why);
      await owner.sees(toOwner(chat, innocent, why));

      const by = join(outside, "way");
      await symlink(agent.folder, by);
      const headers = join(agent.folder, "headers.json");
      const around = await client.use("send", { chat, file: join(by, "headers.json"), as: "file" });
      expect(around.text).toContain(`leads to ${headers}, which ${OWN}`);
      await owner.sees(toOwner(chat, join(by, "headers.json"), `leads to ${headers}, which ${OWN}`));
      await expectNothingSent(scene);
    },
  );

  flow("is refused by another name of the agent's token", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, outside } = scene;
    const name = join(outside, "notes.txt");
    await link(join(agent.folder, "headers.json"), name);
    const asked = await (await agent.client("modern")).use("send", { chat, file: name });
    expect(asked.text).toContain(OWN);
    await owner.sees(toOwner(chat, name, OWN));
    await expectNothingSent(scene);
  });

  flow("is refused in mode host, too", async ({ world }) => {
    const scene = await fileScene(world, { approve: "host" });
    const { agent, owner, chat } = scene;
    const path = await secret(scene, ".ssh", "id_ed25519");
    const asked = await (await agent.client("modern")).use("send", { chat, file: path });
    expect(asked.isError).toBe(true);
    await owner.sees(toOwner(chat, path, SSH));
    await expectNothingSent(scene);
  });

  simulatedOnly("time is moved", "is told ten times a minute, and logged always", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, outside } = scene;
    const client = await agent.client("modern");
    const path = (number: number) => join(outside, ".ssh", `key-${number}`);
    for (let number = 1; number <= 13; number += 1) await client.use("send", { chat, file: path(number) });
    await owner.sees(toOwner(chat, path(10), SSH));
    await world.settle();
    expect(owner.cards.filter((text) => text.startsWith("I wanted to send"))).toHaveLength(10);
    expect(agent.logged).toHaveLength(13);
    await world.pass(60_000);
    await client.use("send", { chat, file: path(14) });
    await owner.sees(toOwner(chat, path(14), SSH));
  });
});

describe("a mistake about a file", () => {
  flow("is told to the agent alone", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, outside } = scene;
    const client = await agent.client("modern");
    const before = owner.messages.length;
    const broken = await scene.put("broken.jpg", "no image");
    const missing = join(outside, "missing.txt");
    const empty = await scene.put("empty.txt", "");
    const mistakes = [
      [{ file: missing }, `file: there is no ${missing}.`],
      [{ file: "notes.txt" }, "file: give an absolute path, or one that starts with ~/."],
      [{ file: "" }, "file"],
      [{ as: "file", text: "x" }, "as goes with a file. Give its path as file."],
      [{ file: empty }, `file: ${empty} is empty. SimpleX delivers no empty files.`],
      [{ file: broken }, `file: ${broken} holds no image. Send it as a plain file, with as: "file".`],
    ] as const;
    for (const [input, error] of mistakes) {
      const asked = await client.use("send", { chat, ...input });
      expect(asked.isError).toBe(true);
      expect(asked.text).toContain(error);
    }
    await world.settle();
    expect(owner.messages).toHaveLength(before);
    expect(agent.logged).toEqual([]);
    await expectNothingSent(scene);
  });
});

describe("a symbolic link to a file that may be sent", () => {
  flow("is shown as the file that it leads to, whatever it leads to later", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, outside } = scene;
    const path = await scene.put("real.txt", "what was asked for");
    const other = await scene.put("other.txt", "something else");
    const name = join(outside, "link.txt");
    await symlink(path, name);
    const call = (await agent.client("modern")).call("send", { chat, file: name, wait: 0 });
    const what = `group Trail, attaching file \`${path}\`, 18 bytes`;
    await owner.sees(sendCards(chat, 1, what).pending);
    await rm(name);
    await symlink(other, name);
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).data).toMatchObject({ status: "done" });
    await owner.sees(sendCards(chat, 1, what).done);
    expect((await delivered(scene, "real.txt")).content.toString()).toBe("what was asked for");
  });
});
