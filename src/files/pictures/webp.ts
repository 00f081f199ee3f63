/** Chunks of WebP files: 4 letters, 4 bytes of length, and as many bytes, filled up to an even number. */
import { damaged } from "./image-error.js";

interface Chunk {
  type: string;
  data: Buffer;
}

/** What an animation is drawn from. All else tells about it: EXIF, XMP, colour profiles, and whatever a maker adds. */
const DRAWN = ["VP8X", "ANIM", "ANMF"];
const DRAWN_IN_FRAME = ["ALPH", "VP8 ", "VP8L"];
/** `RIFF`, the length of the rest, `WEBP`. */
const HEAD_BYTES = 12;
/** Before the chunks of a frame: its place, size, duration, and how it is drawn. */
const FRAME_HEADER = 16;
/** Of the flags of VP8X: it is an animation, and it has transparency. */
const KEPT_FLAGS = 0x12;

/** Whether a still image is stored without loss. */
export function isLosslessWebp(image: Buffer): boolean {
  for (const { type } of chunksOf(image.subarray(HEAD_BYTES))) {
    if (type === "VP8L" || type === "VP8 ") return type === "VP8L";
  }
  return false;
}

/** The animation with its frames as they are, byte for byte, and nothing else. */
export function bareWebp(image: Buffer): Buffer {
  const chunks = [...chunksOf(fileBody(image))]
    .filter(({ type }) => DRAWN.includes(type))
    .map(({ type, data }) => ({ type, data: bareData(type, data) }));
  return encoded("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks.map(encodedChunk)]));
}

function bareData(type: string, data: Buffer): Buffer {
  switch (type) {
    case "VP8X":
      if (data.length < 10) throw damaged();
      // After the flags 3 bytes without a meaning yet, then the size.
      return Buffer.concat([Buffer.from([(data[0] ?? 0) & KEPT_FLAGS, 0, 0, 0]), data.subarray(4, 10)]);
    case "ANMF": {
      if (data.length < FRAME_HEADER) throw damaged();
      const frame = [...chunksOf(data.subarray(FRAME_HEADER))].filter((inner) =>
        DRAWN_IN_FRAME.includes(inner.type),
      );
      return Buffer.concat([data.subarray(0, FRAME_HEADER), ...frame.map(encodedChunk)]);
    }
    default:
      return data.subarray(0, 6);
  }
}

/** What is between the head of the file and its end, as the head tells it: what follows is no part of the image. */
function fileBody(image: Buffer): Buffer {
  if (image.length < HEAD_BYTES) throw damaged();
  const end = 8 + image.readUInt32LE(4);
  if (end > image.length) throw damaged();
  return image.subarray(HEAD_BYTES, end);
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + size);
    if (data.length < size) throw damaged();
    yield { type: bytes.toString("latin1", at, at + 4), data };
    at += 8 + size + (size % 2);
  }
}

function encodedChunk({ type, data }: Chunk): Buffer {
  return encoded(type, data);
}

function encoded(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
