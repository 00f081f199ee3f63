import type { Owners } from "../control/owners/owners.js";
import type { ChatInfo } from "../core/types.js";
import { describeChat } from "../messages/chats.js";
import type { StatusReport } from "../server/status-report.js";
import { VERSION } from "../terminal/version.js";
import { foldedLine } from "../text/literal.js";
import type { AgentDeps } from "../tools/call/agent.js";
import { allChats } from "../tools/list.js";

export interface ReportOptions {
  agent: string;
  expireHours: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  owners: Owners;
  deps: AgentDeps;
}

/** What a running server tells about itself. Of owners and actions the agent gets names and numbers only. */
export async function reportStatus({
  agent,
  expireHours,
  startedAt,
  owners,
  deps,
}: ReportOptions): Promise<StatusReport> {
  const { current: paused } = deps.pause;
  const chats = await allChats(deps);
  return {
    agent,
    name: foldedLine(deps.viewer.name),
    version: VERSION,
    since: new Date(startedAt).toISOString(),
    ...(paused ? { paused: { by: foldedLine(paused.by), at: paused.at } } : {}),
    approve: deps.mode,
    expireHours,
    owners: owners.approvers.map(({ memberProfile }) => foldedLine(memberProfile.displayName)),
    chats: chats.length,
    approvals: chats.flatMap((info) => approvalsOf(deps, info)),
    pending: deps.actions.pending().length,
  };
}

/** The standing approvals of a chat that count now. */
function approvalsOf({ standing }: AgentDeps, info: ChatInfo): StatusReport["approvals"] {
  const named = describeChat(info);
  if (!named) return [];
  const chat = { chat: named.chat, name: foldedLine(named.name) };
  return (["messages", "files"] as const).flatMap((kind) => {
    const approval = standing.describe(info, kind);
    if (!approval) return [];
    const of = kind === "files" ? ("downloads" as const) : kind;
    return [{ ...chat, of, ...approval, by: foldedLine(approval.by) }];
  });
}
