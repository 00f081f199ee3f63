/** What goes along with a file: its type, and the picture that the card and the message show of it. */
import { FileError } from "../disk/file-error.js";
import { type AnimationFormat, bareAnimation, decodesToFrame } from "../pictures/animations.js";
import { FIXED_PREVIEW } from "../pictures/fixed-preview.js";
import { ImageError } from "../pictures/image-error.js";
import { animationIn, LONGEST_PREVIEW, previewOf } from "../pictures/images.js";
import { type ImageFormat, imageFormat, mediaType } from "../pictures/media.js";
import { duration, firstFrame, type RunProgram } from "../pictures/videos.js";
import type { ShownContent } from "./shown-content.js";

/** How an image goes out: an animation as it is but for its metadata, a still one written anew. */
export type ImageForm =
  | { animated: false; format: ImageFormat }
  | { animated: true; format: AnimationFormat };

/** How the file is sent. `shown`: how much of it the preview shows, where that is not all. */
export type Media =
  | { type: "file" }
  | { type: "image"; preview: string; shown?: Shown; form: ImageForm }
  | { type: "video"; preview: string; shown?: Shown; duration: number };

export type Shown = "first frame" | "not";

export interface PreviewOptions {
  /** The most characters that a preview may have. */
  room: number;
  run: RunProgram;
}

/** Of the file at `path`, by what was read of it. */
export async function mediaOf(
  path: string,
  content: ShownContent,
  { room, run }: PreviewOptions,
): Promise<Media> {
  const length = Math.min(room, LONGEST_PREVIEW);
  switch (mediaType(path)) {
    case "file":
      return { type: "file" };
    case "image":
      return await imageOf(path, content, length);
    case "video":
      return await videoOf(content, length, run);
  }
}

async function imageOf(path: string, { image }: ShownContent, length: number): Promise<Media> {
  try {
    if (!image) throw new ImageError("is too large to be shown");
    const format = imageFormat(image);
    if (!format) throw new ImageError("holds no image");
    const animation = await animationIn(image, format);
    if (animation) return await animationOf(image, animation, length);
    const preview = present(await previewOf(image, { length }));
    return { type: "image", preview, form: { animated: false, format } };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new FileError(`file: ${path} ${error.message}. Send it as a plain file, with as: "file".`, {
      cause: error,
    });
  }
}

async function animationOf(image: Buffer, format: AnimationFormat, length: number): Promise<Media> {
  // What is shown is what goes out.
  const bare = bareAnimation(image, format);
  // Decoded, if only to see that it is whole. Its transparency stays, on whatever the apps show it.
  const first = await previewOf(bare, { length, checkered: true });
  const form: ImageForm = { animated: true, format };
  return decodesToFrame(bare, format)
    ? { type: "image", preview: present(first), shown: "first frame", form }
    : { type: "image", preview: fitting(FIXED_PREVIEW, length), shown: "not", form };
}

async function videoOf(content: ShownContent, length: number, run: RunProgram): Promise<Media> {
  const format = content.videoFormat;
  // Sent as what it is, whatever it is called.
  if (!format) return { type: "file" };
  const path = await content.videoPath();
  const frame = path === undefined ? undefined : await firstFrame(path, format, run);
  const preview = frame && (await previewOf(frame, { length }).catch(() => undefined));
  return {
    type: "video",
    ...(preview === undefined
      ? { preview: fitting(FIXED_PREVIEW, length), shown: "not" as const }
      : { preview }),
    duration: path === undefined ? 0 : await duration(path, format, run),
  };
}

function fitting(preview: string, length: number): string {
  return present(preview.length <= length ? preview : undefined);
}

function present(preview: string | undefined): string {
  if (preview !== undefined) return preview;
  throw new FileError('The text leaves no room for a picture: shorten it, or send the file with as: "file".');
}
