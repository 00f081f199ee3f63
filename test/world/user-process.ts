import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ChatApiLike, CoreJson } from "../../src/core/api/chat-api.js";

const CHILD = fileURLToPath(new URL("./user-process.mjs", import.meta.url));

/** A user's event loop holds a thread of libuv's pool, and each command takes one while it runs. */
const THREADS = "8";

type Question =
  | { what: "open"; open: string }
  | { what: "start" }
  | { what: "command"; command: string }
  | { what: "close" };

interface Answer {
  id?: number;
  answer?: CoreJson;
  error?: { message: string };
  event?: CoreJson;
}

/**
 * A user of the library in a process of its own: several that open new databases at one moment in one process fail
 * inside SQLite now and then, and take a test's process with them.
 */
export class UserProcess implements ChatApiLike {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: unknown) => void; reject: (error: Error) => void }
  >();
  readonly #handlers: ((event: CoreJson) => void)[] = [];
  #asked = 0;
  #gone: Error | undefined;

  private constructor(library: string, env: NodeJS.ProcessEnv) {
    this.#child = fork(CHILD, [library], {
      env: { ...process.env, ...env, UV_THREADPOOL_SIZE: THREADS },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Events have what JSON cannot tell apart from its absence only where the core leaves it out.
      serialization: "json",
    });
    this.#child.on("message", (message) => this.#take(message as Answer));
    this.#child.once("exit", (code, signal) =>
      this.#end(new Error(`The user's process ended: ${signal ?? code}.`)),
    );
    this.#child.once("error", (error) => this.#end(error));
  }

  /** Opens the databases of this prefix; rejects as the library does. */
  static async open(
    filePrefix: string,
    { library, env = {} }: { library: string; env?: NodeJS.ProcessEnv },
  ): Promise<UserProcess> {
    const user = new UserProcess(library, env);
    try {
      await user.#ask({ what: "open", open: filePrefix });
      return user;
    } catch (error) {
      user.kill();
      throw error;
    }
  }

  startChat(): Promise<unknown> {
    return this.#ask({ what: "start" });
  }

  sendChatCmd(command: string): Promise<CoreJson> {
    return this.#ask({ what: "command", command }) as Promise<CoreJson>;
  }

  onAny(handler: (event: CoreJson) => void): void {
    this.#handlers.push(handler);
  }

  async close(): Promise<void> {
    if (this.#gone) return;
    await this.#ask({ what: "close" });
    await this.kill();
  }

  /** Ends it as it is: for a user whose databases nobody opens again. */
  async kill(): Promise<void> {
    if (this.#gone) return;
    this.#child.kill("SIGKILL");
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
  }

  #ask(question: Question): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, ...question });
    });
  }

  #take({ id, answer, error, event }: Answer): void {
    if (event) for (const handler of [...this.#handlers]) handler(event);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(Object.assign(new Error(error.message), error));
    else waiting.resolve(answer);
  }

  #end(reason: Error): void {
    this.#gone ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}
