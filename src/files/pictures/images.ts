/** Images through `sharp`: previews without metadata, images without metadata. Nothing else decodes images. */
import type { Sharp } from "sharp";
import { type AnimationFormat, animationFormat } from "./animations.js";
import { damaged, ImageError } from "./image-error.js";
import { type ImageFormat, imageFormat } from "./media.js";
import { isLosslessWebp } from "./webp.js";

/** Characters of a preview: what the apps make and show. */
export const LONGEST_PREVIEW = 14_000;
/** Some 8000 by 8000: about what phones make. More could take the memory of this computer. */
const MOST_PIXELS = 64_000_000;
/** A preview that somebody else made: the apps make them of some hundreds by some hundreds. */
const MOST_PREVIEW_PIXELS = 1_000_000;
const DECODE_SECONDS = 30;
/** What transparency becomes, in what is shown and in what is sent. */
const BACKGROUND = "#ffffff";

/** A picture as the apps take it; what a peer calls one may be anything. */
export function isPicture(text: string): boolean {
  return /^data:image\/(?:jpe?g|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/**
 * The format in which the image is an animation; undefined for a still one. Decodes nothing. Rejects with `ImageError`
 * for what is none, or has too many pixels.
 */
export async function animationIn(image: Buffer, format: ImageFormat): Promise<AnimationFormat | undefined> {
  const { width, height, pages = 1 } = await decoding(async () => (await decoder(image, false)).metadata());
  if (width * height > MOST_PIXELS) {
    throw new ImageError(`has more than ${MOST_PIXELS / 1_000_000} million pixels`);
  }
  return animationFormat(image, format, pages);
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

export interface PreviewOptions {
  /** The most characters. */
  length: number;
  /** More are not decoded. */
  mostPixels?: number;
  /** For what stays transparent where it goes: a pattern, on which every colour shows. */
  checkered?: boolean;
}

/**
 * A JPEG of the image as a data URI, upright and without metadata; undefined where none is that small. Decodes all of
 * the image: a damaged one rejects with `ImageError`. Of an animation it is the first picture.
 */
export async function previewOf(
  image: Buffer,
  { length, mostPixels = MOST_PIXELS, checkered = false }: PreviewOptions,
): Promise<string | undefined> {
  return await decoding(async () => {
    const [[largest]] = TRIES;
    const upright = within((await decoder(image, mostPixels)).autoOrient(), largest);
    const small = checkered ? await onPattern(upright) : await flat(upright).png().toBuffer();
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

/** The whole image again in its format, upright, as its preview shows it, without metadata. */
export async function rewritten(image: Buffer, format: ImageFormat): Promise<Buffer> {
  return await decoding(async () => {
    const source = await decoder(image);
    const { depth, chromaSubsampling } = await source.metadata();
    const upright = flat(source.autoOrient());
    switch (format) {
      case "jpeg":
        return await upright
          .jpeg({ quality: 90, chromaSubsampling: chromaSubsampling === "4:4:4" ? "4:4:4" : "4:2:0" })
          .toBuffer();
      case "png":
        return await (depth === "ushort" ? upright.toColourspace("rgb16") : upright).png().toBuffer();
      case "webp":
        return await upright.webp(isLosslessWebp(image) ? { lossless: true } : { quality: 90 }).toBuffer();
      case "gif":
        // So, and no other way, every colour stays what it is.
        return await upright.gif({ reuse: false, dither: 0, effort: 10 }).toBuffer();
    }
  });
}

/**
 * A picture that somebody else made, made anew, so that none of its bytes goes on; undefined where that cannot be done,
 * or it has more pixels than previews have.
 */
export async function previewMadeAnew(picture: string, length: number): Promise<string | undefined> {
  if (!isPicture(picture)) return undefined;
  const image = Buffer.from(picture.slice(picture.indexOf(",") + 1), "base64");
  // Only what is surely one of these goes to a decoder.
  if (!imageFormat(image)) return undefined;
  return await previewOf(image, { length, mostPixels: MOST_PREVIEW_PIXELS }).catch(() => undefined);
}

function flat(image: Sharp): Sharp {
  return image.flatten({ background: BACKGROUND });
}

/** Squares of the pattern: pixels, and two greys that no colour is like both of. */
const SQUARE = 8;
const GREYS = [0x99, 0xff] as const;

async function onPattern(image: Sharp): Promise<Buffer> {
  const { data, info } = await image.png().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pattern = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    const [column, row] = [Math.floor((at % width) / SQUARE), Math.floor(at / width / SQUARE)];
    pattern.fill(GREYS[(column + row) % 2 === 0 ? 1 : 0], at * 3, at * 3 + 3);
  }
  const { default: sharp } = await import("sharp");
  return await sharp(pattern, { raw: { width, height, channels: 3 } })
    .composite([{ input: data }])
    .png()
    .toBuffer();
}

function within(image: Sharp, side: number): Sharp {
  return image.resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
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
    throw damaged(error);
  }
}
