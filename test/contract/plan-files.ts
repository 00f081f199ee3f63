import { resolve } from "node:path";
import type { Plan } from "./replay.js";
import { readTranscript } from "./transcript.js";
import { filesFolder, type World } from "./world.js";

/** Makes the files that a recording sends, as large as its answers say. */
export function makeSentFiles(
  world: World,
  recording: string,
  names: Readonly<Record<string, string>> = {},
): void {
  for (const { who = "", cmd, resp } of readTranscript(recording).lines) {
    const [, path] = /"fileSource":{"filePath":("(?:[^"\\]|\\.)*")/.exec(cmd ?? "") ?? [];
    const [item] = (resp?.chatItems ?? []) as { chatItem: { file?: { fileSize: number } } }[];
    const size = item?.chatItem.file?.fileSize;
    if (path !== undefined && size !== undefined)
      world.file(resolve(filesFolder(names[who] ?? who), JSON.parse(path)), size);
  }
}

/** Holds the files of a user back from one line to another. */
export function holding(
  what: "Uploads" | "Downloads",
  who: string,
  from: number,
  to: number,
): NonNullable<Plan["before"]> {
  let release = (): void => undefined;
  return {
    [from]: async (world) => {
      ({ release } = world.network.files[`hold${what}`](who));
    },
    [to]: async () => release(),
  };
}

/** Holds the files of a user back after one chunk. */
export function passingOne(
  what: "Uploads" | "Downloads",
  who: string,
  from: number,
  to: number,
): NonNullable<Plan["before"]> {
  let release = (): void => undefined;
  return {
    [from]: async (world) => {
      const held = world.network.files[`hold${what}`](who);
      held.pass();
      release = held.release;
    },
    [to]: async () => release(),
  };
}
