import type { Finding } from "./replay.js";

/** Findings shown, of one place and in all. */
const PLACES = 40;
const EACH = 12;

/** The findings line by line of the recording, what is the same at several places once. */
export function report(findings: readonly Finding[]): string {
  const seen = new Map<string, number>();
  const lines: string[] = [];
  const byPlace = new Map<string, Finding[]>();
  for (const finding of findings) {
    const place = `${finding.line} ${finding.who} ${finding.what}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), finding]);
  }
  for (const at of byPlace.values()) {
    const [first] = at;
    if (first === undefined) continue;
    const fresh = at.filter((finding) => {
      const key = `${finding.path.replace(/\[\d+\]/g, "[]").replace(/^.*\b(\w+(\[\])?\.\w+)$/, "$1")} ${shown(finding.recorded)} ${shown(finding.simulated)} ${finding.note}`;
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      return times === 0 || finding.path === "";
    });
    if (fresh.length === 0) continue;
    lines.push(`line ${first.line} ${first.who} ${first.what.slice(0, 100)}`);
    for (const finding of fresh.slice(0, EACH)) lines.push(`    ${describe(finding)}`);
    if (fresh.length > EACH) lines.push(`    and ${fresh.length - EACH} more`);
    if (lines.length > PLACES * 4) break;
  }
  return `${findings.length} findings in ${byPlace.size} places\n${lines.join("\n")}`;
}

function describe({ path, recorded, simulated, note }: Finding): string {
  const values = `recorded ${shown(recorded)}, simulated ${shown(simulated)}`;
  return `${path === "" ? "" : `${path}: `}${values}${note === undefined ? "" : ` (${note})`}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
