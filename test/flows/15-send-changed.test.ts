import { readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { filesOf } from "../world/files.js";
import { flow } from "../world/flow-test.js";
import { type FileScene, fileScene, pictureOf, writing } from "./files.js";
import { delivered, expectNoCopies, photograph, sendCards } from "./sent-files.js";

/** As long as what the card showed, so that the size does not tell. */
const SHOWN = "what the card showed";
const OTHER = "what nobody approved";

interface Paths {
  /** The file on the card. */
  path: string;
  /** Another file beside it, with other content. */
  other: string;
  /** A free name beside both. */
  aside: string;
}

/** What happens to the file between card and approval. */
const CHANGES: ReadonlyArray<readonly [what: string, change: (paths: Paths) => Promise<void>]> = [
  ["written anew", ({ path }) => writeFile(path, OTHER)],
  [
    "written anew, with its old time",
    async ({ path }) => {
      const { atime, mtime } = await stat(path);
      await writeFile(path, OTHER);
      await utimes(path, atime, mtime);
    },
  ],
  ["made longer", ({ path }) => writeFile(path, `${SHOWN}, and more`)],
  ["made empty", ({ path }) => writeFile(path, "")],
  ["replaced by another file", ({ other, path }) => rename(other, path)],
  [
    "swapped with another file",
    async ({ path, other, aside }) => {
      await rename(path, aside);
      await rename(other, path);
      await rename(aside, other);
    },
  ],
  [
    "replaced by a link to another file",
    async ({ path, other }) => {
      await rm(path);
      await symlink(other, path);
    },
  ],
  [
    "replaced by a link to itself under another name",
    async ({ path, aside }) => {
      await rename(path, aside);
      await symlink(aside, path);
    },
  ],
  ["renamed", ({ path, aside }) => rename(path, aside)],
  ["deleted", ({ path }) => rm(path)],
];

const changed = (path: string) => `file: ${path} changed after the request.`;

async function pathsOf(scene: FileScene, round: number | string): Promise<Paths> {
  const path = await scene.put(`notes-${round}.txt`, SHOWN);
  return {
    path,
    other: await scene.put(`other-${round}.txt`, OTHER),
    aside: join(scene.outside, `aside-${round}.txt`),
  };
}

/** No file left, and no copy is there. */
async function expectNothingSent({ world, agent, switchback, hazel }: FileScene): Promise<void> {
  await world.settle();
  expect([...filesOf(switchback), ...filesOf(hazel)]).toEqual([]);
  expect(writing(agent.newCommands()).filter((one) => one.includes("fileSource"))).toEqual([]);
  await expectNoCopies(agent);
}

describe.each(ERAS)("a file that changes between card and approval, by a client of the %s era", (era) => {
  flow.for(CHANGES)("is not sent: %s", async ([, change], { world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const client = await agent.client(era);
    for (let round = 1; round <= 3; round += 1) {
      const paths = await pathsOf(scene, round);
      const { path } = paths;
      const call = client.call("send", { chat, text: "notes", file: path, wait: 0 });
      const text = sendCards(chat, round, `group Trail: \`notes\`, attaching file \`${path}\`, 20 bytes`);
      const card = await owner.sees(text.pending);
      await change(paths);
      await owner.says(`/approve ${chat} ${round}`);
      const result = await call.result;
      expect(result.isError).toBe(true);
      expect(result.text).toContain(changed(path));
      await owner.sees(text.not(`Approved by Alice; failed: \`${changed(path)}\`.`));
      expect(card.versions).toHaveLength(2);
    }
    await expectNothingSent(scene);
  });
});

describe("an image that changes between card and approval", () => {
  flow("is not sent, and the card keeps the picture that was asked for", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const path = await scene.put("trail.jpg", await photograph());
    const call = (await agent.client("modern")).call("send", { chat, file: path, wait: 0 });
    const card = await owner.sees(/^I want to send a message to group Trail, attaching image/);
    const image = await readFile(path);
    await writeFile(path, Buffer.concat([image, Buffer.from("hidden behind the image")]));
    await owner.says(`/approve ${chat} 1`);
    expect((await call.result).text).toContain(changed(path));
    await owner.sees(
      /^I wanted to send .*\nApproved by Alice; failed: `file: .* changed after the request\.`\.$/,
    );
    expect(await agent.commands(/^\/_update item/)).toContain(`"image":"${pictureOf(owner, card.item)}"`);
    await expectNothingSent(scene);
  });
});

describe("a file that changes while it is sent", () => {
  flow.for(ERAS)("is sent as it was, or not at all, by a client of the %s era", async (era, { world }) => {
    const scene = await fileScene(world, { limits: { pending: 50, cardsPerMinute: 100 } });
    const { agent, owner, chat } = scene;
    const client = await agent.client(era);
    for (let round = 1; round <= 24; round += 1) {
      const paths = await pathsOf(scene, round);
      const { path } = paths;
      const call = client.call("send", { chat, file: path, wait: 0 });
      await owner.sees(new RegExp(`approve ${chat} ${round}'`));
      const said = owner.says(`/approve ${chat} ${round}`);
      const [, change] = CHANGES[round % CHANGES.length] ?? CHANGES[0] ?? [];
      // Later from round to round: before the perform, amid it, after it.
      for (let turns = round * 2; turns > 0; turns -= 1) await turn();
      await change?.(paths);
      await said;
      const { isError, text } = await call.result;
      if (isError) expect(text).toContain(changed(path));
      else expect((await delivered(scene, `notes-${round}.txt`)).content.toString()).toBe(SHOWN);
    }
    for (const file of filesOf(scene.switchback)) expect(file.size).toBe(SHOWN.length);
    await expectNoCopies(agent);
  });
});
