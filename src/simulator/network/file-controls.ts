import type { CoreJson } from "../../core/api/chat-api.js";
import type { XftpServers } from "./xftp.js";

export type Direction = "upload" | "download";

/** Transfers that are held back. */
export interface Held {
  /** Lets so many steps through. A step is a chunk; the first of an upload is that the file is copied. */
  pass(steps?: number): void;
  /** Holds them no more. */
  release(): void;
}

interface Rule {
  readonly direction: Direction;
  readonly who: string | undefined;
  /** Steps that may pass before it holds. */
  steps: number;
  /** Milliseconds that each step takes. */
  readonly slow: number;
}

interface Failure {
  readonly direction: Direction;
  readonly who: string | undefined;
  /** Of an upload a text, of a download the agent's error. */
  readonly error: string | CoreJson;
}

/** What tests do to files on their way. `who` names a database; without it all are meant. */
export class FileControls {
  private rules: Rule[] = [];
  private failures: Failure[] = [];
  private names: Array<{ readonly name: string; readonly who: string | undefined }> = [];

  constructor(
    private readonly servers: XftpServers,
    /** Goes on with what may go on. */
    private readonly wake: () => void,
  ) {}

  holdUploads(who?: string): Held {
    return this.hold("upload", who);
  }

  holdDownloads(who?: string): Held {
    return this.hold("download", who);
  }

  /** Nothing is held or slow any more. */
  releaseAll(): void {
    this.rules = [];
    this.wake();
  }

  /** Each step takes so many milliseconds of the network's clock, until released. */
  slowUploads(ms: number, who?: string): Pick<Held, "release"> {
    return this.rule({ direction: "upload", who, steps: Number.POSITIVE_INFINITY, slow: ms });
  }

  slowDownloads(ms: number, who?: string): Pick<Held, "release"> {
    return this.rule({ direction: "download", who, steps: Number.POSITIVE_INFINITY, slow: ms });
  }

  /** The next step of an upload fails for good. */
  failUpload(error: string, who?: string): void {
    this.failures.push({ direction: "upload", who, error });
  }

  /** The next step of a download fails for good; `error` is the agent's. */
  failDownload(error: CoreJson, who?: string): void {
    this.failures.push({ direction: "download", who, error });
  }

  /** The next file is offered under this name, as by a program that does not look what it sends. */
  offerAs(name: string, who?: string): void {
    this.names.push({ name, who });
  }

  /** The name that the next file of this user is to have. */
  takeName(who: string): string | undefined {
    const found = this.names.find((one) => one.who === undefined || one.who === who);
    if (found) this.names = this.names.filter((one) => one !== found);
    return found?.name;
  }

  /** Files sent under this name expire at their servers. Tells how many there were. */
  remove(name: string): number {
    return this.servers.remove(name);
  }

  /** Whether a step may be done: in so many milliseconds, or not now (undefined). */
  admit(direction: Direction, who: string): number | undefined {
    const rules = this.rules.filter(
      (rule) => rule.direction === direction && (rule.who === undefined || rule.who === who),
    );
    if (rules.some(({ steps }) => steps === 0)) return undefined;
    for (const rule of rules) rule.steps--;
    return Math.max(0, ...rules.map(({ slow }) => slow));
  }

  /** What is to go wrong with a step. */
  failure(direction: Direction, who: string): string | CoreJson | undefined {
    const failure = this.failures.find(
      (one) => one.direction === direction && (one.who === undefined || one.who === who),
    );
    if (failure) this.failures = this.failures.filter((one) => one !== failure);
    return failure?.error;
  }

  private hold(direction: Direction, who: string | undefined): Held {
    return this.rule({ direction, who, steps: 0, slow: 0 });
  }

  private rule(rule: Rule): Held {
    this.rules.push(rule);
    return {
      pass: (steps = 1) => {
        rule.steps += steps;
        this.wake();
      },
      release: () => {
        this.rules = this.rules.filter((one) => one !== rule);
        this.wake();
      },
    };
  }
}
