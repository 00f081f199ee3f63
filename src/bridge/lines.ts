const LINE_FEED = 0x0a;

/** Lines from bytes that come in pieces; a character may be cut between two. */
export class LineReader {
  readonly #longest: number;
  #pieces: Buffer[] = [];
  #size = 0;
  #isTooLong = false;

  /** `longest`: bytes of a line; of a longer one nothing is kept. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that `chunk` completes; undefined for each that was too long. */
  read(chunk: Buffer): (string | undefined)[] {
    const lines: (string | undefined)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#add(chunk.subarray(start, end));
      lines.push(this.#isTooLong ? undefined : Buffer.concat(this.#pieces).toString());
      this.#pieces = [];
      this.#size = 0;
      this.#isTooLong = false;
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    return lines;
  }

  #add(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#longest) {
      this.#isTooLong = true;
      this.#pieces = [];
    } else if (piece.length > 0) this.#pieces.push(piece);
  }
}
