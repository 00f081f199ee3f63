/** A message with a file, as the core tells it. */
import type { Core } from "../../core/core.js";
import { isChatNotFound, isItemNotFound } from "../../core/errors/errors.js";
import type { AChatItem, ChatItem, ChatRef, CIFile, FileStatus } from "../../core/types.js";

/** A received file, and the message that offers it. */
export interface FileRef {
  chat: ChatRef;
  item: number;
  fileId: number;
  /** The sender's name for it, unfiltered. */
  name: string;
  /** Bytes, as the sender says. */
  size: number;
}

/** The item as it is now; undefined when it, or its chat, is gone. */
export async function readItem(
  core: Pick<Core, "getChat">,
  chat: ChatRef,
  id: number,
): Promise<AChatItem | undefined> {
  try {
    const { chatInfo, chatItems } = (await core.getChat(chat, { around: id, count: 0 })).chat;
    const chatItem = chatItems.find((item) => item.meta.itemId === id);
    return chatItem && { chatInfo, chatItem };
  } catch (error) {
    if (isItemNotFound(error) || isChatNotFound(error)) return undefined;
    throw error;
  }
}

export function fileRef(chat: ChatRef, item: ChatItem): FileRef | undefined {
  const { file } = item;
  if (!file) return undefined;
  const { fileId, fileName: name, fileSize: size } = file;
  return { chat, item: item.meta.itemId, fileId, name, size };
}

/** What is to be done for a file to be here. */
export type Step =
  /** It is offered: ask the core for it. */
  | { step: "receive" }
  /** The core is at it. Bytes of the encrypted file, where it tells. */
  | { step: "wait"; received: number; total: number }
  | { step: "complete"; path: string | undefined }
  /** It will not come. */
  | { step: "failed"; why: string };

const DELETED = "The message with the file was deleted.";

/** The next step, by the item as the core has it now; undefined stands for an item that is gone. */
export function nextStep(item: ChatItem | undefined): Step {
  if (!item?.file) return { step: "failed", why: DELETED };
  const step = stepOf(item.file);
  // A file that is here already stays.
  return item.meta.itemDeleted && step.step !== "complete" ? { step: "failed", why: DELETED } : step;
}

function stepOf({ fileStatus, fileSource }: CIFile): Step {
  switch (fileStatus.type) {
    case "rcvInvitation":
    // Stopped because a server was not approved.
    case "rcvAborted":
      return { step: "receive" };
    case "rcvAccepted":
      return { step: "wait", received: 0, total: 0 };
    case "rcvTransfer":
    case "rcvWarning":
      return {
        step: "wait",
        received: fileStatus.rcvProgress ?? 0,
        total: fileStatus.rcvTotal ?? 0,
      };
    case "rcvComplete":
      return { step: "complete", path: fileSource?.filePath };
    case "rcvCancelled":
      return { step: "failed", why: "The sender cancelled the file." };
    case "rcvError":
      return { step: "failed", why: failure(fileStatus) };
    default:
      return { step: "failed", why: `The file cannot be received: it is in state ${fileStatus.type}.` };
  }
}

function failure({ rcvFileError }: FileStatus): string {
  switch (rcvFileError?.type) {
    case "auth":
    case "noFile":
      return "The file is gone from its server: it expired or was deleted. Ask for it to be sent again.";
    case "blocked":
      return "The file was blocked by its server.";
    case "relay":
      return "A server that the file is on cannot be reached. Ask for the file to be sent again.";
    default:
      return `The download failed${rcvFileError?.fileError ? `: ${rcvFileError.fileError}` : ""}. Ask for the file to be sent again.`;
  }
}
