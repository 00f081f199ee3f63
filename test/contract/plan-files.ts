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

/** Holds the files of a user back from one line to another; `steps` pass all the same. */
export function holding(
  what: "Uploads" | "Downloads",
  who: string,
  from: number,
  to: number,
  steps = 0,
): NonNullable<Plan["before"]> {
  let release = (): void => undefined;
  return {
    [from]: async (world) => {
      const held = world.network.files[`hold${what}`](who);
      if (steps > 0) held.pass(steps);
      release = held.release;
    },
    [to]: async () => release(),
  };
}
