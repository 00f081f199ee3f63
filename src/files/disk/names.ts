/** Names of files and folders on this computer, whatever the names of others are. */
import type { ChatRef } from "../../core/types.js";

/** The name of a chat's folder: `group-15`, `contact-4`. */
export function chatFolder(chat: ChatRef): string {
  return `${chat.startsWith("@") ? "contact" : "group"}-${chat.slice(1)}`;
}

/** What a received file is called here: `7.pdf`. Only the form of the sender's extension is taken over. */
export function receivedName(fileId: number, senderName: string): string {
  return `${fileId}${extensionOf(senderName)}`;
}

/** `.pdf`: the last extension in small letters, or nothing where it is none of 1 to 8 letters and digits. */
export function extensionOf(name: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? "";
}

/** Long enough for real names; file systems take 255 bytes. */
const NAME_BYTES = 200;

/** What Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * The last part of a path or of a sender's name, as a name that every file system takes and that shows as it is:
 * without controls, directions and separators, not hidden, at most 200 bytes with the extension kept.
 */
export function safeFileName(name: string): string {
  const base = name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/^.*[/\\]/s, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  if (base === "") return "file";
  return shortened(DEVICE.test(base) ? `_${base}` : base);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES) return name;
  const extension = extensionOf(name);
  let stem = "";
  for (const character of name.slice(0, name.length - extension.length)) {
    if (Buffer.byteLength(stem + character + extension) > NAME_BYTES) break;
    stem += character;
  }
  return stem.replace(/[.\s]+$/, "") + extension;
}
