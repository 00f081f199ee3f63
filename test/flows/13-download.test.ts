import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { ERAS } from "../world/client.js";
import { fileFor, sendFile, uploadedTo } from "../world/files.js";
import { flow, simulatedOnly, withSeeds } from "../world/flow-test.js";
import type { World } from "../world/world.js";
import { below, downloadCards, fileScene, OTHER_SERVER, pictureOf, shownFile, writing } from "./files.js";
import { edits, expectCommands, posts, savesCounter, withoutTimes } from "./support.js";
import { contactOf } from "./trail.js";

/** 2.4 MB, in chunks of 40, 40, 10 and 10 percent. */
const REPORT = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => (at * at) % 251));

/** What a card says of the report in the group. */
const REPORT_FROM = (chat: string, servers = "known") =>
  `Switchback in group Trail (${chat}): \`report.pdf\`, 2.4 MB. Servers: ${servers}.`;

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
    const text = downloadCards(chat, 1, REPORT_FROM(chat));
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
    await owner.sees(downloadCards(chat, 1, REPORT_FROM(chat)).pending);
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
    await owner.sees(downloadCards(chat, 1, REPORT_FROM(chat)).done);
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

  flow("is the sender's picture of an image", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const image = `data:image/jpg;base64,${Buffer.from("no picture, but who looks").toString("base64")}`;
    const { item } = await scene.post("summit.jpg", "x".repeat(300), {
      type: "image",
      text: "summit",
      image,
    });
    const client = await agent.client("modern");
    expect(await shownFile(client, chat, item)).toMatchObject({ type: "image", state: "offered" });
    client.call("download", { chat, item });
    const card = await owner.sees(/summit\.jpg/);
    expect(pictureOf(owner, card.item)).toBe(image);
  });

  flow("takes commands of downloads only, for the right chat", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat } = scene;
    const { item } = await scene.post("a.txt", "x");
    const call = (await agent.client("modern")).call("download", { chat, item });
    const card = await owner.sees(/^I want to download/);
    const commands = card.text.split("\n")[1];
    expect(await owner.answerTo(`/approve ${chat} 1`)).toBe(`Action 1 is a download: ${commands}`);
    expect(await owner.answerTo("/receive #99 1")).toBe(`Action 1 is for ${chat}.`);
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
});

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
      const text = downloadCards(chat, 1, REPORT_FROM(chat, "`files.example`"), { known: false });
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
      await owner.sees(downloadCards(chat, 1, REPORT_FROM(chat)).pending);
      await owner.says(`/receive ${chat} 1`);
      const why =
        "The file is on servers that are not in the agent's list: files.example. Call download again to ask for it with their names.";
      expect(await first.result).toMatchObject({ isError: true, text: expect.stringContaining(why) });
      await owner.sees(
        downloadCards(chat, 1, REPORT_FROM(chat)).not(`Approved by Alice; failed: \`${why}\`.`),
      );
      expect(await below(files)).toEqual([]);
      const second = client.call("download", { chat, item });
      await owner.sees(
        downloadCards(chat, 2, REPORT_FROM(chat, "`files.example`"), { known: false }).pending,
      );
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
      await owner.sees(downloadCards(chat, 1, REPORT_FROM(chat)).pending);
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
        downloadCards(chat, 1, REPORT_FROM(chat)).not(`Approved by Alice; failed: \`${gone}\`.`),
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
        downloadCards(chat, 1, REPORT_FROM(chat)).not(`Approved by Alice; failed: \`${why}\`.`),
      );
      expect(await below(files)).toEqual([]);
      downloads.release();
      const again = client.call("download", { chat, item });
      await owner.sees(downloadCards(chat, 2, REPORT_FROM(chat)).pending);
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
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      const { item, fileId } = await scene.post("report.pdf", REPORT);
      const downloads = world.network.files.holdDownloads();
      const call = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(/^I want to download/);
      await owner.says(`/receive ${chat} 1`);
      downloads.pass();
      await call.progressed("Downloading: 40% of 2.4 MB.");
      await agent.restart();
      await owner.sees(
        downloadCards(chat, 1, REPORT_FROM(chat)).not("Approved by Alice; interrupted: the server stopped."),
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
      const scene = await fileScene(world);
      const { agent, owner, chat, files } = scene;
      const { item, fileId } = await scene.post("report.pdf", REPORT);
      const downloads = world.network.files.holdDownloads();
      const lost = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(/^I want to download/);
      await owner.says(`/receive ${chat} 1`);
      downloads.pass();
      await lost.progressed("Downloading: 40% of 2.4 MB.");
      await agent.restart();
      const call = (await agent.client("modern")).call("download", { chat, item });
      await owner.sees(downloadCards(chat, 2, REPORT_FROM(chat)).pending);
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

describe("names that senders give to files", () => {
  const NAMES: ReadonlyArray<readonly [name: string, extension: string]> = [
    ["../../token", ""],
    ["/etc/passwd", ""],
    ["C:\\Windows\\system.ini", ".ini"],
    ["\\\\host\\share\\a.exe", ".exe"],
    ["CON", ""],
    ["aux.txt", ".txt"],
    [`${"a".repeat(300)}.pdf`, ".pdf"],
    ["rtl\u202Etxt.exe", ".exe"],
    ["a\nb.txt", ".txt"],
    ["x`\n/'approve 1'", ""],
    ["README", ""],
    ["archive.tar.gz", ".gz"],
    [".bashrc", ".bashrc"],
    ["..", ""],
    ["", ""],
    [" ", ""],
    ["a.p/df", ""],
    ["image.jpg\u0000.exe", ".exe"],
    ["long.extensionthatisnone", ""],
  ];

  simulatedOnly(
    "a sender checks nothing",
    "make no difference to where files are, and show as they are",
    async ({ world }) => {
      const scene = await fileScene(world, { limits: { pending: 50, cardsPerMinute: 100 } });
      const { agent, owner, chat, files, switchback, switchbacks } = scene;
      const client = await agent.client("modern");
      const path = await scene.put("plain", "what is in it");
      for (const [at, [name, extension]] of NAMES.entries()) {
        world.network.files.offerAs(name);
        await sendFile(switchback, switchbacks, path);
        const hands = await agent.hands();
        const file = await fileFor(hands, name);
        await uploadedTo(hands, file);
        const call = client.call("download", { chat, item: file.item });
        const card = await owner.sees(new RegExp(`receive ${chat} ${at + 1}'`));
        const [sentence = "", commands, ...rest] = card.text.split("\n");
        expect(rest).toEqual([]);
        expect(commands).toMatch(/^\/'receive /);
        // The name is in code marks, and with nothing that cannot be seen.
        expect(sentence).toMatch(
          /^I want to download a file from Switchback in group Trail \(#\d+\): `[^`]+`( \(shown with replaced characters\))?, 13 bytes\. Servers: known\.$/,
        );
        expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(await shownFile(client, chat, file.item)).toMatchObject({ name });
        await owner.says(`/receive ${chat} ${at + 1}`);
        const { data, text } = await call.result;
        expect(data?.path, text).toBe(join(files, `${file.fileId}${extension}`));
        expect(await readFile(String(data?.path), "utf8")).toBe("what is in it");
      }
      expect(await below(files)).toHaveLength(NAMES.length);
      expect(agent.logged).toEqual([]);
    },
  );

  flow("never replace a file that is there", async ({ world }) => {
    const scene = await fileScene(world);
    const { agent, owner, chat, files } = scene;
    const { item, fileId } = await scene.post("report.pdf", REPORT);
    await mkdir(files, { recursive: true });
    await writeFile(join(files, `${fileId}.pdf`), "of another database");
    const call = (await agent.client("modern")).call("download", { chat, item });
    await owner.sees(/^I want to download/);
    await owner.says(`/receive ${chat} 1`);
    const path = join(files, `${fileId}-2.pdf`);
    expect((await call.result).data).toMatchObject({ status: "done", path });
    expect((await readFile(path)).equals(REPORT)).toBe(true);
    expect(await readFile(join(files, `${fileId}.pdf`), "utf8")).toBe("of another database");
  });
});
