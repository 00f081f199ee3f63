import type { Core } from "../../core/core.js";
import { isFatal, unknownServers } from "../../core/errors/errors.js";
import { explain } from "../../core/errors/explain.js";
import type { Clock } from "../../time/clock.js";
import { Changes, nextChange } from "../../time/wait.js";
import { FileError, ServersNotApproved } from "../disk/file-error.js";
import { type FileRef, nextStep, readItem } from "./offered-file.js";
import { hostsOf, unique } from "./servers.js";

export type DownloadCore = Pick<Core, "getChat" | "receiveFile" | "cancelFile">;

export interface DownloadOptions {
  core: DownloadCore;
  clock: Clock;
  file: FileRef;
  /** A path for the file, made when the core is asked for it. Rejects where there is no room for it. */
  newPath: () => Promise<string>;
  /** Deletes what a failed download left at a path. */
  discard: (path: string) => Promise<void>;
  /** Also from servers that are not in the agent's list. */
  approvedRelays: boolean;
  /** The core refused these servers. */
  onRefused: (servers: readonly string[]) => void;
  log: (line: string) => void;
}

/** Events may be missed, so the item is read this often. Milliseconds. */
const CHECK_MS = 60_000;
const STALL_MS = 30 * 60_000;
/** A refusal that the core tells late is asked for once more, to learn of which servers it is. */
const MOST_REQUESTS = 3;

/** One file on its way here, whoever wants it. The item says how far it is; events only tell when to look. */
export class Download {
  readonly file: FileRef;
  /** Emitted when `progress` changed. */
  readonly changes = new Changes();
  /** Where the core has put it. Rejects with `FileError` when it will not come. */
  readonly finished: Promise<string | undefined>;
  readonly #options: DownloadOptions;
  readonly #hints = new Changes();
  readonly #end = new AbortController();
  #hinted = false;
  #received = -1;
  #total = 0;
  #lastRise: number;
  #path: string | undefined;
  #cancelled: string | undefined;

  constructor(options: DownloadOptions) {
    this.#options = options;
    this.file = options.file;
    this.#lastRise = options.clock.elapsed();
    this.finished = this.#run();
    // Whoever wants the file gets the rejection; nobody may.
    this.finished.catch(() => undefined);
  }

  /** The share that is here, 0 to 1. */
  get progress(): number {
    return this.#total > 0 ? Math.min(1, Math.max(0, this.#received) / this.#total) : 0;
  }

  /** What the disk must still take: the encrypted parts, which the core keeps until the end, and the file itself. */
  get bytesToWrite(): number {
    return this.file.size * (2 - this.progress);
  }

  /** Something happened to the file: its item is worth a look. */
  hint(): void {
    this.#hinted = true;
    this.#hints.emit();
  }

  /** So much of it is here; bytes of the encrypted file. */
  progressed(received: number, total: number): void {
    if (received <= this.#received) return;
    this.#received = received;
    this.#total = total;
    this.#lastRise = this.#options.clock.elapsed();
    this.changes.emit();
  }

  /** Ends it, here and in the core; `finished` rejects with the reason when that is done. */
  cancel(why: string): void {
    this.#cancelled ??= why;
    this.#end.abort();
  }

  /** Looks no more; the core goes on by itself. */
  close(): void {
    this.#end.abort();
  }

  async #run(): Promise<string | undefined> {
    try {
      return await this.#follow();
    } catch (error) {
      // Closed: it may still come.
      if (!(error instanceof FileError)) throw error;
      await this.#discard();
      throw error;
    }
  }

  async #follow(): Promise<string | undefined> {
    const { clock } = this.#options;
    for (let requests = 0; ; ) {
      if (this.#end.signal.aborted) return await this.#aborted();
      this.#hinted = false;
      const step = await this.#look();
      if (step?.step === "complete") return step.path;
      if (step?.step === "failed") throw new FileError(step.why);
      if (step?.step === "wait") this.progressed(step.received, step.total);
      if (step?.step === "receive") {
        requests += 1;
        if (requests > MOST_REQUESTS) throw new FileError("SimpleX does not start the download. Try again.");
        await this.#receive();
      }
      if (clock.elapsed() - this.#lastRise >= STALL_MS) return await this.#stalled();
      if (this.#hinted) continue;
      await nextChange(this.#hints.subscribe, {
        clock,
        until: clock.elapsed() + CHECK_MS,
        signal: this.#end.signal,
      });
    }
  }

  /** The step that the item asks for; undefined when it cannot be read now. */
  async #look(): Promise<ReturnType<typeof nextStep> | undefined> {
    const { core, file, log } = this.#options;
    try {
      const item = await readItem(core, file.chat, file.item);
      this.#path ??= underWay(item?.chatItem.file?.fileStatus.type)
        ? item?.chatItem.file?.fileSource?.filePath
        : undefined;
      return nextStep(item?.chatItem);
    } catch (error) {
      if (isFatal(error)) throw error;
      log(`The download of item ${file.item} in ${file.chat} could not be checked: ${explain(error)}`);
      return undefined;
    }
  }

  async #receive(): Promise<void> {
    const { core, file, newPath, approvedRelays, onRefused } = this.#options;
    const path = await newPath();
    if (this.#end.signal.aborted) return;
    this.#path = path;
    try {
      const answer = await core.receiveFile(file.fileId, { path, approvedRelays });
      if (answer.type === "rcvFileAcceptedSndCancelled")
        throw new FileError("The sender cancelled the file.");
    } catch (error) {
      if (error instanceof FileError || isFatal(error)) throw error;
      const servers = unknownServers(error);
      if (servers.length === 0) throw new FileError(explain(error), { cause: error });
      onRefused(servers);
      throw new ServersNotApproved(unique(servers.flatMap(hostsOf)));
    }
  }

  async #stalled(): Promise<never> {
    await this.#cancelInCore();
    throw new FileError(
      "Nothing of the file came for 30 minutes, so the download was cancelled. Try again later.",
    );
  }

  async #aborted(): Promise<never> {
    if (this.#cancelled === undefined) throw new Error("The server is stopping.");
    await this.#cancelInCore();
    throw new FileError(this.#cancelled);
  }

  async #cancelInCore(): Promise<void> {
    const { core, file } = this.#options;
    // Gone with its message: its number may be another file's by now.
    const isGone = await readItem(core, file.chat, file.item).then(
      (found) => found?.chatItem.file === undefined,
      () => false,
    );
    // It may be over already.
    if (!isGone) await core.cancelFile(file.fileId).catch(() => undefined);
  }

  async #discard(): Promise<void> {
    const { file, discard, log } = this.#options;
    if (this.#path === undefined) return;
    await discard(this.#path).catch((error: unknown) => {
      log(`What came of item ${file.item} in ${file.chat} was not deleted: ${explain(error)}`);
    });
  }
}

/** The path of an item tells nothing in other states: a refused or cancelled download leaves it there. */
function underWay(status: string | undefined): boolean {
  return status === "rcvAccepted" || status === "rcvTransfer" || status === "rcvWarning";
}
