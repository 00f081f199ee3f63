/** Images through `sharp`: previews without metadata, images without metadata. Nothing else decodes images. */
import type { Sharp } from "sharp";
import { type ImageFormat, imageFormat } from "./media.js";

/** Some 8000 by 8000: about what phones make. More could take the memory of this computer. */
const MOST_PIXELS = 64_000_000;
const DECODE_SECONDS = 30;

/** The image cannot be shown: why, as a clause about the file. */
export class ImageError extends Error {
  override name = "ImageError";
}

/** A picture as the apps take it; what a peer calls one may be anything. */
export function isPicture(text: string): boolean {
  return /^data:image\/(?:jpe?g|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(text);
}

export interface ImageFacts {
  /** Several pictures: sent as it is. */
  animated: boolean;
}

/** Looks at the head of the image only. Rejects with `ImageError` for what is none, or has too many pixels. */
export async function imageFacts(image: Buffer): Promise<ImageFacts> {
  const { width, height, pages = 1 } = await decoding(async () => (await decoder(image, false)).metadata());
  if (width * height > MOST_PIXELS) {
    throw new ImageError(`has more than ${MOST_PIXELS / 1_000_000} million pixels`);
  }
  return { animated: pages > 1 };
}

/** Sides in pixels and JPEG qualities of a preview, from the best down. */
const TRIES = [
  [640, 60],
  [512, 55],
  [400, 50],
  [320, 50],
  [256, 45],
  [192, 45],
  [128, 40],
  [96, 40],
  [64, 35],
  [32, 30],
] as const;

/**
 * A JPEG of the image as a data URI of at most `length` characters, upright and without metadata; undefined where
 * none is that small. Decodes all of the image: a damaged one rejects with `ImageError`.
 */
export async function previewOf(image: Buffer, length: number): Promise<string | undefined> {
  return await decoding(async () => {
    const [[largest]] = TRIES;
    const small = await within(await decoder(image), largest)
      .flatten({ background: "#ffffff" })
      .png()
      .toBuffer();
    for (const [side, quality] of TRIES) {
      const jpeg = await within(await decoder(small), side)
        .jpeg({ quality })
        .toBuffer();
      const preview = `data:image/jpg;base64,${jpeg.toString("base64")}`;
      if (preview.length <= length) return preview;
    }
    return undefined;
  });
}

/** The whole image again in its format, upright and without metadata. */
export async function rewritten(image: Buffer, format: ImageFormat): Promise<Buffer> {
  return await decoding(async () => {
    const upright = (await decoder(image)).autoOrient();
    const options = format === "jpeg" || format === "webp" ? { quality: 90 } : {};
    return await upright.toFormat(format, options).toBuffer();
  });
}

function within(image: Sharp, side: number): Sharp {
  return image.autoOrient().resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
}

/** `limitInputPixels`: more are never decoded; false where only the head is read. */
async function decoder(image: Buffer, limitInputPixels: number | false = MOST_PIXELS): Promise<Sharp> {
  // Loaded when the first image comes: it takes a second.
  const { default: sharp } = await import("sharp").catch((cause: unknown) => {
    throw new ImageError("cannot be prepared: the image library is missing on this computer", { cause });
  });
  sharp.cache(false);
  return sharp(image, { limitInputPixels, failOn: "error" }).timeout({
    seconds: DECODE_SECONDS,
  });
}

async function decoding<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError("holds no whole image", { cause: error });
  }
}

/** A picture that somebody else made, made smaller where it is too long; undefined where that cannot be done. */
export async function fittingPreview(picture: string, length: number): Promise<string | undefined> {
  if (picture.length <= length) return picture;
  const [, data] = /^data:image\/[a-z]+;base64,(.*)$/s.exec(picture) ?? [];
  if (data === undefined) return undefined;
  const image = Buffer.from(data, "base64");
  // Only what is surely one of these goes to a decoder.
  if (!imageFormat(image)) return undefined;
  return await previewOf(image, length).catch(() => undefined);
}
