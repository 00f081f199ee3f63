/** Private keys in the content of files, wherever the files are. */

/** What tells that a key may be near: found fast in large files. */
const NEEDLES: readonly Buffer[] = ["PRIVATE KEY", "PuTTY-User-Key-File", "AGE-SECRET-KEY-1"].flatMap(
  (text) => [
    Buffer.from(text, "latin1"),
    // Windows writes texts so.
    Buffer.from(text, "utf16le"),
  ],
);
const KEY =
  /-----? ?BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]/;
/** Bytes around a needle that are looked at: the longest header, in two bytes a letter. */
const AROUND = 200;

/** Looks for private keys in a content that comes block by block. */
export class PrivateKeys {
  found = false;
  #last: Buffer = Buffer.alloc(0);

  /** The block may be written over afterwards. */
  add(block: Buffer): void {
    if (this.found) return;
    // A header may be cut by the end of a block.
    const seam = Buffer.concat([this.#last, block.subarray(0, 2 * AROUND)]);
    this.found = holdsKey(seam) || holdsKey(block);
    this.#last = Buffer.from(Buffer.concat([this.#last, block.subarray(-AROUND)]).subarray(-AROUND));
  }
}

function holdsKey(bytes: Buffer): boolean {
  return NEEDLES.some((needle) => {
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) {
      const around = bytes.subarray(Math.max(0, at - AROUND), at + AROUND);
      if (KEY.test(around.toString("latin1").replaceAll("\0", ""))) return true;
    }
    return false;
  });
}
