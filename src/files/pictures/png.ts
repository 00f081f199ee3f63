/** Chunks of PNG files: 4 bytes of length, 4 letters, as many bytes, and 4 bytes of checksum. */
import { damaged } from "./image-error.js";

interface Chunk {
  type: string;
  /** With length, letters and checksum. */
  bytes: Buffer;
}

const SIGNATURE_BYTES = 8;
/** What an animation is drawn from. Texts, times, EXIF, colour profiles and all else are not. */
const DRAWN = ["IHDR", "PLTE", "tRNS", "acTL", "fcTL", "IDAT", "fdAT", "IEND"];

export interface PngFacts {
  animated: boolean;
  /** Programs that know no animated PNGs show the first picture in the file, which need not be one of the animation. */
  beginsWithFrame: boolean;
}

export function pngFacts(image: Buffer): PngFacts {
  const head = new Set<string>();
  for (const { type } of chunksOf(image)) {
    if (type === "IDAT") break;
    head.add(type);
  }
  return { animated: head.has("acTL"), beginsWithFrame: head.has("fcTL") };
}

/** The animation with its frames as they are, byte for byte, and nothing else. */
export function barePng(image: Buffer): Buffer {
  const drawn = [...chunksOf(image)].filter(({ type }) => DRAWN.includes(type));
  return Buffer.concat([image.subarray(0, SIGNATURE_BYTES), ...drawn.map(({ bytes }) => bytes)]);
}

/** Up to the last one that counts. */
function* chunksOf(image: Buffer): Generator<Chunk> {
  let at = SIGNATURE_BYTES;
  for (let type = ""; type !== "IEND"; ) {
    if (at + 12 > image.length) throw damaged();
    const bytes = image.subarray(at, at + 12 + image.readUInt32BE(at));
    type = bytes.toString("latin1", 4, 8);
    at += 12 + image.readUInt32BE(at);
    if (at > image.length) throw damaged();
    yield { type, bytes };
  }
}
