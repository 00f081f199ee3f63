import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { FIXED_PREVIEW } from "../../../src/files/pictures/fixed-preview.js";
import { ImageError } from "../../../src/files/pictures/image-error.js";
import { animationIn, previewMadeAnew, previewOf, rewritten } from "../../../src/files/pictures/images.js";
import {
  type ImageFormat,
  imageFormat,
  isImageName,
  isVideoName,
  videoFormat,
} from "../../../src/files/pictures/media.js";
import { animation, photo, plainPng, pngBomb } from "./pictures.js";

const decoded = (preview: string) => Buffer.from(preview.replace(/^data:image\/jpg;base64,/, ""), "base64");

describe("a preview", () => {
  test.each([14_000, 8_000, 3_000, 1_000])("has at most %i characters", async (length) => {
    const preview = await previewOf(await photo(1600, 1200), { length });
    expect(preview?.length).toBeLessThanOrEqual(length);
    const { format, width = 0, height = 0 } = await sharp(decoded(preview ?? "")).metadata();
    expect(format).toBe("jpeg");
    expect(width / height).toBeCloseTo(4 / 3, 1);
  });

  test("is as large as fits", async () => {
    const image = await photo(1600, 1200);
    const sizes = await Promise.all(
      [14_000, 2_000].map(
        async (length) =>
          (await sharp(decoded((await previewOf(image, { length })) ?? "")).metadata()).width ?? 0,
      ),
    );
    expect(sizes[0]).toBeGreaterThan(sizes[1] ?? 0);
  });

  test("is none where there is no room", async () => {
    expect(await previewOf(await photo(1600, 1200), { length: 100 })).toBeUndefined();
  });

  test("is upright and holds no metadata", async () => {
    const image = await sharp(await photo(400, 200))
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: "secret place" } })
      .jpeg()
      .toBuffer();
    expect(image.includes("secret place")).toBe(true);
    const preview = decoded((await previewOf(image, { length: 14_000 })) ?? "");
    expect(preview.includes("secret place")).toBe(false);
    const { width = 0, height = 0, orientation, exif } = await sharp(preview).metadata();
    expect([width < height, orientation, exif]).toEqual([true, undefined, undefined]);
  });

  test("of a transparent image is on white", async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const image = await sharp({ create: { width: 50, height: 50, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const { data } = await sharp(decoded((await previewOf(image, { length: 5000 })) ?? ""))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(250);
  });

  const uri = (image: Buffer, type = "jpg") => `data:image/${type};base64,${image.toString("base64")}`;

  test.each([
    ["jpg", "jpeg"],
    ["png", "png"],
    ["webp", "webp"],
  ] as const)("that a peer made is made anew, whatever its size: %s", async (type, format) => {
    const image = await sharp(await photo(200, 100, format))
      .withExif({ IFD0: { Copyright: "secret place" } })
      .toFormat(format)
      .toBuffer();
    // Behind its end anything can be hidden.
    const theirs = Buffer.concat([image, Buffer.from("and more")]);
    const anew = await previewMadeAnew(uri(theirs, type), 14_000);
    expect(anew).toMatch(/^data:image\/jpg;base64,/);
    const mine = decoded(anew ?? "");
    expect([mine.includes("secret place"), mine.includes("and more"), mine.equals(image)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await sharp(mine).metadata()).toMatchObject({ format: "jpeg", width: 200, height: 100 });
    expect((await previewMadeAnew(uri(theirs, type), 2000))?.length).toBeLessThanOrEqual(2000);
  });

  test.each<[string, () => Promise<string> | string]>([
    ["no picture", () => `data:image/jpg;base64,${"/9j/".repeat(3000)}`],
    ["text", () => `data:image/png;base64,${"AAAA".repeat(3000)}`],
    ["cut off", async () => uri((await photo(200, 100)).subarray(0, 3000))],
    ["another format", () => uri(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "png")],
    ["no data URI", () => "https://example.com/a.jpg"],
    ["larger than any preview", () => uri(pngBomb(1001), "png")],
  ])("that a peer made is left out where it is %s", async (_, picture) => {
    expect(await previewMadeAnew(await picture(), 14_000)).toBeUndefined();
  });

  test("that a peer made and that would be huge is never decoded", async () => {
    const bomb = uri(pngBomb(7900), "png");
    expect(bomb.length).toBeLessThan(14_000);
    const before = process.memoryUsage().rss;
    expect(await previewMadeAnew(bomb, 14_000)).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  test("that is fixed is a picture", async () => {
    expect(await sharp(decoded(FIXED_PREVIEW)).metadata()).toMatchObject({
      format: "jpeg",
      width: 64,
      height: 48,
    });
  });
});

describe("an image", () => {
  test.each(["jpeg", "png", "webp", "gif"] as const)(
    "is written anew in its format, upright, without metadata: %s",
    async (format) => {
      const image = await sharp(await photo(60, 30, format))
        .withMetadata({ orientation: 8 })
        .toFormat(format)
        .toBuffer();
      const again = await rewritten(image, format);
      const facts = await sharp(again).metadata();
      expect(facts).toMatchObject({ format });
      expect([facts.orientation, facts.exif, facts.xmp, facts.iptc]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      if (format !== "gif") expect([facts.width, facts.height]).toEqual([30, 60]);
    },
  );

  test.each(["gif", "webp", "png"] as const)("of several frames is told from one: %s", async (format) => {
    expect(await animationIn(await animation(format), format)).toBe(format);
    expect(await animationIn(await photo(8, 8, format), format)).toBeUndefined();
  });

  test.each(["png", "webp", "gif"] as const)(
    "with transparency is sent on the white that it is shown on: %s",
    async (format) => {
      // White writing on nothing.
      const white = await plainPng(10, "#ffffff");
      const image = await sharp(await plainPng(30, { r: 0, g: 0, b: 0, alpha: 0 }))
        .composite([{ input: white, left: 5, top: 5 }])
        .toFormat(format)
        .toBuffer();
      expect((await sharp(image).stats()).isOpaque).toBe(false);
      const sent = await rewritten(image, format);
      const { isOpaque, channels } = await sharp(sent).stats();
      expect([isOpaque, ...channels.slice(0, 3).map(({ min }) => min)]).toEqual([true, 255, 255, 255]);
    },
  );

  test.each<[string, ImageFormat, (image: Sharp) => Sharp]>([
    ["a PNG", "png", (image) => image.png()],
    ["a lossless WebP", "webp", (image) => image.webp({ lossless: true })],
    ["a GIF", "gif", (image) => image.gif({ colours: 64 })],
  ])("loses nothing where its format does not: %s", async (_, format, encoded) => {
    const image = await encoded(sharp(await photo(60, 40, "png"))).toBuffer();
    const pixels = (of: Buffer) => sharp(of).removeAlpha().toColourspace("srgb").raw().toBuffer();
    expect((await pixels(await rewritten(image, format))).equals(await pixels(image))).toBe(true);
  });

  test("of 16 bits keeps them", async () => {
    const values = Uint16Array.from({ length: 64 * 3 }, (__, at) => (at * 9973) % 65_536);
    const image = await sharp(values, { raw: { width: 8, height: 8, channels: 3 } })
      .toColourspace("rgb16")
      .png()
      .toBuffer();
    const sent = await rewritten(image, "png");
    expect(await sharp(sent).metadata()).toMatchObject({ depth: "ushort" });
    const pixels = (of: Buffer) => sharp(of).toColourspace("rgb16").raw({ depth: "ushort" }).toBuffer();
    expect((await pixels(sent)).equals(await pixels(image))).toBe(true);
  });

  test.each(["4:4:4", "4:2:0"])(
    "keeps the colours of a JPEG as fine as they are: %s",
    async (chromaSubsampling) => {
      const image = await sharp(await photo(60, 40))
        .jpeg({ chromaSubsampling })
        .toBuffer();
      expect(await sharp(await rewritten(image, "jpeg")).metadata()).toMatchObject({ chromaSubsampling });
    },
  );

  test.each(["jpeg", "png", "webp"] as const)("that is cut off is refused: %s", async (format) => {
    const image = await photo(800, 600, format);
    await expect(previewOf(image.subarray(0, image.length / 2), { length: 14_000 })).rejects.toThrow(
      ImageError,
    );
  });

  test("of a hundred million pixels is refused before it is decoded", async () => {
    const bomb = pngBomb(30_000);
    expect(bomb.length).toBeLessThan(2_000_000);
    const before = process.memoryUsage().rss;
    await expect(animationIn(bomb, "png")).rejects.toThrow("has more than 64 million pixels");
    await expect(previewOf(bomb, { length: 14_000 })).rejects.toThrow(ImageError);
    await expect(rewritten(bomb, "png")).rejects.toThrow(ImageError);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test("is told by its first bytes, so that nothing else gets to a decoder", async () => {
    expect(imageFormat(await photo(8, 8, "jpeg"))).toBe("jpeg");
    expect(imageFormat(await photo(8, 8, "png"))).toBe("png");
    expect(imageFormat(await photo(8, 8, "webp"))).toBe("webp");
    expect(imageFormat(await animation("gif"))).toBe("gif");
    for (const text of ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.4", "RIFF1234WAVE"]) {
      expect(imageFormat(Buffer.from(text))).toBeUndefined();
    }
  });
});

test("images and videos are called so by their names", () => {
  expect(["a.jpg", "a.JPEG", "a.png", "a.gif", "a.webp"].every(isImageName)).toBe(true);
  expect(["a.mp4", "a.MOV", "a.webm", "a.mkv"].every(isVideoName)).toBe(true);
  expect(
    ["a.svg", "a.heic", "a.jpg.exe", "jpg", "a.m4a"].some((name) => isImageName(name) || isVideoName(name)),
  ).toBe(false);
});

test("a video is told by its first bytes: a list of other files is none", () => {
  expect(videoFormat(Buffer.from("\0\0\0\x20ftypisom", "latin1"))).toBe("mov");
  expect(videoFormat(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0, 0]))).toBe("matroska");
  expect(videoFormat(Buffer.from("#EXTM3U\n#EXTINF:1,\n/etc/passwd"))).toBeUndefined();
  expect(videoFormat(Buffer.from("ffconcat version 1.0"))).toBeUndefined();
});
