import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { FileError } from "../../../src/files/disk/file-error.js";
import { outgoingFiles } from "./outgoing-files.js";

const ROUNDS = 200;
/** Large enough to be copied in several reads. */
const SIZE = 3 << 20;

const KINDS = [
  "rewrite",
  "rewrite with the old time",
  "rename",
  "rename, and back",
  "symbolic link",
  "symbolic link, and back",
  "hard link",
] as const;

function newSwapper(): Worker {
  const worker = new Worker(new URL("./swapper.mjs", import.meta.url));
  onTestFinished(() => void worker.terminate());
  return worker;
}

const digest = (content: Buffer) => createHash("sha256").update(content).digest("base64");

test("files that are swapped around the approval are never sent with other content", {
  timeout: 120_000,
}, async () => {
  const { home, outgoing, copies, prepare } = await outgoingFiles();
  const worker = newSwapper();
  const [path, other, aside] = [join(home, "a.bin"), join(home, "other.bin"), join(home, "aside.bin")];
  const approved = Buffer.alloc(SIZE, "a");
  const secret = Buffer.alloc(SIZE, "s");
  const ends = { sent: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const each of [path, other, aside]) rmSync(each, { force: true });
    writeFileSync(path, approved);
    writeFileSync(other, secret);
    const file = await prepare(path);
    const kind = KINDS[round % KINDS.length];
    const swap = async (pause: number) => {
      worker.postMessage({ kind, pause, path, other, aside, content: secret });
      await once(worker, "message");
    };
    // Mostly while it is copied, now and then surely before or after.
    const moment = round % 10;
    if (moment === 0) await swap(0);
    const swapped = moment === 0 || moment === 9 ? undefined : swap(moment * 0.5);
    const copy = await outgoing.copy(file).catch((error: unknown) => error);
    await (swapped ?? (moment === 9 ? swap(0) : undefined));
    if (typeof copy === "string") {
      ends.sent += 1;
      expect(readFileSync(copy).equals(approved), kind).toBe(true);
      await copies.remove(copy);
    } else {
      ends.refused += 1;
      expect(String(copy), kind).toContain("changed after the request.");
    }
  }
  expect(ends.sent).toBeGreaterThanOrEqual(ROUNDS / 10);
  expect(ends.refused).toBeGreaterThan(0);
});

test("a path that is swapped while it is checked never leads to a forbidden file", {
  timeout: 120_000,
}, async () => {
  const { home, prepare, write } = await outgoingFiles();
  const worker = newSwapper();
  const [path, aside] = [join(home, "a.txt"), join(home, "aside.txt")];
  const secret = Buffer.from("secret key");
  const key = write(".ssh/id_ed25519", secret);
  const ends = { allowed: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    writeFileSync(path, "allowed");
    worker.postMessage({ kind: "symbolic link, and back", pause: 0, rounds: 30, path, other: key, aside });
    const swapped = once(worker, "message");
    let over = false;
    void swapped.then(() => {
      over = true;
    });
    do {
      const file = await prepare(path).catch((error: unknown) => error);
      if (file instanceof FileError) ends.refused += 1;
      else {
        ends.allowed += 1;
        expect((file as { checked: { sha256: string } }).checked.sha256).toBe(digest(Buffer.from("allowed")));
      }
    } while (!over);
    await swapped;
  }
  expect(ends.allowed).toBeGreaterThan(0);
  expect(ends.refused).toBeGreaterThan(0);
});

test("a folder that is a link to a forbidden one for a moment leads nowhere", async () => {
  const { home, prepare, write } = await outgoingFiles();
  write(".ssh/a.txt", "secret key");
  const folder = join(home, "docs");
  const aside = join(home, "aside");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "allowed");
  let swapping = true;
  const swap = (async () => {
    while (swapping) {
      renameSync(folder, aside);
      symlinkSync(join(home, ".ssh"), folder);
      await new Promise((resolve) => setImmediate(resolve));
      rmSync(folder);
      renameSync(aside, folder);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = await prepare(join(folder, "a.txt")).catch(() => undefined);
    if (file) expect(file.checked.sha256).toBe(digest(Buffer.from("allowed")));
  }
  swapping = false;
  await swap;
});
