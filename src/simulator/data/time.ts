/** The texts of times asked for lately: an entity's times are shown again and again. */
const texts = new Map<number, string>();
const KEPT = 10_000;

/** A time as the core writes it: UTC, the fraction without trailing zeros, none at a whole second. */
export function timestamp(ms: number): string {
  let text = texts.get(ms);
  if (text === undefined) {
    text = textOf(ms);
    if (texts.size === KEPT) texts.clear();
    texts.set(ms, text);
  }
  return text;
}

function textOf(ms: number): string {
  const iso = new Date(ms).toISOString();
  const fraction = ms % 1000;
  if (fraction === 0) return `${iso.slice(0, 19)}Z`;
  return `${iso.slice(0, 23).replace(/0+$/, "")}Z`;
}

/** The server's time of a message: whole seconds. */
export const brokerTime = (ms: number): number => Math.floor(ms / 1000) * 1000;
