/** Images of several pictures: how they are told, and how they go out. */
import { bareGif } from "./gif.js";
import type { ImageFormat } from "./media.js";
import { barePng, pngFacts } from "./png.js";
import { bareWebp } from "./webp.js";

export type AnimationFormat = Exclude<ImageFormat, "jpeg">;

/** Of which format the animation is; undefined for a still image. `pages`: as many as the decoder found. */
export function animationFormat(
  image: Buffer,
  format: ImageFormat,
  pages: number,
): AnimationFormat | undefined {
  switch (format) {
    case "jpeg":
      return undefined;
    case "png":
      // The decoder knows of no animations in this format.
      return pngFacts(image).animated ? format : undefined;
    case "gif":
    case "webp":
      return pages > 1 ? format : undefined;
  }
}

/** The animation without its metadata. Its frames are not encoded anew. Throws `ImageError` for a damaged one. */
export function bareAnimation(image: Buffer, format: AnimationFormat): Buffer {
  switch (format) {
    case "png":
      return barePng(image);
    case "gif":
      return bareGif(image);
    case "webp":
      return bareWebp(image);
  }
}

/** Whether what the decoder reads of the file is the first picture of the animation. */
export function decodesToFrame(image: Buffer, format: AnimationFormat): boolean {
  return format !== "png" || pngFacts(image).beginsWithFrame;
}
