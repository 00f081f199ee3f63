/** What a file is, by its name and its first bytes. Pure. */
import { basename } from "node:path";
import { extensionOf } from "../disk/names.js";

export type ImageFormat = "jpeg" | "png" | "gif" | "webp";
/** Names of ffmpeg's demuxers. */
export type VideoFormat = "mov" | "matroska";

export function isImageName(name: string): boolean {
  return [".jpg", ".jpeg", ".png", ".gif", ".webp"].includes(extensionOf(name));
}

export function isVideoName(name: string): boolean {
  return [".mp4", ".m4v", ".mov", ".3gp", ".webm", ".mkv"].includes(extensionOf(name));
}

export type MediaType = "file" | "image" | "video";

/** By its name; whether it is one shows when it is read. */
export function mediaType(path: string): MediaType {
  const name = basename(path);
  if (isImageName(name)) return "image";
  return isVideoName(name) ? "video" : "file";
}

/** The format, so that nothing but these is ever given to a decoder; undefined for all else. */
export function imageFormat(head: Buffer): ImageFormat | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "jpeg";
  if (head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "png";
  const text = head.toString("latin1");
  if (/^GIF8[79]a/.test(text)) return "gif";
  return /^RIFF[\s\S]{4}WEBP/.test(text) ? "webp" : undefined;
}

/** ffmpeg is told the format: left to guess, it would take a list of other files for a video and read those. */
export function videoFormat(head: Buffer): VideoFormat | undefined {
  if (head.subarray(4, 8).toString("latin1") === "ftyp") return "mov";
  return head.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3])) ? "matroska" : undefined;
}
