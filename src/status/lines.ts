import { pausedWords } from "../terminal/lines.js";
import { count, formatTime } from "../text/format.js";
import { foldedLine } from "../text/literal.js";
import type { RunningAgent } from "./ask.js";

/** The status for a person. `now`: milliseconds since 1970. */
export function statusLines(agent: RunningAgent, now: number, timeZone?: string): string[] {
  const since = formatTime(Date.parse(agent.since), now, timeZone);
  const rows = [
    ["Name", foldedLine(agent.name)],
    ["URL", agent.url],
    ["Owners", agent.owners.map(foldedLine).join(", ") || "none yet: nobody can approve"],
    ["Approval mode", approval(agent)],
    ...(agent.paused ? [["Paused", pausedWords(agent.paused, now, timeZone)] as const] : []),
    ["Chats", String(agent.chats)],
    ["Pending", count(agent.pending, "action")],
    ["Version", agent.version],
  ] as const;
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    `Agent "${agent.agent}" is running since ${since} (process ${agent.process}).`,
    ...rows.map(([label, value]) => `${`${label}:`.padEnd(width + 1)} ${value}`),
  ];
}

/** In mode host nobody decides in the control chat, so nothing expires there. */
function approval({ approve, expireHours }: RunningAgent): string {
  return approve === "host" ? approve : `${approve}, ${count(expireHours, "hour")} to decide`;
}
