import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileWork } from "./folder-error.js";

const LEFT_OVER = /^\..+\.[0-9a-f-]{36}\.tmp$/;

/** Replaces the file as a whole, mode 0600: a reader, or a crash, sees the old text or the new, never a part. */
export async function writeFileAtomic(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  await fileWork(path, async () => {
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(text);
        // Without this a power cut may keep the rename and lose the text.
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/** Removes what a crash in the middle of `writeFileAtomic` left in `folder`. Nobody else may be writing there. */
export async function removeLeftOvers(folder: string): Promise<void> {
  await fileWork(folder, async () => {
    const names = (await readdir(folder)).filter((name) => LEFT_OVER.test(name));
    await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
  });
}
