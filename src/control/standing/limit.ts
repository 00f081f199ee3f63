/** How long a standing approval lasts, as owners write it: `2h`, or `10` for the next ten. */
export type Limit = { ms: number } | { count: number };

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 30 * 86_400_000;
/** The apps read longer numbers as those of phones. */
const MOST = 10_000;

/** Undefined when the word is none: a number from 1 to 10000, or a time from 1 minute to 30 days. */
export function readLimit(word: string): Limit | undefined {
  const [, digits = "", unit = ""] = /^([1-9]\d*)([mhd]?)$/.exec(word) ?? [];
  const amount = Number(digits);
  if (digits === "") return undefined;
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined) return amount <= MOST ? { count: amount } : undefined;
  const ms = amount * unitMs;
  return ms <= LONGEST_MS ? { ms } : undefined;
}

/** The word for it, as short as can be. */
export function limitWord(limit: Limit): string {
  if ("count" in limit) return String(limit.count);
  const [unit, ms] = Object.entries(UNIT_MS).findLast(([, one]) => limit.ms % one === 0) ?? ["m", 60_000];
  return `${limit.ms / ms}${unit}`;
}
