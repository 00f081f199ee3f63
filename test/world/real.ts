import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { ChatApiLike } from "../../src/core/api/chat-api.js";
import { openLibrary } from "../../src/core/library/library.js";
import type { ServeOptions } from "../../src/serve/serve.js";
import { systemClock } from "../../src/time/system-clock.js";
import { World } from "./world.js";

/** Each user's event loop holds a thread of libuv's pool, and each command takes one. */
const THREADS_PER_USER = 4;

/** Nothing is on its way when no user had a command or event for so long. Milliseconds. */
const QUIET_MS = 700;
const POLL_MS = 50;

/** Where the real servers are. */
export interface RealServers {
  smp: string;
  xftp: string;
  /** The file that the name resolver of the SMP server reads; needed for names only. */
  namesFile: string | undefined;
}

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
    const library = "simplex-chat";
    await import(library);
  } catch (error) {
    return { missing: `the simplex-chat library cannot be loaded: ${String(error)}` };
  }
  return { smp, xftp, namesFile };
}

/** All users are real, in this process, over the servers of this machine. */
export class RealWorld extends World {
  readonly kind = "real";
  readonly clock = systemClock;
  protected override readonly serveOptions: Partial<ServeOptions>;
  protected override readonly lateJoinersMs = 3000;
  readonly #servers: RealServers;
  readonly #names: Record<string, { simplexContact: string[] }> = {};
  #opened = 0;

  constructor(servers: RealServers) {
    super();
    this.#servers = servers;
    this.serveOptions = { smpServers: [servers.smp], xftpServers: [servers.xftp] };
  }

  protected async openDatabase(prefix: string): Promise<ChatApiLike> {
    this.#opened += 1;
    const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
    if (threads < this.#opened * THREADS_PER_USER) {
      throw new Error(
        `${this.#opened} users need UV_THREADPOOL_SIZE of at least ${this.#opened * THREADS_PER_USER}, set before Node starts; it is ${threads}. Without it a command waits for ever.`,
      );
    }
    return await openLibrary(prefix, { args: "serve my-agent" });
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
    this.#names[name] = { simplexContact: [link] };
    await writeFile(namesFile, JSON.stringify(this.#names));
  }
}
