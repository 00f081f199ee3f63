import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import type { ImageFormat } from "../../../src/files/pictures/media.js";

/** A picture of noise, which compresses badly, as photographs do. */
export async function photo(width: number, height: number, format: ImageFormat = "jpeg"): Promise<Buffer> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return await sharp({ create: { width, height, channels: 3, background: "#808080", noise } })
    .toFormat(format)
    .toBuffer();
}

/** Two frames. */
export async function animation(format: "gif" | "webp"): Promise<Buffer> {
  const frames = await Promise.all(
    ["#ff0000", "#00ff00"].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return await sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** A whole PNG of `side` by `side` black pixels, small as a file, gigabytes when decoded. */
export function pngBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, greyscale.
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
