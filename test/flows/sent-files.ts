import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect } from "vitest";
import type { ChatRef } from "../../src/core/types.js";
import type { TestAgent } from "../world/agent.js";
import { fileFor, receiveFile, type SeenFile } from "../world/files.js";
import type { FileScene } from "./files.js";

/** The folder of the copies that the core sends. */
export function sentFolder(agent: TestAgent): string {
  return join(agent.folder, "files", "sent");
}

/** What is there, folders of copies included; nothing before the first. */
export async function copies(agent: TestAgent): Promise<string[]> {
  return await readdir(sentFolder(agent)).catch(() => []);
}

/** Waits until the folders of all copies are gone. */
export async function expectNoCopies(agent: TestAgent): Promise<void> {
  await expect.poll(() => copies(agent), { timeout: 25_000, interval: 2 }).toEqual([]);
}

/** Commands in which the folder of a copy is COPY, and a quoted card CARD. */
export function copied(commands: readonly string[]): string[] {
  return commands.map((command) =>
    command.replace(/\bsend-\w{6}/g, "COPY").replace(/"quotedItemId":\d+/, '"quotedItemId":CARD'),
  );
}

/** A send card before and after the decision of Alice. `what`: to whom, the text and the file. */
export function sendCards(chat: ChatRef, number: number, what: string) {
  return {
    pending: `I want to send a message to ${what}\n/'approve ${chat} ${number}', /'approve ${chat} all', /'reject ${chat} ${number}' or /'edit ${chat} ${number}'`,
    done: `I sent a message to ${what}\nApproved by Alice.`,
    not: (ending: string) => `I wanted to send a message to ${what}\n${ending}`,
  };
}

/** What a member of the group, Switchback if no other is given, received of the agent under this name. */
export async function delivered(
  { switchback, outside }: Pick<FileScene, "switchback" | "outside">,
  name: string,
): Promise<{ file: SeenFile; content: Buffer }> {
  const file = await fileFor(switchback, name);
  const path = join(outside, `${switchback.name}-got-${file.fileId}`);
  return { file, content: await receiveFile(switchback, file, path) };
}

/** A photograph of 20 by 40 pixels, red above blue, as cameras write it: lying, with place and maker. */
export async function photograph(): Promise<Buffer> {
  const half = (background: string) => ({
    create: { width: 20, height: 20, channels: 3 as const, background },
  });
  return await sharp({ create: { width: 40, height: 20, channels: 3, background: "#0000ff" } })
    .composite([{ input: half("#ff0000"), left: 0, top: 0 }])
    .withExif({
      IFD0: { Make: "Secret camera", Orientation: "6" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer();
}
