import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { CoreJson } from "../../src/core/api/chat-api.js";

/** One line of a recording of the real core (test/fixtures/transcripts/README.md). */
export interface Line {
  /** 1-based, as an editor counts. */
  number: number;
  /** Milliseconds since the recording began. */
  t?: number;
  who?: string;
  cmd?: string;
  /** The answer to `cmd`; absent when `error` is there. */
  resp?: CoreJson;
  /** The `chatError` of the failed `cmd`; of another shape in probes. */
  error?: CoreJson;
  event?: CoreJson;
  /** An error of the event stream, which handlers never see. */
  asyncError?: CoreJson;
  note?: string;
  probe?: string;
  [field: string]: unknown;
}

export interface Transcript {
  /** `09-group-messages` */
  name: string;
  /** What the recording shows. */
  note: string;
  lines: Line[];
}

const FOLDER = new URL("../fixtures/transcripts/", import.meta.url);
const ENDING = ".jsonl.gz";

export function transcriptNames(): string[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort();
}

/** `name` may be its number alone: `09`. */
export function readTranscript(name: string): Transcript {
  const full = transcriptNames().find((other) => other === name || other.startsWith(`${name}-`));
  if (full === undefined) throw new Error(`No transcript ${name} in ${FOLDER.pathname}`);
  const text = gunzipSync(readFileSync(new URL(full + ENDING, FOLDER))).toString("utf8");
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index): Line => ({ ...JSON.parse(line), number: index + 1 }));
  return { name: full, note: lines[0]?.note ?? full, lines };
}

/**
 * When the recording began, ms since 1970: what was received and sent within one second is in an order that depends
 * on where in the second it happened.
 */
export function startOf({ lines }: Transcript): number {
  const ages = lines.flatMap(({ t = 0, resp, event }) => {
    const created = JSON.stringify(resp ?? event ?? {}).matchAll(/"createdAt":"([^"]+)"/g);
    // Nothing is created after the line that shows it.
    return [...created].map(([, time = ""]) => Date.parse(time) - t);
  });
  return ages.reduce((latest, age) => Math.max(latest, age), 0);
}
