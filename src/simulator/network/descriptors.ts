import { createHash } from "node:crypto";
import type { Random } from "../data/random.js";

/**
 * File descriptors: what a receiver needs to find, fetch and decrypt a file. YAML, as the core writes it; the
 * receivers of one file have replicas of their own.
 */

const KB = 1024;
const MB = 1024 * KB;
const SIZES = [64 * KB, 256 * KB, MB, 4 * MB] as const;

/** Length, authentication tag and the header's own frame, beside the name in it. */
const ENCRYPTION_BYTES = 26;

const threeQuarters = (size: number): number => Math.floor((size * 3) / 4);

/** Bytes of each chunk that a file is uploaded in: the last is filled up. */
export function chunkSizes(name: string, size: number): number[] {
  const encrypted = size + ENCRYPTION_BYTES + Buffer.byteLength(name);
  const [smallest, small, big, biggest] = SIZES;
  if (encrypted > threeQuarters(biggest)) return inChunks(encrypted, big, biggest);
  return encrypted > threeQuarters(big)
    ? inChunks(encrypted, small, big)
    : inChunks(encrypted, smallest, small);
}

function inChunks(size: number, small: number, big: number): number[] {
  const full = Math.floor(size / big);
  const rest = size % big;
  const chunks = Array<number>(full).fill(big);
  if (rest === 0) return chunks;
  if (rest > threeQuarters(big)) return [...chunks, big];
  return [...chunks, ...Array<number>(Math.ceil(rest / small)).fill(small)];
}

/** What all descriptors of one file have in common. */
export interface FileSecrets {
  readonly server: string;
  readonly chunks: readonly number[];
  readonly digest: string;
  readonly key: string;
  readonly nonce: string;
  readonly chunkDigests: readonly string[];
}

export function fileSecrets(
  random: Random,
  server: string,
  chunks: readonly number[],
  content: Buffer,
): FileSecrets {
  return {
    server,
    chunks,
    digest: padded(createHash("sha512").update(content).digest()),
    key: padded(random.bytes(32)),
    nonce: padded(random.bytes(24)),
    chunkDigests: chunks.map(() => padded(random.bytes(32))),
  };
}

/** base64url with padding. */
export const padded = (bytes: Buffer): string =>
  bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");

/** The descriptor of one receiver, or the one that the sender keeps; `replica` is the id of the first chunk there. */
export function descriptorText(
  random: Random,
  { server, chunks, digest, key, nonce, chunkDigests }: FileSecrets,
  party: "recipient" | "sender",
  replica: string,
): string {
  const [most = SIZES[0]] = chunks;
  const lines = chunks.map((size, at) => {
    const id = at === 0 ? replica : padded(random.bytes(16));
    const privateKey = `MC4CAQAwBQYDK2VwBCIEI${padded(random.bytes(33)).slice(0, 43)}`;
    return `  - ${at + 1}:${id}:${privateKey}:${chunkDigests[at]}${size === most ? "" : `:${shown(size)}`}`;
  });
  const total = chunks.reduce((sum, size) => sum + size, 0);
  return [
    `chunkSize: ${shown(most)}`,
    `digest: ${digest}`,
    `key: ${key}`,
    `nonce: ${nonce}`,
    `party: ${party}`,
    "replicas:",
    "- chunks:",
    ...lines,
    `  server: ${server}`,
    `size: ${shown(total)}`,
    "",
  ].join("\n");
}

function shown(size: number): string {
  if (size % MB === 0) return `${size / MB}mb`;
  return size % KB === 0 ? `${size / KB}kb` : `${size}`;
}

export interface Descriptor {
  readonly server: string;
  /** The id of the first chunk at the server. */
  readonly replica: string;
  /** Bytes of each chunk. */
  readonly chunks: readonly number[];
}

/** Reads a descriptor; undefined when it is none. */
export function readDescriptor(text: string): Descriptor | undefined {
  const server = /^ +server: (\S+)$/m.exec(text)?.[1];
  const most = sizeOf(/^chunkSize: (\S+)$/m.exec(text)?.[1]);
  const chunks = [...text.matchAll(/^ +- \d+:([^:\n]+):[^:\n]+:[^:\n]+(?::(\S+))?$/gm)];
  const replica = chunks[0]?.[1];
  if (server === undefined || replica === undefined) return undefined;
  return { server, replica, chunks: chunks.map(([, , size]) => (size === undefined ? most : sizeOf(size))) };
}

function sizeOf(text = ""): number {
  const [, number, unit] = /^(\d+)(kb|mb)?$/.exec(text) ?? [];
  return Number(number ?? 0) * (unit === "mb" ? MB : unit === "kb" ? KB : 1);
}
