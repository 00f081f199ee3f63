/** Names of files and folders on this computer, whatever the names of others are. */
import type { ChatRef } from "../../core/types.js";
import { unitsOf } from "../../text/characters.js";

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

const INVISIBLE = /^[\p{C}\p{Zl}\p{Zp}]$/u;
/** Persian and the languages of India join letters by them, or keep them apart. */
const JOINER = /^[\u200C\u200D]$/;
const LETTER = /^[\p{L}\p{M}]$/u;
/** What may stand around the joiner of an emoji that Unicode does not recommend, or that lacks a selector. */
const EMOJI_END = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;

/**
 * The last part of a path or of a sender's name, as a name that every file system takes and that shows as it is:
 * without controls, directions and separators, not hidden, at most 200 bytes with the extension kept. What is invisible
 * stays inside of emoji, and where it joins letters.
 */
export function safeFileName(name: string): string {
  const base = visible(name)
    .replace(/^.*[/\\]/s, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  if (base === "") return "file";
  return shortened(DEVICE.test(base) ? `_${base}` : base);
}

function visible(name: string): string {
  const units = unitsOf(name);
  const isJoining = (at: number): boolean => {
    const [before = "", after = ""] = [units[at - 1], units[at + 1]];
    if (LETTER.test(before) && LETTER.test(after)) return true;
    return units[at] === "\u200D" && EMOJI_END.test(before) && EMOJI_START.test(after);
  };
  return units.filter((unit, at) => (JOINER.test(unit) ? isJoining(at) : !INVISIBLE.test(unit))).join("");
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES) return name;
  const extension = extensionOf(name);
  let stem = "";
  // Emoji are not cut apart, and nothing is left to be joined.
  for (const unit of unitsOf(name.slice(0, name.length - extension.length))) {
    if (Buffer.byteLength(stem + unit + extension) > NAME_BYTES) break;
    stem += unit;
  }
  return stem.replace(/[.\s\u200C\u200D]+$/, "") + extension;
}
