import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** What a child does: a line on stdin is the path of a lock to take, or `release`; each is answered by a line. */
const CHILD = `
import { createInterface } from "node:readline";
import { takeLock } from "./data-folder/lock.js";
let lock;
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  try {
    if (line === "release") await lock.release();
    else lock = await takeLock(line, "my-agent");
    console.log("ok");
  } catch (error) {
    console.log(error.message);
  }
}
`;

/** The lock's code, compiled so that a process of its own can run it. */
export class LockChildren {
  readonly #folder: string;
  readonly #children: LockChild[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async compile(): Promise<LockChildren> {
    const folder = await mkdtemp(join(tmpdir(), "simplex-mcp-lock-"));
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await promisify(execFile)(
      process.execPath,
      [
        join(ROOT, "node_modules/typescript/bin/tsc"),
        ...["--ignoreConfig", "--outDir", folder, "--rootDir", join(ROOT, "src")],
        ...["--module", "nodenext", "--target", "es2022", "--types", "node", "--skipLibCheck"],
        join(ROOT, "src/data-folder/lock.ts"),
      ],
      { cwd: ROOT },
    );
    await writeFile(join(folder, "child.js"), CHILD);
    await mkdir(join(folder, "data"));
    return new LockChildren(folder);
  }

  async start(): Promise<LockChild> {
    const child = await LockChild.start(join(this.#folder, "child.js"));
    this.#children.push(child);
    return child;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A process that takes locks when told to. */
export class LockChild {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.#process = child;
    this.#lines = lines;
  }

  static async start(script: string): Promise<LockChild> {
    const child = spawn(process.execPath, [script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    return new LockChild(child, lines);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** `ok`, or the message of the error. */
  take(lock: string): Promise<string> {
    return this.#tell(lock);
  }

  release(): Promise<string> {
    return this.#tell("release");
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exited;
  }

  async #tell(line: string): Promise<string> {
    this.#process.stdin?.write(`${line}\n`);
    const { value } = await this.#lines.next();
    return String(value);
  }
}
