import type { Decision, DownloadFields } from "../../actions/action.js";
import type { Action, NewAction, Work } from "../../actions/actions.js";
import { ServersNotApproved } from "../../files/disk/file-error.js";
import type { Download } from "../../files/downloads/download.js";
import type { FileRef } from "../../files/downloads/offered-file.js";
import { hostsNotNamed } from "../../files/downloads/unknown-hosts.js";
import { formatSize } from "../../text/format.js";
import type { AgentDeps } from "../call/agent.js";
import { readChat } from "../call/known-chat.js";
import { type Offer, offerFields, readOffer } from "./download-offer.js";

/** Receives one file, the one on its card. */
export class DownloadWork implements Work {
  readonly fields: DownloadFields;
  /** Where the file is. */
  path: string | undefined;
  /** By `clock.elapsed`; undefined before. */
  startedAt: number | undefined;
  readonly #deps: AgentDeps;
  readonly #offer: Offer;
  #download: Download | undefined;

  constructor(deps: AgentDeps, offer: Offer, fields: DownloadFields) {
    this.#deps = deps;
    this.#offer = offer;
    this.fields = fields;
  }

  /** How far it is; undefined before it was approved. */
  get progressText(): string | undefined {
    if (!this.#download) return undefined;
    const percent = Math.floor(this.#download.progress * 100);
    return `Downloading: ${percent}% of ${formatSize(this.fields.file.size)}.`;
  }

  /** What may let it through without a card: mode `host`, or a standing approval, which is not for other servers. */
  preapproval(): Pick<NewAction, "preapproval"> {
    const { mode, standing } = this.#deps;
    const { chat, unknownServers } = this.fields;
    if (mode === "host") return { preapproval: async () => ({ kind: "host" }) };
    if (unknownServers.length > 0 || !standing.stands(this.#offer.known.info, "files")) return {};
    return { preapproval: async () => standing.take((await readChat(this.#deps, chat)).info, "files") };
  }

  async perform({
    action,
    decision,
    stop,
  }: {
    action: Action;
    decision: Decision;
    stop: AbortSignal;
  }): Promise<void> {
    const { core, clock, files } = this.#deps;
    const { file } = await this.#sameOffer(decision);
    if (stop.aborted) throw new Error("The server is stopping.");
    this.startedAt = clock.elapsed();
    const approvedRelays = decision.kind === "approved" && this.fields.unknownServers.length > 0;
    const download = files.downloads.start(file, { place: "files", approvedRelays, core });
    this.#download = download;
    const unsubscribe = download.changes.subscribe(() => action.changes.emit());
    try {
      action.changes.emit();
      await unlessStopped(download.finished, stop);
      this.path = await files.downloads.take(file);
    } catch (error) {
      throw error instanceof ServersNotApproved ? this.#notApproved(error) : error;
    } finally {
      unsubscribe();
    }
  }

  dispose(): void {}

  /** The offer, where it is still the one of the card. */
  async #sameOffer(decision: Decision): Promise<{ file: FileRef }> {
    const { standing } = this.#deps;
    const offer = await readOffer(this.#deps, this.fields.chat, this.fields.item);
    const now = await offerFields(this.#deps, offer);
    if (offer.file.fileId !== this.#offer.file.fileId || shown(now) !== shown(this.fields)) {
      throw new Error(
        "The file, its message, the chat or a name changed after the request. Call download again.",
      );
    }
    if (decision.kind === "standing" && !standing.holds(offer.known.info, decision, "files")) {
      throw new Error("The standing approval of downloads from this chat ended. Call download again to ask.");
    }
    // What became known since the request: the card did not name them, so that they are not approved by it.
    const hosts = hostsNotNamed(now.unknownServers, this.fields.unknownServers);
    if (hosts.length > 0) throw this.#notApproved(new ServersNotApproved(hosts));
    return offer;
  }

  #notApproved({ hosts }: ServersNotApproved): Error {
    const servers = `The file is on servers that are not in the agent's list: ${hosts.join(", ")}.`;
    return new Error(
      this.#deps.mode === "host"
        ? `${servers} In mode host such files are not downloaded.`
        : `${servers} Call download again to ask for it with their names.`,
    );
  }
}

/** What the card says, but for what is known of servers and for the picture. */
function shown({ chat, kind, name, item, member, file }: DownloadFields): string {
  return JSON.stringify([chat, kind, name, item, member, file.name, file.size]);
}

/** The result, or a rejection when the server stops first: the core goes on by itself. */
async function unlessStopped<Result>(result: Promise<Result>, stop: AbortSignal): Promise<Result> {
  let end: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    end = () => reject(new Error("The server is stopping."));
  });
  stop.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([result, stopped]);
  } finally {
    stop.removeEventListener("abort", end);
  }
}
