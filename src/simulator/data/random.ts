/** Seeded randomness: one network run twice with the same seed makes the same ids, keys and choices. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** The state to continue from after a save. */
  get seed(): number {
    return this.state;
  }

  /** A float in [0, 1): mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count);
    for (let i = 0; i < count; i++) bytes[i] = this.below(256);
    return bytes;
  }

  base64url(count: number): string {
    return this.bytes(count).toString("base64url");
  }

  /** 24 characters as the core's ids of messages, members and connections: 12 random bytes, encoded twice. */
  id(): string {
    return Buffer.from(this.bytes(12).toString("base64url")).toString("base64");
  }
}
