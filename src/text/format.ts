/** Times and sizes as people read them. */

/**
 * `14:05`, or `2026-12-01 14:05` when that is another day than `now`; both in milliseconds since 1970.
 * Local time, or that of `timeZone` (such as `Europe/Zurich`).
 */
export function formatTime(time: number, now: number, timeZone?: string): string {
  const [date, clock] = dateAndClock(time, timeZone);
  return date === dateAndClock(now, timeZone)[0] ? clock : `${date} ${clock}`;
}

function dateAndClock(time: number, timeZone: string | undefined): [string, string] {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    ...(timeZone === undefined ? {} : { timeZone }),
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return [`${part("year")}-${part("month")}-${part("day")}`, `${part("hour")}:${part("minute")}`];
}

const UNITS = ["KB", "MB", "GB", "TB"] as const;

/** `1 byte`, `312 KB`, `2.4 MB`: units of 1024, as in the SimpleX apps. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  let size = bytes;
  let unit = "";
  for (const next of UNITS) {
    // Rounded first, so that 1024 KB is called 1.0 MB.
    if (Math.round(size) < 1024) break;
    size /= 1024;
    unit = next;
  }
  return `${unit === "KB" ? Math.round(size) : size.toFixed(1)} ${unit}`;
}

/** `1 file`, `3 files`; `2 people` with a plural of its own. */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${amount} ${amount === 1 ? noun : plural}`;
}
