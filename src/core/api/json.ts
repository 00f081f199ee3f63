/** `value[key]` of what may be anything; undefined when it is no object. */
export function fieldOf(value: unknown, key: string): unknown {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject ? Reflect.get(value, key) : undefined;
}

/** As one line of at most `length` characters. */
export function oneLine(text: string, length = 300): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
