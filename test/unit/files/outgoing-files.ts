import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OutgoingFiles } from "../../../src/files/outgoing/outgoing.js";
import { SentCopies } from "../../../src/files/outgoing/sent-copies.js";
import type { RunProgram } from "../../../src/files/pictures/videos.js";
import { temporaryFolder } from "./bench.js";

/** A home folder, a data folder in it, and what sends files from them. */
export async function outgoingFiles(run?: RunProgram) {
  const home = await temporaryFolder();
  const root = join(home, ".simplex-mcp", "agent");
  const own = { root, files: join(root, "files"), sent: join(root, "files", "sent") };
  mkdirSync(own.sent, { recursive: true });
  mkdirSync(join(own.files, "group-15"));
  const copies = new SentCopies({ folder: own.sent, log: () => undefined, onNotSent: () => undefined });
  const outgoing = new OutgoingFiles({
    own,
    home,
    copies,
    ...(run ? { run } : { run: async () => undefined }),
  });
  /** Writes a file below the home folder. */
  const write = (name: string, content: string | Buffer = "content"): string => {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const prepare = (path: string, asFile = false, room = 14_000) =>
    outgoing.prepare(path, { asFile, room: () => room });
  return { home, root, own, outgoing, copies, write, prepare };
}
