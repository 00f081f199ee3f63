/** What goes along with a file: its type, and the picture that the card and the message show of it. */
import { basename } from "node:path";
import { FileError } from "../disk/file-error.js";
import { FIXED_PREVIEW } from "../pictures/fixed-preview.js";
import { ImageError, imageFacts, previewOf } from "../pictures/images.js";
import {
  type ImageFormat,
  imageFormat,
  isImageName,
  isVideoName,
  type VideoFormat,
  videoFormat,
} from "../pictures/media.js";
import { duration, firstFrame, type RunProgram } from "../pictures/videos.js";
import type { CheckedFile } from "./check-file.js";

/** Images are read into memory whole. */
const MOST_IMAGE_BYTES = 64 << 20;
/** What the apps make and show. */
const LONGEST_PREVIEW = 14_000;

/** How the file is sent. An image with a `format` is written anew in it, without its metadata. */
export type Media =
  | { type: "file" }
  | { type: "image"; preview: string; format?: ImageFormat }
  | { type: "video"; preview: string; duration: number };

export type MediaType = Media["type"];

/** By its name; whether it is one shows when it is read. */
export function mediaType(path: string): MediaType {
  const name = basename(path);
  if (isImageName(name)) return "image";
  return isVideoName(name) ? "video" : "file";
}

/** An image is needed whole. */
export function wantsContent(path: string, size: number): boolean {
  return mediaType(path) === "image" && size <= MOST_IMAGE_BYTES;
}

/** `room`: the most characters that a preview may have. */
export async function mediaOf(file: CheckedFile, room: number, run: RunProgram): Promise<Media> {
  const length = Math.min(room, LONGEST_PREVIEW);
  switch (mediaType(file.path)) {
    case "file":
      return { type: "file" };
    case "image":
      return await imageOf(file, length);
    case "video": {
      const format = videoFormat(file.head);
      // Sent as what it is, whatever it is called.
      return format ? await videoOf(file.path, format, length, run) : { type: "file" };
    }
  }
}

async function imageOf({ path, content }: CheckedFile, length: number): Promise<Media> {
  try {
    if (!content) throw new ImageError("is too large to be shown");
    const format = imageFormat(content);
    if (!format) throw new ImageError("holds no image");
    const { animated } = await imageFacts(content);
    // Decoded, if only to see that it is whole.
    const preview = await previewOf(content, length);
    if (animated) return { type: "image", preview: fitting(FIXED_PREVIEW, length) };
    if (preview === undefined) throw noRoom();
    return { type: "image", preview, format };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new FileError(`file: ${path} ${error.message}. Send it as a plain file, with as: "file".`, {
      cause: error,
    });
  }
}

async function videoOf(path: string, format: VideoFormat, length: number, run: RunProgram): Promise<Media> {
  const frame = await firstFrame(path, format, run);
  const preview = frame && (await previewOf(frame, length).catch(() => undefined));
  return {
    type: "video",
    preview: preview ?? fitting(FIXED_PREVIEW, length),
    duration: await duration(path, format, run),
  };
}

function fitting(preview: string, length: number): string {
  if (preview.length > length) throw noRoom();
  return preview;
}

function noRoom(): FileError {
  return new FileError(
    'The text leaves no room for a picture: shorten it, or send the file with as: "file".',
  );
}
