import { crc32, deflateSync } from "node:zlib";
import sharp, { type Color } from "sharp";
import type { ImageFormat } from "../../../src/files/pictures/media.js";

/** A picture of noise, which compresses badly, as photographs do. */
export async function photo(width: number, height: number, format: ImageFormat = "jpeg"): Promise<Buffer> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return await sharp({ create: { width, height, channels: 3, background: "#808080", noise } })
    .toFormat(format)
    .toBuffer();
}

/** What a sender shows of a picture: a data URI of noise, `side` by `side` pixels. */
export async function sendersPreview(side: number): Promise<string> {
  const jpeg = await sharp(await photo(side, side))
    .jpeg({ quality: 40 })
    .toBuffer();
  return `data:image/jpg;base64,${jpeg.toString("base64")}`;
}

/** Words in the metadata of pictures: they must not be found in what is sent. */
export const SECRET = "secret place";

/** Two frames, red and green. */
export async function animation(format: "gif" | "webp" | "png"): Promise<Buffer> {
  const frames = await Promise.all(["#ff0000", "#00ff00"].map((background) => plainPng(8, background)));
  if (format === "png") return animatedPng(frames);
  return await sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** A square of one colour, with transparency where the colour has some. */
export async function plainPng(side: number, background: Color): Promise<Buffer> {
  return await sharp({ create: { width: side, height: side, channels: 4, background } })
    .png()
    .toBuffer();
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface AnimatedPngOptions {
  /** Shown by programs that know no animations, in place of the first frame. */
  still?: Buffer;
  /** Chunks before the pictures. */
  besides?: readonly Buffer[];
}

/** An animated PNG of pictures of one size. */
export function animatedPng(
  frames: readonly Buffer[],
  { still, besides = [] }: AnimatedPngOptions = {},
): Buffer {
  const [head = Buffer.alloc(0)] = frames;
  const numbers = (...values: number[]) => Buffer.concat(values.map((value) => word(value)));
  let sequence = 0;
  const shown = frames.flatMap((frame, at) => {
    // Number, size, place, and a tenth of a second.
    const control = Buffer.concat([
      numbers(sequence++, head.readUInt32BE(16), head.readUInt32BE(20), 0, 0),
      Buffer.from([0, 1, 0, 10, 0, 0]),
    ]);
    const isStill = at === 0 && !still;
    const data = isStill
      ? pngChunk("IDAT", pixels(frame))
      : pngChunk("fdAT", Buffer.concat([numbers(sequence++), pixels(frame)]));
    return [pngChunk("fcTL", control), data];
  });
  return Buffer.concat([
    SIGNATURE,
    head.subarray(8, 33),
    pngChunk("acTL", numbers(frames.length, 0)),
    ...besides,
    ...(still ? [pngChunk("IDAT", pixels(still))] : []),
    ...shown,
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The compressed pixels of a PNG. */
function pixels(png: Buffer): Buffer {
  const found: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const end = at + 8 + png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") found.push(png.subarray(at + 8, end));
  }
  return Buffer.concat(found);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A whole PNG of `side` by `side` black pixels, small as a file, gigabytes when decoded. */
export function pngBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, greyscale.
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)));
  return Buffer.concat([
    SIGNATURE,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([word(data.length), body, word(crc32(body))]);
}
