import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { fileFor, sendFile, uploadedTo } from "../world/files.js";
import { flow, simulatedOnly } from "../world/flow-test.js";
import { below, fileScene, REPORT, shownFile } from "./files.js";

/** What the agent is shown, where that is not the name itself: what cannot be seen is, and nothing is endless. */
const SHOWN = new Map([
  [`${"a".repeat(300)}.pdf`, `${"a".repeat(255)}…`],
  ["rtl\u202Etxt.exe", "rtl\\u{202E}txt.exe"],
  ["a\nb.txt", "a\\u{A}b.txt"],
  ["x`\n/'approve 1'", "x`\\u{A}/'approve 1'"],
  ["image.jpg\u0000.exe", "image.jpg\\u{0}.exe"],
]);

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
        expect(await shownFile(client, chat, file.item)).toMatchObject({ name: SHOWN.get(name) ?? name });
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
