import { mkdir, readFile, rename, rmdir, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { ChatApiLike } from "../../src/core/api/chat-api.js";
import { openLibrary } from "../../src/core/library/library.js";
import type { ServeOptions } from "../../src/serve/serve.js";
import { systemClock } from "../../src/time/system-clock.js";
import { UserProcess } from "./user-process.js";
import { World } from "./world.js";

/** Nothing is on its way when no user had a command or event for so long. Milliseconds. */
const QUIET_MS = 700;
const POLL_MS = 50;

/** Where the real servers are. */
export interface RealServers {
  smp: string;
  xftp: string;
  /** The file that the name resolver of the SMP server reads; needed for names only. */
  namesFile: string | undefined;
  /** What a user's process imports, and its further environment; the package `simplex-chat`, and none. */
  library?: string;
  env?: NodeJS.ProcessEnv;
}

const LIBRARY = "simplex-chat";

/** The servers, or why there is no real world here. */
export async function realServers(
  env: NodeJS.ProcessEnv = process.env,
): Promise<RealServers | { missing: string }> {
  const { SIMPLEX_SMP_SERVER: smp, SIMPLEX_XFTP_SERVER: xftp, SIMPLEX_NAMES_FILE: namesFile } = env;
  if (!smp || !xftp) {
    return { missing: "SIMPLEX_SMP_SERVER and SIMPLEX_XFTP_SERVER name no servers of this machine" };
  }
  try {
    // Not written into the import: the package is optional.
    const library = LIBRARY;
    await import(library);
  } catch (error) {
    return { missing: `the simplex-chat library cannot be loaded: ${String(error)}` };
  }
  return { smp, xftp, namesFile };
}

/** All users are real, each in a process of its own, over the servers of this machine. */
export class RealWorld extends World {
  readonly kind = "real";
  readonly clock = systemClock;
  protected override readonly serveOptions: Partial<ServeOptions>;
  protected override readonly lateJoinersMs = 3000;
  readonly #servers: RealServers;
  readonly #users: UserProcess[] = [];
  readonly #names: string[] = [];

  constructor(servers: RealServers) {
    super();
    this.#servers = servers;
    this.serveOptions = { smpServers: [servers.smp], xftpServers: [servers.xftp] };
  }

  protected async openDatabase(prefix: string): Promise<ChatApiLike> {
    const { library = LIBRARY, env = {} } = this.#servers;
    const init = async ({ filePrefix }: { filePrefix: string }) => {
      const user = await UserProcess.open(filePrefix, { library, env });
      this.#users.push(user);
      return user;
    };
    return await openLibrary(prefix, {
      args: "serve my-agent",
      load: async () => ({ api: { ChatApi: { init } } }),
    });
  }

  /** The preset servers are not of this machine: a new user is given those that are. */
  protected override async afterStart(api: ChatApiLike): Promise<void> {
    await api.sendChatCmd(`/smp ${this.#servers.smp}`);
    await api.sendChatCmd(`/xftp ${this.#servers.xftp}`);
  }

  async nextSecond(): Promise<void> {
    await pause(1010 - (Date.now() % 1000));
  }

  async pass(): Promise<void> {}

  async settle(): Promise<void> {
    let noted = -1;
    let quietSince = performance.now();
    while (performance.now() - quietSince < QUIET_MS) {
      const now = this.apis.reduce((sum, api) => sum + api.noted, 0);
      if (now !== noted || this.apis.some(({ busy }) => busy)) quietSince = performance.now();
      noted = now;
      await pause(POLL_MS);
    }
  }

  async registerName(name: string, link: string): Promise<void> {
    const { namesFile } = this.#servers;
    if (!namesFile) throw new Error("SIMPLEX_NAMES_FILE names no file of the name resolver");
    this.#names.push(name);
    await changeNames(namesFile, (names) => ({ ...names, [name]: { simplexContact: [link] } }));
  }

  /** Nobody opens these databases again: their users need no end of their own. */
  protected override async closeUsers(): Promise<void> {
    await Promise.all(this.#users.map((user) => user.kill()));
    const { namesFile } = this.#servers;
    if (!namesFile || this.#names.length === 0) return;
    await changeNames(namesFile, (names) =>
      Object.fromEntries(Object.entries(names).filter(([name]) => !this.#names.includes(name))),
    );
  }
}

type Names = Record<string, unknown>;

/** Other runs write their names into the same file at the same time: each changes it alone, and its own names only. */
async function changeNames(file: string, change: (names: Names) => Names): Promise<void> {
  const lock = `${file}.lock`;
  while (
    !(await mkdir(lock).then(
      () => true,
      () => false,
    ))
  )
    await pause(POLL_MS);
  try {
    const text = await readFile(file, "utf8").catch(() => "{}");
    const names: Names = text.trim() === "" ? {} : JSON.parse(text);
    await writeFile(`${file}.new`, JSON.stringify(change(names)));
    await rename(`${file}.new`, file);
  } finally {
    await rmdir(lock);
  }
}
