import { unparsable } from "./errors.js";
import type { Json } from "./rows.js";

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses the JSON of a command; what cannot be parsed, or holds half a character, fails as the core fails. */
export function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    if (!JSON.stringify(json)?.isWellFormed()) throw unparsable();
    if (hasLoneSurrogate(json)) throw unparsable();
    return json;
  } catch {
    throw unparsable();
  }
}

function hasLoneSurrogate(json: unknown): boolean {
  if (typeof json === "string") return !json.isWellFormed();
  if (typeof json !== "object" || json === null) return false;
  return Object.entries(json).some(([key, value]) => !key.isWellFormed() || hasLoneSurrogate(value));
}

/** Parses the JSON of a command that must be an object. */
export function parseObject(text: string): Json {
  const json = parseJson(text);
  if (!isObject(json)) throw unparsable();
  return json;
}

/** Parts of a JSON object; what is there but not of this kind cannot be parsed. */
export function objectIn(json: Json, key: string): Json | undefined {
  const value = json[key];
  if (value === undefined) return undefined;
  if (!isObject(value)) throw unparsable();
  return value;
}

export function textIn(json: Json, key: string): string | undefined {
  const value = json[key];
  if (value !== undefined && typeof value !== "string") throw unparsable();
  return value;
}

/** A value that must be there. */
export function needed<T>(value: T | undefined): T {
  if (value === undefined) throw unparsable();
  return value;
}
