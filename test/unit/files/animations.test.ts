import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { bareAnimation, decodesToFrame } from "../../../src/files/pictures/animations.js";
import { ImageError } from "../../../src/files/pictures/image-error.js";
import { previewOf } from "../../../src/files/pictures/images.js";
import { animatedPng, animation, plainPng, pngChunk, SECRET } from "./pictures.js";

const secret = Buffer.from(SECRET);
const FORMATS = ["gif", "webp", "png"] as const;
type Format = (typeof FORMATS)[number];

/** An animation with the secret in each place that its format has for it. */
async function talkative(format: Format): Promise<Buffer> {
  switch (format) {
    case "gif":
      return talkativeGif(await animation("gif"));
    case "webp":
      return talkativeWebp(await animation("webp"));
    case "png": {
      const frames = await Promise.all(["#ff0000", "#00ff00"].map((colour) => plainPng(8, colour)));
      const besides = ["tEXt", "iTXt", "zTXt", "eXIf", "iCCP", "tIME", "gAMA", "prVt"].map((type) =>
        pngChunk(type, secret),
      );
      return Buffer.concat([animatedPng(frames, { besides }), secret]);
    }
  }
}

function talkativeGif(gif: Buffer): Buffer {
  const parts = (...texts: string[]) =>
    Buffer.concat([
      ...texts.flatMap((text) => [Buffer.from([text.length]), Buffer.from(text)]),
      Buffer.alloc(1),
    ]);
  const extension = (label: number, ...texts: string[]) =>
    Buffer.concat([Buffer.from([0x21, label]), parts(...texts)]);
  const start = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1) * ((gif[10] ?? 0) >> 7);
  return Buffer.concat([
    gif.subarray(0, start),
    extension(0xfe, SECRET),
    extension(0xff, "XMP DataXMP", SECRET),
    extension(0xff, "NETSCAPE2.0", "\x01\x00\x00", SECRET),
    extension(0xff, "NETSCAPE2.0", SECRET),
    extension(0x01, SECRET),
    extension(0xf9, SECRET),
    gif.subarray(start),
    secret,
  ]);
}

function talkativeWebp(webp: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const chunks: Buffer[] = [];
  for (let at = 12; at < webp.length; ) {
    const type = webp.toString("latin1", at, at + 4);
    const data = webp.subarray(at + 8, at + 8 + webp.readUInt32LE(at + 4));
    at += 8 + data.length + (data.length % 2);
    if (type === "VP8X") {
      const marked = Buffer.from(data);
      marked[0] = (marked[0] ?? 0) | 0x2c;
      chunks.push(chunk(type, marked), chunk("ICCP", secret));
    } else if (type === "ANMF") chunks.push(chunk(type, Buffer.concat([data, chunk("prVt", secret)])));
    else chunks.push(chunk(type, data));
  }
  const others = ["EXIF", "XMP ", "prVt"].map((type) => chunk(type, secret));
  return Buffer.concat([chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks, ...others])), secret]);
}

/** The pixels of all frames; an animated PNG shows the decoder its first alone. */
const frames = async (image: Buffer) => await sharp(image, { animated: true }).raw().toBuffer();

describe.each(FORMATS)("a %s of several pictures", (format) => {
  test("goes out without a word that is not drawn, its pictures as they were", async () => {
    const image = await talkative(format);
    expect(image.includes(SECRET)).toBe(true);
    const bare = bareAnimation(image, format);
    expect(bare.includes(SECRET)).toBe(false);
    expect((await frames(bare)).equals(await frames(await animation(format)))).toBe(true);
    const { exif, xmp, icc, comments, pages, delay, loop } = await sharp(bare).metadata();
    expect([exif, xmp, icc, comments]).toEqual([undefined, undefined, undefined, undefined]);
    const plain = await sharp(image).metadata();
    expect({ pages, delay, loop }).toEqual({ pages: plain.pages, delay: plain.delay, loop: plain.loop });
  });

  test("is as it was where there is nothing to leave out", async () => {
    const bare = bareAnimation(await animation(format), format);
    expect(bareAnimation(bare, format).equals(bare)).toBe(true);
  });

  test("that is cut off anywhere is refused, or ends there as a whole one", async () => {
    const image = await talkative(format);
    const whole = bareAnimation(image, format);
    for (let length = 8; length < image.length - secret.length; length += 1) {
      try {
        expect(bareAnimation(image.subarray(0, length), format).length).toBeLessThanOrEqual(whole.length);
      } catch (error) {
        expect(error).toBeInstanceOf(ImageError);
      }
    }
  });
});

test("an animated PNG may begin with a picture that is none of its frames", async () => {
  const frame = await plainPng(8, "#ff0000");
  expect(decodesToFrame(animatedPng([frame, frame]), "png")).toBe(true);
  expect(decodesToFrame(animatedPng([frame, frame], { still: await plainPng(8, "#00ff00") }), "png")).toBe(
    false,
  );
});

test.each(["#ffffff", "#999999", "#000000"])(
  "what is transparent in an animation hides nothing in its preview: %s",
  async (colour) => {
    const writing = await plainPng(20, colour);
    const image = await sharp(await plainPng(64, { r: 0, g: 0, b: 0, alpha: 0 }))
      .composite([{ input: writing, left: 20, top: 20 }])
      .png()
      .toBuffer();
    const preview = (await previewOf(image, { length: 14_000, checkered: true })) ?? "";
    const jpeg = Buffer.from(preview.slice(preview.indexOf(",") + 1), "base64");
    const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
    const grey = (x: number, y: number) => data[y * info.width + x] ?? 0;
    const spread = (from: number) => {
      const values = Array.from({ length: 12 }, (_, at) => grey(from + at, from + 6));
      return Math.max(...values) - Math.min(...values);
    };
    // Even where there is writing, patterned where there is none.
    expect([spread(24) < 40, spread(0) > 60]).toEqual([true, true]);
  },
);
