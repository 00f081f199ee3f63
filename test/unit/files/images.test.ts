import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { FIXED_PREVIEW } from "../../../src/files/pictures/fixed-preview.js";
import {
  fittingPreview,
  ImageError,
  imageFacts,
  previewOf,
  rewritten,
} from "../../../src/files/pictures/images.js";
import { imageFormat, isImageName, isVideoName, videoFormat } from "../../../src/files/pictures/media.js";
import { animation, photo, pngBomb } from "./pictures.js";

const decoded = (preview: string) => Buffer.from(preview.replace(/^data:image\/jpg;base64,/, ""), "base64");

describe("a preview", () => {
  test.each([14_000, 8_000, 3_000, 1_000])("has at most %i characters", async (length) => {
    const preview = await previewOf(await photo(1600, 1200), length);
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
          (await sharp(decoded((await previewOf(image, length)) ?? "")).metadata()).width ?? 0,
      ),
    );
    expect(sizes[0]).toBeGreaterThan(sizes[1] ?? 0);
  });

  test("is none where there is no room", async () => {
    expect(await previewOf(await photo(1600, 1200), 100)).toBeUndefined();
  });

  test("is upright and holds no metadata", async () => {
    const image = await sharp(await photo(400, 200))
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: "secret place" } })
      .jpeg()
      .toBuffer();
    expect(image.includes("secret place")).toBe(true);
    const preview = decoded((await previewOf(image, 14_000)) ?? "");
    expect(preview.includes("secret place")).toBe(false);
    const { width = 0, height = 0, orientation, exif } = await sharp(preview).metadata();
    expect([width < height, orientation, exif]).toEqual([true, undefined, undefined]);
  });

  test("of a transparent image is on white", async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const image = await sharp({ create: { width: 50, height: 50, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const { data } = await sharp(decoded((await previewOf(image, 5000)) ?? ""))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(250);
  });

  test("that a peer made is made smaller where it is too long, and left out where that fails", async () => {
    const long = `data:image/jpg;base64,${(await photo(400, 300)).toString("base64")}`;
    expect(await fittingPreview(long, long.length)).toBe(long);
    expect((await fittingPreview(long, 4000))?.length).toBeLessThanOrEqual(4000);
    expect(await fittingPreview(`data:image/jpg;base64,${"/9j/".repeat(3000)}`, 4000)).toBeUndefined();
    expect(await fittingPreview(`data:image/png;base64,${"AAAA".repeat(3000)}`, 4000)).toBeUndefined();
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

  test.each(["gif", "webp"] as const)("of several frames is told from one: %s", async (format) => {
    expect(await imageFacts(await animation(format))).toEqual({ animated: true });
    expect(await imageFacts(await photo(8, 8, format))).toEqual({ animated: false });
  });

  test.each(["jpeg", "png", "webp"] as const)("that is cut off is refused: %s", async (format) => {
    const image = await photo(800, 600, format);
    await expect(previewOf(image.subarray(0, image.length / 2), 14_000)).rejects.toThrow(ImageError);
  });

  test("of a hundred million pixels is refused before it is decoded", async () => {
    const bomb = pngBomb(30_000);
    expect(bomb.length).toBeLessThan(2_000_000);
    const before = process.memoryUsage().rss;
    await expect(imageFacts(bomb)).rejects.toThrow("has more than 64 million pixels");
    await expect(previewOf(bomb, 14_000)).rejects.toThrow(ImageError);
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
