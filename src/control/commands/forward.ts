import { basename } from "node:path";
import type { DownloadFields } from "../../actions/action.js";
import type { Action } from "../../actions/actions.js";
import { explain } from "../../core/errors/explain.js";
import { bytesLeft, bytesTooLong, quoteOf } from "../../core/limits.js";
import type { MsgContent, OutgoingContent } from "../../core/types.js";
import type { AgentFiles } from "../../files/agent-files.js";
import { FileError, ServersNotApproved } from "../../files/disk/file-error.js";
import { type FileRef, fileRef, readItem } from "../../files/downloads/offered-file.js";
import { hostsNotNamed } from "../../files/downloads/unknown-hosts.js";
import { LONGEST_PREVIEW, previewMadeAnew } from "../../files/pictures/images.js";
import type { ControlChat } from "../chat/chat.js";
import { fileTexts } from "../texts/replies.js";

export interface ForwardOptions {
  chat: ControlChat;
  files: Pick<AgentFiles, "downloads" | "copies" | "unknownHosts">;
  log: (line: string) => void;
}

/** Shows offered files to the owners, who decide about them later. */
export class Forward {
  readonly #options: ForwardOptions;
  readonly #running = new Set<Action>();

  constructor(options: ForwardOptions) {
    this.#options = options;
  }

  /**
   * Receives the file of the download and posts it as a reply to its card. Takes minutes, so that nobody waits for
   * it: a failure is posted.
   */
  start(action: Action, fields: DownloadFields, card: Promise<number | undefined> | undefined): void {
    if (this.#running.has(action)) return;
    this.#running.add(action);
    void this.#forward(fields, card)
      .catch(async (error: unknown) => {
        const { chat, log } = this.#options;
        log(`The file of action ${action.number} was not forwarded: ${explain(error)}`);
        await chat.say(fileTexts.notForwarded(action.number, explain(error)));
      })
      .finally(() => this.#running.delete(action));
  }

  async #forward(fields: DownloadFields, card: Promise<number | undefined> | undefined): Promise<void> {
    const { chat, files } = this.#options;
    const { file, content } = await this.#offered(fields);
    // The card has named the hosts of servers that are not known.
    const approvedRelays = fields.unknownServers.length > 0;
    await files.downloads.start(file, { place: "forwarded", approvedRelays }).finished;
    const copy = await files.downloads.lend(file, (path) => files.copies.copyOf(path, file.name));
    try {
      const posted = { name: basename(copy), size: file.size };
      const message = await contentOf(content, posted);
      await chat.postFile(copy, message, await this.#quotable(await card, message, posted));
    } catch (error) {
      await files.copies.remove(copy);
      throw error;
    }
  }

  /** The file on the card, as its message offers it now, where it is on no other servers than the card says. */
  async #offered(fields: DownloadFields): Promise<{ file: FileRef; content: MsgContent }> {
    const { chat, item, file, unknownServers } = fields;
    const { files } = this.#options;
    const found = await readItem(this.#options.chat.core, chat, item);
    const ref = found && fileRef(chat, found.chatItem);
    if (!found || !ref || !("msgContent" in found.chatItem.content)) {
      throw new FileError("The message with the file was deleted.");
    }
    if (ref.name !== file.name || ref.size !== file.size)
      throw new FileError("It is not the file on the card.");
    // What became known since the card: it did not name them, so that nobody approved them.
    const hosts = hostsNotNamed(await files.unknownHosts(ref), unknownServers);
    if (hosts.length > 0) throw new ServersNotApproved(hosts);
    return { file: ref, content: found.chatItem.content.msgContent };
  }

  /** The card, where it fits into the message as its quote. */
  async #quotable(
    cardId: number | undefined,
    content: OutgoingContent,
    file: PostedFile,
  ): Promise<number | undefined> {
    const { chat } = this.#options;
    const card = cardId === undefined ? undefined : await readItem(chat.core, chat.ref, cardId);
    const quote = card && quoteOf(card.chatItem);
    if (!quote || card.chatItem.meta.itemDeleted) return undefined;
    return bytesTooLong({ chat: "group", content, quote, file }) === 0 ? cardId : undefined;
  }
}

interface PostedFile {
  name: string;
  size: number;
}

/** An image or a video keeps the picture that its sender gave it, made anew; without one it is a plain file. */
async function contentOf({ type, image, duration }: MsgContent, file: PostedFile): Promise<OutgoingContent> {
  const empty = emptyContent(type, duration);
  if (image === undefined || !empty) return PLAIN;
  const room = bytesLeft({ chat: "group", content: empty, file });
  const preview = await previewMadeAnew(image, Math.min(room, LONGEST_PREVIEW));
  return preview === undefined ? PLAIN : { ...empty, image: preview };
}

const PLAIN: OutgoingContent = { type: "file", text: "" };

/** The content of an image or a video, but for its picture. */
function emptyContent(type: string, duration = 0): PicturedContent | undefined {
  if (type === "image") return { type, text: "", image: "" };
  return type === "video" ? { type, text: "", image: "", duration: wholeSeconds(duration) } : undefined;
}

type PicturedContent = Extract<OutgoingContent, { image: string }>;

/** As the core takes them; 0 for what a peer made up. */
function wholeSeconds(duration: number): number {
  const seconds = Math.round(duration);
  return seconds >= 0 && seconds <= MOST_SECONDS ? seconds : 0;
}

const MOST_SECONDS = 1_000_000;
