/** What a download is about: a file that a message offers, as the core tells it now. */
import type { DownloadFields } from "../../actions/action.js";
import type { ChatItem, ChatRef } from "../../core/types.js";
import { FileError } from "../../files/disk/file-error.js";
import { type FileRef, fileRef, nextStep, readItem } from "../../files/downloads/offered-file.js";
import { LONGEST_PREVIEW, previewMadeAnew } from "../../files/pictures/images.js";
import { isDeleted, isReceivedMessage } from "../../messages/items.js";
import { senderOf } from "../../messages/sender.js";
import { timeText } from "../../time/clock.js";
import { nextChange } from "../../time/wait.js";
import type { AgentDeps } from "../call/agent.js";
import type { ToolCall } from "../call/call.js";
import { type KnownChat, readChat } from "../call/known-chat.js";
import { ToolError } from "../call/tool.js";

export interface Offer {
  known: KnownChat;
  file: FileRef;
  item: ChatItem;
}

/** The offer of the file. Rejects with what the agent can do where there is none, or the file will not come. */
export async function readOffer(deps: AgentDeps, chat: ChatRef, id: number): Promise<Offer> {
  const known = await readChat(deps, chat);
  const item = (await readItem(deps.core, chat, id))?.chatItem;
  if (!item || isDeleted(item)) {
    throw new ToolError(`There is no message ${id} in ${chat}. history shows its messages.`);
  }
  const file = fileRef(chat, item);
  if (!file)
    throw new ToolError(`Message ${id} in ${chat} has no file. history shows which messages have one.`);
  if (!isReceivedMessage(item)) throw new ToolError(`You sent the file of message ${id} yourself.`);
  const step = nextStep(item);
  if (step.step === "failed") throw new ToolError(step.why);
  return { known, file, item };
}

/** So often the item is read while its upload is waited for: an event may be missed. Milliseconds. */
const CHECK_MS = 60_000;

/**
 * Waits until the sender has uploaded the file, `wait` milliseconds at most; undefined when the call was aborted.
 * Not for a file that was offered before the server started: its upload may be over long ago.
 */
export async function uploaded(
  deps: AgentDeps,
  first: Offer,
  call: ToolCall,
  wait: number,
): Promise<Offer | undefined> {
  const { clock, files } = deps;
  const { chat, item } = first.file;
  const until = call.startedAt + wait;
  let offer = first;
  while (nextStep(offer.item).step === "receive" && files.servers.isUploading(item)) {
    const now = clock.elapsed();
    if (now >= until) {
      throw new ToolError(
        `The sender has not uploaded the file of item ${item} in ${chat} yet. Call download again to wait on.`,
      );
    }
    call.progress(
      `The sender is uploading the file of item ${item} in ${chat}; waiting until ${timeText(clock, until)}.`,
    );
    const end = await nextChange(files.servers.changes.subscribe, {
      clock,
      until: Math.min(until, now + CHECK_MS),
      signal: call.signal,
    });
    if (call.signal.aborted) return undefined;
    // A change of another file.
    if (end === "changed" && files.servers.isUploading(item)) continue;
    offer = await readOffer(deps, chat, item);
    if ((await deps.core.getItemInfo(chat, item)).fileServers) break;
  }
  return offer;
}

/** What the card says of the offer, but for its picture. */
export async function offerFields(deps: AgentDeps, { known, file, item }: Offer): Promise<DownloadFields> {
  return {
    tool: "download",
    chat: file.chat,
    kind: known.kind,
    name: known.name,
    item: file.item,
    member: senderOf(item.chatDir, known.info, deps.viewer.name).name,
    file: { name: file.name, size: file.size },
    unknownServers: await unknownHosts(deps, file),
  };
}

/** The picture of its card: what its sender shows of the file, made anew; undefined where there is none to be had. */
export async function offerPicture(
  deps: AgentDeps,
  { content }: ChatItem,
  fields: DownloadFields,
): Promise<string | undefined> {
  const picture = "msgContent" in content ? content.msgContent.image : undefined;
  return picture === undefined
    ? undefined
    : await previewMadeAnew(picture, Math.min(deps.pictureRoom(fields), LONGEST_PREVIEW));
}

async function unknownHosts({ files }: AgentDeps, file: FileRef): Promise<string[]> {
  try {
    return await files.unknownHosts(file);
  } catch (error) {
    throw error instanceof FileError ? new ToolError(error.message) : error;
  }
}
