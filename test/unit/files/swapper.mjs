// Swaps files from another thread, while the test reads them.
import { linkSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";

/** Each puts other content at `path`; `other` holds it, `aside` is a free name beside it. */
const SWAPS = {
  rewrite: ({ path, content }) => writeFileSync(path, content),
  "rewrite with the old time": ({ path, content }) => {
    const { atime, mtime } = statSync(path);
    writeFileSync(path, content);
    utimesSync(path, atime, mtime);
  },
  rename: ({ path, other }) => renameSync(other, path),
  "rename, and back": ({ path, other, aside }) => {
    renameSync(path, aside);
    renameSync(other, path);
    renameSync(path, other);
    renameSync(aside, path);
  },
  "symbolic link": ({ path, other }) => {
    rmSync(path);
    symlinkSync(other, path);
  },
  "hard link": ({ path, other }) => {
    rmSync(path);
    linkSync(other, path);
  },
  "symbolic link, and back": ({ path, other, aside }) => {
    renameSync(path, aside);
    symlinkSync(other, path);
    rmSync(path);
    renameSync(aside, path);
  },
};

parentPort.on("message", ({ kind, pause, rounds = 1, ...paths }) => {
  const end = performance.now() + pause;
  while (performance.now() < end);
  for (let round = 0; round < rounds; round += 1) SWAPS[kind](paths);
  parentPort.postMessage("done");
});
