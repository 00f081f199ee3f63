import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect } from "vitest";
import { previewMadeAnew } from "../../src/files/pictures/images.js";
import { sendersPreview } from "../unit/files/pictures.js";
import { ERAS } from "../world/client.js";
import { fileFor, filesOf, receiveFile } from "../world/files.js";
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
import { copied, expectNoCopies, sentFolder } from "./sent-files.js";
import { edits, expectCommands } from "./support.js";

const notReceived = (number: number, error: string) =>
  `Action ${number}: the file was not received: \`${error}\`.`;

describe.each(ERAS)("/forward, while a client of the %s era waits", (era) => {
  const looked = async ({ world }: { world: World }): Promise<void> => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files, forwarded } = scene;
    const G = agent.controlChat;
    const { item, fileId } = await scene.post("report.pdf", REPORT);
    const client = await agent.client(era);
    const call = client.call("download", { chat, item });
    const text = downloadCards(chat, 1, reportFrom(chat));
    const card = await owner.sees(text.pending);
    await world.settle();
    agent.newCommands();
    const before = owner.messages.length;

    await owner.says(`/forward ${chat} 1`);
    const shown = await fileFor(owner.person, "report.pdf");
    expect(shown).toMatchObject({ chat: owner.chat, size: REPORT.length, quote: text.pending });
    expect(shown.content).toEqual({ type: "file", text: "" });
    const got = await receiveFile(owner.person, shown, join(scene.outside, "of-alice.pdf"));
    expect(got.equals(REPORT)).toBe(true);
    await expectNoCopies(agent);
    // The file is the only answer, and nothing is decided by it.
    expect(owner.messages).toHaveLength(before + 1);
    expect(card.versions).toEqual([text.pending]);
    expect(call.settled).toBe(false);
    const looking = join(forwarded, `${fileId}.pdf`);
    expectCommands(copied(writing(agent.newCommands())), [
      `/freceive ${fileId} encrypt=off ${looking}`,
      `/_send ${G} json [{"fileSource":{"filePath":"${sentFolder(agent)}/COPY/report.pdf"},"msgContent":{"type":"file","text":""},"quotedItemId":CARD}]`,
    ]);

    // To the agent it is offered still, and no way leads to it.
    expect(await below(forwarded)).toEqual([basename(looking)]);
    expect(await below(files)).toEqual([]);
    expect(await shownFile(client, chat, item)).toEqual({
      name: "report.pdf",
      size: REPORT.length,
      type: "file",
      state: "offered",
    });
    expect((await client.use("list")).data).toMatchObject({ actions: [{ action: 1, state: "pending" }] });
    expect(await client.use("send", { chat, file: looking })).toMatchObject({
      isError: true,
      text: expect.stringContaining("is in the agent's data folder"),
    });
    const refused = `I wanted to send \`${looking}\` to group Trail (${chat}). Refused: \`is in the agent's data folder\`.`;
    await owner.sees(refused);
    expect(agent.logged).toEqual([`A file was refused: ${looking} is in the agent's data folder.`]);

    await world.settle();
    agent.newCommands();
    await owner.says(`/receive ${chat} 1`);
    const path = join(files, `${fileId}.pdf`);
    expect((await call.result).data).toEqual({ action: 1, status: "done", chat, item, path });
    expect((await readFile(path)).equals(REPORT)).toBe(true);
    expect(await below(forwarded)).toEqual([]);
    await owner.sees(text.done);
    expect(card.versions).toEqual([text.pending, text.done]);
    // Moved, not downloaded again.
    expectCommands(writing(agent.newCommands()), [edits(G, text.done)]);
    expect(await shownFile(client, chat, item)).toMatchObject({ state: "ready", path });
    // Given again without asking.
    expect((await client.use("download", { chat, item })).data).toEqual({ status: "done", chat, item, path });
  };
  flow("shows the owner the file, and the agent gets it with /receive alone", looked);
  withSeeds(3, "shows the owner the file, and the agent gets it with /receive alone", looked);

  flow("and a rejection leave the agent without the file", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files } = scene;
    const { item } = await scene.post("report.pdf", REPORT);
    const client = await agent.client(era);
    const call = client.call("download", { chat, item });
    await owner.sees(downloadCards(chat, 1, reportFrom(chat)).pending);
    await owner.says(`/forward ${chat} 1`);
    await fileFor(owner.person, "report.pdf");
    await owner.says(`/reject ${chat} 1 not for you`);
    expect((await call.result).text).toContain("not for you");
    await owner.sees(downloadCards(chat, 1, reportFrom(chat)).not("Rejected by Alice: `not for you`."));
    expect(await below(files)).toEqual([]);
    expect(await shownFile(client, chat, item)).toMatchObject({ state: "offered" });
    expect(await owner.answerTo(`/forward ${chat} 1`)).toBe("Action 1 is not pending.");
  });
});

describe("what an owner is shown by /forward", () => {
  flow.for([
    ["image", { type: "image", text: "summit" }, { type: "image", text: "" }],
    ["video", { type: "video", text: "climb", duration: 12 }, { type: "video", text: "", duration: 12 }],
  ] as const)("has the sender's picture, made anew: %s", async ([type, sent, shownAs], { world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const image = await sendersPreview(60);
    const anew = await previewMadeAnew(image, 14_000);
    expect(anew).not.toBe(image);
    const name = type === "image" ? "summit.jpg" : "summit.mp4";
    const { item } = await scene.post(name, "what the sender calls a picture", { ...sent, image });
    (await agent.client("modern")).call("download", { chat, item });
    const card = await owner.sees(/^I want to download/);
    expect(pictureOf(owner, card.item)).toBe(anew);
    await owner.says(`/forward ${chat} 1`);
    const shown = await fileFor(owner.person, name);
    expect(shown.content).toEqual({ ...shownAs, image: anew });
    const got = await receiveFile(owner.person, shown, join(scene.outside, "got"));
    expect(got.toString()).toBe("what the sender calls a picture");
  });

  flow("is no reply where the card does not fit with it", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const image = await sendersPreview(218);
    // On the card each is shown by many characters.
    const name = `s${"\u0010".repeat(245)}.jpg`;
    const { item } = await scene.post(name, "x", { type: "image", text: "", image });
    (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await owner.says(`/forward ${chat} 1`);
    const shown = await fileFor(owner.person, "s.jpg");
    expect(shown.content).toEqual({
      type: "image",
      text: "",
      image: await previewMadeAnew(image, 14_000),
    });
    expect(shown.quote).toBeUndefined();
  });

  flow("has the sender's name without what cannot be seen", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const { item } = await scene.post("photo\u202Egpj.exe", "no photo");
    (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await owner.says(`/forward ${chat} 1`);
    await fileFor(owner.person, "photogpj.exe");
  });

  simulatedOnly(
    "nobody runs the other server",
    "comes from unknown servers too, which its card named",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, forwarded } = scene;
      await scene.switchback.run(`/xftp ${OTHER_SERVER}`);
      const { item, fileId } = await scene.post("report.pdf", REPORT);
      (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(downloadCards(chat, 1, reportFrom(chat, "`files.example`"), { known: false }).pending);
      agent.newCommands();
      await owner.says(`/forward ${chat} 1`);
      await fileFor(owner.person, "report.pdf");
      expect(writing(agent.newCommands())[0]).toBe(
        `/freceive ${fileId} approved_relays=on encrypt=off ${join(forwarded, `${fileId}.pdf`)}`,
      );
    },
  );
});

describe("a /forward of a file that is on other servers by now", () => {
  simulatedOnly(
    "nobody runs the other server",
    "asks no server that its card did not name",
    async ({ world }) => {
      const scene = await fileScene(world);
      const { agent, owner, chat, forwarded } = scene;
      await (await agent.hands()).run(`/xftp ${OTHER_SERVER}`);
      await scene.switchback.run(`/xftp ${OTHER_SERVER}`);
      const { item } = await scene.post("report.pdf", REPORT);
      const call = (await agent.client("modern")).call("download", { chat, item });
      const card = await owner.sees(downloadCards(chat, 1, reportFrom(chat)).pending);
      // The list of the agent is another one since.
      await (await agent.hands()).run(`/xftp ${OTHER_SERVER.replace("files.", "third.")}`);
      agent.newCommands();
      await owner.says(`/forward ${chat} 1`);
      await owner.sees(notReceived(1, "The file is on servers that were not approved: files.example."));
      expect(writing(agent.newCommands()).filter((one) => one.startsWith("/freceive"))).toEqual([]);
      expect(await below(forwarded)).toEqual([]);
      expect([card.versions.length, call.settled]).toEqual([1, false]);
    },
  );
});

describe("one download", () => {
  simulatedOnly("downloads are held", "is shared by /forward and /receive", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files, forwarded } = scene;
    const { item, fileId } = await scene.post("report.pdf", REPORT);
    const call = (await agent.client("modern")).call("download", { chat, item });
    const text = downloadCards(chat, 1, reportFrom(chat));
    await owner.sees(text.pending);
    const downloads = world.network.files.holdDownloads();
    await owner.says(`/forward ${chat} 1`);
    await agent.commands(/^\/freceive/);
    downloads.pass();
    await owner.says(`/forward ${chat} 1`);
    await owner.says(`/receive ${chat} 1`);
    await call.progressed("Downloading: 40% of 2.4 MB.");
    downloads.release();
    const path = join(files, `${fileId}.pdf`);
    expect((await call.result).data).toMatchObject({ action: 1, status: "done", path });
    const shown = await fileFor(owner.person, "report.pdf");
    const got = await receiveFile(owner.person, shown, join(scene.outside, "of-alice.pdf"));
    expect([got.equals(REPORT), (await readFile(path)).equals(REPORT)]).toEqual([true, true]);
    await owner.sees(text.done);
    await world.settle();
    expect(agent.newCommands().filter((one) => one.startsWith("/freceive"))).toHaveLength(1);
    // Asked for twice meanwhile, shown once.
    expect(filesOf(owner.person)).toHaveLength(1);
    expect(await below(forwarded)).toEqual([]);
    await expectNoCopies(agent);
    expect(agent.logged).toEqual([]);
  });
});

describe("a /forward that fails", () => {
  const gone = "The file is gone from its server: it expired or was deleted. Ask for it to be sent again.";

  simulatedOnly("files are deleted from servers", "tells that the file is gone", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, forwarded } = scene;
    const { item } = await scene.post("report.pdf", REPORT);
    const call = (await agent.client("modern")).call("download", { chat, item });
    const card = await owner.sees(/^I want to download/);
    world.network.files.remove("report.pdf");
    await owner.says(`/forward ${chat} 1`);
    await owner.sees(notReceived(1, gone));
    expect(card.versions).toEqual([downloadCards(chat, 1, reportFrom(chat)).pending]);
    expect(call.settled).toBe(false);
    expect(await below(forwarded)).toEqual([]);
    expect(agent.logged).toEqual([`The file of action 1 was not forwarded: ${gone}`]);
  });

  flow("of a file that its sender cancelled tells that", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, switchback } = scene;
    const { item } = await scene.post("report.pdf", REPORT);
    (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await switchback.run("/fcancel 1");
    await (await agent.hands()).waitFor("the cancellation", ({ type }) => type === "rcvFileSndCancelled");
    await owner.says(`/forward ${chat} 1`);
    await owner.sees(notReceived(1, "The sender cancelled the file."));
    expect(agent.api.commands.filter((one) => one.startsWith("/freceive"))).toEqual([]);
  });

  flow("as it cannot be posted leaves no copy, and works the next time", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, forwarded } = scene;
    const { item, fileId } = await scene.post("report.pdf", REPORT);
    (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    agent.api.failNext(/^\/_send .*fileSource/, {
      type: "error",
      errorType: { type: "fileSize", filePath: "COPY" },
    });
    await owner.says(`/forward ${chat} 1`);
    await owner.sees(/^Action 1: the file was not received: `.+`\.$/);
    await expectNoCopies(agent);
    expect(await below(forwarded)).toEqual([`${fileId}.pdf`]);
    expect(filesOf(owner.person)).toEqual([]);
    await owner.says(`/forward ${chat} 1`);
    const shown = await fileFor(owner.person, "report.pdf");
    const got = await receiveFile(owner.person, shown, join(scene.outside, "of-alice.pdf"));
    expect(got.equals(REPORT)).toBe(true);
    expect(agent.api.commands.filter((one) => one.startsWith("/freceive"))).toHaveLength(1);
  });

  simulatedOnly("uploads fail", "in its upload tells that, and leaves no copy", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const { item } = await scene.post("report.pdf", REPORT);
    (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    world.network.files.failUpload("QUOTA");
    await owner.says(`/forward ${chat} 1`);
    await owner.sees(/^The file `report\.pdf` was not sent to .*QUOTA/);
    await expectNoCopies(agent);
    expect(agent.logged).toEqual([`The file report.pdf was not sent to ${agent.controlChat}: QUOTA`]);
  });
});

describe("a restart while a forwarded file is uploaded", () => {
  simulatedOnly("uploads are held", "leaves no copy", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, forwarded } = scene;
    const { item, fileId } = await scene.post("report.pdf", REPORT);
    (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    const uploads = world.network.files.holdUploads();
    await owner.says(`/forward ${chat} 1`);
    await fileFor(owner.person, "report.pdf");
    uploads.pass(2);
    await world.settle();
    expect(await below(sentFolder(agent))).toHaveLength(1);
    await agent.restart();
    await owner.sees(/^I wanted to download/);
    expect(await readdir(sentFolder(agent))).toEqual([]);
    expect(await below(forwarded)).toEqual([`${fileId}.pdf`]);
    uploads.release();
    const shown = await fileFor(owner.person, "report.pdf");
    const got = await receiveFile(owner.person, shown, join(scene.outside, "of-alice.pdf"));
    expect(got.equals(REPORT)).toBe(true);
  });
});
