import { fieldOf } from "../../src/core/api/json.js";

/** Paths at which something of the core's JSON was passed over since it could not be read. */
export function* passedOver(read: unknown, raw: unknown, path = ""): Generator<string> {
  if (typeof read !== "object" || read === null) return;
  const { type, unreadable } = read as { type?: unknown; unreadable?: unknown };
  if (type === "unreadable" || (typeof unreadable === "number" && unreadable > 0)) yield path;
  if (Array.isArray(read) && Array.isArray(raw) && read.length !== raw.length && !OF_PEERS.test(path))
    yield `${path}: ${raw.length}`;
  for (const [key, part] of Object.entries(read)) {
    if (!WHOLE.test(`${path}.${key}`)) yield* passedOver(part, fieldOf(raw, key), `${path}.${key}`);
  }
}

/** Lists that peers write: of these, what is none is left out. */
const OF_PEERS = /\.reactions$/;

/** Kept as it came, however deep it is. */
const WHOLE = /\.(?:json|msgContent|groupProfile|quotedItem\.content)$/;
