import qrcode from "qrcode-terminal";
import { formatTime } from "../text/format.js";
import { foldedLine } from "../text/literal.js";

export type QrSize = "normal" | "small" | "none";

export interface OwnerLinkOptions {
  displayName: string;
  size: QrSize;
  /** Of the terminal, where there is one. */
  columns?: number | undefined;
}

/** `by Alice since 14:05: nothing goes out`. `at` is ISO 8601, `now` milliseconds since 1970. */
export function pausedWords({ by, at }: { by: string; at: string }, now: number, timeZone?: string): string {
  return `by ${foldedLine(by)} since ${formatTime(Date.parse(at), now, timeZone)}: nothing goes out`;
}

/** What a person reads to become the owner. The link is a secret: for stdout only. */
export function ownerLinkLines(link: string, { displayName, size, columns }: OwnerLinkOptions): string[] {
  const waiting = "Waiting for the owner to join. The link works once.";
  if (size === "none") {
    return [`Paste in the SimpleX app to become the owner of ${displayName}:`, link, waiting];
  }
  const normal = size === "normal" ? qrCode(link, false) : undefined;
  // A code whose lines wrap cannot be scanned.
  const fits = normal !== undefined && !(widthOf(normal) > (columns ?? Number.POSITIVE_INFINITY));
  return [
    `Scan in the SimpleX app to become the owner of ${displayName}:`,
    fits ? normal : qrCode(link, true),
    link,
    ...(fits ? [] : ["If the QR code does not scan, paste the link in the app."]),
    waiting,
  ];
}

function qrCode(text: string, small: boolean): string {
  let code = "";
  qrcode.generate(text, { small }, (drawn) => {
    code = drawn;
  });
  return code;
}

/** Columns. */
function widthOf(code: string): number {
  return Math.max(...code.split("\n").map((line) => line.replace(/\u001b\[\d+m/g, "").length));
}
