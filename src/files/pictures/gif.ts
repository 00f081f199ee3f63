/** Blocks of GIF files. */
import { damaged } from "./image-error.js";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** Extensions: how the next picture is drawn, and what a program adds. */
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** The two names under which the number of rounds is stored. */
const ROUNDS = ["NETSCAPE2.0", "ANIMEXTS1.0"];

/**
 * The animation with its pictures as they are, byte for byte, their times and the number of rounds: without comments,
 * XMP, colour profiles, texts, and what follows the end.
 */
export function bareGif(image: Buffer): Buffer {
  const blocks = new Blocks(image);
  const kept = [blocks.take(6), screen(blocks)];
  for (;;) {
    const type = blocks.next();
    if (type === TRAILER || type === undefined) break;
    if (type === IMAGE) kept.push(picture(blocks));
    else if (type === EXTENSION) kept.push(extension(blocks));
    else throw damaged();
  }
  // Some programs leave out the last byte.
  return Buffer.concat([...kept, Buffer.from([TRAILER])]);
}

/** Reads on from where it is; rejects what goes beyond the end. */
class Blocks {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The next byte; undefined at the end. */
  next(): number | undefined {
    const byte = this.#bytes[this.#at];
    this.#at += 1;
    return byte;
  }

  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    if (taken.length < length) throw damaged();
    this.#at += length;
    return taken;
  }

  /** Parts of data, each after its length, up to one of no length. */
  parts(): Buffer[] {
    const parts: Buffer[] = [];
    for (;;) {
      const [length = 0] = this.take(1);
      if (length === 0) return parts;
      parts.push(this.take(length));
    }
  }
}

function screen(blocks: Blocks): Buffer {
  const head = blocks.take(7);
  return Buffer.concat([head, colours(blocks, head[4] ?? 0)]);
}

function picture(blocks: Blocks): Buffer {
  const head = blocks.take(9);
  const table = colours(blocks, head[8] ?? 0);
  const codeSize = blocks.take(1);
  return Buffer.concat([Buffer.from([IMAGE]), head, table, codeSize, encoded(blocks.parts())]);
}

/** The table of colours, where the flags say that there is one. */
function colours(blocks: Blocks, flags: number): Buffer {
  return blocks.take(flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
}

function extension(blocks: Blocks): Buffer {
  const [label = 0] = blocks.take(1);
  const [first, second] = blocks.parts();
  const kept = Buffer.from([EXTENSION, label]);
  if (label === CONTROL && first?.length === 4) return Buffer.concat([kept, encoded([first])]);
  const isRounds = label === APPLICATION && first && ROUNDS.includes(first.toString("latin1"));
  if (!isRounds || second?.length !== 3) return Buffer.alloc(0);
  return Buffer.concat([kept, encoded([first, second])]);
}

function encoded(parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts.flatMap((part) => [Buffer.from([part.length]), part]), Buffer.alloc(1)]);
}
