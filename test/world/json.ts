import type { CoreJson } from "../../src/core/api/chat-api.js";

/** The value under a path of keys in the core's JSON; undefined where one is missing. */
export function at(json: unknown, ...path: string[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value;
}

/** The same, for what must be there: a core that answers otherwise is a failure of its own. */
export function numberAt(json: CoreJson, ...path: string[]): number {
  const value = at(json, ...path);
  if (typeof value === "number") return value;
  throw new Error(`no number at ${path.join(".")} of ${json.type}`);
}

export function textAt(json: CoreJson, ...path: string[]): string {
  const value = at(json, ...path);
  if (typeof value === "string") return value;
  throw new Error(`no text at ${path.join(".")} of ${json.type}`);
}

export function listAt(json: CoreJson, ...path: string[]): unknown[] {
  const value = at(json, ...path);
  if (Array.isArray(value)) return value;
  throw new Error(`no list at ${path.join(".")} of ${json.type}`);
}
