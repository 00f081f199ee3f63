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
    ...agent.approvals.map(
      (one, index) => [index === 0 ? "Approved" : "", approvedWords(one, now, timeZone)] as const,
    ),
    ["Pending", count(agent.pending, "action")],
    ["Version", agent.version],
  ] as const;
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    `Agent "${agent.agent}" is running since ${since} (process ${agent.process}).`,
    ...rows.map(([label, value]) => `${(label === "" ? "" : `${label}:`).padEnd(width + 1)} ${value}`),
  ];
}

/** `messages to Bob (@4) by Alice until 14:05`. */
function approvedWords(
  { chat, name, of, by, until, left }: RunningAgent["approvals"][number],
  now: number,
  timeZone?: string,
): string {
  const who = `${foldedLine(name)} (${foldedLine(chat)})`;
  const end = until === undefined ? "" : ` until ${formatTime(Date.parse(until), now, timeZone)}`;
  const rest = left === undefined ? "" : `, ${left} more`;
  return `${of} ${of === "messages" ? "to" : "from"} ${who} by ${foldedLine(by)}${end}${rest}`;
}

/** In mode host nobody decides in the control chat, so nothing expires there. */
function approval({ approve, expireHours }: RunningAgent): string {
  return approve === "host" ? approve : `${approve}, ${count(expireHours, "hour")} to decide`;
}
